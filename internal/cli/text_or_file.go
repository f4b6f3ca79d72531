package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode"
)

// textOrFile reports whether an argument that may be either is a text, rather than the
// name of a file or folder. What exists is a file, and so is "-". Of the rest, what has
// white space in it is a text. Anything else may be a word or a name with a slip in it,
// and is an error.
func textOrFile(arg string) (isText bool, err error) {
	if arg == "-" {
		return false, nil
	}
	_, err = os.Stat(arg)
	switch {
	case err == nil:
		return false, nil
	case strings.ContainsFunc(arg, unicode.IsSpace):
		return true, nil
	case arg == "" || errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("%s: no such file, and not a text, since it has no white space in it (hint: pipe a text without white space to standard input)", arg)
	}
	return false, Plain(err)
}
