package text

import "bytes"

// negated is what [Analyzer.Negation] puts before a word. Terms are
// lower-cased, so that it makes a term that no text has.
const negated = "NOT_"

// findNegation marks the words between a negation and the next punctuation, and reports
// whether there are any.
func (b *Buffer) findNegation() (any bool) {
	scope, end := false, 0 // whether a negation reaches the word, and where the word before it ends
	for i := range b.tokens {
		t := &b.tokens[i]
		if scope && (bytes.ContainsAny(b.text[min(end, t.start):t.start], clauseEnds) || isClauseEnd(b.text[t.lo:t.hi])) {
			scope = false
		}
		t.negated = scope
		any = any || scope
		end = t.end
		scope = scope || b.negates(t)
	}
	return any
}

// clauseEnds are the punctuation marks that a negation does not reach across.
const clauseEnds = ".,:;!?\n"

// isClauseEnd reports whether a term consists of such marks.
func isClauseEnd(term []byte) bool { return len(bytes.Trim(term, clauseEnds)) == 0 }

// negates reports whether t is not, never, no or the like, or ends in n't, also
// where the analyzer cuts a word at its apostrophe.
func (b *Buffer) negates(t *token) bool {
	switch term := bytes.ToLower(b.text[t.lo:t.hi]); string(term) {
	case "not", "no", "never", "nothing", "nowhere", "noone", "nobody", "none", "neither", "nor", "cannot", "without",
		"dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "havent", "hasnt", "hadnt", "wont", "wouldnt",
		"cant", "couldnt", "shouldnt", "aint":
		return true
	default:
		if bytes.HasSuffix(term, []byte("n't")) || bytes.HasSuffix(term, []byte("n’t")) {
			return true
		}
		rest := bytes.ToLower(b.text[t.end:min(t.end+len("’t"), b.size)])
		return bytes.HasSuffix(term, []byte("n")) && (bytes.HasPrefix(rest, []byte("'t")) || bytes.HasPrefix(rest, []byte("’t")))
	}
}
