// Package unlabelled says where Counts keep what examples without a label add to a class: under a label
// that no example has, since labels have no tab. So it adds and subtracts like all that is counted, and is
// apart from what was learned from examples with labels.
package unlabelled

import "strings"

const suffix = "\tunlabelled"

// Label returns the label under which what they add to a class is kept.
func Label(class string) string { return class + suffix }

// Class returns the class that a label belongs to, and whether it is one that Label returns.
func Class(label string) (class string, shared bool) { return strings.CutSuffix(label, suffix) }

// Is reports whether a label is one that Label returns.
func Is(label string) bool { return strings.HasSuffix(label, suffix) }
