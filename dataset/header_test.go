package dataset_test

import (
	"bytes"
	"strings"
	"testing"

	"bayes/dataset"
)

// A name need not be spelled as in the header, if only one column can be meant.
func TestNamesInAnotherSpelling(t *testing.T) {
	remembered := &dataset.Options{Label: "v1", Text: []string{"v2"}, Remembered: true}
	for _, c := range []readCase{
		{name: "case and space", in: "Label, TEXT \na,x\n", want: texts("a", "x")},
		{name: "exact first", in: "LABEL,label,Text,text\nb,a,y,x\n", want: texts("a", "x")},
		{name: "ambiguous", in: "label,Text,TEXT\na,x,y\n",
			errs: []string{`fatal: f:1: no column "text", but "Text" and "TEXT" (hint: --text Text)`}},
		{name: "a label that nobody wants", in: "LABEL,Label,text\na,b,x\n", opts: unlabelled, want: texts("", "x")},
		{name: "another's own name", in: "Label,n\nx,1\n", opts: &dataset.Options{Text: []string{"Label"}, Unlabelled: true}, want: texts("", "x")},
		{name: "asked for by two", in: "Label,text\na,x\n", opts: &dataset.Options{Label: "LABEL", Text: []string{"label", "text"}},
			errs: []string{`fatal: f:1: columns "LABEL" and "label" are the same`}},
		{name: "the only column left", in: "Label,message\na,x\n", errs: []string{`fatal: f:1: no column "text" (the table has "Label" and "message"; hint: --text message)`}},
		{name: "the only column left has no plain name", in: "label,the message\na,x\n",
			errs: []string{`fatal: f:1: no column "text" (the table has "label" and "the message"; hint: --text '#2')`}},
		{name: "several kinds are missing", in: "a,b\n1,2\n", opts: &dataset.Options{Text: []string{"t"}, Numeric: []string{"n", "m"}, Categorical: []string{"c"}, Weight: "w"},
			errs: []string{`fatal: f:1: no column "label" (the table has "a" and "b"; hint: --label COLUMN --text COLUMN --numeric COLUMN --categorical COLUMN --weight-column COLUMN)`}},
		{name: "the first row is an example", in: "spam,you have won a prize\nham,see you\n",
			errs: []string{`fatal: f:1: no column "label" (the table has "spam" and "you have won a prize"; hint: --label COLUMN --text COLUMN, or --no-header if the first row is an example)`}},
		{name: "remembered", in: "v1,v2,label,text\na,x,b,y\n", opts: remembered, want: texts("a", "x")},
		{name: "remembered, in another spelling", in: "V1, v2,label,text\na,x,b,y\n", opts: remembered, want: texts("a", "x")},
		{name: "remembered, and called otherwise here", in: "id,Label,text,Text\n1,a,x,y\n", opts: remembered, want: texts("a", "x")},
		{name: "remembered, and not there", in: "id,v1\n1,a\n", opts: remembered,
			errs: []string{`fatal: f:1: no column "v2" (the table has "id" and "v1"; hint: --text id)`}},
	} {
		c.run(t, dataset.CSV)
	}
}

func TestMembersInAnotherSpelling(t *testing.T) {
	remembered := &dataset.Options{Label: "v1", Text: []string{"v2"}, Remembered: true}
	const line = `{"Label":"a","TEXT":"x"}` + "\n"
	for _, c := range []readCase{
		{name: "case and space", in: line + `{" label ":"a","text":"y"}` + "\n" + line, want: texts("a", "x", "y", "x")},
		{name: "exact first", in: `{"TEXT":"y","text":"x","Text":"z","label":"a"}`, want: texts("a", "x")},
		{name: "ambiguous", in: `{"label":"a","Text":"x","TEXT":"y","Text":"z"}`,
			errs: []string{`f:1: no "text", but members that differ from it in case and space alone`}},
		{name: "the last counts", in: `{"label":"a","Text":"y","Text":"x"}`, want: texts("a", "x")},
		{name: "a label that nobody wants", in: `{"LABEL":"a","Label":"b","text":"x"}`, opts: unlabelled, want: texts("", "x")},
		{name: "the only one left", in: `{"label":"a","message":"x"}`, errs: []string{`f:1: no "text" (the object has "label" and "message"; hint: --text message)`}},
		{name: "both are missing", in: `{"a":1,"b":2}`, errs: []string{`f:1: no "label" (the object has "a" and "b"; hint: --label COLUMN --text COLUMN)`}},
		{name: "remembered", in: `{"label":"b","v1":"a","text":"y","v2":"x"}`, opts: remembered, want: texts("a", "x")},
		{name: "remembered, and called otherwise here", in: `{"Label":"a","text":"x","Text":"y"}`, opts: remembered, want: texts("a", "x")},
		{name: "names without end", in: strings.Repeat(`{"label":"a","`+strings.Repeat("k", 2000)+`":1,"Text":"x"}`+"\n", 2), want: texts("a", "x", "x")},
	} {
		c.run(t, dataset.JSONL)
	}
}

// The first line of what is to be predicted is a header if it names a column, not if it is a
// text that looks a little like one.
func TestSniffRemembered(t *testing.T) {
	remembered := &dataset.Options{Label: "#1", Text: []string{"#2"}, NoHeader: true, Remembered: true, Unlabelled: true}
	asked := *remembered
	asked.Remembered = false
	named := &dataset.Options{Label: "v1", Text: []string{"v2"}, Remembered: true, Unlabelled: true}
	for _, c := range []struct {
		line, want string
		opts       *dataset.Options
	}{
		{"Label,Text", "csv", unlabelled}, {"Text, I said", "text", unlabelled}, {"id,text", "csv", unlabelled},
		{"hello, you", "text", remembered}, {"hello, you", "csv", &asked},
		{"id,v2", "csv", named}, {"id,text", "csv", named}, {"V2,V1", "csv", named}, {"V2, it flew", "text", named},
	} {
		if got, err := dataset.FormatOf(strings.NewReader(c.line+"\n"), "-", c.opts); got != c.want {
			t.Errorf("%q is %q, not %q: %v", c.line, got, c.want, err)
		}
	}
}

// What has no columns has no weights, and that is an error if somebody asks for them.
func TestRememberedWeight(t *testing.T) {
	in := bytes.NewReader([]byte("__label__a x\n"))
	for remembered, want := range map[bool]string{true: "fasttext", false: ""} {
		opts := &dataset.Options{Weight: "w", Remembered: remembered}
		in.Reset([]byte("__label__a x\n"))
		if got, err := dataset.FormatOf(in, "-", opts); (err == nil) != remembered || remembered && got != want {
			t.Errorf("remembered %v: %q, %v", remembered, got, err)
		}
	}
}
