package dataset_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"bayes/dataset"
)

const (
	message = "Return-Path: <a@example.com>\r\nReceived: from localhost\r\n\tby mail (Postfix)\r\nSubject: =?utf-8?B?aGk=?=\r\n\r\nPGh0bWw+\r\n"
	mime    = "From: a@example.com\nSubject: hi\nX-Anything: goes\nMIME-Version: 1.0\n\nhi\n"
	mbox    = "From a@example.com  Thu Aug 22 12:36:23 2002\n" + message
	post    = "From: a@example.com (A)\nSubject: Re: engines\nOrganization: None\nLines: 2\n\nReceived: my engine\nMIME-Version: no\n"
)

// E-mail is found out.
func TestLooksLikeMail(t *testing.T) {
	write(t, map[string]string{
		"message.eml": message, "mime.txt": mime, "mbox": mbox, "post.txt": post,
		"mail/ham/1": message, "mail/spam/1": "win", "mail.txt/ham/1": "lunch", "mail.txt/spam/1.eml": mime,
		"maildir/cur/1": "x", "maildir/new/1": "y", "maildir/tmp/.keep": "", "maildir/.Junk/cur/1": "z",
		"accounts/me/cur/1": "x", "accounts/me/new/.keep": "", "accounts/me/tmp/.keep": "",
		"posts/autos/1": post, "posts/space/1": post,
	})
	formatOf := func(name string, opts *dataset.Options) (string, error) {
		s, err := dataset.Open([]string{name}, nil, opts)
		if err != nil {
			return "", err
		}
		formats, err := s.Formats()
		return strings.Join(formats, " "), err
	}
	for _, name := range []string{"message.eml", "mime.txt", "mbox", "mail", "mail.txt", "maildir", "accounts"} {
		for _, opts := range []*dataset.Options{nil, unlabelled} {
			if got, err := formatOf(name, opts); got != "mail" || err != nil {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
	// Posts have headers too, but not those of e-mail.
	for name, want := range map[string]string{"posts": "dir", "post.txt": "text"} {
		if got, err := formatOf(name, unlabelled); got != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	// Whoever says how to read it is believed.
	s, err := dataset.Open([]string{"mail", "maildir"}, nil, &dataset.Options{Format: "dir"})
	if err != nil {
		t.Fatal(err)
	}
	got, errs := drain(t, s.Examples())
	equal(t, errs, nil)
	var labels []string
	for _, ex := range got {
		labels = append(labels, ex.Label)
	}
	if want := []string{"ham", "spam", "cur", "new"}; !slices.Equal(labels, want) || got[0].Text != message {
		t.Errorf("%v, %q", labels, got[0].Text)
	}
}

// A line that no header begins with is not kept waiting for the next one.
func TestMailWaits(t *testing.T) {
	for _, line := range []string{"note: buy milk\n", "From here to there\n", "From me Thu\n", "word\n", ": x\n"} {
		r := &script{pieces: []string{line}}
		if _, err := dataset.FormatOf(r, "stdin", unlabelled); err != nil || r.after {
			t.Errorf("%q: %v, reads on: %v", line, err, r.after)
		}
	}
}

// A script is a reader of pieces, which notes whether more is asked for.
type script struct {
	pieces []string
	after  bool
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.pieces) == 0 {
		s.after = true
		return copy(p, "more text\n"), nil
	}
	n := copy(p, s.pieces[0])
	s.pieces = s.pieces[1:]
	return n, nil
}

// What looks like text from outside is named for what it is, whatever its name.
func TestForeign(t *testing.T) {
	zip := func(entries ...string) string { return "PK\x03\x04" + strings.Join(entries, "\x00\x00PK\x03\x04") }
	for content, want := range map[string]string{
		zip("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"):             "an Excel workbook (.xlsx; hint: save it as CSV)",
		zip("mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "content"): "an OpenDocument spreadsheet (.ods; hint: save it as CSV)",
		zip("mimetypeapplication/vnd.oasis.opendocument.text", "content"):        "an OpenDocument text (.odt; hint: save its text as .txt, or in a .csv)",
		zip("[Content_Types].xml", "word/document.xml"):                          "a Word document (.docx; hint: save its text as .txt, or in a .csv)",
		zip("readme"):                          "a zip archive (hint: unpack it first)",
		"%PDF-1.7\n":                           "a PDF document (hint: save its text as .txt, or in a .csv)",
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00": "a workbook or document of an old office program, such as .xls (hint: save it as CSV)",
		"a.txt" + strings.Repeat("\x00", 252) + "ustar\x0000": "a tar archive (hint: unpack it first)",
		"\x89PNG\r\n\x1a\n\x00":                               "an image, which has no text in it",
		"\xff\xd8\xff\xe0\x00\x10":                            "an image, which has no text in it",
		"PAR1\x15\x04\x15":                                    "a Parquet file, which is read as a table from a file called .parquet",
		"bayes model 1\nspace default\nevent multinomial":     "a model of bayes, where data is wanted",
	} {
		write(t, map[string]string{"a.xlsx": content, "a.csv": content, "d/x/1": content})
		for _, name := range []string{"a.xlsx", "a.csv"} {
			s, err := dataset.Open([]string{name}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, errs := drain(t, s.Examples())
			equal(t, errs, []string{"fatal: " + name + ": " + want})
		}
		if _, err := dataset.FormatOf(strings.NewReader(content), "a", nil); err == nil || err.Error() != "a: "+want {
			t.Errorf("FormatOf: %v", err)
		}
		_, errs := drain(t, dataset.CSV(strings.NewReader(content), "f", nil))
		equal(t, errs, []string{"fatal: f: " + want})
		// In a folder it is one document among others.
		s, err := dataset.Open([]string{"d"}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, errs = drain(t, s.Examples())
		equal(t, errs, []string{"d/x/1: " + want})
	}
}

// Lines that are all subjects are a text, which is known after two of them: more may come slowly.
func TestSubjectsAreText(t *testing.T) {
	lines := io.MultiReader(strings.NewReader("Subject: win a prize\nSubject: lunch\n"), iotest.ErrReader(errors.New("read on")))
	s, err := dataset.Open([]string{"-"}, lines, unlabelled)
	if err != nil {
		t.Fatal(err)
	}
	if formats, err := s.Formats(); err != nil || !slices.Equal(formats, []string{"text"}) {
		t.Errorf("%q, %v", formats, err)
	}
}
