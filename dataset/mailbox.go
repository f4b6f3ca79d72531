package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"

	"bayes"
	"bayes/internal/terminal"
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

// checkMail returns an error if the options cannot be meant for mail: its texts are what they are,
// and it says itself how it is encoded.
func (o *Options) checkMail() error {
	if o.Encoding != "" && o.Encoding != "auto" {
		return fmt.Errorf("mail names its encodings itself: leave out --encoding %s", o.Encoding)
	}
	known := append(mail.Texts(), o.Text...) // what the text of other files is called does not matter
	if len(o.Text) > 1 {
		known = append(mail.Texts(), "text")
	}
	names := slices.DeleteFunc(o.wantedColumns(), func(name string) bool { return name == "text" || slices.Contains(known, name) })
	if o.onlyLabel || len(names) == 0 {
		return nil
	}
	return fmt.Errorf("format mail has the texts %s, and no other columns; wanted: %s", terminal.Names(mail.Texts()), terminal.Names(names))
}

// cutLabel cuts the label off a name such as FOLDER=LABEL, unless there is a file of that name.
func (f *file) cutLabel() {
	name, label, ok := cutLastEqual(f.name)
	if !ok || checkLabel([]byte(label)) != nil {
		return
	}
	if _, err := os.Stat(f.name); err == nil {
		return
	}
	if _, err := os.Stat(name); err == nil {
		f.name, f.given, f.format = name, label, "mail"
	}
}

func cutLastEqual(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, '=')
	if i <= 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// isMailbox reports whether a folder that is not hidden is a Maildir, or its first file a message.
func isMailbox(fsys fs.FS) (found bool, err error) {
	err = fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case isHidden(p, d):
			return skipEntry(d)
		case !d.IsDir():
			return nil
		}
		if found, err = holdsMail(fsys, p); found {
			return fs.SkipAll
		}
		return err
	})
	return found, err
}

// addMailbox adds the sizes of the files of a folder of mail.
func (s *Source) addMailbox(f *file) error {
	m := newMailbox(os.DirFS(f.name), f.name, f.given, &s.opts, &s.stats)
	return m.walk(func(p string) error {
		info, err := fs.Stat(m.fsys, p)
		if err == nil {
			s.addSize(info.Size())
		}
		return err
	})
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

// passesBy reports whether an entry is not read: what is hidden, but for the folders of a Maildir, of
// which a label that was given for the Maildir is not meant; and what a server keeps in a Maildir.
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

// label returns the label of file p.
func (m *mailbox) label(p string) string {
	if m.given != "" {
		return m.given
	}
	top, _, inFolder := strings.Cut(p, "/")
	switch {
	case !inFolder: // an mbox
		top = strings.TrimSuffix(path.Base(p), path.Ext(p))
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
	label := m.label(p)
	if !box && !strings.Contains(p, "/") && m.given == "" { // not in a folder, and no mbox that has a name
		label = ""
	}
	r := mailReader{w: m.w, name: m.path(p), label: label, opts: m.opts, stats: m.stats}
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
	label := in.given
	box := isMbox(in.w) && !strings.EqualFold(path.Ext(uncompressedName(in.name)), ".eml")
	if base := path.Base(in.name); label == "" && box && in.name != "stdin" {
		label = strings.TrimSuffix(uncompressedName(base), ".mbox")
		label = base[:len(label)]
		if of, ok := in.opts.LabelOf[label]; ok {
			label = of
		}
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
		size, whole := r.size(box)
		message := r.w.bytes()[:size]
		if r.err = r.w.failure(); r.err != nil {
			r.err = fmt.Errorf("%s: %w", r.name, withoutPath(r.err))
			return true
		}
		ex, err := r.example(message, whole)
		if err != nil && box {
			err = &SyntaxError{r.name, line, err}
		} else if err != nil {
			err = &SyntaxError{r.name, 0, err}
		}
		if line += bytes.Count(message, []byte{'\n'}); !whole {
			line += r.skip(&size, box)
		}
		r.w.drop(size)
		more = box && (len(r.w.bytes()) > 0 || r.w.more())
		if !yield(ex, err) {
			return false
		}
	}
	return true
}

// example returns the example of a message.
func (r *mailReader) example(message []byte, whole bool) (bayes.Example, error) {
	switch {
	case !whole:
		return bayes.Example{}, errTooLong
	case r.label == "" && !r.opts.Unlabelled:
		return bayes.Example{}, errNoMailLabel
	case checkLabel([]byte(r.label)) == errLabelSpace:
		return bayes.Example{}, errLabelSpace
	case r.opts.onlyLabel:
		return bayes.Example{Label: r.label}, nil
	}
	d := mail.Parse(message).Document()
	return bayes.Example{Label: r.label, Text: d.Text, Attrs: d.Attrs}, nil
}

// size returns how long the message is that the window begins with, and whether it is no longer than
// a record may be.
func (r *mailReader) size(box bool) (n int, whole bool) {
	for from := 1; ; {
		if box {
			if end, found := r.separator(from); found {
				return end, true
			} else if from = end; from > maxRecord {
				return min(from, len(r.w.bytes())), false
			}
		}
		if n := len(r.w.bytes()); n > maxRecord {
			return n, false
		}
		if !r.w.more() {
			return len(r.w.bytes()), true
		}
	}
}

// separator returns where the next message of an mbox begins in the window, at or after from, and
// whether that is found. If not, it returns where to look when there is more. It begins where a line
// "From who when" follows an empty one and comes before the field of a header, so that no text
// cuts a message.
func (r *mailReader) separator(from int) (at int, found bool) {
	for {
		b := r.w.bytes()
		i := bytes.Index(b[from:], []byte("\nFrom "))
		if i < 0 {
			return max(from, len(b)-len("\nFrom ")), false
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

// skip passes over the rest of a message that is too long, and returns how many lines it has. What is
// left of it is of that size.
func (r *mailReader) skip(size *int, box bool) (lines int) {
	for {
		keep := min(*size, 2) // an empty line may be cut
		r.w.drop(*size - keep)
		if *size = keep; !r.w.more() {
			*size = len(r.w.bytes())
			return lines
		}
		end, whole := len(r.w.bytes()), false
		if box {
			end, whole = r.separator(1)
		}
		lines += bytes.Count(r.w.bytes()[keep:max(keep, end)], []byte{'\n'})
		if *size = max(keep, end); whole {
			return lines
		}
	}
}
