package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
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
	for _, tc := range []struct {
		path          string
		again, failed bool
	}{{filepath.Join(dir, "gone.csv"), true, false}, {bad, false, true}} {
		sums, err := countGroup(t, &countFn{Shards: 2}, nil, part.Part{File: tc.path, Path: tc.path, Format: "csv"})
		if got := err != nil; got != tc.again {
			t.Errorf("%s: error %v, tried again: %v", tc.path, err, tc.again)
		}
		if got := len(sums) == 2 && sums[0].Report.Failure != nil && sums[1].Report.Failure == nil; got != tc.failed {
			t.Errorf("%s: %+v, want a failure in the first sum: %v", tc.path, sums, tc.failed)
		}
	}
	if n := len(slots()); n != 0 {
		t.Errorf("%d slots are still held", n)
	}
}

// countGroup returns the Sums that fn emits for a group, over a space.
func countGroup(t *testing.T, fn *countFn, space *bayes.Space, parts ...part.Part) (sums []Sum, err error) {
	t.Helper()
	ctx := context.Background()
	if fn.Space, err = appendCounts(nil, bayes.NewCounts(space)); err != nil {
		t.Fatal(err)
	}
	fn.Dir = t.TempDir()
	if err := errors.Join(fn.Setup(ctx), fn.StartBundle(ctx, nil)); err != nil {
		t.Fatal(err)
	}
	emit := func(_ int, b []byte) {
		s, err := receive(ctx, b)
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, s)
	}
	if err = fn.ProcessElement(ctx, part.Group{Parts: parts}, emit); err == nil {
		fn.FinishBundle(ctx, emit)
	}
	fn.Teardown()
	return sums, err
}

// A group that has more features than are held at a time is sent in several Sums, each of whole parts;
// the rest of a part with an error is left out, and its other parts count.
func TestGroupsAreSentInPieces(t *testing.T) {
	var parts []part.Part
	want := bayes.NewCounts(nil)
	for i := range 6 {
		name := filepath.Join(t.TempDir(), "part.csv")
		content := "label,text\n"
		for j := range 700 { // more than are learned at a time
			ex := bayes.Example{Label: "a", Text: fmt.Sprintf("common w%d", i*700+j)}
			want.Learn(ex)
			content += ex.Label + "," + ex.Text + "\n"
		}
		if i == 4 {
			content += "a\na,never\n"
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part.Part{File: name, Path: name, Format: "csv", Index: i})
	}
	for _, tc := range []struct{ most, sums int }{{1, 6}, {1000, 3}, {1 << 20, 1}} {
		defer func(n int) { maxFeatures = n }(maxFeatures)
		maxFeatures = tc.most
		sums, err := countGroup(t, &countFn{Shards: 1}, nil, parts...)
		if err != nil {
			t.Fatal(err)
		}
		var total Sum
		for _, s := range sums {
			if total, err = add(total, s); err != nil {
				t.Fatal(err)
			}
		}
		if len(sums) != tc.sums || !total.Counts.Equal(want) {
			t.Errorf("at most %d features: %d sums of %d examples, want %d of %d", tc.most, len(sums), total.Counts.Examples(), tc.sums, want.Examples())
		}
		if f := total.Report.Failure; f == nil || f.File != 4 {
			t.Errorf("at most %d features: failure %+v, want one of file 4", tc.most, f)
		}
	}
}

// What is large is sent as a file, and comes back the same.
func TestLargeSums(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	for _, n := range []int{0, 10, 300_000} {
		c := bayes.NewCounts(nil)
		for i := range n {
			c.Learn(bayes.Example{Label: "a", Text: fmt.Sprint("w", i*7919)})
		}
		s := Sum{Counts: c, Report: Report{Documents: int64(n)}}
		sent, err := send(ctx, dir, s)
		if err != nil {
			t.Fatal(err)
		}
		if (n == 300_000) != (len(sent) < 1000 && sent[0] == 0) {
			t.Errorf("%d terms: %d bytes are sent", n, len(sent))
		}
		got, err := receive(ctx, sent)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Counts.Equal(c) || got.Report.Documents != s.Report.Documents {
			t.Errorf("%d terms: other counts are received", n)
		}
	}
	if _, err := receive(ctx, append([]byte{0}, dir+"/none"...)); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("error %v, want one that names the file", err)
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
	several := []bayes.Prob{{Class: "b", P: .5, LogP: -.7, LogJoint: -3}, {Class: "a", P: .3, LogP: -1.2, LogJoint: -3.5}, {Class: "c", P: .2, LogP: -1.6, LogJoint: -3.9}}
	certain := []bayes.Prob{{Class: "c", P: 1}, {Class: "a", LogP: math.Inf(-1), LogJoint: math.Inf(-1)}, {Class: "b", LogP: -800, LogJoint: -900}}
	for separator, want := range map[string][]bayes.Prediction{
		"":  {{Classes: several, Unsure: true}, {Classes: certain, Chosen: 1, Foreign: true}},
		";": {{Classes: several, Labels: []string{"a", "b"}}, {Classes: certain, Labels: []string{}}},
	} {
		c := bayes.NewCounts(&bayes.Space{LabelSeparator: separator})
		for _, label := range []string{"a", "b", "c"} {
			c.Learn(bayes.Example{Label: label, Text: label})
		}
		m, err := bayes.Fit(c, bayes.Multinomial{})
		if err != nil {
			t.Fatal(err)
		}
		w := newRowWriter(m.Classes())
		var b bytes.Buffer
		for _, pr := range want {
			w.write(&b, pr, "truth")
		}
		var got []bayes.Prediction
		for pr, label := range rows(b.Bytes(), m) {
			if got = append(got, pr); label != "truth" {
				t.Errorf("label %q", label)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("separator %q: %+v, want %+v", separator, got, want)
		}
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
