package report_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Values are escaped, and stand where that is enough: in text and in quoted attributes, not in
// scripts, styles and comments.
func TestTemplatesEscape(t *testing.T) {
	unsafe := regexp.MustCompile(`\{%-?\s*[a-z.\d]+=\s*[^%]*|=\{%|(?is)<(script|style)\b[^>]*>[^<]*\{%[^%]*|<!--[^>]*\{%`)
	files, err := filepath.Glob("../*/*.qtpl")
	if err != nil || len(files) < 4 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range unsafe.FindAllString(string(data), -1) {
			if found != "<style>\n{%s= style " { // a file of ours
				t.Errorf("%s: %s", name, found)
			}
		}
	}
}
