package dataset

import (
	"bytes"
	"errors"

	"bayes/internal/lazyregexp"
)

// checkForeign returns an error if w begins as a file does that is not text: a workbook, a
// document, an archive, a model. It names what the file is and what would help.
func checkForeign(w *window) error {
	switch {
	case w.hasPrefix("PK\x03\x04"):
		return foreignZip(w)
	case w.hasPrefix("%PDF-"):
		return errors.New("a PDF document (hint: save its text as .txt, or in a .csv)")
	case w.hasPrefix("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
		return errors.New("a workbook or document of an old office program, such as .xls (hint: save it as CSV)")
	case w.hasPrefix("\x89PNG\r\n\x1a\n"), w.hasPrefix("\xff\xd8\xff"):
		return errors.New("an image, which has no text in it")
	case w.hasPrefix("PAR1\x15"):
		return errors.New("a Parquet file, which is read as a table from a file called .parquet")
	case modelStart().Match(w.bytes()):
		return errors.New("a model of bayes, where data is wanted")
	case isTar(w):
		return errors.New("a tar archive (hint: unpack it first)")
	}
	return nil
}

// modelStart is what a model's file begins with.
var modelStart = lazyregexp.New(`^bayes (model|counts|frozen) [0-9]+\nspace `)

// isTar reports whether w begins with the header of a tar archive. Its first field, a name, is
// filled up with NULs, so that no more is read of a text than there is.
func isTar(w *window) bool {
	const name, at, magic = 100, 257, "ustar"
	front := w.bytes()
	if !bytes.Contains(front[:min(len(front), name)], []byte("\x00\x00\x00")) {
		return false
	}
	for len(w.bytes()) < at+len(magic) && w.more() {
	}
	front = w.bytes()
	return bytes.HasPrefix(front[min(len(front), at):], []byte(magic))
}

// foreignZip returns what a zip archive is, which the names of the first files in it say.
func foreignZip(w *window) error {
	const enough = 64 << 10
	for len(w.bytes()) < enough && w.more() {
	}
	front := w.bytes()
	for _, kind := range []struct{ mark, is string }{
		{"opendocument.spreadsheet", "an OpenDocument spreadsheet (.ods; hint: save it as CSV)"},
		{"opendocument.", "an OpenDocument text (.odt; hint: save its text as .txt, or in a .csv)"},
		{"xl/", "an Excel workbook (.xlsx; hint: save it as CSV)"},
		{"word/", "a Word document (.docx; hint: save its text as .txt, or in a .csv)"},
	} {
		if bytes.Contains(front, []byte(kind.mark)) {
			return errors.New(kind.is)
		}
	}
	return errors.New("a zip archive (hint: unpack it first)")
}
