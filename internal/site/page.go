package main

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A page is a file of Markdown.
type page struct {
	name     string
	source   []byte
	tree     ast.Node
	title    string
	headings []heading // of the second level
	anchors  []string  // of all levels
}

type heading struct{ Text, Anchor string }

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(code{}, 100))),
)

// parse reads a page.
func parse(name string, source []byte) *page {
	p := &page{name: name, source: source}
	context := parser.NewContext(parser.WithIDs(&anchors{taken: make(map[string]bool)}))
	p.tree = markdown.Parser().Parse(text.NewReader(source), parser.WithContext(context))
	ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		h, ok := n.(*ast.Heading)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		id, _ := h.AttributeString("id")
		of := heading{Text: plain(h, source), Anchor: string(id.([]byte))}
		p.anchors = append(p.anchors, of.Anchor)
		switch {
		case h.Level == 1 && p.title == "":
			p.title = of.Text
		case h.Level == 2:
			p.headings = append(p.headings, of)
		}
		return ast.WalkSkipChildren, nil
	})
	return p
}

// plain is the text of a node without its marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// html is the body of a page.
func (p *page) html() template.HTML {
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, p.source, p.tree); err != nil {
		panic(err) // a bytes.Buffer takes everything
	}
	return template.HTML(b.String())
}

// Anchors names headings as GitHub does, so that links hold in either place.
type anchors struct{ taken map[string]bool }

// Generate returns the anchor of a heading.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	unique := name
	for n := 1; a.taken[unique]; n++ {
		unique = fmt.Sprintf("%s-%d", name, n)
	}
	a.Put([]byte(unique))
	return []byte(unique)
}

// Put takes an anchor.
func (a *anchors) Put(value []byte) { a.taken[string(value)] = true }

// link has the links of a page lead to where things lie on the site, and brings there what they lead to.
func (s *site) link(p *page) error {
	var wrong []error
	ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var destination *[]byte
		switch n := n.(type) {
		case *ast.Link:
			destination = &n.Destination
		case *ast.Image:
			destination = &n.Destination
		case *ast.RawHTML, *ast.HTMLBlock:
			wrong = append(wrong, fmt.Errorf("%s has HTML, which the site leaves out", p.name))
			return ast.WalkContinue, nil
		default:
			return ast.WalkContinue, nil
		}
		to, err := s.resolve(p, string(*destination))
		if err != nil {
			wrong = append(wrong, err)
		}
		*destination = []byte(to)
		return ast.WalkContinue, nil
	})
	return errors.Join(wrong...)
}

// resolve returns where a link of a page leads on the site.
func (s *site) resolve(p *page, link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "" {
		return link, err
	}
	target := p.name
	if u.Path != "" {
		target = path.Join(path.Dir(p.name), u.Path)
	}
	fragment := ""
	if u.Fragment != "" {
		fragment = "#" + u.Fragment
	}
	if to, ok := s.pages[target]; ok {
		if u.Fragment != "" && !slices.Contains(to.anchors, u.Fragment) {
			return link, fmt.Errorf("%s links to %s, where there is no such heading", p.name, link)
		}
		if u.Path == "" {
			return fragment, nil
		}
		return address(u.Path) + fragment, nil
	}
	info, err := fs.Stat(s.root, target)
	switch {
	case err != nil || u.Fragment != "":
		return link, fmt.Errorf("%s links to %s, which leads nowhere", p.name, link)
	case path.Ext(target) == ".md":
		return link, fmt.Errorf("%s links to %s, which is in no chapter of the navigation", p.name, link)
	case info.IsDir():
		return u.Path + "/index.html", s.folder(target)
	}
	content, err := fs.ReadFile(s.root, target)
	if err != nil {
		return link, err
	}
	return address(u.Path), s.write(address(target), content)
}

// folder makes a page of the programs in a folder.
func (s *site) folder(dir string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", dir)
	err := fs.WalkDir(s.root, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" {
			return err
		}
		content, err := fs.ReadFile(s.root, name)
		fmt.Fprintf(&b, "\n## %s\n\n~~~~go\n%s~~~~\n", strings.TrimPrefix(name, dir+"/"), content)
		return err
	})
	if err != nil {
		return err
	}
	p := parse(path.Join(dir, "README.md"), b.Bytes())
	layout, err := template.ParseFS(files, "page.html")
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := layout.Execute(&out, s.view(p)); err != nil {
		return err
	}
	return s.write(address(p.name), out.Bytes())
}

// A code renders what is in backquotes: sessions show what was typed apart from what was printed, and no line
// breaks after the hyphens of a flag.
type code struct{}

// RegisterFuncs says what is rendered here.
func (c code) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, c.block)
	r.Register(ast.KindCodeSpan, c.span)
}

func (code) span(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	w.WriteString("<code>")
	for i, word := range strings.Split(strings.ReplaceAll(plain(n, source), "\n", " "), " ") {
		if i > 0 {
			w.WriteByte(' ')
		}
		escaped := util.EscapeHTML([]byte(word))
		if strings.HasPrefix(word, "-") {
			fmt.Fprintf(w, "<span>%s</span>", escaped)
		} else {
			w.Write(escaped)
		}
	}
	w.WriteString("</code>")
	return ast.WalkSkipChildren, nil
}

func (code) block(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	language := string(n.(*ast.FencedCodeBlock).Language(source))
	if language == tryLanguage {
		renderTry(w, n.Lines().Value(source))
		return ast.WalkContinue, nil
	}
	w.WriteString(`<pre tabindex="0"><code>`)
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		line := segment.Value(source)
		command, typed := bytes.CutPrefix(line, []byte("$ "))
		if typed && language == "console" {
			w.WriteString(`<span class="prompt">$ </span><b>`)
			w.Write(util.EscapeHTML(bytes.TrimSuffix(command, []byte("\n"))))
			w.WriteString("</b>\n")
			continue
		}
		w.Write(util.EscapeHTML(line))
	}
	w.WriteString("</code></pre>\n")
	return ast.WalkContinue, nil
}
