package dataset_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bayes/dataset"
)

// FormatOf says what Open would find, or fails as it would.
func TestFormatOf(t *testing.T) {
	dir := t.TempDir()
	for _, tc := range []struct {
		name, content string
		opts          dataset.Options
	}{
		{"a.csv", "", dataset.Options{}},
		{"a.JSONL.gz", "", dataset.Options{}},
		{"a.parquet", "", dataset.Options{}},
		{"a.mbox", "", dataset.Options{}},
		{"b", "__label__x y\n", dataset.Options{}},
		{"b.txt", "__label__x y\n", dataset.Options{}},
		{"c", "{\"a\": 1}\n", dataset.Options{}},
		{"d", "label,text\n", dataset.Options{}},
		{"e", "label\ttext\n", dataset.Options{}},
		{"f", "1 2:3\n", dataset.Options{}},
		{"g", "\n\njust text\n", dataset.Options{}},
		{"g", "\n\njust text\n", dataset.Options{Unlabelled: true}},
		{"h", "", dataset.Options{}},
		{"i", "label,text\n", dataset.Options{Format: "jsonl"}},
		{"j", "label,text\n", dataset.Options{Format: "nope"}},
		{"k", "label,text\n", dataset.Options{Encoding: "nope"}},
		{"l.csv", "", dataset.Options{Label: "a", Text: []string{"a"}}},
		{"m", "\xff\xfe{\x00}\x00", dataset.Options{}},
		{"n", "\x1f\x8bnothing", dataset.Options{}},
		{"o.svm", "", dataset.Options{Numeric: []string{"x"}}},
	} {
		name := filepath.Join(dir, tc.name)
		if err := os.WriteFile(name, []byte(tc.content), 0o600); err != nil {
			t.Fatal(err)
		}
		var want string
		src, wantErr := dataset.Open([]string{name}, nil, &tc.opts)
		if wantErr == nil {
			var formats []string
			if formats, wantErr = src.Formats(); wantErr == nil {
				want = formats[0]
			}
		}
		got, err := dataset.FormatOf(strings.NewReader(tc.content), name, &tc.opts)
		if got != want || (err == nil) != (wantErr == nil) {
			t.Errorf("%s %+v: %q, %v; want %q, %v", tc.name, tc.opts, got, err, want, wantErr)
		}
		if err != nil && !strings.HasSuffix(err.Error(), wantErr.Error()) {
			t.Errorf("%s: error %q, want %q", tc.name, err, wantErr)
		}
	}
}
