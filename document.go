package bayes

// A Document is what is classified: a text, and whatever else is known of it.
type Document struct {
	Text  string
	Attrs []Attr
}

// An Attr is a named property of a document, made by [Text], [Number],
// [Category] or [Term].
type Attr struct {
	Name string
	kind attrKind
	str  string
	num  float64
}

type attrKind uint8

const (
	textAttr attrKind = iota
	numberAttr
	categoryAttr
	termAttr
	histogramBlock // no attribute, but the histograms of a text
)

// Text returns a further text, such as a title. Its terms are counted apart from those of other texts.
func Text(name, s string) Attr { return Attr{Name: name, kind: textAttr, str: s} }

// Number returns a measurement, modelled by [Gaussian]. One that is not a
// number, or larger than 1e150, is taken for missing.
func Number(name string, v float64) Attr { return Attr{Name: name, kind: numberAttr, num: v} }

// Category returns one of a set of values, modelled by [Categorical].
func Category(name, value string) Attr { return Attr{Name: name, kind: categoryAttr, str: value} }

// Term returns a feature that has already been counted, as in svmlight files. A
// count that is not a number, or beyond 1e150, is taken for missing.
func Term(name string, n float64) Attr { return Attr{Name: name, kind: termAttr, num: n} }

// Count returns the count that a holds, and whether it was made by [Term].
func (a Attr) Count() (n float64, ok bool) { return a.num, a.kind == termAttr }

// Value returns the measurement that a holds, and whether it was made by [Number].
func (a Attr) Value() (v float64, ok bool) { return a.num, a.kind == numberAttr }

// Words returns the text or the category that a holds, and whether it was made by [Text] or [Category].
func (a Attr) Words() (s string, ok bool) { return a.str, a.kind == textAttr || a.kind == categoryAttr }

// An Example is a document whose class is known.
type Example struct {
	Label  string
	Text   string
	Attrs  []Attr
	Weight float64 // how many times the example counts, up to 1e150; zero means once
}

// Document returns ex without its label.
func (ex Example) Document() Document { return Document{ex.Text, ex.Attrs} }

func (ex Example) weight() float64 {
	if ex.Weight == 0 {
		return 1
	}
	return ex.Weight
}

func (k attrKind) String() string {
	switch k {
	case numberAttr:
		return "numbers"
	case categoryAttr:
		return "categories"
	}
	return "text"
}
