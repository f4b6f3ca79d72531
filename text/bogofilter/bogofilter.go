// Package bogofilter cuts mail into the tokens of bogofilter 1.2.5, as bogolexer -p prints them with the
// settings it comes with, for [text.Analyzer.Segmenter]:
//
//	a := &text.Analyzer{Segmenter: bogofilter.Tokens{}, KeepCase: true}
//
// The text is a whole message, header and all. A list of words that bogofilter has learned is of use
// with the same tokens alone.
//
// What no mail has that people send is cut in simpler ways, so that time is linear: a token within tags
// grows to a thousand bytes, and a line of a header that goes on for ever is one of 64 KiB.
package bogofilter

import "bayes/text"

// Tokens cuts a message.
type Tokens struct{}

var _ text.CaseReader = Tokens{}

// Language gives the segmenter bogofilter to [text.Parse].
func Language() *text.Language {
	return &text.Language{Name: "bogofilter", Segmenters: []text.Segmenter{Tokens{}}}
}

func (Tokens) String() string { return "bogofilter" }

// Version names the rules of this package.
func (Tokens) Version() string { return "1-bogofilter-1.2.5" }

// ReadsCase marks Tokens as a [text.CaseReader].
func (Tokens) ReadsCase() {}

// Segment adds the tokens of b's text.
func (Tokens) Segment(b *text.Buffer) {
	m := message{rest: b.Text(), parts: []part{newPart()}, token: func(s string) { b.AddTerm(s, 0, 0) }}
	m.convert = decoder(defaultCharset)
	m.read()
}
