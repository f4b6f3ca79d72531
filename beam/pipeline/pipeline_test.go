package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bayes"
	"bayes/beam/part"
	"bayes/internal/cli"
	"bayes/text"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
)

// stemmed is a space that only a reader who knows the languages can read.
func stemmed(t *testing.T) *bayes.Space {
	t.Helper()
	a, err := text.Parse("default stem=en stopwords=en", cli.Languages()...)
	if err != nil {
		t.Fatal(err)
	}
	return &bayes.Space{Analyzer: a}
}

func TestSumTravels(t *testing.T) {
	c := bayes.NewCounts(stemmed(t))
	c.Learn(bayes.Example{Label: "a", Text: "running runners"})
	for _, s := range []Sum{
		{},
		{Counts: c, Report: Report{Documents: 1, Bad: 2, Notes: []Note{{1, 2, 3, "x"}}, Failure: &Note{4, 5, 0, "y"}}},
	} {
		b, err := encodeSum(s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeSum(b)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := encodeSum(got); !bytes.Equal(again, b) {
			t.Errorf("%+v comes back as %+v", s, got)
		}
		for n := range b {
			if cut, err := decodeSum(b[:n]); err == nil && cut.Counts != nil {
				t.Errorf("cut to %d of %d bytes, it still has counts", n, len(b))
			}
		}
	}
}

// Reports add up to the same whatever their order, as counts do.
func TestReportsAddInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var all []Report
	for file := range 5 {
		for n := range 5 {
			var r Report
			r.skip(part.Part{Index: file, Start: 10}, n, errors.New("bad"))
			if n == 3 && file > 1 {
				r.fail(part.Part{Index: file, Start: 10}, errors.New("worse"))
			}
			all = append(all, r)
		}
	}
	var want string
	for range 20 {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		total := Report{}
		for _, r := range all {
			total.add(r)
		}
		b, err := json.Marshal(total)
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(b)
		}
		if string(b) != want {
			t.Fatalf("%s\nand %s", b, want)
		}
		if total.Bad != 25 || len(total.Notes) != maxNotes || total.Failure.File != 2 {
			t.Fatalf("%+v: want 25 bad records, %d notes, and the failure of file 2", total, maxNotes)
		}
	}
}

// A file that cannot be read fails the bundle, which its runner tries again; what
// is wrong with data is noted, and never tried again.
func TestWhatIsTriedAgain(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.csv")
	if err := os.WriteFile(bad, []byte("label,text\na\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty, err := appendCounts(nil, bayes.NewCounts(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		path          string
		again, failed bool
	}{{filepath.Join(dir, "gone.csv"), true, false}, {bad, false, true}} {
		ctx := context.Background()
		fn := &countFn{Space: empty, Shards: 2}
		if err := errors.Join(fn.Setup(ctx), fn.StartBundle(ctx, nil)); err != nil {
			t.Fatal(err)
		}
		var sums []Sum
		emit := func(_ int, s Sum) { sums = append(sums, s) }
		err := fn.ProcessElement(ctx, part.Part{File: tc.path, Path: tc.path, Format: "csv"}, emit)
		if got := err != nil; got != tc.again {
			t.Errorf("%s: error %v, tried again: %v", tc.path, err, tc.again)
		}
		if err == nil {
			fn.FinishBundle(ctx, emit)
		}
		fn.Teardown()
		if got := len(sums) == 2 && sums[0].Report.Failure != nil && sums[1].Report.Failure == nil; got != tc.failed {
			t.Errorf("%s: %+v, want a failure in the first sum: %v", tc.path, sums, tc.failed)
		}
	}
	if n := len(slots()); n != 0 {
		t.Errorf("%d slots are still held", n)
	}
}

// A bundle that waits for a slot gives up when its job does.
func TestSlots(t *testing.T) {
	held := make([]slot, cap(slots()))
	for i := range held {
		if err := held[i].acquire(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var late slot
	if err := late.acquire(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that the job was cancelled", err)
	}
	late.release()
	for i := range held {
		held[i].release()
		held[i].release()
	}
	if err := late.acquire(context.Background()); err != nil {
		t.Error(err)
	}
	late.release()
}

func TestRows(t *testing.T) {
	classes := []string{"a", "b", "c"}
	w := newRowWriter(classes)
	var b bytes.Buffer
	want := []bayes.Prediction{
		{Classes: []bayes.Prob{{Class: "b", P: .5}, {Class: "a", P: .3}, {Class: "c", P: .2}}},
		{Classes: []bayes.Prob{{Class: "c", P: 1}, {Class: "a"}, {Class: "b"}}},
	}
	for _, pr := range want {
		w.write(&b, pr, "truth")
	}
	i := 0
	for pr, label := range rows(b.Bytes(), classes) {
		if !slices.Equal(pr.Classes, want[i].Classes) || label != "truth" {
			t.Errorf("row %d: %v of %q, want %v", i, pr, label, want[i])
		}
		i++
	}
	if i != 2 {
		t.Errorf("%d rows, want 2", i)
	}
}

func TestPartNames(t *testing.T) {
	var names []string
	for _, p := range []part.Part{{Index: 0, Start: 9}, {Index: 0, Start: 10}, {Index: 2}, {Index: 10}} {
		name := partName("", p)
		if !isPartName(name) {
			t.Errorf("%q is not known as the name of a part", name)
		}
		names = append(names, name)
	}
	if !slices.IsSorted(names) {
		t.Errorf("%q are not sorted", names)
	}
	for _, name := range []string{"", "x", names[0] + ".tmp", "1-2", "000001-"} {
		if isPartName(name) {
			t.Errorf("%q is taken for the name of a part", name)
		}
	}
}

// A model that was replaced while a job ran is not used.
func TestModelReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.nb")
	save := func(text string) {
		c := bayes.NewCounts(nil)
		c.Learn(bayes.Example{Label: "a", Text: text})
		var b bytes.Buffer
		if err := bayes.Save(&b, c, bayes.Multinomial{}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save("one")
	f, _, err := NewModelFile(context.Background(), name, "")
	if err != nil {
		t.Fatal(err)
	}
	save("two")
	if _, err := f.load(context.Background()); err == nil {
		t.Error("a model with another checksum is loaded")
	}
}

func TestPartSize(t *testing.T) {
	for _, tc := range []struct{ asked, total, want int64 }{
		{10, 1 << 20, 32}, {100, 1 << 20, 100}, {32 << 20, 1_000_000_000_000, 32 << 20}, {32 << 20, 100_000_000_000_000, 100_000_000_000_000 >> 15},
	} {
		j := &Job{PartSize: tc.asked, Files: []part.File{{Size: tc.total / 2}, {Size: tc.total / 2}}}
		if got := j.partSize(); got != tc.want {
			t.Errorf("%d bytes in parts of %d: made parts of %d, want %d", tc.total, tc.asked, got, tc.want)
		}
	}
}
