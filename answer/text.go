package answer

import (
	"strings"

	"bayes"
)

// Text returns what there is to read of a document: its text, and its columns of words, one a line, each after its name.
func Text(d bayes.Document) string {
	var b strings.Builder
	b.WriteString(d.Text)
	for _, a := range d.Attrs {
		if words, ok := a.Words(); ok && words != "" {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(a.Name + ": " + words)
		}
	}
	return b.String()
}
