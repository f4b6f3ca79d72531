package dataset

import (
	"bytes"
	"errors"
)

// checkForeign returns an error if w begins as a file does that has text in it, but is not
// text: a workbook, a document. It names what the file is and what would help.
func checkForeign(w *window) error {
	switch {
	case w.hasPrefix("PK\x03\x04"):
		return foreignZip(w)
	case w.hasPrefix("%PDF-"):
		return errors.New("a PDF document (hint: save its text as .txt, or in a .csv)")
	case w.hasPrefix("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
		return errors.New("a workbook or document of an old office program, such as .xls (hint: save it as CSV)")
	}
	return nil
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
