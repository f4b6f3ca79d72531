package specgrammar

import (
	"strconv"
	"strings"
)

// Quote returns s as it is, or quoted as in Go if it would not be one word by itself.
func Quote(s string) string {
	words, err := Words(s)
	if err != nil || len(words) != 1 || words[0] != s || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`="\()`, r) || !strconv.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

// Unquote reads what [Quote] returns.
func Unquote(s string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		return strconv.Unquote(s)
	}
	return s, nil
}

// Tree returns the options of a tree of labels behind a space: its separator, and flat if that is set. It
// returns nothing of an empty separator.
func Tree(separator string, flat bool) string {
	switch {
	case separator == "":
		return ""
	case flat:
		return " tree=" + Quote(separator) + " flat"
	}
	return " tree=" + Quote(separator)
}
