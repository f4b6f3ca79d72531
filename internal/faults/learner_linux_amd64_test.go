package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/internal/cli"
	longer "bayes/internal/long"
	"bayes/store"
)

var ctx = context.Background()

// How much is tried.
const (
	quick = iota // a few seconds
	ci           // half a minute: CI=true
	long         // all that there is to try: BAYES_LONG=1
)

func level() int {
	switch {
	case testing.Short():
	case os.Getenv("BAYES_LONG") == "1":
		return long
	case os.Getenv("CI") == "true":
		return ci
	}
	return quick
}

// TestMain makes the test binary a process that learns, or the command, if it is
// told to.
func TestMain(m *testing.M) {
	if os.Getenv("FAULTS_COMMAND") != "" {
		cli.Main()
		return
	}
	if folder := os.Getenv("FAULTS_STORE"); folder != "" {
		os.Exit(learn(folder, strings.Fields(os.Getenv("FAULTS_STEPS"))))
	}
	os.Exit(longer.Tests{M: m}.Run())
}

// options are the store's. Snapshots are frequent.
func options(window int) *store.Options {
	return &store.Options{SnapshotEvery: 7, Refit: time.Millisecond, Window: store.Window{Documents: window}}
}

// learn does what its arguments say: "FROM-TO", to take these steps with a store
// that is then closed; "FROM-TO!", to leave it as it is. It says on the standard
// output what came of each step, and returns the exit code.
func learn(folder string, args []string) int {
	window, _ := strconv.Atoi(os.Getenv("FAULTS_WINDOW"))
	for _, arg := range args {
		var from, to int
		fmt.Sscanf(arg, "%d-%d", &from, &to)
		s, err := store.Open(ctx, folder, nil, options(window))
		if err != nil {
			fmt.Printf("open: %v\n", err)
			return 1
		}
		for k := from; k < to; k++ {
			_, err := s.Apply(ctx, step(k)...)
			switch {
			case err == nil:
				fmt.Printf("done %d\n", k)
			case errors.Is(err, store.ErrUnavailable):
				fmt.Printf("unknown %d %v\n", k, err)
			default:
				fmt.Printf("failed %d %v\n", k, err)
			}
		}
		if strings.HasSuffix(arg, "!") {
			return 0
		}
		if err := s.Close(); err != nil {
			fmt.Printf("close: %v\n", err)
		}
	}
	return 0
}

// step returns what a process does at a step: some changes, and a document that
// says that it was done.
func step(k int) []store.Event {
	r := rand.New(rand.NewPCG(1, uint64(k)))
	var list []store.Event
	for range r.IntN(4) {
		e := store.Event{Op: []store.Op{store.OpLearn, store.OpLearn, store.OpUnlearn, store.OpRelabel}[r.IntN(4)], ID: strconv.Itoa(r.IntN(8))}
		if e.Op != store.OpUnlearn {
			e.Example.Label = []string{"ham", "spam", "other"}[r.IntN(3)]
		}
		if e.Op == store.OpLearn {
			e.Example.Text = strings.Repeat(word(r.IntN(words))+" ", 1+r.IntN(300)) // up to a page
		}
		list = append(list, e)
	}
	return append(list, store.Event{Op: store.OpLearn, ID: doneID(k), Example: bayes.Example{Label: "done", Text: doneID(k)}})
}

func doneID(k int) string { return fmt.Sprintf("done%d", k) }

// A document of the reference.
type document struct {
	id string
	ex bayes.Example
}

// apply returns the documents after an event. If window is positive, it is how many
// of the latest stay.
func apply(list []document, e store.Event, window int) []document {
	i := slices.IndexFunc(list, func(d document) bool { return d.id == e.ID })
	if i < 0 && e.Op != store.OpLearn {
		return list
	}
	ex := e.Example
	if i >= 0 {
		old := list[i].ex
		if e.Op == store.OpRelabel {
			ex = old
			ex.Label = e.Example.Label
		}
		if e.Op != store.OpUnlearn && old.Label == ex.Label && old.Text == ex.Text {
			return list
		}
		list = slices.Delete(list, i, i+1)
	}
	if e.Op != store.OpUnlearn {
		list = append(list, document{e.ID, ex})
	}
	if window > 0 && len(list) > window {
		list = list[1:]
	}
	return list
}

// An outcome is what a process said of a step.
type outcome int

const (
	unsaid outcome = iota // perhaps it was not even begun
	done
	failed
	unknown
)

// outcomes reads what processes said.
func outcomes(t testing.TB, output string) []outcome {
	t.Helper()
	var list []outcome
	for line := range strings.Lines(output) {
		f := strings.Fields(line)
		o, ok := map[string]outcome{"done": done, "failed": failed, "unknown": unknown}[f[0]]
		if !ok {
			continue
		}
		k, err := strconv.Atoi(f[1])
		if err != nil || k < len(list) {
			t.Fatalf("after %d steps: %q", len(list), line)
		}
		list = append(list, make([]outcome, k+1-len(list))...)
		list[k] = o
	}
	return list
}

// checkStore opens the store in a folder, and wants what was acknowledged and
// nothing by halves. It takes the step next too, and opens the store again.
func checkStore(folder string, said []outcome, next, window int) error {
	s, err := store.Open(ctx, folder, nil, options(window))
	if err != nil {
		return fmt.Errorf("it does not open: %w", err)
	}
	defer s.Close()
	applied, _, err := compare(s, said, next, window)
	if err != nil {
		return err
	}
	if _, err := s.Apply(ctx, step(next)...); err != nil {
		return fmt.Errorf("it does not learn: %w", err)
	}
	if err := s.Close(); err != nil {
		return fmt.Errorf("it does not close: %w", err)
	}
	s, err = store.Open(ctx, folder, nil, options(window))
	if err != nil {
		return fmt.Errorf("it does not open again: %w", err)
	}
	defer s.Close()
	list := make([]outcome, next+1)
	for k := range list {
		list[k] = failed
		if slices.Contains(applied, k) || k == next {
			list[k] = done
		}
	}
	_, left, err := compare(s, list, next+1, window)
	if err != nil {
		return fmt.Errorf("opened again: %w", err)
	}
	if err := s.Close(); err != nil {
		return fmt.Errorf("it does not close again: %w", err)
	}
	return extra(folder, left)
}

// compare wants the store s to be that of steps that may have been taken, and
// returns these and the documents that are left of them.
func compare(s *store.Store, said []outcome, steps, window int) ([]int, []document, error) {
	// Which of the steps that are not known were taken? Their documents tell, except
	// where they left the window, but then one of the choices must do.
	var sure, open []int
	for k := range steps {
		o := unsaid
		if k < len(said) {
			o = said[k]
		}
		_, there, err := s.Lookup(doneID(k))
		switch {
		case err != nil:
			return nil, nil, err
		case o == done && !there && window == 0:
			return nil, nil, fmt.Errorf("step %d was acknowledged and is lost", k)
		case o == failed && there:
			return nil, nil, fmt.Errorf("step %d failed and yet was taken", k)
		case o == done, there:
			sure = append(sure, k)
		case o == unknown, o == unsaid && (k == 0 || k <= len(said) && said[k-1] != unsaid):
			open = append(open, k) // of what is unsaid only the first was begun
		}
	}
	var got bytes.Buffer
	if _, err := s.Snapshot(&got); err != nil {
		return nil, nil, err
	}
	for choice := range 1 << len(open) {
		taken := slices.Clone(sure)
		for i, k := range open {
			if choice>>i&1 == 1 {
				taken = append(taken, k)
			}
		}
		slices.Sort(taken)
		var list []document
		for _, k := range taken {
			for _, e := range step(k) {
				list = apply(list, e, window)
			}
		}
		same, err := equal(s, got.Bytes(), list)
		if err != nil {
			return nil, nil, err
		}
		if same {
			return taken, list, nil
		}
	}
	return nil, nil, fmt.Errorf("it is not what the steps %v make, whatever of %v was taken", sure, open)
}

// equal reports whether a store, whose model file is saved, is that of documents.
func equal(s *store.Store, saved []byte, list []document) (bool, error) {
	c := bayes.NewCounts(nil)
	for _, d := range list {
		c.Learn(d.ex)
	}
	var want bytes.Buffer
	if err := bayes.Save(&want, c, bayes.Multinomial{}); err != nil {
		return false, err
	}
	if !bytes.Equal(saved, want.Bytes()) {
		return false, nil
	}
	for _, d := range list {
		ex, ok, err := s.Lookup(d.id)
		if err != nil || !ok || ex.Label != d.ex.Label || ex.Text != d.ex.Text {
			return false, err
		}
	}
	return s.Status().Documents == len(list), nil
}

// extra wants a folder of a store that has been closed to hold nothing that does
// not belong there, and no word that is not in the list of documents.
func extra(folder string, list []document) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var texts strings.Builder
	for _, d := range list {
		texts.WriteString(d.ex.Text)
	}
	for _, f := range files {
		name := f.Name()
		if name != "log.db" && name != "state.db" && (filepath.Ext(name) != ".nb" || len(files) != 3) {
			return fmt.Errorf("there is a file %s among %v", name, files)
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		for n := range words {
			if bytes.Contains(data, []byte(word(n))) && !strings.Contains(texts.String(), word(n)) {
				return fmt.Errorf("%s has the word %q, which is in none of the documents", name, word(n))
			}
		}
	}
	return nil
}

// words is how many different ones there are.
const words = 80

func word(n int) string { return fmt.Sprintf("word%02d", n) }

// scratch returns a folder in memory, where syncing costs nothing.
func scratch(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "bayes-faults")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// this returns the path of the test binary, which is also the process that learns.
func this(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}
