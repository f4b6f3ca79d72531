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

// Option returns KEY=VALUE behind a space, and nothing of an empty value.
func Option(key, value string) string {
	if value == "" {
		return ""
	}
	return " " + key + "=" + Quote(value)
}
