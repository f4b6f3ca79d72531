package main

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// A built is a file of HTML of the site.
type built struct {
	html  string
	links []string
	ids   []string
}

var (
	link = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	id   = regexp.MustCompile(` id="([^"]*)"`)
)

// all returns what every group of a pattern matched.
func all(pattern *regexp.Regexp, s string) []string {
	var list []string
	for _, m := range pattern.FindAllStringSubmatch(s, -1) {
		list = append(list, m[1])
	}
	return list
}

// buildHere builds the site of this repository, and reads its pages.
func buildHere(t *testing.T) (dir string, site map[string]built) {
	t.Helper()
	dir = t.TempDir()
	if _, err := build(os.DirFS("../.."), dir); err != nil {
		t.Fatal(err)
	}
	site = make(map[string]built)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		html := string(b)
		site[name] = built{html, all(link, html), all(id, html)}
		return err
	})
	if err != nil || len(site) < 20 {
		t.Fatalf("%d pages: %v", len(site), err)
	}
	return dir, site
}

// Every link of the site leads to a file of it, and to an anchor that is there; from the first page
// all others are reached; nothing is loaded from elsewhere.
func TestSite(t *testing.T) {
	dir, site := buildHere(t)
	reached := map[string]bool{"index.html": true}
	for queue := []string{"index.html"}; len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		page := site[name]
		for _, to := range page.links {
			if strings.HasPrefix(to, "https://") {
				continue
			}
			file, anchor, _ := strings.Cut(to, "#")
			anchor, err := url.PathUnescape(anchor)
			if err != nil {
				t.Errorf("%s links to %s: %v", name, to, err)
			}
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if info, err := os.Stat(filepath.Join(dir, target)); err != nil || info.IsDir() {
				t.Errorf("%s links to %s: %v", name, to, err)
			}
			next, isPage := site[target]
			if anchor != "" && !slices.Contains(next.ids, anchor) {
				t.Errorf("%s links to %s, where there is no such anchor", name, to)
			}
			if isPage && !reached[target] {
				reached[target] = true
				queue = append(queue, target)
			}
		}
		slices.Sort(page.ids)
		if len(slices.Compact(page.ids)) != len(all(id, page.html)) {
			t.Errorf("%s has an anchor twice", name)
		}
		for _, bad := range []string{`src="http`, "<script", "raw HTML omitted"} {
			if strings.Contains(strings.ReplaceAll(page.html, `<script src="../try.js" defer></script>`, ""), bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
		if !strings.Contains(page.html, `<meta name="viewport"`) || strings.Contains(page.html, "<title></title>") {
			t.Errorf("%s has no title, or no viewport", name)
		}
	}
	for name := range site {
		if !reached[name] {
			t.Errorf("no page links to %s", name)
		}
	}
}

// All pages but those of programs are in the navigation, once, which marks the page that it is on.
func TestNavigation(t *testing.T) {
	_, site := buildHere(t)
	for name, page := range site {
		nav, _, _ := strings.Cut(page.html, "</nav>")
		want := 1
		if strings.HasPrefix(name, "examples/") {
			want = 0
		}
		if got := strings.Count(nav, `aria-current="page"`); got != want {
			t.Errorf("the navigation of %s marks %d pages", name, got)
		}
		for other := range site {
			if strings.HasPrefix(other, "examples/") {
				continue
			}
			up := strings.Repeat("../", strings.Count(name, "/"))
			if strings.Count(nav, `href="`+up+other+`"`) != 1 {
				t.Errorf("the navigation of %s does not have %s once", name, other)
			}
		}
	}
}

// A link that leads nowhere is an error that names the page and the link.
func TestDeadLinks(t *testing.T) {
	root := fstest.MapFS{
		"docs/data.csv": {Data: []byte("a,b\n")}, "NOTICE": {Data: []byte("terms\n")}, "other/c.md": {Data: []byte("# C\n")}, "examples/one/main.go": {Data: []byte("package main\n")},
	}
	other := parse("docs/b.md", []byte("# B\n\n## What `x --y` is\n"))
	for _, c := range []struct{ markdown, html, err string }{
		{"[b](b.md)", `<a href="b.html">`, ""},
		{"[b](b.md#what-x---y-is)", `<a href="b.html#what-x---y-is">`, ""},
		{"[here](#a)", `<a href="#a">`, ""},
		{"[data](data.csv)", `<a href="data.csv">`, ""},
		{"[notice](../NOTICE)", `<a href="../NOTICE.txt">`, ""},
		{"[programs](../examples)", `<a href="../examples/index.html">`, ""},
		{"[web](https://example.org/x#y)", `<a href="https://example.org/x#y">`, ""},
		{"[b](c.md)", "", "docs/a.md links to c.md, which leads nowhere"},
		{"![b](c.svg)", "", "docs/a.md links to c.svg, which leads nowhere"},
		{"[b](../other/c.md)", "", "docs/a.md links to ../other/c.md, which is in no chapter of the navigation"},
		{"[b](b.md#no)", "", "docs/a.md links to b.md#no, where there is no such heading"},
		{"[here](#no)", "", "docs/a.md links to #no, where there is no such heading"},
		{"a <b>c</b>", "", "docs/a.md has HTML, which the site leaves out"},
	} {
		p := parse("docs/a.md", []byte("# A\n\n"+c.markdown+"\n"))
		s := &site{root: root, pages: map[string]*page{"docs/a.md": p, "docs/b.md": other}, to: t.TempDir()}
		for _, chapter := range contents { // the page of programs has a navigation
			for _, name := range chapter.Pages {
				s.pages[name] = parse(name, []byte("# "+name+"\n"))
			}
		}
		err := s.link(p)
		switch {
		case c.err == "" && (err != nil || !strings.Contains(string(p.html()), c.html)):
			t.Errorf("%s gives %s, %v", c.markdown, p.html(), err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s gives the error %v", c.markdown, err)
		}
	}
}

// Headings are called as on GitHub.
func TestAnchors(t *testing.T) {
	source := "# A: b, c?\n\n## What `train --auto` finds\n\n### serve\n\n### serve\n\n## Größe und ein_wort\n"
	want := []string{"a-b-c", "what-train---auto-finds", "serve", "serve-1", "größe-und-ein_wort"}
	if got := parse("a.md", []byte(source)).anchors; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A session shows commands apart from what they print, and flags stay on a line.
func TestCode(t *testing.T) {
	p := parse("a.md", []byte("`a -b <c>`\n\n```console\n$ echo 'a<b'\na<b\n```\n\n```text\n$ 5\n```\n"))
	want := `<p><code>a <span>-b</span> &lt;c&gt;</code></p>
<pre tabindex="0"><code><span class="prompt">$ </span><b>echo 'a&lt;b'</b>
a&lt;b
</code></pre>
<pre tabindex="0"><code>$ 5
</code></pre>
`
	if got := string(p.html()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A page that no chapter has is an error.
func TestForgottenPage(t *testing.T) {
	root := fstest.MapFS{"docs/new.md": {Data: []byte("# New\n")}}
	if _, err := pages(root); err == nil || !strings.Contains(err.Error(), "docs/new.md is in no chapter") {
		t.Error(err)
	}
}
