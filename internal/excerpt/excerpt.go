// Package excerpt cuts texts short, for people to read.
package excerpt

import "unicode/utf8"

// Start returns what s begins with: at most n bytes, and no part of a character.
func Start(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Shorten returns s, or its [Start] and an ellipsis if that is less.
func Shorten(s string, n int) string {
	if start := Start(s, n); len(start) < len(s) {
		return start + "…"
	}
	return s
}
