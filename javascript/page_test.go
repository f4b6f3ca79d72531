package javascript_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bayes/internal/browser"

	"github.com/chromedp/chromedp"
)

// site builds the documentation as a site, and returns its folder.
func site(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "run", ".", dir)
	cmd.Dir = filepath.Join("..", "internal", "site")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// TestPage opens the page of the site from the disk, types a text, and looks at what becomes of it: what the program
// says, with words coloured by their evidence, on screens and phones, in the light and in the dark, and nothing else is loaded.
func TestPage(t *testing.T) {
	b := browser.Open(t)
	dir := site(t)
	want := command(t, "explain", "--json", trained(t), typed)
	for _, w := range browser.Windows(t) {
		layout := b.Visit(t, browser.File(filepath.Join(dir, "docs", "javascript.html")), w.Width, w.Scheme)
		if _, err := chromedp.Run(b.Ctx, chromedp.Evaluate[string]("document.querySelector('.try textarea').value = ''")); err != nil {
			t.Fatal(err)
		}
		if err := chromedp.Do(b.Ctx, chromedp.SendKeys(".try textarea", typed)); err != nil {
			t.Fatal(err)
		}
		got, err := chromedp.Run(b.Ctx, chromedp.Evaluate[struct {
			Labels, Shares, Marks, Against []string
			Text                           string
		}](`(() => {
			const texts = (selector) => Array.from(document.querySelectorAll('.try ' + selector), (e) => e.textContent)
			return {Labels: texts('.class .label'), Shares: texts('.class .share'), Marks: texts('.marked mark.for'), Against: texts('.marked mark.against'), Text: texts('.marked')[0]}
		})()`))
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != typed || len(got.Labels) != 4 || !regexp.MustCompile(`"label":"`+got.Labels[0]+`"`).Match(want) || !strings.Contains(strings.Join(got.Marks, " "), "invoice") || len(got.Against) == 0 {
			t.Errorf("%+v, and the program says %s", got, want)
		}
		for _, l := range []browser.Layout{layout, b.Measure(t)} {
			// Of every page of the site the link to the text is aside, and code scrolls.
			l.Outside = slices.DeleteFunc(l.Outside, func(s string) bool { return strings.HasPrefix(s, "askip ") || strings.HasPrefix(s, "code ") })
			if wrong := l.Complaints(w.Width, w.Scheme); len(wrong) > 0 {
				t.Errorf("%+v: %q", w, wrong)
			}
		}
		if errors := b.Errors(); len(errors) > 0 {
			t.Error(errors)
		}
		for _, r := range b.Requests() {
			if !strings.HasPrefix(r, "file://"+dir) {
				t.Errorf("it loads %s", r)
			}
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "try.js")); err != nil || info.Size() > 400<<10 {
		t.Errorf("try.js: %v, %v", info.Size(), err)
	}
}

// typed is what is typed into the page.
const typed = "The invoice is wrong, please export it again"

// trained returns the model of the sample that the command has, as the page has it.
func trained(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	freeze(t, dir, "sample", []string{filepath.Join("..", "internal", "cli", "sample.csv")}, "8")
	return filepath.Join(dir, "sample.frozen")
}
