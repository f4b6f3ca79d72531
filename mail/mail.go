// Package mail reads e-mail as a filter has to: what a person would see of it, what it hides, and
// what its headers say of the way that it came.
//
// [Parse] takes a message apart, and [Message.Document] makes a document of it that can be learned
// and classified. Broken mail is read as far as it goes, and never refused: a filter that gives up
// on a message lets whoever breaks it on purpose pass.
//
// Time is linear in the size of a message, and memory a small multiple of it, whatever it nests:
// parts are slices of the message, those deeper than 16 are read as text, and only the first
// thousand parts and fields, and the first megabyte of text, are looked at.
//
// Nothing that a filter, a mail program or an archive adds when a message has arrived is read, such
// as X-Spam-Status and Status: it would give the answer away to what learns, and anybody can forge
// it in what is to be classified. Nor is the address that it was delivered to, which says where
// mail was collected rather than what it is.
package mail

import "bytes"

// Limits on what is read of one message. What is beyond is not looked at.
const (
	maxDepth    = 16      // parts within parts
	maxParts    = 1000    // in a message
	maxFields   = 1000    // of its header, or of a part's
	maxValue    = 8 << 10 // bytes of a field's value
	maxHeader   = 1 << 20 // bytes of fields
	maxText     = 1 << 20 // bytes of text, before it is decoded to UTF-8
	maxLinks    = 1000
	maxHTMLTags = 1000 // distinct tags and attributes
)

var crlf = []byte("\r\n")

// A Message is e-mail that was taken apart.
type Message struct {
	Header []Field // in order, without those that were added on delivery or later
	Text   string  // what can be read: plain text, and that of HTML
	Hidden string  // text in HTML that is not to be seen, and comments
	Links  []Link  // of HTML, in order
	Parts  []Part  // what is not made of parts, in order
	Size   int     // of the message, in bytes, where each line ends in one

	tags    []string // of HTML, with their attributes, each once
	seen    map[string]bool
	defects []string // what is broken, each once
	inText  int      // bytes of text that were read
	tricks  tricks
}

// A Field is one of the header. The value is decoded, and in one line.
type Field struct{ Name, Value string }

// A Link is what leads from HTML to elsewhere: of a text, or an image.
type Link struct {
	URL   string
	Text  string // that it is on; empty for an image
	Image bool
}

// A Part is a text or an attachment.
type Part struct {
	Type        string // media type, such as text/plain
	Charset     string // as it is declared
	Encoding    string // content-transfer-encoding
	Disposition string // such as attachment
	Name        string // of the file
	Size        int    // in bytes, as it was encoded, where each line ends in one
	Depth       int    // how many parts it is in
}

// Parse reads a message. A line "From ..." of an mbox may stand before it. It makes no difference whether
// lines end as in SMTP or as in files, since the same message is learned from both.
func Parse(raw []byte) *Message {
	if bytes.Contains(raw, crlf) {
		raw = bytes.ReplaceAll(raw, crlf, crlf[1:])
	}
	m := &Message{Size: len(raw), seen: make(map[string]bool)}
	p := parser{m: m}
	h, body := readHeader(skipMboxLine(raw), m.defect)
	for _, f := range h {
		if !addedLater(f.Name) {
			m.Header = append(m.Header, f)
		}
	}
	p.entity(h, body, 0, "text/plain")
	m.Text, m.Hidden = p.text.String(), p.hidden.String()
	m.Text = m.tricks.undo(m.Text)
	return m
}

// Get returns the value of the first field of that name, in any case; empty if there is none.
func (m *Message) Get(name string) string { return get(m.Header, name) }

// defect notes that something is broken.
func (m *Message) defect(what string) {
	if key := "defect " + what; !m.seen[key] {
		m.seen[key] = true
		m.defects = append(m.defects, what)
	}
}
