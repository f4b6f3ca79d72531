package dataset_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"bayes"
	"bayes/dataset"
)

func TestCSV(t *testing.T) {
	for _, c := range []readCase{
		{name: "default columns", in: "label,text\nspam,win\nham,\"see, you\"\n",
			want: []bayes.Example{{Label: "spam", Text: "win"}, {Label: "ham", Text: "see, you"}}},
		{name: "other columns", in: "v1,v2,,,\nham,hi,,,\n", opts: &dataset.Options{Label: "v1", Text: []string{"v2"}},
			want: texts("ham", "hi")},
		{name: "by number", in: "v1,v2\nham,hi\n", opts: &dataset.Options{Label: "#1", Text: []string{"#2"}},
			want: texts("ham", "hi")},
		{name: "no header", in: "hi,ham\nho,ham\n", opts: &dataset.Options{Label: "#2", Text: []string{"#1"}, NoHeader: true},
			want: texts("ham", "hi", "ho")},
		{name: "several texts", in: "label,title,body\na,t,b\n", opts: &dataset.Options{Text: []string{"title", "body"}},
			want: []bayes.Example{{Label: "a", Attrs: []bayes.Attr{bayes.Text("title", "t"), bayes.Text("body", "b")}}}},
		{name: "only a header", in: "label,text\n"},
		{name: "empty text", in: "label,text\na,\nb,\"\"\n", want: []bayes.Example{{Label: "a"}, {Label: "b"}}},
		{name: "numbers and categories", in: "label,age,sex,text\na, 39 ,f,x\nb,,,x\nc,NaN,m,x\nd,null,m,x\n",
			opts: &dataset.Options{Numeric: []string{"age"}, Categorical: []string{"sex"}},
			want: []bayes.Example{
				{Label: "a", Attrs: []bayes.Attr{bayes.Number("age", 39), bayes.Category("sex", "f")}},
				{Label: "b", Attrs: []bayes.Attr{}},
				{Label: "c", Attrs: []bayes.Attr{bayes.Category("sex", "m")}},
				{Label: "d", Attrs: []bayes.Attr{bayes.Category("sex", "m")}},
			}},
		{name: "text and numbers", in: "label,age,text\na,1e3,x\n",
			opts: &dataset.Options{Text: []string{"text"}, Numeric: []string{"age"}},
			want: []bayes.Example{{Label: "a", Text: "x", Attrs: []bayes.Attr{bayes.Number("age", 1000)}}}},
		{name: "bad numbers", in: "label,n\na,x\na,Inf\na,1e999\na,0x\n", opts: &dataset.Options{Numeric: []string{"n"}},
			errs: []string{
				`f:2: column "n": "x" is not a finite number`,
				`f:3: column "n": "Inf" is not a finite number`,
				`f:4: column "n": "1e999" is not a finite number`,
				`f:5: column "n": "0x" is not a finite number`}},
		{name: "weights", in: "label,text,w\na,x,2.5\na,y,0\na,z,-1\na,u,NaN\na,v,\n", opts: &dataset.Options{Weight: "w"},
			want: []bayes.Example{{Label: "a", Text: "x", Weight: 2.5}},
			errs: []string{
				`f:4: column "w": weight "-1" is negative`,
				`f:5: column "w": "NaN" is not a finite number`,
				`f:6: column "w": "" is not a finite number`}},
		{name: "ragged", in: "label,text\na\na,b,c\na,b\n", want: texts("a", "b"),
			errs: []string{"f:2: 1 field where the header has 2", "f:3: 3 fields where the header has 2"}},
		{name: "ragged without header", in: "a,b\nc\n", opts: &dataset.Options{Label: "#1", Text: []string{"#2"}, NoHeader: true},
			want: texts("a", "b"), errs: []string{"f:2: 1 field where the first record has 2"}},
		{name: "bad labels", in: "label,text\n,a\n\"x\ny\",b\nx\ty,c\nz,d\n", want: texts("z", "d"),
			errs: []string{
				`f:2: column "label": empty label`,
				`f:3: column "label": a label must not have a tab or a line end in it`,
				`f:5: column "label": a label must not have a tab or a line end in it`}},
		{name: "text after a quote", in: "label,text\na,\"b\"c\na,d\n", want: texts("a", "d"),
			errs: []string{"f:2: text after a closing quote"}},
		{name: "text after a quote in the header", in: "label,\"text\"x\n",
			errs: []string{"fatal: f:1: text after a closing quote"}},
		{name: "unclosed", in: "label,text\na,b\na,\"c\nd", want: texts("a", "b"),
			errs: []string{"fatal: f:3: the quote that opens here is never closed"}},
		{name: "empty", in: "", errs: []string{"fatal: f: empty"}},
		{name: "only blank lines", in: "\ufeff\n\r\n", errs: []string{"fatal: f: empty"}},
		{name: "no such column", in: "v1,v2,\n",
			errs: []string{`fatal: f:1: no column "label" (the table has "v1", "v2" and ""; hint: --label COLUMN --text COLUMN)`}},
		{name: "no such number", in: "a,b\n", opts: &dataset.Options{Label: "#3"},
			errs: []string{"fatal: f:1: no column #3: there are 2"}},
		{name: "a name without a header", in: "a,b\n", opts: &dataset.Options{NoHeader: true},
			errs: []string{`fatal: f:1: no column "label": without a header, columns are named by number, such as #1`}},
		{name: "twice in the header", in: "label,text,text\n",
			errs: []string{`fatal: f:1: the header has column "text" 2 times (hint: name it by number, such as #3)`}},
		{name: "asked for twice", in: "label\n", opts: &dataset.Options{Categorical: []string{"label"}},
			errs: []string{`fatal: column "label" is asked for twice`}},
		{name: "asked for twice by number", in: "label,x\n", opts: &dataset.Options{Categorical: []string{"#1"}},
			errs: []string{`fatal: f:1: columns "label" and "#1" are the same`}},
		{name: "unlabelled", in: "text\nx\ny\n", opts: &dataset.Options{Unlabelled: true}, want: texts("", "x", "y")},
		{name: "unlabelled with labels", in: "label,text\na,x\n,y\n", opts: &dataset.Options{Unlabelled: true, Weight: "none"},
			want: []bayes.Example{{Label: "a", Text: "x"}, {Text: "y"}}},
	} {
		c.run(t, dataset.CSV)
	}
}

func TestTSV(t *testing.T) {
	readCase{in: "label\ttext\nspam\t\"a\tb\"\nham\tc,d\n",
		want: []bayes.Example{{Label: "spam", Text: "a\tb"}, {Label: "ham", Text: "c,d"}}}.run(t, dataset.TSV)
}

// Examples do not share memory with each other: what a caller keeps stays.
func TestExamplesStay(t *testing.T) {
	in := "label,text,n\n" + strings.Repeat("a,\"one \"\"1\"\"\",1\nb,two,2\n", 50_000)
	opts := &dataset.Options{Text: []string{"text"}, Numeric: []string{"n"}}
	got, errs := drain(t, dataset.CSV(strings.NewReader(in), "f", opts))
	if len(errs) > 0 || len(got) != 100_000 {
		t.Fatalf("%d examples, errors %q", len(got), errs)
	}
	want := []bayes.Example{
		{Label: "a", Text: `one "1"`, Attrs: []bayes.Attr{bayes.Number("n", 1)}},
		{Label: "b", Text: "two", Attrs: []bayes.Attr{bayes.Number("n", 2)}},
	}
	for i, ex := range got {
		if !reflect.DeepEqual(ex, want[i%2]) {
			t.Fatalf("example %d: %+v", i, ex)
		}
	}
}

// A record costs one allocation, its text.
func TestCSVAllocations(t *testing.T) {
	const n = 10_000
	in := "label,text\n" + strings.Repeat("a,some text\n", n)
	allocs := testing.AllocsPerRun(1, func() {
		for range dataset.CSV(strings.NewReader(in), "f", nil) {
		}
	})
	if perRecord := allocs / n; math.Round(perRecord*10) > 10 {
		t.Errorf("%.2f allocations a record", perRecord)
	}
}
