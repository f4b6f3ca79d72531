package text

// A Segmenter cuts the text of a Buffer into tokens: it calls [Buffer.Add] for
// each, in the order of the text. The segmenters of this package are [Words],
// [Whitespace], [SKLearn], [Chars] and [CharWords].
type Segmenter interface {
	Segment(b *Buffer)
	String() string // its name in [Parse]
}

// A CaseReader is a Segmenter that needs capital letters to find where sentences
// end or what a word is. It is given the text as it stands, and its terms are
// lower-cased afterwards.
type CaseReader interface {
	Segmenter
	ReadsCase()
}
