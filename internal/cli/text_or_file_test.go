package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTextOrFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a file.txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	for arg, isText := range map[string]bool{
		"-":                               false,
		"a file.txt":                      false,
		"folder":                          false,
		"win a prize":                     true,
		"昨日は　寿司":                          true, // an ideographic space
		"two\nlines":                      true,
		"no such.txt":                     true,
		strings.Repeat("long text ", 1e4): true, // longer than any file's name
		"nul \x00 byte":                   true, // which no file's name has
	} {
		if got, err := textOrFile(arg); got != isText || err != nil {
			t.Errorf("%.20q: %v, %v", arg, got, err)
		}
	}
	for _, arg := range []string{"", "word", "nosuch.txt", filepath.Join("folder", "nosuch.csv"), strings.Repeat("x", 1e4)} {
		if got, err := textOrFile(arg); got || err == nil || !strings.HasPrefix(err.Error(), arg) {
			t.Errorf("%.20q: %v, %v", arg, got, err)
		}
	}
}
