package dataset_test

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"testing/fstest"

	"bayes"
	"bayes/dataset"
)

// show prints a stream of examples.
func show(examples iter.Seq2[bayes.Example, error]) {
	for ex, err := range examples {
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Printf("%s: %s\n", ex.Label, ex.Text)
	}
}

func Example() {
	stdin := strings.NewReader("label,text\nspam,win a free prize\nham,see you at lunch\n")
	source, err := dataset.Open([]string{"-"}, stdin, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for ex, err := range source.Examples() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s\n", ex.Label, ex.Text)
	}
	// Output:
	// spam: win a free prize
	// ham: see you at lunch
}

func ExampleOpen() {
	stdin := strings.NewReader("__label__spam win a free prize\n")
	source, err := dataset.Open([]string{"-"}, stdin, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(source.Examples())
	fmt.Println(source.Formats())
	// Output:
	// spam: win a free prize
	// [fasttext] <nil>
}

func ExampleFormats() {
	fmt.Println(dataset.Formats())
	// Output: [csv tsv jsonl fasttext svmlight parquet dir mail text]
}

func ExampleCSV() {
	table := strings.NewReader("v1,v2\nham,\"Ok lar... \"\"Joking\"\" wif u\"\nspam\n")
	show(dataset.CSV(table, "spam.csv", &dataset.Options{Label: "v1", Text: []string{"v2"}}))
	// Output:
	// ham: Ok lar... "Joking" wif u
	// error: spam.csv:3: 1 field where the header has 2
}

func ExampleTSV() {
	show(dataset.TSV(strings.NewReader("label\ttext\nham\tsee you, then\n"), "mail.tsv", nil))
	// Output: ham: see you, then
}

func ExampleJSONL() {
	lines := strings.NewReader(`{"id": 1, "label": "ham", "text": "see you at \"lunch\""}`)
	show(dataset.JSONL(lines, "mail.jsonl", nil))
	// Output: ham: see you at "lunch"
}

func ExampleFastText() {
	show(dataset.FastText(strings.NewReader("__label__ham see you at lunch\nwin!\n"), "mail.ft", nil))
	// Output:
	// ham: see you at lunch
	// error: mail.ft:2: no __label__ at the start of the line
}

func ExampleSVMLight() {
	for ex := range dataset.SVMLight(strings.NewReader("+1 1:2 7:0.5 # a comment\n"), "x.svm", nil) {
		fmt.Println(ex.Label, ex.Attrs[0].Name, ex.Attrs[1].Name)
	}
	// Output: +1 1 7
}

func ExampleLines() {
	for ex := range dataset.Lines(strings.NewReader("win a prize\n\nlunch?\n"), "new.txt", nil) {
		fmt.Printf("%q\n", ex.Text)
	}
	// Output:
	// "win a prize"
	// ""
	// "lunch?"
}

func ExampleDir() {
	mail := fstest.MapFS{
		"ham/1.eml":       {Data: []byte("see you at lunch")},
		"spam/2024/1.eml": {Data: []byte("win a free prize")},
	}
	show(dataset.Dir(mail, "mail", nil))
	// Output:
	// ham: see you at lunch
	// spam: win a free prize
}

func ExampleMail() {
	message := strings.NewReader("Subject: =?utf-8?q?caf=C3=A9?=\n\nsee you at lunch\n")
	show(dataset.Mail(message, "message", &dataset.Options{Unlabelled: true}))
	// Output:
	// : café
	// see you at lunch
}

func ExampleCutLabel() {
	file, label := dataset.CutLabel("testdata=spam")
	fmt.Println(file, label)
	// Output: testdata spam
}

func ExampleMailbox() {
	maildir := fstest.MapFS{
		"cur/1:2,S":         {Data: []byte("Subject: lunch\n\nsee you")},
		"new/.keep":         {},
		"tmp/.keep":         {},
		"dovecot-uidlist":   {},
		".Junk/cur/2:2,S":   {Data: []byte("Subject: win\n\na free prize")},
		".Junk/new/.keep":   {},
		".Junk/tmp/.keep":   {},
		".Junk/dovecot.log": {},
	}
	show(dataset.Mailbox(maildir, "Maildir", &dataset.Options{LabelOf: map[string]string{"INBOX": "ham", "Junk": "spam"}}))
	// Output:
	// spam: win
	// a free prize
	//
	// ham: lunch
	// see you
}

func ExampleRecords() {
	table := strings.NewReader("a,\"b \"\"c\"\"\"\n\n\"d\ne\",f\n")
	for rec, err := range dataset.Records(table, "x.csv", ',') {
		fmt.Printf("%d %q %q %v\n", rec.Line, rec.Fields, rec.Raw, err)
	}
	// Output:
	// 1 ["a" "b \"c\""] "a,\"b \"\"c\"\"\"\n" <nil>
	// 3 ["d\ne" "f"] "\"d\ne\",f\n" <nil>
}

func ExampleLenient() {
	table := strings.NewReader("label,text\nham\nham,lunch\n")
	skipped := 0
	show(dataset.Lenient(dataset.CSV(table, "mail.csv", nil), func(err *dataset.SyntaxError) {
		skipped++
		fmt.Println("skipped", err)
	}))
	fmt.Println(skipped)
	// Output:
	// skipped mail.csv:2: 1 field where the header has 2
	// ham: lunch
	// 1
}

func ExampleDecompress() {
	r, err := dataset.Decompress(strings.NewReader("as it is"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	b, _ := io.ReadAll(r)
	fmt.Println(string(b))
	// Output: as it is
}

// The format of a file whose name does not tell it.
func ExampleFormatOf() {
	format, err := dataset.FormatOf(strings.NewReader("__label__spam win a prize\n"), "mail", nil)
	fmt.Println(format, err)
	// Output: fasttext <nil>
}
