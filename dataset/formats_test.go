package dataset_test

import (
	"testing"
	"testing/fstest"

	"bayes"
	"bayes/dataset"
)

var unlabelled = &dataset.Options{Unlabelled: true}

// A label that cannot be read is none where documents are to be predicted, and their text is read.
func TestUnreadableLabels(t *testing.T) {
	several := &dataset.Options{Unlabelled: true, LabelSeparator: ";"}
	const objects = `{"label":["a"],"text":"x"}` + "\n" + `{"label":{"a":1},"text":"y"}` + "\n" + `{"label":["a;b"],"text":"z"}` + "\n" + `{"label":[1],"text":"z"}` + "\n"
	readCase{name: "JSON", in: objects, opts: unlabelled, want: texts("", "x", "y", "z", "z")}.run(t, dataset.JSONL)
	readCase{name: "JSON, several labels", in: objects, opts: several,
		want: []bayes.Example{{Label: "a", Text: "x"}, {Text: "y"}, {Text: "z"}, {Text: "z"}}}.run(t, dataset.JSONL)
	readCase{name: "JSON, no text", in: `{"label":"a","text":["x"]}`, opts: unlabelled,
		errs: []string{`f:1: "text": an object or array where a plain value is wanted`}}.run(t, dataset.JSONL)
	readCase{name: "fastText, several labels", in: "__label__a;b x\n__label__a y\n", opts: several,
		want: []bayes.Example{{Label: ";", Text: "x"}, {Label: "a", Text: "y"}}}.run(t, dataset.FastText)
	vector := bayes.Example{Label: "1,2", Attrs: []bayes.Attr{bayes.Term("1", 2)}}
	readCase{name: "svmlight", in: "1,2 1:2\n", opts: unlabelled, want: []bayes.Example{vector}}.run(t, dataset.SVMLight)
}

func TestJSONL(t *testing.T) {
	const (
		hasText  = ` (the object has "text"; hint: --label COLUMN)`
		hasLabel = ` (the object has "label"; hint: --text COLUMN)`
		noLabel  = `f:1: no "label"`
		noText   = `f:1: no "text"`
	)
	for _, c := range []readCase{
		{name: "plain", in: `{"label":"a","text":"x"}` + "\n\n" + ` { "text" : "y" , "label" : "a" } ` + "\r\n",
			want: texts("a", "x", "y")},
		{name: "empty", in: ""},
		{name: "other members", in: `{"id":{"x":["}\"",1]},"label":"a","n":[],"text":"x","z":null}`, want: texts("a", "x")},
		{name: "escapes", in: `{"label":"a","text":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx\ud83d\u0041"}`,
			want: texts("a", "\"\\/\b\f\n\r\té\U0001f600\ufffdx\ufffdA")},
		{name: "escaped name", in: `{"\u006cabel":"a","text":"x"}`, want: texts("a", "x")},
		{name: "plain values", in: `{"label":1,"text":true}`, want: texts("1", "true")},
		{name: "last counts", in: `{"label":"b","label":"a","text":"x"}`, want: texts("a", "x")},
		{name: "attributes", in: `{"label":"a","n":1.5,"m":"2","c":"x","d":3}` + "\n" + `{"label":"b","n":null,"m":"NaN"}`,
			opts: &dataset.Options{Numeric: []string{"n", "m"}, Categorical: []string{"c", "d"}},
			want: []bayes.Example{
				{Label: "a", Attrs: []bayes.Attr{bayes.Number("n", 1.5), bayes.Number("m", 2), bayes.Category("c", "x"), bayes.Category("d", "3")}},
				{Label: "b", Attrs: []bayes.Attr{}}}},
		{name: "weight", in: `{"label":"a","text":"x","w":0}` + "\n" + `{"label":"a","text":"y","w":2}` + "\n" + `{"label":"a","text":"y"}`,
			opts: &dataset.Options{Weight: "w"}, want: []bayes.Example{{Label: "a", Text: "y", Weight: 2}}, errs: []string{`f:3: no "w" (the object has "label" and "text"; hint: --weight-column COLUMN)`}},
		{name: "latin1", in: "{\"label\":\"a\",\"text\":\"\xe9 \\u00e9\"}", want: texts("a", "é é")},
		{name: "no label", in: `{"text":"x"}`, errs: []string{noLabel + hasText}},
		{name: "null label", in: `{"label":null,"text":"x"}`, errs: []string{noLabel}},
		{name: "no text", in: `{"label":"a"}`, errs: []string{noText + hasLabel}},
		{name: "no text to predict", in: `{}`, opts: unlabelled, errs: []string{noText}},
		{name: "unlabelled", in: `{"text":"x"}`, opts: unlabelled, want: texts("", "x")},
		{name: "an empty label first", in: "{\"label\":\"\",\"text\":\"x\"}\n{\"label\":\"a\",\"text\":\"\"}\n", want: texts("a", ""),
			errs: []string{`f:1: column "label": empty label`}},
		{name: "nested", in: `{"label":["a"],"text":"x"}`, errs: []string{`f:1: "label": an array where one label is wanted (hint: train --label-separator)`}},
		{name: "not a number", in: `{"label":"a","n":true}`, opts: &dataset.Options{Numeric: []string{"n"}},
			errs: []string{`f:1: column "n": "true" is not a finite number`}},
		{name: "bad syntax", in: "{\"label\"\n{\"label\":\"a\",\"text\":\"x\"}\n\"x\"\n", want: texts("a", "x"),
			errs: []string{"f:1: unexpected end of JSON input", "f:3: not a JSON object"}},
		{name: "array", in: "[\n{}]", errs: []string{"fatal: f:1: a JSON array, not one object a line (hint: jq -c '.[]')"}},
	} {
		c.run(t, dataset.JSONL)
	}
}

func TestFastText(t *testing.T) {
	const multi = ": more than one label (hint: --label-separator , if documents may have several)"
	for _, c := range []readCase{
		{name: "plain", in: "__label__a x y\r\n\n__label__a\tz  \n __label__a", want: texts("a", "x y", "z", "")},
		{name: "several labels", in: "__label__a __label__b x\n__label__a x __label__b\n__label__a no__label__b\n",
			want: texts("a", "no__label__b"), errs: []string{"f:1" + multi, "f:2" + multi}},
		{name: "no label", in: "x\n__label__ x\n", errs: []string{"f:1: no __label__ at the start of the line", "f:2: empty label"}},
		{name: "unlabelled", in: "x\n\n__label__a y\n", opts: unlabelled,
			want: []bayes.Example{{Text: "x"}, {}, {Label: "a", Text: "y"}}},
		{name: "several labels where they do not matter", in: "__label__a __label__b  x y\n__label__a __label__b\n__label__a x __label__b\n", opts: unlabelled,
			want: []bayes.Example{{Text: "x y"}, {}}, errs: []string{"f:3" + multi}},
	} {
		c.run(t, dataset.FastText)
	}
}

func TestSVMLight(t *testing.T) {
	terms := func(label string, attrs ...bayes.Attr) bayes.Example {
		return bayes.Example{Label: label, Attrs: append([]bayes.Attr{}, attrs...)}
	}
	for _, c := range []readCase{
		{name: "plain", in: "# head\n1 1:2 3:0.5 # doc 1\n\n-1\n+1 qid:7 3:1e2 2:-1 4:0\r\n",
			want: []bayes.Example{
				terms("1", bayes.Term("1", 2), bayes.Term("3", .5)),
				terms("-1"),
				terms("+1", bayes.Term("3", 100), bayes.Term("2", -1), bayes.Term("4", 0))}},
		{name: "leading zeros", in: "a 007:1\n", want: []bayes.Example{terms("a", bayes.Term("7", 1))}},
		{name: "bad", in: "1 0:1\n1 2:1 1:1 02:1\n1 x\n1 x:1\n1 -1:1\n1 1:x\n1 1:inf\n1 2147483648:1\n1 99999999999999999999:1\n1,2 1:1\n1:1\n",
			errs: []string{
				"f:1: index 0; indices begin at 1",
				"f:2: index 2 comes twice",
				`f:3: "x" is not index:value`,
				`f:4: "x:1" is not index:value`,
				`f:5: "-1:1" is not index:value`,
				`f:6: "x" is not a finite number`,
				`f:7: "inf" is not a finite number`,
				`f:8: index "2147483648" is larger than 2147483647`,
				`f:9: index "99999999999999999999" is larger than 2147483647`,
				"f:10: more than one label (hint: --label-separator , if documents may have several)",
				"f:11: no label before the first index"}},
		{name: "unlabelled", in: "1:2\n5 1:2\n", opts: unlabelled,
			want: []bayes.Example{terms("", bayes.Term("1", 2)), terms("5", bayes.Term("1", 2))}},
	} {
		c.run(t, dataset.SVMLight)
	}
}

func TestLines(t *testing.T) {
	for _, c := range []readCase{
		{name: "plain", in: "x\n\ny, z\r\n\n", want: texts("", "x", "", "y, z", "")},
		{name: "no line end", in: "x", want: texts("", "x")},
		{name: "empty", in: ""},
		{name: "encodings", in: "\ufeffé\n\xe9\n\x81\nz\n", want: texts("", "é", "é", "z"),
			errs: []string{"f:3: not valid UTF-8 (hint: --encoding)"}},
	} {
		c.run(t, dataset.Lines)
	}
}

func file(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

func TestDir(t *testing.T) {
	fsys := fstest.MapFS{
		"spam/2":        file("win\na prize"),
		"spam/10":       file("\ufeffcheap"),
		"ham/x/y/1.txt": file("lunch"),
		"ham/a":         file("\xe9"),
		"ham/z":         file("\x81"),
		"ham/.DS_Store": file("\x00"),
		".git/HEAD":     file("main"),
		"README":        file("about"),
		"tab\there/a":   file("x"),
		"empty/a":       file(""),
	}
	got, errs := drain(t, dataset.Dir(fsys, "mail", nil))
	equal(t, got, []bayes.Example{{Label: "empty"}, {Label: "ham", Text: "é"}, {Label: "ham", Text: "lunch"},
		{Label: "spam", Text: "cheap"}, {Label: "spam", Text: "win\na prize"}})
	equal(t, errs, []string{"mail/README: not in a folder that names its class",
		"mail/ham/z: not valid UTF-8 (hint: --encoding)", "mail/tab\there/a: a label must not have a tab or a line end in it"})
	stopEarly(t, dataset.Dir(fsys, "mail", nil))

	_, errs = drain(t, dataset.Dir(fstest.MapFS{}, "mail", encoded("klingon")))
	equal(t, errs, []string{`fatal: unknown encoding "klingon"`})
	got, _ = drain(t, dataset.Dir(fstest.MapFS{"a.txt": file("x")}, "mail", unlabelled))
	equal(t, got, texts("", "x"))
}
