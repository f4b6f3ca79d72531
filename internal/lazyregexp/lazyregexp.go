// Package lazyregexp compiles regular expressions when they are first used. Compiling them when a program
// starts takes its time on every start, whether they are used or not.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns what gives a compiled expression. It panics then, if the expression is not one.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
