//go:build unix

package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bayes"

	"github.com/anishathalye/porcupine"
	"github.com/redis/go-redis/v9"
)

// Histories. Clients of several replicas, each a process, learn, unlearn, relabel
// and look up documents at once, while connections to Redis stall, break or lose
// answers, while Redis and the replicas are stopped or killed and started again,
// and while each replica's clock tells another time. What the clients were told
// must be what some sequence of these operations gives, one at a time, each
// between its call and its return (porcupine finds it, or that there is none). In
// the end all replicas must be the same, and what the log means.

// A skewedLog is a log of a process whose clock is wrong.
type skewedLog struct {
	Log
	by time.Duration
}

func (l skewedLog) Append(ctx context.Context, events []Event) (uint64, error) {
	events = slices.Clone(events)
	for i := range events {
		events[i].Time = events[i].Time.Add(l.by)
	}
	return l.Log.Append(ctx, events)
}

func init() {
	processes["STORE_TEST_REPLICA"] = func(dir string) error {
		return serveReplica(dir, os.Getenv("STORE_TEST_REDIS"), os.Getenv("STORE_TEST_SKEW"), os.Getenv("STORE_TEST_AGE"))
	}
}

// serveReplica is a process that does what it reads from the standard input, a
// line each, all at once, and says on the standard output what came of it.
func serveReplica(dir, redis, skew, age string) error {
	log, err := OpenRedis(redis)
	if err != nil {
		return err
	}
	by, err := time.ParseDuration(skew)
	if err != nil {
		return err
	}
	window, err := time.ParseDuration(age)
	if err != nil {
		return err
	}
	s, err := Open(ctx, dir, skewedLog{log, by}, &Options{SnapshotEvery: 100, Refit: time.Millisecond, Window: Window{Age: window}})
	if err != nil {
		return err
	}
	fmt.Println("0 ready")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		number, line, _ := strings.Cut(in.Text(), " ")
		go func() { fmt.Printf("%s %s\n", number, answer(s, strings.Fields(line))) }() // one write
	}
	return in.Err()
}

// answer does one thing to a store: VERB ID LABEL TEXT.
func answer(s *Store, f []string) string {
	switch f[0] {
	case "read": // what was learned before this began is seen
		_, last, err := s.log.Bounds(ctx)
		for deadline := time.Now().Add(2 * time.Second); err == nil && s.applied() < last; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				err = errors.New("it lags behind")
			}
		}
		ex, ok, lookupErr := s.Lookup(f[1])
		if err := errors.Join(err, lookupErr); err != nil {
			return "failed " + err.Error()
		}
		return fmt.Sprintf("read %t %s %s", ok, ex.Label, ex.Text)
	case "peek": // what is seen may be old
		from := s.applied()
		ex, ok, err := s.Lookup(f[1])
		if err != nil {
			return "failed " + err.Error()
		}
		return fmt.Sprintf("peek %d %d %t %s %s", from, s.applied(), ok, ex.Label, ex.Text)
	case "sum":
		h := sha256.New()
		if _, err := s.Snapshot(h); err != nil {
			return "failed " + err.Error()
		}
		lag, err := s.Lag(ctx)
		return fmt.Sprintf("sum %x %d %v %v", h.Sum(nil), lag, err, s.Status().Log)
	}
	r, err := s.Apply(ctx, eventsIn(f)...)
	switch {
	case errors.Is(err, ErrUnavailable), errors.Is(err, context.Canceled):
		return "unknown " + err.Error()
	case err != nil:
		return "failed " + err.Error()
	}
	return strings.Trim(fmt.Sprint("done ", r.Seq, " ", r.Changed), "]")
}

// eventsIn returns the events of VERB ID LABEL TEXT.
func eventsIn(f []string) []Event {
	learn := Event{Op: OpLearn, ID: f[1], Example: bayes.Example{Label: f[2], Text: f[3]}}
	unlearn := Event{Op: OpUnlearn, ID: f[1]}
	switch f[0] {
	case "learn":
		return []Event{learn}
	case "unlearn":
		return []Event{unlearn}
	case "replace":
		return []Event{unlearn, learn}
	}
	return []Event{{Op: OpRelabel, ID: f[1], Example: bayes.Example{Label: f[2]}}}
}

// A replicaProcess is such a process.
type replicaProcess struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	errs  bytes.Buffer
	done  chan struct{} // closed when it has ended

	mu      sync.Mutex // for what follows
	number  int
	waiting map[string]chan string // closed if the process dies
	dead    bool
}

func startReplica(t *testing.T, env ...string) *replicaProcess {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ready := make(chan string, 1)
	p := &replicaProcess{cmd: exec.Command(self), done: make(chan struct{}), waiting: map[string]chan string{"0": ready}}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = &p.errs
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	go p.receive(stdout)
	select {
	case _, ok := <-ready:
		if !ok {
			<-p.done
			t.Fatalf("a replica does not start: %s", p.errs.String())
		}
	case <-time.After(30 * time.Second):
		t.Fatal("a replica does not start within 30 s")
	}
	return p
}

// receive passes on what the process says, until it dies.
func (p *replicaProcess) receive(stdout io.Reader) {
	defer close(p.done)
	for out := bufio.NewScanner(stdout); out.Scan(); {
		number, answer, _ := strings.Cut(out.Text(), " ")
		p.mu.Lock()
		c := p.waiting[number]
		delete(p.waiting, number)
		p.mu.Unlock()
		c <- answer // there is room for it
	}
	p.mu.Lock()
	p.dead = true
	for _, c := range p.waiting {
		close(c)
	}
	p.mu.Unlock()
	p.cmd.Wait()
}

// do has the process do something. It is unknown what came of it if the process
// dies.
func (p *replicaProcess) do(line string) string {
	answer := make(chan string, 1)
	p.mu.Lock()
	if p.dead {
		p.mu.Unlock()
		return "failed: it is not running"
	}
	p.number++
	p.waiting[strconv.Itoa(p.number)] = answer
	fmt.Fprintln(p.stdin, p.number, line) // or it dies
	p.mu.Unlock()
	if a, ok := <-answer; ok {
		return a
	}
	return "unknown: it was killed"
}

func (p *replicaProcess) kill() {
	p.cmd.Process.Kill()
	<-p.done
}

// A proxy is between a replica and Redis.
type proxy struct {
	net.Listener
	redis string
	mode  atomic.Int32

	connections atomic.Int64 // how many there were
	held        atomic.Int64 // how many of the first of them stall, whatever the mode
	arrived     atomic.Int64 // how many requests had stalled and were passed on
}

// What a proxy does.
const (
	passes  int32 = iota
	stalls        // until it passes again: what was sent then arrives, however late
	deafens       // requests arrive, answers do not
	resets        // every connection
)

func startProxy(t *testing.T, redis string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l, redis: redis}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(c.(*net.TCPConn))
		}
	}()
	return p
}

func (p *proxy) url() string { return "redis://" + p.Addr().String() + "?stream=test" }

func (p *proxy) serve(client *net.TCPConn) {
	server, err := net.Dial("unix", p.redis)
	if err != nil || p.mode.Load() == resets {
		client.SetLinger(0)
		client.Close()
		return
	}
	number := p.connections.Add(1)
	var both sync.WaitGroup
	both.Go(func() { p.pump(server, client, number, false) })
	both.Go(func() { p.pump(client, server, number, true) })
	both.Wait()
}

// pump copies from one side to the other. A connection whose answers were dropped
// ends as soon as others would pass.
func (p *proxy) pump(to, from net.Conn, number int64, answers bool) {
	defer to.Close()
	defer from.Close()
	b := make([]byte, 1<<16)
	deaf := false
	for {
		from.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		n, err := from.Read(b)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = nil
		}
		stalled := false
		for p.mode.Load() == stalls || number <= p.held.Load() {
			stalled = true
			time.Sleep(time.Millisecond)
		}
		switch mode := p.mode.Load(); {
		case mode == resets, deaf && mode != deafens:
			if c, ok := to.(*net.TCPConn); ok {
				c.SetLinger(0)
			}
			return
		case answers && mode == deafens && n > 0:
			deaf = true
		case n > 0:
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
			if stalled && !answers {
				p.arrived.Add(1)
			}
		}
		if err != nil {
			return
		}
	}
}

// An operation of a client, and what it was told.
type operation struct {
	replica      int
	line         []string // VERB ID LABEL TEXT
	call, ret    int64
	answer       []string
	unknown      bool
	seq          uint64 // of done
	changed      []bool
	from, to     uint64 // of peek
	there        bool   // of read and peek
	label, value string
}

// parse reads an answer. It reports whether the operation was done, or may have
// been.
func (o *operation) parse(answer string) (happened bool, err error) {
	f := strings.Fields(answer)
	o.answer = f
	switch f[0] {
	case "done":
		if o.seq, err = strconv.ParseUint(f[1], 10, 64); err != nil {
			return false, err
		}
		for _, c := range f[2:] {
			o.changed = append(o.changed, strings.Trim(c, "[]") == "true")
		}
	case "unknown", "unknown:":
		o.unknown = true
		return o.line[0] != "read" && o.line[0] != "peek", nil
	case "peek":
		if _, err := fmt.Sscan(f[1]+" "+f[2], &o.from, &o.to); err != nil {
			return false, err
		}
		f = f[2:]
		fallthrough
	case "read":
		if o.there = f[1] == "true"; o.there {
			o.label, o.value = f[2], f[3]
		}
	case "failed", "failed:":
		return false, nil
	default:
		return false, fmt.Errorf("a replica says %q", answer)
	}
	return true, nil
}

// A register is what an ID is known as.
type register struct {
	there       bool
	label, text string
}

// after returns the register after an event, and whether it is another.
func (r register) after(e Event) (register, bool) {
	next := register{}
	switch {
	case e.Op == OpLearn:
		next = register{true, e.Example.Label, e.Example.Text}
	case e.Op == OpRelabel && r.there:
		next = register{true, e.Example.Label, r.text}
	}
	return next, next != r
}

// oneAtATime is the model: an ID is a register, whatever the others are.
var oneAtATime = porcupine.Model{
	Init: func() any { return register{} },
	Step: func(state, input, _ any) (bool, any) {
		r, o := state.(register), input.(*operation)
		if o.line[0] == "read" {
			return r == register{o.there, o.label, o.value}, r
		}
		for i, e := range eventsIn(o.line) {
			var changed bool
			r, changed = r.after(e)
			if !o.unknown && changed != o.changed[i] {
				return false, r
			}
		}
		return true, r
	},
}

// A request that was given up arrives after one that was made later. It is as if
// it had never been made.
func TestLateRequest(t *testing.T) {
	r := startRedis(t)
	p := startProxy(t, filepath.Join(r.dir, "socket"))
	log, err := OpenRedis(p.url())
	if err != nil {
		t.Fatal(err)
	}
	l := log.(*redisLog)
	l.client.Close()
	l.opts.ReadTimeout = 200 * time.Millisecond // of requests, so that they are given up soon
	l.client = redis.NewClient(l.opts)
	s := mustOpen(t, t.TempDir(), log, nil)
	if _, err := s.Learn(ctx, entry("1", "ham", "mine")); err != nil {
		t.Fatal(err)
	}
	p.held.Store(p.connections.Load())
	if _, err := s.Learn(ctx, entry("1", "spam", "mine")); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("learning says %v", err)
	}
	for {
		if _, err := s.Unlearn(ctx, "1"); err == nil {
			break
		} else if !errors.Is(err, ErrUnavailable) {
			t.Fatal(err)
		}
	}
	late := p.arrived.Load()
	p.held.Store(0)
	for deadline := time.Now().Add(20 * time.Second); p.arrived.Load() == late; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("what was held does not arrive")
		}
	}
	if _, err := s.Learn(ctx, entry("2", "ham", "yours")); err != nil { // after it
		t.Fatal(err)
	}
	settled(t, s)
	if _, ok, err := s.Lookup("1"); ok || err != nil {
		t.Errorf("what was unlearned is there again: %v", err)
	}
}

func TestHistories(t *testing.T) {
	histories, length := 1, 2*time.Second
	switch {
	case testing.Short():
		t.Skip("it takes some seconds")
	case os.Getenv("BAYES_LONG") == "1":
		histories, length = 60, 20*time.Second
	case os.Getenv("CI") == "true":
		histories, length = 2, 5*time.Second
	}
	for seed := range histories {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { testHistory(t, uint64(seed), length) })
	}
}

// A cluster is some replicas and their Redis.
type cluster struct {
	t        *testing.T
	redis    *redisServer
	proxies  []*proxy
	env      [][]string // of the replicas
	replicas []atomic.Pointer[replicaProcess]
	began    time.Time
}

func startCluster(t *testing.T, n int, age time.Duration) *cluster {
	t.Helper()
	c := &cluster{t: t, redis: startRedis(t), replicas: make([]atomic.Pointer[replicaProcess], n)}
	l := c.redis.log()
	defer l.Close()
	if err := l.Compact(ctx, "observer", 0); err != nil { // which keeps the whole log
		t.Fatal(err)
	}
	root := t.TempDir()
	for i := range n {
		p := startProxy(t, filepath.Join(c.redis.dir, "socket"))
		c.proxies = append(c.proxies, p)
		c.env = append(c.env, []string{
			"STORE_TEST_REPLICA=" + filepath.Join(root, fmt.Sprint(i)), "STORE_TEST_REDIS=" + p.url(),
			fmt.Sprint("STORE_TEST_SKEW=", time.Duration(i-1)*time.Hour), fmt.Sprint("STORE_TEST_AGE=", age),
		})
		c.replicas[i].Store(startReplica(t, c.env[i]...))
	}
	c.began = time.Now()
	return c
}

// trouble makes some, and ends it.
func (c *cluster) trouble(r *rand.Rand) {
	wait := func(most int) { time.Sleep(time.Duration(20+r.IntN(most)) * time.Millisecond) }
	i := r.IntN(len(c.replicas))
	replica, p := c.replicas[i].Load(), c.proxies[i]
	switch r.IntN(8) {
	case 0:
		c.redis.cmd.Process.Signal(syscall.SIGSTOP)
		wait(500)
		c.redis.cmd.Process.Signal(syscall.SIGCONT)
	case 1:
		c.redis.kill()
		wait(100)
		c.redis.start()
	case 2:
		replica.cmd.Process.Signal(syscall.SIGSTOP)
		wait(500)
		replica.cmd.Process.Signal(syscall.SIGCONT)
	case 3:
		replica.kill()
		wait(100)
		c.replicas[i].Store(startReplica(c.t, c.env[i]...))
	default: // a partition, of one or, now and then, of all
		mode := []int32{stalls, deafens, resets}[r.IntN(3)]
		most := 400
		if r.IntN(5) == 0 {
			most = 4000 // longer than a replica waits
		}
		if r.IntN(4) == 0 {
			for _, p := range c.proxies {
				p.mode.Store(mode)
			}
		}
		p.mode.Store(mode)
		wait(most)
		for _, p := range c.proxies {
			p.mode.Store(passes)
		}
	}
}

// client does one thing after another until the end, and returns what it did.
func (c *cluster) client(r *rand.Rand, replica, number int, end time.Time) (list []*operation) {
	for k := 0; time.Now().Before(end); k++ {
		id := fmt.Sprintf("%d-%d", time.Since(c.began)/time.Second, r.IntN(5))
		text := fmt.Sprintf("by%dx%d", number, k)
		if r.IntN(6) == 0 {
			text = "same"
		}
		verb := []string{"learn", "learn", "learn", "unlearn", "relabel", "relabel", "replace", "read", "read", "peek"}[r.IntN(10)]
		label := []string{"ham", "spam"}[r.IntN(2)]
		if verb == "relabel" && r.IntN(2) == 0 {
			label = text // which tells in the log whose it is
		}
		o := &operation{replica: replica, line: []string{verb, id, label, text}}
		o.call = int64(time.Since(c.began))
		answer := c.replicas[replica].Load().do(strings.Join(o.line, " "))
		o.ret = int64(time.Since(c.began))
		happened, err := o.parse(answer)
		if err != nil {
			c.t.Error(err)
		}
		if o.unknown {
			o.ret = math.MaxInt64
		}
		if happened {
			list = append(list, o)
		} else if strings.Contains(answer, "missing") || strings.Contains(answer, "damaged") {
			c.t.Errorf("replica %d: %v: %s", replica, o.line, answer)
		}
		pause := 8
		if o.unknown {
			pause = 200 // each doubles the orders that are possible
		}
		time.Sleep(time.Duration(r.IntN(pause)) * time.Millisecond)
	}
	return list
}

func testHistory(t *testing.T, seed uint64, length time.Duration) {
	const replicas, clients = 3, 3
	age := time.Duration(seed%2) * 500 * time.Millisecond // or no window
	c := startCluster(t, replicas, age)
	end := c.began.Add(length)
	var mu sync.Mutex
	var history []*operation
	var working sync.WaitGroup
	for i := range replicas * clients {
		working.Go(func() {
			list := c.client(rand.New(rand.NewPCG(seed, uint64(i))), i%replicas, i, end)
			mu.Lock()
			defer mu.Unlock()
			history = append(history, list...)
		})
	}
	r := rand.New(rand.NewPCG(seed, 1000))
	troubles := 0
	for ; time.Now().Before(end); troubles++ {
		time.Sleep(time.Duration(r.IntN(200)) * time.Millisecond)
		c.trouble(r)
	}
	working.Wait()

	sum := c.settle()
	l := c.redis.log()
	defer l.Close()
	log := collect(t, l, 0)
	if want := fmt.Sprintf("%x", sha256.Sum256(batch(t, bayes.Multinomial{}, meaning(log, age)...))); sum != want {
		t.Error("the replicas are not what the log means")
	}
	checkLog(t, history, log)
	if age == 0 { // or else documents leave, whatever was done
		checkPeeks(t, history, log)
		checkOneAtATime(t, withoutAbsent(history, log))
	}
	unknown := 0
	for _, o := range history {
		if o.unknown {
			unknown++
		}
	}
	t.Logf("%d operations, %d of them of unknown outcome; %d troubles; %d events", len(history), unknown, troubles, len(log))
}

// settle waits until all replicas have applied the whole log, and returns the
// hash of what they all hold.
func (c *cluster) settle() string {
	c.t.Helper()
	sums := make([]string, len(c.replicas))
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		settled := true
		for i := range c.replicas {
			sums[i] = c.replicas[i].Load().do("sum")
			settled = settled && strings.HasSuffix(sums[i], " 0 <nil> <nil>")
		}
		if settled && len(slices.Compact(slices.Clone(sums))) == 1 {
			return strings.Fields(sums[0])[1]
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("the replicas do not become the same: %v", sums)
		}
	}
}

// meaning returns the examples that a log leaves: if age is positive, those that
// are not older, by the latest time of any event.
func meaning(log []Event, age time.Duration) []bayes.Example {
	var ref reference
	times := make(map[string]time.Time) // of the documents
	var clock time.Time
	for _, e := range log {
		if clock.Before(e.Time) {
			clock = e.Time
		}
		if e.Op != opBegin {
			before := slices.Clone(ref.documents)
			if ref.apply(e); !slices.Equal(labelled(before), labelled(ref.documents)) {
				times[e.ID] = clock
			}
		}
		for age > 0 && len(ref.documents) > 0 && times[ref.documents[0].ID].Before(clock.Add(-age)) {
			ref.documents = ref.documents[1:]
		}
	}
	return ref.examples()
}

// labelled returns what can be compared of entries.
func labelled(list []Entry) (s []string) {
	for _, e := range list {
		s = append(s, e.ID+" "+e.Example.Label+" "+e.Example.Text)
	}
	return s
}

// checkLog wants the log to have what was acknowledged, where the replica said it
// was.
func checkLog(t *testing.T, history []*operation, log []Event) {
	t.Helper()
	for _, o := range history {
		if o.seq == 0 {
			continue
		}
		want := eventsIn(o.line)
		for i, e := range want {
			at := o.seq - uint64(len(want)-1-i)
			got := log[at-1]
			if got.Op != e.Op || got.ID != e.ID || got.Example.Label != e.Example.Label || got.Example.Text != e.Example.Text {
				t.Errorf("%v was acknowledged as event %d, which is %v of %s", o.line, at, got.Op, got.ID)
			}
		}
	}
}

// checkPeeks wants each lookup to have seen what the ID was after one of the events
// that may have been applied last when it was made.
func checkPeeks(t *testing.T, history []*operation, log []Event) {
	t.Helper()
	type version struct {
		from uint64
		register
	}
	versions := make(map[string][]version)
	for i, e := range log {
		list := versions[e.ID]
		if list == nil {
			list = []version{{}}
		}
		now, _ := list[len(list)-1].after(e)
		versions[e.ID] = append(list, version{uint64(i + 1), now})
	}
	for _, o := range history {
		if o.line[0] != "peek" {
			continue
		}
		saw := register{o.there, o.label, o.value}
		list := versions[o.line[1]]
		seen := list == nil && saw == register{}
		for i, v := range list {
			current := i+1 == len(list) || list[i+1].from > o.from
			seen = seen || current && v.from <= o.to && v.register == saw
		}
		if !seen {
			t.Errorf("%v on replica %d saw %+v, which is not what it was from event %d to %d", o.line, o.replica, saw, o.from, o.to)
		}
	}
}

// withoutAbsent returns a history without operations of unknown outcome that the
// log shows not to have happened.
func withoutAbsent(history []*operation, log []Event) []*operation {
	there := make(map[string]bool)
	for _, e := range log {
		there[e.Example.Text] = true
		there[e.Example.Label] = true
	}
	return slices.DeleteFunc(slices.Clone(history), func(o *operation) bool {
		own := o.line[3]
		switch o.line[0] {
		case "unlearn":
			own = "same"
		case "relabel":
			own = o.line[2]
		}
		return o.unknown && strings.HasPrefix(own, "by") && !there[own]
	})
}

// checkOneAtATime wants an order of all operations in which each does what it was
// said to do.
func checkOneAtATime(t *testing.T, history []*operation) {
	t.Helper()
	byID := make(map[string][]porcupine.Operation)
	for _, o := range history {
		if o.line[0] != "peek" {
			byID[o.line[1]] = append(byID[o.line[1]], porcupine.Operation{ClientId: o.replica, Input: o, Call: o.call, Return: o.ret})
		}
	}
	for id, list := range byID {
		switch porcupine.CheckOperationsTimeout(oneAtATime, list, time.Minute) {
		case porcupine.Illegal:
			var b strings.Builder
			slices.SortFunc(list, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
			for _, op := range list {
				o := op.Input.(*operation)
				fmt.Fprintf(&b, "%12d %19d replica %d %v: %v\n", o.call, o.ret, o.replica, o.line, o.answer)
			}
			t.Errorf("there is no order of the operations on %s:\n%s", id, b.String())
		case porcupine.Unknown:
			t.Errorf("whether there is an order of %d operations on %s was not found out", len(list), id)
		}
	}
}
