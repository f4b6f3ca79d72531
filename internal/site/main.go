// Command site makes the documentation a site of static pages, which any web server has and a browser opens
// from the disk:
//
//	go run -C internal/site . /tmp/site
//
// README.md is its first page. Pages and files lie where they lie in the repository, so links change in the ends of
// names alone; one that leads nowhere is an error.
package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed page.html style.css try.js
var files embed.FS

func main() {
	log.SetFlags(0)
	log.SetPrefix("site: ")
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		log.Fatal("usage: go run -C internal/site . FOLDER")
	}
	root, err := os.OpenRoot(filepath.Join("..", ".."))
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()
	n, err := build(root.FS(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d pages in %s\n", n, os.Args[1])
}

// A chapter is a heading of the navigation, and the pages below it.
type chapter struct {
	Name  string
	Pages []string // by their files, from the root of the repository
}

// contents are the pages in the order in which the navigation has them.
var contents = []chapter{
	{"", []string{"README.md"}},
	{"Learn", []string{
		"docs/learn/README.md", "docs/learn/1-bayes-theorem.md", "docs/learn/2-words-as-counts.md",
		"docs/learn/3-numbers.md", "docs/learn/4-priors.md", "docs/learn/5-sms-spam.md",
	}},
	{"Use", []string{"docs/cli.md", "docs/server.md", "docs/operating-points.md", "docs/mail.md", "docs/labels.md", "docs/several-labels.md", "docs/label-trees.md", "docs/none-of-these.md", "docs/python.md", "docs/javascript.md", "docs/operations.md", "docs/distributed.md", "SECURITY.md"}},
	{"Judge", []string{"docs/accuracy.md", "docs/labels-tried.md", "docs/performance.md", "docs/testing.md", "CHANGELOG.md"}},
	{"Build on", []string{
		"docs/design.md", "docs/internals.md", "docs/format.md", "docs/store.md", "docs/adding-an-event-model.md", "CONTRIBUTING.md",
	}},
}

// pages returns the files that become pages: those of contents, which must have all Markdown of the root and of docs.
func pages(root fs.FS) ([]string, error) {
	var list []string
	for _, c := range contents {
		list = append(list, c.Pages...)
	}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && name != "docs" && !strings.HasPrefix(name, "docs/"):
			return fs.SkipDir
		case path.Ext(name) == ".md" && !slices.Contains(list, name):
			return fmt.Errorf("%s is in no chapter of the navigation", name)
		}
		return nil
	})
	return list, err
}

// address is where a file of the repository lies on the site.
func address(name string) string {
	dir, file := path.Split(name)
	switch {
	case file == "README.md":
		return dir + "index.html"
	case path.Ext(file) == ".md":
		return dir + strings.TrimSuffix(file, ".md") + ".html"
	case path.Ext(file) == "":
		return name + ".txt" // which a browser shows
	}
	return name
}

// A site is what is built.
type site struct {
	root  fs.FS
	pages map[string]*page // by their files
	to    string
}

// build writes the site of a repository into a folder, and returns how many pages it has.
func build(root fs.FS, to string) (int, error) {
	names, err := pages(root)
	if err != nil {
		return 0, err
	}
	s := &site{root: root, pages: make(map[string]*page), to: to}
	for _, name := range names {
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return 0, err
		}
		s.pages[name] = parse(name, source)
	}
	layout, err := template.ParseFS(files, "page.html")
	if err != nil {
		return 0, err
	}
	var wrong []error
	for _, name := range names {
		p := s.pages[name]
		if err := s.link(p); err != nil {
			wrong = append(wrong, err)
			continue
		}
		var b bytes.Buffer
		v := s.view(p)
		if v.Try {
			wrong = append(wrong, s.writeTry())
		}
		if err := layout.Execute(&b, v); err != nil {
			return 0, err
		}
		if err := s.write(address(name), b.Bytes()); err != nil {
			return 0, err
		}
	}
	style, err := files.ReadFile("style.css")
	if err != nil {
		return 0, err
	}
	return len(names), errors.Join(append(wrong, s.write("style.css", style))...)
}

// write writes a file of the site.
func (s *site) write(name string, content []byte) error {
	to := filepath.Join(s.to, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}

// A view is what page.html shows.
type view struct {
	Title    string
	Up       string // the way to the root of the site
	Try      bool   // whether texts can be classified on it
	Body     template.HTML
	Chapters []viewChapter
}

type viewChapter struct {
	Name  string
	Pages []viewPage
}

type viewPage struct {
	Title, Address string
	Current        bool
	Headings       []heading // of the current page
}

func (s *site) view(p *page) view {
	v := view{Title: p.title, Up: strings.Repeat("../", strings.Count(p.name, "/")), Try: p.tries(), Body: p.html()}
	for _, c := range contents {
		of := viewChapter{Name: c.Name}
		for _, name := range c.Pages {
			to := s.pages[name]
			link := viewPage{Title: to.title, Address: v.Up + address(name), Current: to == p}
			if link.Current {
				link.Headings = p.headings
			}
			of.Pages = append(of.Pages, link)
		}
		v.Chapters = append(v.Chapters, of)
	}
	return v
}
