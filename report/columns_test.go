package report_test

import (
	"bytes"
	"strings"
	"testing"

	"bayes"
	"bayes/report"
)

// people returns a model of a number and a category.
func people(t testing.TB) *bayes.Model {
	t.Helper()
	var list []bayes.Example
	for i := range 10 {
		list = append(list,
			bayes.Example{Label: "tall", Attrs: []bayes.Attr{bayes.Number("height", 188+float64(i%2)*4), bayes.Category("sport", "basketball")}},
			bayes.Example{Label: "small", Attrs: []bayes.Attr{bayes.Number("height", 162+float64(i%2)*4), bayes.Category("sport", "riding")}})
	}
	return fit(t, bayes.Mixed{}, nil, list)
}

// page returns what write writes.
func page(t *testing.T, write func(b *bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A report shows mean and deviation of each number, and the values that tell most of a class.
func TestColumns(t *testing.T) {
	got := page(t, func(b *bytes.Buffer) error { return report.New(people(t), nil).WriteHTML(b) })
	_, got, ok := strings.Cut(got, `id="columns"`)
	for _, want := range []string{
		`rowspan="2">height</th><td class="word">small</td><td>164</td><td>2</td><td>10</td>`,
		`<td class="word">tall</td><td>190</td><td>2</td><td>10</td>`,
		`rowspan="2">sport</th><td class="word">small</td><td class="word"><ul class="chips"><li class="for s5" title="log-odds +2.4, 10 times in 10 documents">riding</li></ul>`,
	} {
		if !ok || !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	text := fit(t, bayes.Multinomial{}, nil, mail)
	if got := page(t, func(b *bytes.Buffer) error { return report.New(text, nil).WriteHTML(b) }); strings.Contains(got, `id="columns"`) {
		t.Error("a model of a text has a section on columns")
	}
}

// An explanation of a number shows its value, and mean and deviation of the classes; that of a
// frozen model shows no counts.
func TestExplainedColumns(t *testing.T) {
	d := bayes.Document{Attrs: []bayes.Attr{bayes.Number("height", 181)}}
	got := page(t, func(b *bytes.Buffer) error { return report.WriteExplanation(b, "", people(t).Explain(d)) })
	for _, want := range []string{"height = 181</th>", "<td>190 ± 2</td><td>164 ± 2</td>"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	var file bytes.Buffer
	if err := fit(t, bayes.Multinomial{}, nil, mail).Freeze(&file, nil); err != nil {
		t.Fatal(err)
	}
	frozen, err := bayes.LoadModel(&file)
	if err != nil {
		t.Fatal(err)
	}
	got = page(t, func(b *bytes.Buffer) error {
		return report.WriteExplanation(b, "free lunch", frozen.Explain(bayes.Document{Text: "free lunch"}))
	})
	if !strings.Contains(got, "free</th>") || strings.Contains(got, "<th>spam</th><th>ham</th>") || strings.Contains(got, "<td>0</td><td>0</td>") {
		t.Errorf("a frozen model shows counts: %s", got)
	}
}
