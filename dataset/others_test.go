package dataset

import (
	"fmt"
	"strings"
	"testing"

	"bayes"

	"github.com/google/go-cmp/cmp"
)

// The star stands for the columns that nothing else names, in every format that has columns.
func TestOthers(t *testing.T) {
	opts := &Options{Numeric: []string{Others}, Categorical: []string{"plan"}, Weight: "w"}
	want := []bayes.Example{
		{Label: "a", Weight: 2, Attrs: []bayes.Attr{bayes.Category("plan", "gold"), bayes.Number("age", 40), bayes.Number("height", 1.5)}},
		{Label: "b", Weight: 1, Attrs: []bayes.Attr{bayes.Category("plan", "free"), bayes.Number("height", 2)}},
	}
	for format, data := range map[string]string{
		"csv":   "age,label,plan,w,height\n40,a,gold,2,1.5\n,b,free,1,2\n",
		"tsv":   "age\tlabel\tplan\tw\theight\n40\ta\tgold\t2\t1.5\n\tb\tfree\t1\t2\n",
		"jsonl": `{"age":40,"label":"a","plan":"gold","w":2,"height":1.5}` + "\n" + `{"label":"b","plan":"free","w":1,"height":2,"age":null}` + "\n",
	} {
		for _, unlabelled := range []bool{false, true} {
			o, want := *opts, want
			if o.Unlabelled = unlabelled; unlabelled { // weights are not read, and are no number either
				want = []bayes.Example{want[0], want[1]}
				want[0].Weight, want[1].Weight = 0, 0
			}
			var got []bayes.Example
			for ex, err := range read(readers[format], strings.NewReader(data), "f", &o) {
				if err != nil {
					t.Fatalf("%s: %v", format, err)
				}
				got = append(got, ex)
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(bayes.Attr{})); diff != "" {
				t.Errorf("%s: %s", format, diff)
			}
		}
	}
	got, errs := collectParquet(parquetFile(t, parquetRows()[:2]...), &Options{Text: []string{"text"}, Numeric: []string{Others}, Categorical: []string{"plan"}})
	if len(errs) > 0 || fmt.Sprint(got[0].Attrs) != fmt.Sprint([]bayes.Attr{bayes.Category("plan", "gold"), bayes.Number("age", 41.5), bayes.Number("count", 3)}) {
		t.Errorf("parquet: %v %q", got, errs)
	}
}

// The star in a table without a header, beside a column named by its number, and where it cannot be meant.
func TestOthersNamed(t *testing.T) {
	for _, c := range []struct {
		data string
		opts Options
		want string
	}{
		{"1,a,2\n", Options{NoHeader: true, Label: "#2", Categorical: []string{Others}}, fmt.Sprint([]bayes.Attr{bayes.Category("#1", "1"), bayes.Category("#3", "2")})},
		{"a,y,n\n0,1,2\n", Options{Label: "a", Text: []string{"#2"}, Numeric: []string{Others}}, fmt.Sprint([]bayes.Attr{bayes.Number("n", 2)})},
		{"x,label,x\n1,a,2\n", Options{Numeric: []string{Others}}, `f:1: the header has column "x" 2 times, and * asks for it`},
		{"x,label\nold,a\n", Options{Numeric: []string{Others}}, `f:2: column "x": "old" is not a finite number`},
		{"x,label\n1,a\n", Options{Numeric: []string{Others}, Categorical: []string{Others}}, `column "*" is asked for twice`},
	} {
		for ex, err := range CSV(strings.NewReader(c.data), "f", &c.opts) {
			got := fmt.Sprint(ex.Attrs)
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%q: %s, want %s", c.data, got, c.want)
			}
		}
	}
}

// An example takes memory for the columns that its own line has, and not for those of all lines
// before it.
func TestOthersOfManyLines(t *testing.T) {
	var lines strings.Builder
	for i := range 100 {
		fmt.Fprintf(&lines, "{\"label\":\"a\",\"k%d\":%d}\n", i, i)
	}
	for ex, err := range read(readJSONL, strings.NewReader(lines.String()), "f", &Options{Numeric: []string{Others}}) {
		if err != nil || len(ex.Attrs) != 1 || cap(ex.Attrs) > 10 {
			t.Fatalf("%v, room for %d, %v", ex.Attrs, cap(ex.Attrs), err)
		}
	}
}
