package main

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"html"
	"io/fs"
	"regexp"

	"bayes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// tryLanguage marks a block of text that the site makes a field of: what is typed there is classified as one types.
const tryLanguage = "try"

// tries reports whether a page has such a block.
func (p *page) tries() (found bool) {
	ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if block, ok := n.(*ast.FencedCodeBlock); ok && string(block.Language(p.source)) == tryLanguage {
			found = true
		}
		return ast.WalkContinue, nil
	})
	return found
}

// renderTry writes the field, which try.js finds.
func renderTry(w util.BufWriter, text []byte) {
	fmt.Fprintf(w, `<div class="try"><label>Text <textarea rows="3">%s</textarea></label><p class="marked"></p><p class="key"></p><div class="answer" role="status"></div></div>
`, html.EscapeString(string(bytes.TrimSpace(text))))
}

// modules are the files of the package for JavaScript, each behind those that it imports.
var modules = []string{"tables.js", "stem.js", "text.js", "event.js", "file.js", "labels.js", "index.js"}

var (
	imports = regexp.MustCompile(`(?m)^import .*\n`)
	exports = regexp.MustCompile(`(?m)^export `)
)

// writeTry writes try.js: the package, a model of the sample that the command has, and what fills the fields. It is one
// script, since a page that is opened from the disk may load no modules.
func (s *site) writeTry() error {
	var b bytes.Buffer
	b.WriteString("(() => {\n\"use strict\";\n")
	for _, name := range modules {
		source, err := fs.ReadFile(s.root, "javascript/"+name)
		if err != nil {
			return err
		}
		b.Write(exports.ReplaceAll(imports.ReplaceAll(source, nil), nil))
	}
	model, err := s.model()
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "const frozen = %q;\n", base64.StdEncoding.EncodeToString(model))
	script, err := files.ReadFile("try.js")
	if err != nil {
		return err
	}
	b.Write(script)
	b.WriteString("})();\n")
	return s.write("try.js", b.Bytes())
}

// model trains and freezes the model of the page.
func (s *site) model() ([]byte, error) {
	sample, err := fs.ReadFile(s.root, "internal/cli/sample.csv")
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(sample)).ReadAll()
	if err != nil {
		return nil, err
	}
	counts := bayes.NewCounts(nil)
	for _, row := range rows[1:] {
		counts.Learn(bayes.Example{Label: row[0], Text: row[1]})
	}
	model, err := bayes.Fit(counts, bayes.Multinomial{})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = model.Freeze(&b, &bayes.FreezeOptions{Bits: 8})
	return b.Bytes(), err
}
