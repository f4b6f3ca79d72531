package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"strings"

	"bayes"
	"bayes/mail"
)

// inbox is the label of mail in a Maildir itself, where nothing names it.
const inbox = "INBOX"

var errNoMailLabel = errors.New("mail without a label (hint: a folder a class, or FILE=LABEL)")

// Mail reads one message, or the messages of an mbox, without labels. Each becomes the document that
// [mail.Message.Document] makes of it.
func Mail(r io.Reader, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return read(readMail, r, name, opts)
}

// Mailbox reads a folder of e-mail: of files that are a message each, of mboxes, and of Maildirs,
// whose folders with a dot are folders. The label of a message is the name of the folder, or of the
// mbox, that is in the root of fsys, unless opts name another for that; what is in the root itself,
// if that is a Maildir, is INBOX. Files that mail servers keep beside the messages are passed by.
// A message is at most 64 MiB, and may be compressed.
func Mailbox(fsys fs.FS, name string, opts *Options) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		readMailbox(fsys, name, "", opts, new(stats), yield)
	}
}

func readMailbox(fsys fs.FS, name, label string, opts *Options, st *stats, yield func(bayes.Example, error) bool) {
	if opts == nil {
		opts = new(Options)
	}
	m := newMailbox(fsys, name, label, opts, st)
	err := opts.check()
	if err == nil {
		err = m.walk(func(p string) error { return m.visit(p, yield) })
	}
	if err != nil {
		yield(bayes.Example{}, err)
	}
}

// A mailbox is a folder of mail that is read.
type mailbox struct {
	folder
	given    string          // the label of all mail, or empty: then folders name it
	maildirs map[string]bool // which folders are Maildirs
}

func newMailbox(fsys fs.FS, name, label string, opts *Options, st *stats) *mailbox {
	return &mailbox{folder{fsys, name, opts, st, newWindow(nil)}, label, make(map[string]bool)}
}

// walk calls visit for each file of mail.
func (m *mailbox) walk(visit func(p string) error) error {
	return fs.WalkDir(m.fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", m.path(p), withoutPath(err))
		case m.passesBy(p, d):
			return skipEntry(d)
		case d.IsDir():
			m.maildirs[p] = isMaildir(m.fsys, p)
			return nil
		case !m.isFile(p, d):
			return nil
		}
		return visit(p)
	})
}

// passesBy reports whether an entry is not read: what is hidden, apart from the folders
// of a Maildir, which a label that was given for the Maildir does not mean; and what a server keeps.
func (m *mailbox) passesBy(p string, d fs.DirEntry) bool {
	inMaildir := p != "." && m.maildirs[path.Dir(p)]
	switch {
	case isHidden(p, d):
		return !inMaildir || !d.IsDir() || m.given != "" || !isMaildir(m.fsys, p)
	case inMaildir:
		return !d.IsDir() || d.Name() == "tmp"
	}
	return false
}

// label returns the label of file p, empty if it has none.
func (m *mailbox) label(p string, box bool) string {
	if m.given != "" {
		return m.given
	}
	top, _, inFolder := strings.Cut(p, "/")
	switch {
	case !inFolder:
		return m.opts.boxLabel(p, box)
	case m.maildirs["."] && (top == "cur" || top == "new"):
		top = inbox
	case m.maildirs["."]:
		top = strings.TrimPrefix(top, ".")
	}
	if label, ok := m.opts.LabelOf[top]; ok {
		return label
	}
	return top
}

// boxLabel returns the label of the mail in a file that is in no folder: if it is an mbox, that by
// which the options know its name, or its name if that ends in .mbox.
func (o *Options) boxLabel(name string, box bool) string {
	name = path.Base(name)
	bare := name[:len(strings.TrimSuffix(uncompressedName(name), ".mbox"))]
	switch label, known := o.LabelOf[bare]; {
	case !box:
		return ""
	case known:
		return label
	case strings.EqualFold(path.Ext(uncompressedName(name)), ".mbox"):
		return bare
	}
	return ""
}

// visit yields the messages of file p.
func (m *mailbox) visit(p string, yield func(bayes.Example, error) bool) error {
	file, err := m.fsys.Open(p)
	if err != nil {
		return fmt.Errorf("%s: %w", m.path(p), withoutPath(err))
	}
	defer file.Close()
	z, err := Decompress(&countingReader{file, &m.stats.bytes})
	if err != nil {
		return fmt.Errorf("%s: %w", m.path(p), withoutPath(err))
	}
	defer z.Close()
	m.w.reset(z)
	box := isMbox(m.w) && !m.holdsMessages(p)
	r := mailReader{w: m.w, name: m.path(p), label: m.label(p, box), opts: m.opts, stats: m.stats}
	if !r.read(box, yield) {
		return fs.SkipAll
	}
	return r.err
}

// holdsMessages reports whether file p is one message, whatever it begins with.
func (m *mailbox) holdsMessages(p string) bool {
	return strings.EqualFold(path.Ext(p), ".eml") || m.maildirs[path.Dir(path.Dir(p))] && (path.Base(path.Dir(p)) == "cur" || path.Base(path.Dir(p)) == "new")
}

// readMail reads one message or an mbox.
func readMail(in *input, yield func(bayes.Example, error) bool) {
	box := isMbox(in.w) && !strings.EqualFold(path.Ext(uncompressedName(in.name)), ".eml")
	label := in.given
	if label == "" {
		label = in.opts.boxLabel(filepath.ToSlash(in.name), box)
	}
	r := mailReader{w: in.w, name: in.name, label: label, opts: in.opts, stats: in.stats}
	if r.read(box, yield) && r.err != nil {
		yield(bayes.Example{}, r.err)
	}
}

// isMbox reports whether w begins with the line that stands before each message of an mbox.
func isMbox(w *window) bool {
	if !w.hasPrefix("From ") {
		return false
	}
	line, _ := lineFrom(w, 0)
	return beginsMbox(line)
}

// A mailReader reads the messages of a file.
type mailReader struct {
	w     *window
	name  string
	label string
	opts  *Options
	stats *stats
	err   error // that ended the file
}

// read yields the messages, and reports whether more are wanted.
func (r *mailReader) read(box bool, yield func(bayes.Example, error) bool) bool {
	if box {
		r.stats.begin(r.name, 0)
	} else {
		r.stats.begin(r.name, -1) // it is no row, and is counted as one
	}
	for line, more := 1, true; more; {
		size, ended := r.size(box)
		message := r.w.bytes()[:size]
		if r.err = r.w.failure(); r.err != nil {
			r.err = fmt.Errorf("%s: %w", r.name, withoutPath(r.err))
			return true
		}
		ex, err := r.example(message)
		if err != nil {
			bad := &SyntaxError{r.name, 0, err}
			if box {
				bad.Line = line
			}
			err = bad
		}
		line += bytes.Count(message, []byte{'\n'})
		r.w.drop(size)
		if !ended && box {
			line += r.skip()
		}
		more = box && (len(r.w.bytes()) > 0 || r.w.more())
		if !yield(ex, err) {
			return false
		}
	}
	return true
}

// example returns the example of a message.
func (r *mailReader) example(message []byte) (bayes.Example, error) {
	switch {
	case len(message) > maxRecord:
		return bayes.Example{}, errTooLong
	case r.label == "" && !r.opts.Unlabelled:
		return bayes.Example{}, errNoMailLabel
	case checkLabel([]byte(r.label)) == errLabelSpace:
		return bayes.Example{}, errLabelSpace
	case r.opts.onlyLabel:
		return bayes.Example{Label: r.label}, nil
	}
	if r.opts.RawMail {
		return bayes.Example{Label: r.label, Text: string(message)}, nil
	}
	m := mail.Parse(message)
	r.stats.received = m.Received()
	d := m.Document()
	return bayes.Example{Label: r.label, Text: d.Text, Attrs: d.Attrs}, nil
}

// size returns how long the message is that the window begins with, and whether it ends there: of one
// that is too long that is not looked for.
func (r *mailReader) size(box bool) (n int, ended bool) {
	for from := 1; ; {
		if box {
			end, found := r.separator(from)
			if found {
				return end, true
			}
			from = end
		}
		if n := len(r.w.bytes()); n > maxRecord+len(separatorStart) {
			return n - len(separatorStart), false
		}
		if !r.w.more() {
			return len(r.w.bytes()), true
		}
	}
}

// separatorStart is what the line that separates messages begins with, behind an empty one.
const separatorStart = "\n\r\nFrom "

// separator returns where the next message of an mbox begins in the window, at or after from, and
// whether that is found. If not, it returns where to look when there is more. It begins where a line
// "From who when" follows an empty one and comes before the field of a header, so that no text
// cuts a message.
func (r *mailReader) separator(from int) (at int, found bool) {
	for {
		b := r.w.bytes()
		i := bytes.Index(b[from:], []byte("\nFrom "))
		if i < 0 {
			return max(from, len(b)-len(separatorStart)), false
		}
		at = from + i + 1
		if from = at; !endsBlank(b[:at]) {
			continue
		}
		line, next := lineFrom(r.w, at)
		if next < 0 || !beginsMbox(line) {
			continue
		}
		field, _ := lineFrom(r.w, next)
		name, _, ok := bytes.Cut(field, []byte{':'})
		if (ok && len(name) > 0 || len(field) > 0 && field[0] == '>') && !bytes.ContainsAny(name, " \t") {
			return at, true
		}
	}
}

// endsBlank reports whether b ends with an empty line, or is one.
func endsBlank(b []byte) bool {
	return bytes.HasSuffix(b, []byte("\n\n")) || bytes.HasSuffix(b, []byte("\n\r\n"))
}

// skip passes over the rest of a message of an mbox, and returns how many lines that has.
func (r *mailReader) skip() (lines int) {
	for found := false; !found; {
		if len(r.w.bytes()) <= len(separatorStart) {
			if !r.w.more() {
				r.w.drop(len(r.w.bytes()))
				return lines
			}
			continue
		}
		var end int
		end, found = r.separator(1)
		if !found {
			end = len(r.w.bytes()) - len(separatorStart)
		}
		lines += bytes.Count(r.w.bytes()[:end], []byte{'\n'})
		r.w.drop(end)
	}
	return lines
}
