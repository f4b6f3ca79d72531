package report_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"bayes"
	"bayes/dataset"
	"bayes/eval"
	"bayes/internal/long"
	"bayes/internal/testdata"
	"bayes/report"
)

// fit returns a model of examples.
func fit(t testing.TB, em bayes.EventModel, space *bayes.Space, examples []bayes.Example) *bayes.Model {
	t.Helper()
	counts := bayes.NewCounts(space)
	for _, ex := range examples {
		counts.Learn(ex)
	}
	m, err := bayes.Fit(counts, em)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tested returns the report of a model on examples.
func tested(m *bayes.Model, opts *report.Options, examples []bayes.Example) *report.Report {
	r := report.New(m, opts)
	for _, ex := range examples {
		r.Observe(bayes.Result{Example: ex, Prediction: m.Predict(ex.Document())})
	}
	return r
}

// generated returns examples of many classes: words of the class's own among
// words of all.
func generated(classes, examples int, name func(k int) string, seed uint64) []bayes.Example {
	rng := rand.New(rand.NewPCG(seed, 0))
	var list []bayes.Example
	for range examples {
		k := rng.IntN(classes)
		var words []string
		for range 3 + rng.IntN(30) {
			if rng.IntN(6) == 0 {
				words = append(words, fmt.Sprintf("own%dword%d", k, rng.IntN(20)))
			} else {
				words = append(words, fmt.Sprintf("w%d", rng.IntN(300)+10*k))
			}
		}
		list = append(list, bayes.Example{Label: name(k), Text: strings.Join(words, " ")})
	}
	return list
}

func newsgroup(k int) string {
	return fmt.Sprintf("comp.%s.group-%d", []string{"sys", "os.ms-windows", "graphics_and_animation"}[k%3], k)
}

var mail = []bayes.Example{
	{Label: "spam", Text: "win a free prize"}, {Label: "spam", Text: "free entry"},
	{Label: "ham", Text: "see you at lunch"}, {Label: "ham", Text: "lunch at one"},
}

// topics returns a model of documents that may have several labels.
func topics(t *testing.T) *bayes.Model {
	var list []bayes.Example
	for _, ex := range generated(12, 400, newsgroup, 9) {
		other := generated(12, 1, newsgroup, uint64(len(list)))[0]
		list = append(list, bayes.Example{Label: ex.Label + " " + other.Label, Text: ex.Text + " " + other.Text}, ex)
	}
	return fit(t, nil, &bayes.Space{LabelSeparator: " "}, append(list, bayes.Example{Label: " ", Text: "none"}))
}

// testedSets returns the report of a model of several labels on examples.
func testedSets(m *bayes.Model, opts *report.Options, examples []bayes.Example) *report.Sets {
	r := report.NewSets(m, opts)
	for _, ex := range examples {
		r.Observe(bayes.Result{Example: ex, Prediction: m.Predict(ex.Document())})
	}
	return r
}

// setReports returns reports on models of several labels, by name.
func setReports(t *testing.T) map[string]*report.Sets {
	m := topics(t)
	long := strings.Repeat("unbroken", 40)
	return map[string]*report.Sets{
		"sets":          testedSets(m, nil, generated(12, 200, newsgroup, 10)),
		"sets, empty":   testedSets(m, nil, nil),
		"sets, none":    testedSets(m, &report.Options{Terms: -1, Mistakes: -1}, []bayes.Example{{Label: " ", Text: "own3word1"}, {Label: newsgroup(0)}}),
		"sets, strange": testedSets(m, nil, []bayes.Example{{Label: "<b>&amp;\x00" + long + " " + newsgroup(3), Text: "own1word1 <script>alert(3)</script>"}}),
	}
}

// A writer is what both kinds of report are.
type writer interface{ WriteHTML(w io.Writer) error }

// allReports returns reports of all kinds, by name.
func allReports(t *testing.T) map[string]writer {
	all := make(map[string]writer)
	for name, r := range reports(t) {
		all[name] = r
	}
	for name, r := range setReports(t) {
		all[name] = r
	}
	return all
}

// reports returns reports of many kinds, by name.
func reports(t *testing.T) map[string]*report.Report {
	m := fit(t, bayes.Multinomial{}, nil, mail)
	nobody := func(label string, texts ...string) (list []bayes.Example) {
		for _, text := range texts {
			list = append(list, bayes.Example{Label: label, Text: text})
		}
		return list
	}
	long := strings.Repeat("unbroken", 40)
	numbers := []bayes.Example{
		{Label: "a", Attrs: []bayes.Attr{bayes.Number("height", 1), bayes.Category("hair", "dark")}},
		{Label: "b", Attrs: []bayes.Attr{bayes.Number("height", 3), bayes.Category("hair", "fair")}},
		{Label: "a", Attrs: []bayes.Attr{bayes.Number("height", 2)}},
		{Label: "b", Attrs: []bayes.Attr{bayes.Number("height", 1.2), bayes.Category("hair", "dark")}},
	}
	all := map[string]*report.Report{
		"two classes":     tested(m, nil, append(nobody("ham", "lunch", "a free lunch", "free prize"), nobody("spam", "prize", "see", "win")...)),
		"empty":           tested(m, nil, nil),
		"one class":       tested(m, nil, nobody("ham", "lunch", "free")),
		"one document":    tested(m, nil, nobody("ham", "lunch")),
		"no known term":   tested(m, nil, append(nobody("ham", "", "unheard-of"), nobody("spam", "never", "")...)),
		"strange labels":  tested(m, nil, append(nobody("", "free"), nobody("<b>&amp;\x00\xff"+long, "lunch", "free "+long)...)),
		"one class known": tested(fit(t, bayes.Multinomial{}, nil, nobody("only", "one class")), nil, append(nobody("only", "one"), nobody("other", "class")...)),
		"impossible":      tested(fit(t, bayes.Multinomial{Smoothing: bayes.Additive(0)}, nil, mail), nil, append(nobody("ham", "free lunch", "prize", "win lunch you"), nobody("spam", "lunch")...)),
		"bernoulli":       tested(fit(t, bayes.Bernoulli{}, nil, mail), nil, append(nobody("ham", "free"), nobody("spam", "lunch")...)),
		"hashed":          tested(fit(t, bayes.Multinomial{}, &bayes.Space{HashBits: 8}, mail), nil, append(nobody("ham", "free prize"), nobody("spam", "lunch", "free")...)),
		"numbers":         tested(fit(t, bayes.Mixed{Number: bayes.Gaussian{}, Category: bayes.Categorical{}}, nil, numbers), nil, numbers),
		"options":         tested(m, &report.Options{Title: "A & B", Terms: -1, Mistakes: -1}, nobody("ham", "free")),
		"markup":          tested(m, &report.Options{Title: "</title><script>alert(1)</script>"}, nobody("<script>alert(2)</script>", "free <script>alert(3)</script>")),
	}
	for name, examples := range map[string][]bayes.Example{"progressive": generated(2, 300, newsgroup, 7), "progressive, one class": nobody("ham", "lunch", "free"), "progressive, 20 classes": generated(20, 300, newsgroup, 8)} {
		p, err := eval.Progressive(t.Context(), nil, bayes.Multinomial{}, examples, nil)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = report.New(p.Model, &report.Options{Mistakes: -1})
		all[name].Progressive(p)
	}
	few := fit(t, bayes.Complement{}, nil, generated(20, 600, newsgroup, 1))
	all["20 classes"] = tested(few, &report.Options{Title: "20 classes"}, generated(20, 900, newsgroup, 2))
	many := fit(t, bayes.Multinomial{}, nil, generated(130, 2000, newsgroup, 3))
	all["130 classes"] = tested(many, &report.Options{Title: strings.Repeat("title", 40)}, generated(130, 1500, newsgroup, 4))
	thousands := fit(t, bayes.Multinomial{}, nil, generated(1100, 4000, newsgroup, 5))
	all["1,100 classes"] = tested(thousands, nil, generated(1100, 1500, newsgroup, 6))
	return all
}

var pages map[string]string // of reports, once they are written

// written returns the pages of reports, which are trained, tested and written once for all tests.
func written(t *testing.T) map[string]string {
	t.Helper()
	if pages != nil {
		return pages
	}
	all := make(map[string]string)
	for name, r := range allReports(t) {
		var b strings.Builder
		if err := r.WriteHTML(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = b.String()
	}
	pages = all
	return pages
}

var (
	badNumber = regexp.MustCompile(`NaN|[+-]Inf|ZgotmplZ|%!`)
	loads     = regexp.MustCompile(`<script|<iframe|<link rel="stylesheet|src=|url\(|@import|https?://`)
)

// A page says nothing that is not a number, loads nothing, and is the same from
// the same input.
func TestWriteHTML(t *testing.T) {
	for name, r := range allReports(t) {
		page := written(t)[name]
		if bad := badNumber.FindString(page); bad != "" {
			t.Errorf("%s: the page has %q", name, bad)
		}
		if bad := loads.FindString(page); bad != "" {
			t.Errorf("%s: the page has %q", name, bad)
		}
		var again strings.Builder
		r.WriteHTML(&again)
		if again.String() != page {
			t.Errorf("%s: two pages of the same input differ", name)
		}
	}
}

// What a page must say of each kind of test.
func TestWords(t *testing.T) {
	all := written(t)
	for _, tc := range []struct{ name, want string }{
		{"empty", "No document was tested"},
		{"one class", "A curve needs documents of a class"},
		{"one class", "No document tested is spam."},
		{"progressive", "1-ROCA % by documents learned"},
		{"progressive", "Mistakes by documents learned"},
		{"progressive, one class", "How it went on"},
		{"progressive, 20 classes", "all classes"},
		{"one document", "Every document was predicted rightly."},
		{"no known term", "No term of the document is known to the model, so this is the prior."},
		{"strange labels", "not in the model"},
		{"strange labels", "Shown is what speaks for the prediction and for"},
		{"one class known", "The model does not know other, so"},
		{"impossible", "∞"},
		{"options", "No terms are shown."},
		{"options", "1 document was predicted wrongly."},
		{"options", "<title>A &amp; B</title>"},
		{"markup", "&lt;script&gt;alert(2)&lt;/script&gt;"},
		{"numbers", "hair=dark"},
		{"hashed", " free"},
		{"20 classes", "17 other classes"},
		{"130 classes", "91 others"},
		{"130 classes", "Of 130 classes the first 100 are shown."},
		{"sets", "got just their labels"},
		{"sets", "labels were missed; here are the 12"},
		{"sets", "One label for another"},
		{"sets, empty", "No document was tested"},
		{"sets, none", "1 label was given wrongly."},
		{"sets, strange", "not in the model"},
		{"sets, strange", "so no document can be given it."},
		{"1,100 classes", "classes the 100 with the most mistakes are shown; <code>bayes test --json</code> lists all."},
	} {
		page := all[tc.name]
		if !strings.Contains(page, tc.want) {
			t.Errorf("%s: the page does not say %q", tc.name, tc.want)
		}
		if tc.name == "1,100 classes" && len(page) > 1<<20 {
			t.Errorf("%s: the page has %d bytes", tc.name, len(page))
		}
	}
}

// The report of 20 Newsgroups, whatever the number of workers.
func TestNewsgroups(t *testing.T) {
	long.Test(t, "the report of a large corpus, by one worker and by three")
	train, err := dataset.Open([]string{testdata.Path(t, "20news/train.csv")}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := bayes.Count(context.Background(), nil, train.Examples(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bayes.Fit(counts, bayes.Complement{})
	if err != nil {
		t.Fatal(err)
	}
	var pages []string
	for _, workers := range []int{1, 3} {
		test, err := dataset.Open([]string{testdata.Path(t, "20news/test.csv")}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := report.New(m, nil)
		for s, err := range m.PredictAll(test.Examples(), workers) {
			if err != nil {
				t.Fatal(err)
			}
			r.Observe(s)
		}
		var b strings.Builder
		if err := r.WriteHTML(&b); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, b.String())
	}
	if pages[0] != pages[1] {
		t.Error("the pages of one worker and of three differ")
	}
	for _, want := range []string{"0.8294", "rec.sport.hockey", "7,532 documents"} { // the accuracy of README.md
		if !strings.Contains(strings.ReplaceAll(pages[0], "<wbr>", ""), want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	if n := strings.Count(pages[0], "<details"); n != 12 {
		t.Errorf("%d mistakes are shown", n)
	}
	if len(pages[0]) > 1<<20 {
		t.Errorf("the page has %d bytes", len(pages[0]))
	}
}

// An explanation names the most probable of many classes, and counts the others.
func TestExplanationOfMany(t *testing.T) {
	m := fit(t, bayes.Multinomial{}, nil, generated(130, 2000, newsgroup, 3))
	var b strings.Builder
	if err := report.WriteExplanation(&b, "own3word1 w20", m.Explain(bayes.Document{Text: "own3word1 w20"})); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), ".group-"); !strings.Contains(b.String(), "and 120 less probable classes") || n > 20 {
		t.Errorf("%d classes are named:\n%s", n, b.String()[strings.Index(b.String(), "<header>"):])
	}
}
