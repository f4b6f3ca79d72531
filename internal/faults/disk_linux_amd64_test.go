package faults

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// A disk is a record of what processes did to a folder: of all changes, and of all
// syncs. It knows what a power cut may leave at any moment:
//
//   - every change that was synced: a write or a change of size by fsync or fdatasync
//     of the file, begun after the change had ended; a name that came, went or
//     changed by fsync of its folder;
//   - of the others any subset, in their order, and the first or the last half of a
//     write. Only a change of a name that follows from another of the same name is
//     not there without it.
//
// That is more than file systems do. ext4, say, writes the changes of names in order.
type disk struct {
	root    string
	live    map[string]*node // what processes see, by path
	changes []*change        // in the order of their start
	calls   []*call
	moment  int
}

// A node is a file or a folder, by whatever name.
type node struct {
	folder bool
	size   int64
	syncs  []*call
}

// A change is that of a node's content or that of names.
type change struct {
	start, end int
	node       *node // whose sync makes it durable

	data []byte // written at
	at   int64
	cut  bool // to the size at

	gone string // a name that is no longer there
	name string // a name that is there
	of   *node  // and what it names
}

func (c *change) content() bool { return c.of == nil && c.gone == "" }

// touches reports whether two changes are of the same name.
func (c *change) touches(d *change) bool {
	for _, a := range []string{c.name, c.gone} {
		if a != "" && (a == d.name || a == d.gone) {
			return true
		}
	}
	return false
}

// newDisk returns a disk that holds what a folder holds.
func newDisk(t testing.TB, root string) *disk {
	t.Helper()
	d := &disk{root: root, live: map[string]*node{root: {folder: true}}}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		n := &node{folder: e.IsDir()}
		d.live[path] = n
		d.changes = append(d.changes, &change{name: path, of: n})
		if !n.folder {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			n.size = int64(len(data))
			d.changes = append(d.changes, &change{node: n, data: data})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// run runs a process, with a fault or none, and records what it does.
func (d *disk) run(t testing.TB, f *fault, env []string, argv ...string) *run {
	t.Helper()
	r := trace(t, d.root, f, d.moment, env, argv...)
	for _, c := range r.calls {
		d.moment = max(d.moment, c.start, c.end)
	}
	d.moment++ // the process has ended
	for _, c := range r.calls {
		d.calls = append(d.calls, c)
		if c.path == "" || c.result < 0 {
			continue
		}
		if c.end == 0 && !c.syncs() {
			if !d.happened(c) {
				continue
			}
			c.end = d.moment
		}
		if err := d.note(c); err != nil {
			t.Fatal(err)
		}
	}
	d.moment++
	return r
}

func (c *call) syncs() bool { return c.name == "fsync" || c.name == "fdatasync" }

// happened reports whether a call that a thread was in when its process was killed did what
// it is for, as the folder shows.
func (d *disk) happened(c *call) bool {
	there := func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	}
	switch c.name {
	case "renameat", "unlinkat":
		return !there(c.path)
	case "linkat":
		return there(c.to)
	case "openat", "mkdirat":
		return there(c.path)
	case "ftruncate":
		info, err := os.Stat(c.path)
		return err == nil && info.Size() == int64(c.args[1])
	case "write", "pwrite64":
		at := int64(c.args[3])
		if c.name == "write" {
			at = d.live[c.path].size
		}
		content, err := os.ReadFile(c.path)
		return err == nil && int64(len(content)) >= at && bytes.HasPrefix(content[at:], c.data)
	}
	return true
}

// note notes a call that succeeded.
func (d *disk) note(c *call) error {
	n := d.live[c.path]
	add := func(ch change) {
		ch.start, ch.end = c.start, c.end
		d.changes = append(d.changes, &ch)
	}
	names := func(ch change) {
		ch.node = d.live[filepath.Dir(max(ch.name, ch.gone))]
		if ch.gone != "" {
			delete(d.live, ch.gone)
		}
		if ch.name != "" {
			d.live[ch.name] = ch.of
		}
		add(ch)
	}
	switch c.name {
	case "openat":
		flags := c.args[2]
		switch {
		case flags&unix.O_TMPFILE == unix.O_TMPFILE || flags&unix.O_APPEND != 0:
			return fmt.Errorf("%s is opened in a way that is not recorded", c.path)
		case flags&unix.O_CREAT != 0 && n == nil:
			names(change{name: c.path, of: new(node)})
		case flags&unix.O_TRUNC != 0:
			n.size = 0
			add(change{node: n, cut: true})
		}
	case "write", "pwrite64":
		at := int64(c.args[3])
		if c.name == "write" {
			at = n.size // there is no seeking
		}
		n.size = max(n.size, at+int64(len(c.data)))
		add(change{node: n, data: c.data, at: at})
	case "ftruncate":
		n.size = int64(c.args[1])
		add(change{node: n, cut: true, at: n.size})
	case "fsync", "fdatasync":
		n.syncs = append(n.syncs, c)
	case "mkdirat":
		names(change{name: c.path, of: &node{folder: true}})
	case "unlinkat":
		names(change{gone: c.path})
	case "linkat":
		names(change{name: c.to, of: n})
	case "renameat":
		if n.folder || filepath.Dir(c.path) != filepath.Dir(c.to) {
			return fmt.Errorf("renaming %s to %s is not recorded", c.path, c.to)
		}
		names(change{gone: c.path, name: c.to, of: n})
	case "mmap":
		if c.args[2]&unix.PROT_WRITE != 0 && c.args[3]&unix.MAP_SHARED != 0 {
			return fmt.Errorf("%s is mapped to be written, which is not recorded", c.path)
		}
	case "read", "pread64", "close", "fstat", "flock", "fchmod", "getdents64", "newfstatat":
	default:
		return fmt.Errorf("%s of %s is not recorded", c.name, c.path)
	}
	return nil
}

// durable reports whether a change is on the disk for good at a moment.
func (c *change) durable(moment int) bool {
	if c.start == 0 { // it was there at the beginning
		return true
	}
	return c.end > 0 && slices.ContainsFunc(c.node.syncs, func(s *call) bool { return s.start > c.end && 0 < s.end && s.end < moment })
}

// moments returns the moments at which most may be lost: those before a sync ends,
// and the last.
func (d *disk) moments() []int {
	var list []int
	for _, c := range d.calls {
		if c.syncs() && c.result == 0 {
			list = append(list, c.end)
		}
	}
	return append(list, d.moment)
}

// said returns what processes had written to their standard output by a moment.
func (d *disk) said(moment int) string {
	var b strings.Builder
	for _, c := range d.calls {
		if c.path == "" && c.args[0] == 1 && c.start < moment {
			b.Write(c.data)
		}
	}
	return b.String()
}

// A part is how much of a change is on the disk.
type part byte

const (
	nothing part = iota
	all
	firstHalf
	lastHalf
)

// choices returns what may be on the disk of n changes: all 2^n subsets if n is at
// most limit, and otherwise the simplest ones and 2^limit others; and halves of
// each.
func choices(list []*change, limit int, r *rand.Rand) [][]part {
	n := len(list)
	var subsets [][]part
	add := func(f func(i int) bool) {
		p := make([]part, n)
		for i := range p {
			if f(i) {
				p[i] = all
			}
		}
		subsets = append(subsets, p)
	}
	if n <= limit {
		for bits := range 1 << n {
			add(func(i int) bool { return bits>>i&1 == 1 })
		}
	} else {
		for k := range n + 1 {
			add(func(i int) bool { return i < k })
			add(func(i int) bool { return i >= k })
			add(func(i int) bool { return i != k })
			add(func(i int) bool { return i == k })
		}
		for range 1 << limit {
			bits := r.Uint64()
			add(func(i int) bool { return bits>>(i%64)&1 == 1 })
		}
	}
	for k, c := range list {
		if len(c.data) < 2*sector {
			continue
		}
		for _, half := range []part{firstHalf, lastHalf} {
			for _, others := range []part{nothing, all} {
				p := slices.Repeat([]part{others}, n)
				p[k] = half
				subsets = append(subsets, p)
			}
		}
	}
	return subsets
}

const sector = 512 // is written whole or not at all

// after returns the files that are there, by path, if of the pending changes the
// chosen parts are.
func (d *disk) after(moment int, pending []*change, chosen []part) map[string][]byte {
	names := map[string]*node{d.root: {folder: true}}
	contents := make(map[*node][]byte)
	var lost []*change // of names
	i := 0
	for _, c := range d.changes {
		if c.start >= moment {
			break
		}
		p := all
		if i < len(pending) && pending[i] == c {
			p = chosen[i]
			i++
		}
		if c.content() {
			contents[c.node] = c.apply(contents[c.node], p)
			continue
		}
		if p == nothing || slices.ContainsFunc(lost, c.touches) || names[filepath.Dir(max(c.name, c.gone))] == nil {
			lost = append(lost, c)
			continue
		}
		if c.gone != "" {
			delete(names, c.gone)
		}
		if c.name != "" {
			names[c.name] = c.of
		}
	}
	files := make(map[string][]byte)
	for name, n := range names {
		path, _ := filepath.Rel(d.root, name)
		if n.folder {
			files[path+"/"] = nil
		} else {
			files[path] = contents[n]
		}
	}
	return files
}

// apply returns the content after a part of a change.
func (c *change) apply(content []byte, p part) []byte {
	if p == nothing {
		return content
	}
	data, at := c.data, c.at
	half := int64(len(data)) / 2 / sector * sector
	switch p {
	case firstHalf:
		data = data[:half]
	case lastHalf:
		data, at = data[half:], at+half
	}
	if size := at + int64(len(data)); size > int64(len(content)) {
		content = append(content, make([]byte, size-int64(len(content)))...)
	} else if c.cut {
		content = content[:size]
	}
	copy(content[at:], data)
	return content
}

// losses returns all that power cuts may leave, each once.
func (d *disk) losses(limit int) iter.Seq[*loss] {
	return func(yield func(*loss) bool) {
		seen := make(map[[32]byte]bool)
		r := rand.New(rand.NewPCG(1, 2))
		for _, moment := range d.moments() {
			var pending []*change
			for _, c := range d.changes {
				if c.start < moment && !c.durable(moment) {
					pending = append(pending, c)
				}
			}
			said := d.said(moment)
			for _, chosen := range choices(pending, limit, r) {
				what := fmt.Sprintf("a power cut at moment %d of %d, which leaves %v of %d changes", moment, d.moment, chosen, len(pending))
				l := &loss{moment, d.after(moment, pending, chosen), said, what}
				if key := l.key(); !seen[key] {
					seen[key] = true
					if !yield(l) {
						return
					}
				}
			}
		}
	}
}

// eachLoss calls check with the folder of each loss, on two goroutines. It returns
// how many there were, and some of them.
func eachLoss(t *testing.T, losses iter.Seq[*loss], some int, check func(folder string, l *loss) error) (n int, sample []*loss) {
	t.Helper()
	work := make(chan *loss)
	dir := scratch(t)
	var workers sync.WaitGroup
	for w := range 2 {
		workers.Go(func() {
			for l := range work {
				folder := filepath.Join(dir, fmt.Sprint(w))
				if err := l.write(folder); err != nil {
					t.Error(err)
				} else if err := check(folder, l); err != nil {
					t.Errorf("%s: %v; left: %s", l.what, err, l.list())
				}
				os.RemoveAll(folder)
			}
		})
	}
	r := rand.New(rand.NewPCG(3, 4))
	for l := range losses {
		work <- l
		n++
		if len(sample) < some {
			sample = append(sample, l)
		} else if i := r.IntN(n); i < some {
			sample[i] = l
		}
	}
	close(work)
	workers.Wait()
	return n, sample
}

// A loss is what a power cut leaves.
type loss struct {
	moment int
	files  map[string][]byte // by path; folders end with a slash
	said   string            // what the processes had said
	what   string            // for errors
}

func (l *loss) key() (key [32]byte) {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		fmt.Fprintf(h, "%q %d ", name, len(l.files[name]))
		h.Write(l.files[name])
	}
	fmt.Fprint(h, l.said)
	h.Sum(key[:0])
	return key
}

func (l *loss) list() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		fmt.Fprintf(&b, "%s (%d bytes) ", name, len(l.files[name]))
	}
	return b.String()
}

func (l *loss) write(folder string) error {
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		path := filepath.Join(folder, name)
		var err error
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o700)
		} else {
			err = os.WriteFile(path, l.files[name], 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
