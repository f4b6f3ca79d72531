package label

import (
	"fmt"
	"strings"

	"bayes"
)

// A seed is words of a class.
type seed struct{ words string }

// Seed says which words a class has, such as "invoice, refund" for billing, before a text of it is known. Words replace
// those that the label had, and none take them back. The name of a label may be its words.
//
// They are learned as one more text of the class, so counts stay exact, taking them back leaves no trace, and after a
// few answers they hardly matter. The error is that the label is empty, or that it is no single label: where a text may
// have several, each has words of its own.
func (p *Pile) Seed(label, words string) error {
	if label == "" {
		return fmt.Errorf("label: no name of a class for the words %q", words)
	}
	if sep := p.space.LabelSeparator; sep != "" && strings.Contains(label, sep) {
		return fmt.Errorf("label: words are those of one label, and %q has the separator %q in it", label, sep)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	was, had := p.seeds[label]
	if had && was.words == words {
		return nil
	}
	if words != "" { // before the others are taken back, or else the class may be gone in between, and what it shares forgotten
		p.count(bayes.Example{Label: label, Text: words}, (*bayes.Counts).Learn)
		p.scores.addText(p.space, words, []string{label}, 1)
		p.seeds[label] = seed{words}
	}
	if had {
		p.count(bayes.Example{Label: label, Text: was.words}, (*bayes.Counts).Unlearn)
		p.scores.addText(p.space, was.words, []string{label}, -1)
		if words == "" {
			delete(p.seeds, label)
		}
	}
	return nil
}
