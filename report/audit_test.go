package report_test

import (
	"fmt"
	"strings"
	"testing"

	"bayes"
	"bayes/report"
)

// audited returns an audit with everything that a page may show: long words, foreign scripts, markup, more rows than
// are shown.
func audited(t *testing.T) *report.Audit {
	m := fit(t, bayes.Multinomial{}, nil, mail)
	a := &report.Audit{Title: "Audit of <mail>", Rows: 12345, Expected: 3.25, Wrong: 0.021, Tested: &[]report.AlikeRow{}}
	for i := range 230 {
		text := fmt.Sprintf("free lunch %d at one & a <b>prize</b> 무료 상품 会議 %s", i, strings.Repeat("unbroken", 40))
		d := report.DoubtfulRow{
			Place: fmt.Sprintf("row some/long/folder/of/mails.csv:%d", i+1), Label: "ham", Suggested: "spam",
			Probability: 0.99, LogOdds: 4.6, Text: text, Explanation: m.ExplainAgainst(bayes.Document{Text: text}, "spam", "ham"),
		}
		if i%3 == 0 {
			d.Label, d.Suggested, d.Explanation = strings.Repeat("label", 20), "\x00", nil
		}
		a.Doubts = append(a.Doubts, d)
	}
	for i := range 510 {
		a.Differ = append(a.Differ, report.AlikeRow{
			Place: fmt.Sprint(i), Label: "ham", OtherPlace: fmt.Sprint(i + 1), OtherLabel: "spam", Exact: i%2 == 0, Text: strings.Repeat("text ", 100),
		})
	}
	*a.Tested = append(*a.Tested, a.Differ[:3]...)
	return a
}

func auditPage(t *testing.T, a *report.Audit) string {
	var page strings.Builder
	if err := report.WriteAudit(&page, a); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// A page says how many rows there are, shows the first, escapes what it shows, and says how many it does not show.
func TestWriteAudit(t *testing.T) {
	a := audited(t)
	page := auditPage(t, a)
	for part, n := range map[string]int{
		"<h1>Audit of &lt;mail&gt;</h1>": 1, "12,345 rows audited": 1, "<details": 200, "30 rows more are doubtful": 1, "10 rows more are not shown": 1,
		`aria-label="for the suggestion"`: 133, "<b>prize": 0, "\x00": 0, ">2.1 %<": 1, ">exactly<": 252, `id="tested"`: 1,
	} {
		if got := strings.Count(page, part); got != n {
			t.Errorf("%q is there %d times, want %d", part, got, n)
		}
	}
	if again := auditPage(t, a); again != page {
		t.Error("another page the second time")
	}
	empty := auditPage(t, &report.Audit{Rows: 1})
	for _, part := range []string{"<h1>Audit of labels</h1>", "1 row audited", "No label is doubtful", "No rows that are alike have different labels"} {
		if !strings.Contains(empty, part) {
			t.Errorf("no %q in the empty page", part)
		}
	}
	if strings.Contains(empty, "labels missing") {
		t.Error("a page of one label a row speaks of missing labels")
	}
	sets := auditPage(t, &report.Audit{Rows: 1, Several: true, Wrong: 0.012, Missing: 0.034})
	for _, part := range []string{">labels wrong<", ">1.2 %<", ">labels missing<", ">3.4 %<"} {
		if !strings.Contains(sets, part) {
			t.Errorf("no %q in the page of several labels", part)
		}
	}
	if strings.Contains(empty, "test files") {
		t.Error("the empty page speaks of test files")
	}
}
