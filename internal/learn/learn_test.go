package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// The pictures of the repository are those that this program draws, and no others.
func TestPictures(t *testing.T) {
	drawn, err := draw(root)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadDir(filepath.Join(root, pictures))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range kept {
		if _, ok := drawn[file.Name()]; !ok {
			t.Errorf("%s is not drawn", file.Name())
		}
	}
	for name, svg := range drawn {
		b, err := os.ReadFile(filepath.Join(root, pictures, name))
		if err != nil || string(b) != svg {
			t.Errorf("%s is another one (%v): go run ./internal/learn draws it", name, err)
		}
	}
}

// Each picture is XML, small, loads nothing, and is shown by a chapter or by README.md, in words too.
func TestPicturesAreShown(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "learn", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(b)
	}
	drawn, err := draw(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, svg := range drawn {
		if !strings.Contains(text.String(), "pictures/"+name+")") || strings.Contains(text.String(), "![](pictures/"+name) {
			t.Errorf("no page shows %s and says what it is", name)
		}
		if len(svg) > 16<<10 || strings.Contains(svg, "href") || strings.Contains(svg, "script") || strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s has %d bytes, loads something, or has a number that is none", name, len(svg))
		}
		for d := xml.NewDecoder(strings.NewReader(svg)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
		}
	}
}

// Where the urn's evidence is highest is the smoothing that the library finds, which the picture marks.
func TestUrn(t *testing.T) {
	counts := [][]float64{{0, 2, 4}, {5, 1, 1}, {1, 0, 5}}
	const found = .885816
	for _, other := range []float64{found - .01, found + .01} {
		if urn(other, counts) >= urn(found, counts) {
			t.Errorf("the evidence of %g is higher", other)
		}
	}
}
