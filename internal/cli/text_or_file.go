package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

var errNeither = errors.New("no such file, and not a text, since it has no white space in it")

// textOrFile reports whether an argument that may be either is a text, rather than the
// name of a file or folder. What exists is a file, and so is "-". Of the rest, what has
// white space in it is a text, and so is what is written without white space, as Japanese
// is. Anything else may be a word or a name with a slip in it, and is an error.
func textOrFile(arg string) (isText bool, err error) {
	if arg == "-" {
		return false, nil
	}
	_, err = os.Stat(arg)
	switch {
	case err == nil:
		return false, nil
	case strings.ContainsFunc(arg, unicode.IsSpace), needsNoSpace(arg):
		return true, nil
	case arg == "" || errors.Is(err, fs.ErrNotExist):
		if arg == "" {
			arg = `""`
		}
		return false, fmt.Errorf("%s: %w (hint: pipe a text without white space to standard input)", arg, errNeither)
	}
	return false, Plain(err)
}

// noteFileName notes it if a text looks like the name of a file, which would then be missing.
func (a *App) noteFileName(text string) {
	switch strings.ToLower(filepath.Ext(text)) {
	case ".txt", ".csv", ".tsv", ".json", ".jsonl", ".gz", ".zst", ".parquet", ".eml", ".xlsx", ".pdf", ".html":
		a.Note("note: there is no file %q, so that is taken as a text", text)
	}
}

// needsNoSpace reports whether arg is in a script that does not part words by white space, and
// does not look like the name of a file.
func needsNoSpace(arg string) bool {
	isPath := strings.ContainsRune(arg, filepath.Separator) || len(filepath.Ext(arg)) > 1 && filepath.Ext(arg)[1] < utf8.RuneSelf
	return !isPath && strings.ContainsFunc(arg, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}
