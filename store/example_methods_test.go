package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"bayes"
	"bayes/store"
)

// folder makes a temporary folder for the store of an example.
func folder() (dir string, remove func()) {
	root, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	return filepath.Join(root, "spam"), func() { os.RemoveAll(root) }
}

// open opens a new store that has learned a message of each class, each under an ID.
func open() (s *store.Store, done func()) {
	dir, remove := folder()
	s, err := store.Open(context.Background(), dir, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	_, err = s.Learn(context.Background(),
		store.Entry{ID: "1", Example: bayes.Example{Label: "spam", Text: "win a prize"}},
		store.Entry{ID: "2", Example: bayes.Example{Label: "ham", Text: "lunch at noon"}},
	)
	if err != nil {
		log.Fatal(err)
	}
	return s, func() {
		if err := s.Close(); err != nil {
			log.Fatal(err)
		}
		remove()
	}
}

// A new store begins with what is already known. One that exists has its own.
func ExampleOpen() {
	dir, remove := folder()
	defer remove()
	known := bayes.NewCounts(nil)
	known.Learn(bayes.Example{Label: "spam", Text: "win a prize"})

	for range 2 {
		s, err := store.Open(context.Background(), dir, nil, &store.Options{Counts: known})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(s.Status().Examples)
		if _, err := s.Learn(context.Background(), store.Entry{Example: bayes.Example{Label: "ham", Text: "lunch at noon"}}); err != nil {
			log.Fatal(err)
		}
		if err := s.Close(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 1
	// 2
}

// There is no connection before the log is needed, and an address is checked at once.
func ExampleOpenRedis() {
	shared, err := store.OpenRedis("redis://localhost:6379/0?stream=mail")
	if err != nil {
		log.Fatal(err)
	}
	defer shared.Close() // or store.Open(ctx, dir, shared, nil), and the store closes it

	_, err = store.OpenRedis("http://localhost")
	fmt.Println(err)
	// Output: store: redis: invalid URL scheme: http
}

// Nothing of a model that does not fit needs to be read for that to be known.
func ExampleNewMemory() {
	memory := store.NewMemory(1 << 20)
	fmt.Println(memory.FitsFile(10 << 20))
	// Output: store: no memory left: the model needs up to 161 MiB, of 1 MiB for all models 1 are left
}

func ExampleMemory_Fits() {
	counts := bayes.NewCounts(nil)
	counts.Learn(bayes.Example{Label: "spam", Text: "win a prize"})
	for _, bytes := range []int64{1 << 10, 1 << 20} {
		err := store.NewMemory(bytes).Fits(counts)
		fmt.Println(errors.Is(err, store.ErrMemory))
	}
	// Output:
	// true
	// false
}

func ExampleMemory_FitsFile() {
	memory := store.NewMemory(64 << 20)
	fmt.Println(memory.FitsFile(1<<20), errors.Is(memory.FitsFile(10<<20), store.ErrMemory))
	// Output: <nil> true
}

func ExampleCheck() {
	dir, remove := folder()
	defer remove()
	s, err := store.Open(context.Background(), dir, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "model-1.nb"), 10); err != nil {
		log.Fatal(err)
	}
	report, err := store.Check(dir)
	if err != nil {
		log.Fatal(err)
	}
	for _, damage := range report.Damage {
		fmt.Println(damage[len(dir)+1:])
	}
	// Output: model-1.nb: it is not the file that state.db belongs to
}

func ExampleRemove() {
	dir, remove := folder()
	defer remove()
	s, err := store.Open(context.Background(), dir, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(errors.Is(store.Remove(dir), store.ErrInUse))
	if err := s.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(store.Remove(dir))
	_, err = os.Stat(dir)
	fmt.Println(os.IsNotExist(err))
	// Output:
	// true
	// <nil>
	// true
}

// A receipt says of each entry whether it changed the counts.
func ExampleStore_Learn() {
	s, done := open()
	defer done()
	same := store.Entry{ID: "1", Example: bayes.Example{Label: "spam", Text: "win a prize"}}
	other := store.Entry{ID: "1", Example: bayes.Example{Label: "spam", Text: "win two prizes"}}
	receipt, err := s.Learn(context.Background(), same, other)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(receipt.Changed, s.Status().Examples)
	// Output: [false true] 2
}

func ExampleStore_Waits() {
	s, done := open()
	defer done()
	if _, err := s.Learn(context.Background(), store.Entry{Example: bayes.Example{Label: "spam", Text: "win a prize"}}); err != nil {
		log.Fatal(err)
	}
	waits := s.Waits()
	for i, most := range waits.AtMost {
		if 2*waits.Counts[i] >= waits.Count {
			fmt.Println("a median is known:", most > 0)
			break
		}
	}
	// Output: a median is known: true
}

func ExampleStore_Unlearn() {
	s, done := open()
	defer done()
	receipt, err := s.Unlearn(context.Background(), "1", "unheard of")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(receipt.Changed, s.Status().Examples)
	// Output: [true false] 1
}

func ExampleStore_Relabel() {
	s, done := open()
	defer done()
	if _, err := s.Relabel(context.Background(), store.Entry{ID: "1", Example: bayes.Example{Label: "ham"}}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Counts().Class("ham"))
	// Output: 2 2
}

// Changes of several kinds are accepted together, or none of them.
func ExampleStore_Apply() {
	s, done := open()
	defer done()
	_, err := s.Apply(context.Background(),
		store.Event{Op: store.OpUnlearn, ID: "1"},
		store.Event{Op: store.OpLearn, ID: "3"},
	)
	fmt.Println(err, s.Status().Examples)
	receipt, err := s.Apply(context.Background(),
		store.Event{Op: store.OpUnlearn, ID: "1"},
		store.Event{Op: store.OpLearn, ID: "3", Example: bayes.Example{Label: "spam", Text: "win a car"}},
	)
	fmt.Println(receipt.Changed, err, s.Status().Examples)
	// Output:
	// store: not accepted: learn without a label 2
	// [true true] <nil> 2
}

func ExampleStore_Lookup() {
	s, done := open()
	defer done()
	for _, id := range []string{"2", "3"} {
		ex, ok, err := s.Lookup(id)
		fmt.Printf("%q %q %v %v\n", ex.Label, ex.Text, ok, err)
	}
	// Output:
	// "ham" "lunch at noon" true <nil>
	// "" "" false <nil>
}

// A change is in the model soon after it is acknowledged, and Status says when.
func ExampleStore_Model() {
	s, done := open()
	defer done()
	for s.Status().Visible < s.Status().Applied {
		time.Sleep(time.Millisecond)
	}
	fmt.Println(s.Model().Predict(bayes.Document{Text: "a prize"}).Best().Class)
	// Output: spam
}

func ExampleStore_ClassExamples() {
	s, done := open()
	defer done()
	fmt.Println(s.ClassExamples([]string{"ham", "spam", "other"}))
	// Output: [1 1 0]
}

func ExampleStore_Counts() {
	s, done := open()
	defer done()
	c := s.Counts()
	c.Learn(bayes.Example{Label: "spam", Text: "of this copy alone"})
	fmt.Println(c.Examples(), s.Counts().Examples())
	// Output: 3 2
}

func ExampleStore_Snapshot() {
	s, done := open()
	defer done()
	var file bytes.Buffer
	seq, err := s.Snapshot(&file)
	if err != nil {
		log.Fatal(err)
	}
	counts, model, err := bayes.Load(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(seq, counts.Examples(), model)
	// Output: 3 2 multinomial smoothing=1 prior=empirical
}

// The first event is the log's own. A store that has just been opened has nothing to erase.
func ExampleStore_Status() {
	s, done := open()
	defer done()
	status := s.Status()
	fmt.Println(status.Applied, status.Erased, status.Documents, status.Examples, status.Features)
	fmt.Println(status.Log, status.Fit, status.Save)
	// Output:
	// 3 3 2 2 6
	// <nil> <nil> <nil>
}

// Where the log is shared, others may have appended what is not applied here yet.
func ExampleStore_Lag() {
	s, done := open()
	defer done()
	fmt.Println(s.Lag(context.Background()))
	// Output: 0 <nil>
}

// A store is copied while it is in use.
func ExampleStore_Backup() {
	s, done := open()
	defer done()
	copied, remove := folder()
	defer remove()
	if err := s.Backup(copied); err != nil {
		log.Fatal(err)
	}
	t, err := store.Open(context.Background(), copied, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Status().Examples, t.Close())
	// Output: 2 <nil>
}

// What was learned is still to be had, but no more is accepted.
func ExampleStore_Close() {
	s, done := open()
	defer done()
	if err := s.Close(); err != nil {
		log.Fatal(err)
	}
	_, err := s.Unlearn(context.Background(), "1")
	fmt.Println(err, s.Counts().Examples())
	// Output: store: closed 2
}

// An event is a few bytes and their checksum.
func ExampleEvent_MarshalBinary() {
	e := store.Event{Op: store.OpUnlearn, Time: time.UnixMilli(0), ID: "7"}
	data, err := e.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", data[:len(data)-4])
	// Output: "U\x00\x017"
}

func ExampleEvent_UnmarshalBinary() {
	data, err := store.Event{Op: store.OpUnlearn, ID: "7"}.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}
	var e store.Event
	fmt.Println(e.UnmarshalBinary(data), e.Op, e.ID)
	data[0] = 'L'
	fmt.Println(e.UnmarshalBinary(data))
	// Output:
	// <nil> unlearn 7
	// store: damaged: checksum does not match
}

func ExampleEvent_AppendBinary() {
	var log []byte
	for _, id := range []string{"7", "8"} {
		log, _ = store.Event{Op: store.OpUnlearn, Time: time.UnixMilli(0), ID: id}.AppendBinary(log) // it has no error
	}
	fmt.Println(len(log))
	// Output: 16
}

func ExampleOp_String() {
	fmt.Println(store.OpLearn, store.OpUnlearn, store.OpRelabel, store.Op('?'))
	// Output: learn unlearn relabel operation 0x3f
}

// What was learned last comes first.
func ExampleStore_Documents() {
	s, done := open()
	defer done()
	if _, err := s.Relabel(context.Background(), store.Entry{ID: "1", Example: bayes.Example{Label: "ham"}}); err != nil {
		log.Fatal(err)
	}
	for r, err := range s.Documents(0) {
		fmt.Printf("%d %q %q %q %v\n", r.Seq, r.ID, r.Example.Label, r.Example.Text, err)
	}
	// Output:
	// 4 "1" "ham" "win a prize" <nil>
	// 3 "2" "ham" "lunch at noon" <nil>
}
