package dataset_test

import (
	"strings"
	"testing"

	"bayes/dataset"
)

// Half a surrogate pair in UTF-16 is a replacement character, and the record
// goes on.
func TestUnpairedSurrogates(t *testing.T) {
	for _, tc := range []struct{ name, units, want string }{
		{"high alone", "\xd8\x3d\x00x", "\ufffdx"},
		{"low alone", "\xdc\x00\x00x", "\ufffdx"},
		{"low before high", "\xdc\x00\xd8\x3d\x00x", "\ufffd\ufffdx"},
		{"a pair", "\xd8\x3d\xde\x00\x00x", "😀x"},
		{"high at the end", "\x00x\xd8\x3d", "x\ufffd"},
	} {
		in := "\xfe\xff" + wide("label,text\na,") + tc.units + wide("\nb,y\n")
		var texts []string
		for ex, err := range dataset.CSV(strings.NewReader(in), "surrogates.csv", nil) {
			if err != nil {
				t.Fatalf("%s: %v", tc.name, err)
			}
			texts = append(texts, ex.Text)
		}
		if len(texts) != 2 || texts[0] != tc.want || texts[1] != "y" {
			t.Errorf("%s: texts %q, want %q and y", tc.name, texts, tc.want)
		}
	}
}

// wide returns ASCII in UTF-16, big end first.
func wide(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte(0)
		b.WriteByte(s[i])
	}
	return b.String()
}
