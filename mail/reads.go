package mail

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"bayes"
	"bayes/text/bogofilter"
)

// DocumentFor returns the document that a model reads a message as, by its Space and the names of its
// further texts: that of [Message.Document], or the whole message as it stands where the Space cuts it
// into bogofilter's tokens, or of a model of one text the subject and what can be read.
func DocumentFor(s *bayes.Space, texts []string, raw []byte) bayes.Document {
	if ReadsRaw(s) {
		return bayes.Document{Text: string(raw)}
	}
	d := Parse(raw).Document()
	if !ReadsTexts(texts) {
		d.Attrs = nil
	}
	return d
}

// ReadsRaw reports whether documents of a Space are messages as they stand.
func ReadsRaw(s *bayes.Space) bool {
	if s == nil || s.Analyzer == nil {
		return false
	}
	_, ok := s.Analyzer.Segmenter.(bogofilter.Tokens)
	return ok
}

// ReadsTexts reports whether further texts are those of mail, and no others.
func ReadsTexts(names []string) bool {
	other := func(name string) bool { return !slices.Contains(texts, name) }
	return slices.Contains(names, "header") && !slices.ContainsFunc(names, other)
}

// ID returns a name for a message: a hash of its Message-ID and of its body, since a sender can choose
// the Message-ID. It stays the same when fields of the header are added, and whatever line ends are.
func ID(raw []byte) string {
	h := sha256.New()
	fields, body := readHeader(skipMboxLine(raw), func(string) {})
	h.Write([]byte(get(fields, "Message-ID")))
	h.Write([]byte{0})
	body = bytes.TrimRight(body, "\r\n")
	for len(body) > 0 {
		var line []byte
		line, body = cutLine(body)
		h.Write(line)
		h.Write([]byte{'\n'})
	}
	return fmt.Sprintf("mail-%x", h.Sum(nil)[:16])
}
