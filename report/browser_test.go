package report_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/browser"
	"bayes/report"
)

// complaints returns what is wrong with a page that is one file without a script.
func complaints(b *browser.Browser, l browser.Layout, width int64, scheme string) []string {
	wrong := append(b.Errors(), l.Complaints(width, scheme)...)
	if requests := b.Requests(); len(requests) != 1 {
		wrong = append(wrong, fmt.Sprintf("requests: %q", requests))
	}
	if l.Scripts > 0 {
		wrong = append(wrong, "scripts")
	}
	return wrong
}

var sections = []string{"figures", "classes", "confusion", "curves", "reliability", "terms", "mistakes", "settings"}

// Reports are whole and readable in a browser, on a screen and on a phone, light
// and dark.
func TestBrowser(t *testing.T) {
	b := browser.Open(t)
	for name, page := range looks(t) {
		file := filepath.Join(t.TempDir(), "report.html")
		if err := os.WriteFile(file, page.html, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, w := range browser.Windows(t) {
			l := b.Visit(t, browser.File(file), w.Width, w.Scheme)
			for _, wrong := range complaints(b, l, w.Width, w.Scheme) {
				t.Errorf("%s, %d pixels, %s: %s", name, w.Width, w.Scheme, wrong)
			}
			if !slices.Equal(l.Sections, page.sections) {
				t.Errorf("%s: sections %q, want %q", name, l.Sections, page.sections)
			}
		}
	}
}

// What TestBrowser looks for, it finds.
func TestBrowserComplains(t *testing.T) {
	b := browser.Open(t)
	file := filepath.Join(t.TempDir(), "bad.html")
	bad := `<!DOCTYPE html><meta name="viewport" content="width=device-width"><title>bad</title>
<body style="background:#888"><script>console.error("oh"); undefined.oh</script><img src="missing.png">
<div style="width:3000px">wide</div><p style="color:#999">pale</p>
<svg viewBox="0 0 1000 10" width="300"><text font-size="12">tiny</text></svg>`
	if err := os.WriteFile(file, []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(complaints(b, b.Visit(t, browser.File(file), 390, "light"), 390, "light"), "\n")
	for _, want := range []string{"exception:", "console: error", "log:", "missing.png", "overflow:", "scripts", "scheme:", "outside:", "pale:", "tiny:"} {
		if !strings.Contains(got, want) {
			t.Errorf("no complaint %q in\n%s", want, got)
		}
	}
}

type testPage struct {
	html     []byte
	sections []string
}

// looks returns pages that differ in their looks.
func looks(t *testing.T) map[string]testPage {
	all := make(map[string]testPage)
	for _, name := range []string{"two classes", "20 classes", "130 classes", "strange labels", "impossible", "numbers", "empty"} {
		want := sections
		switch name {
		case "empty":
			want = []string{"terms", "settings"}
		case "numbers":
			want = slices.Insert(slices.Clone(sections), 6, "columns")
		}
		all[name] = testPage{[]byte(written(t)[name]), want}
	}
	sets := []string{"figures", "labels", "confusion", "reliability", "terms", "wrong", "missed", "settings"}
	all["sets"] = testPage{[]byte(written(t)["sets"]), sets}
	all["sets, strange"] = testPage{[]byte(written(t)["sets, strange"]), sets}
	m := fit(t, bayes.Multinomial{}, nil, mail)
	text := "a free lunch and a prize " + strings.Repeat("unbroken", 40)
	var b bytes.Buffer
	if err := report.WriteExplanation(&b, text, m.Explain(bayes.Document{Text: text})); err != nil {
		t.Fatal(err)
	}
	all["explanation"] = testPage{b.Bytes(), []string{}}
	var c bytes.Buffer
	d := bayes.Document{Attrs: []bayes.Attr{bayes.Number("height", 181), bayes.Category("sport", "rowing")}}
	if err := report.WriteExplanation(&c, "", people(t).Explain(d)); err != nil {
		t.Fatal(err)
	}
	var audit bytes.Buffer
	if err := report.WriteAudit(&audit, audited(t)); err != nil {
		t.Fatal(err)
	}
	all["audit"] = testPage{audit.Bytes(), []string{"figures", "doubts", "alike", "tested"}}
	all["explained numbers"] = testPage{c.Bytes(), []string{}}
	return all
}
