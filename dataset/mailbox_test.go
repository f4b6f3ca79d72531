package dataset_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"bayes"
	"bayes/dataset"
	"bayes/mail"
)

// mails returns "label: text" of examples, and their errors.
func mails(t *testing.T, names []string, opts *dataset.Options) (list, errs []string) {
	t.Helper()
	s, err := dataset.Open(names, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	got, errs := drain(t, s.Examples())
	for _, ex := range got {
		list = append(list, ex.Label+": "+strings.TrimSpace(strings.ReplaceAll(ex.Text, "\n", " ")))
	}
	if len(errs) == 0 && s.Size() != s.BytesRead() {
		t.Errorf("%q: Size %d, BytesRead %d", names, s.Size(), s.BytesRead())
	}
	return list, errs
}

// letter returns a message of that subject.
func letter(subject string) string {
	return "Received: from x\nSubject: " + subject + "\n\nbody of " + subject + "\n"
}

func TestMailbox(t *testing.T) {
	box := "From a@example.com Thu Aug 22 12:36:23 2002\n" + letter("one") + "\nFrom what I know Thu is good\n\nFrom b@example.com Thu Aug 22 12:36:23 2002\nis quoted\n" +
		"\nFrom a@example.com Thu Aug 22 12:36:23 2002\n" + letter("two")
	write(t, map[string]string{
		"classes/ham/1": letter("a"), "classes/ham/deep/2.eml": letter("b"), "classes/spam/3.eml.gz": gzipped(letter("c")), "classes/spam/.hidden": "x",
		"md/cur/1:2,S": letter("in"), "md/new/2": letter("fresh"), "md/tmp/3": "half", "md/dovecot-uidlist": "x", "md/dovecot.index.log": "x", "md/subscriptions": "x", "md/.lock": "x",
		"md/.Junk/cur/4:2,S": letter("junk"), "md/.Junk/new/.keep": "", "md/.Junk/tmp/5": "half", "md/.Junk/maildirfolder": "", "md/.Junk/dovecot-keywords": "x", "md/.git/config": "x",
		"md/sub/cur/6": letter("sub"), "md/sub/new/.keep": "", "md/sub/tmp/.keep": "",
		"two.mbox": box, "boxes/ham.mbox": box, "boxes/Junk": box, "box/ham/old": box, "one.eml": box, "crlf.mbox": strings.ReplaceAll(box, "\n", "\r\n"),
		"empty/ham/1": "",
	})
	const quoted = "one body of one  From what I know Thu is good  From b@example.com Thu Aug 22 12:36:23 2002 is quoted"
	labelOf := &dataset.Options{LabelOf: map[string]string{"Junk": "spam", "INBOX": "ham"}}
	for _, c := range []struct {
		names []string
		opts  *dataset.Options
		want  []string
		errs  []string
	}{
		{[]string{"classes"}, nil, []string{"ham: a body of a", "ham: b body of b", "spam: c body of c"}, nil},
		{[]string{"md"}, labelOf, []string{"spam: junk body of junk", "ham: in body of in", "ham: fresh body of fresh", "sub: sub body of sub"}, nil},
		{[]string{"md/.Junk=spam", "md/=ham"}, nil, []string{"spam: junk body of junk", "ham: in body of in", "ham: fresh body of fresh", "ham: sub body of sub"}, nil},
		{[]string{"two.mbox"}, nil, []string{"two: " + quoted, "two: two body of two"}, nil},
		{[]string{"crlf.mbox=ham"}, nil, []string{"ham: " + strings.ReplaceAll(strings.ReplaceAll(quoted, "  ", " \r "), " is", "\r is"), "ham: two\r"}, nil},
		{[]string{"boxes"}, labelOf, []string{"spam: " + quoted, "spam: two body of two", "ham: " + quoted, "ham: two body of two"}, nil},
		{[]string{"box"}, nil, []string{"ham: " + quoted, "ham: two body of two"}, nil},
		{[]string{"one.eml=ham"}, nil, []string{"ham: " + quoted + "  From a@example.com Thu Aug 22 12:36:23 2002 Received: from x Subject: two  body of two"}, nil},
		{[]string{"one.eml"}, nil, nil, []string{"one.eml: mail without a label (hint: a folder a class, or FILE=LABEL)"}},
		{[]string{"one.eml"}, unlabelled, []string{": " + quoted + "  From a@example.com Thu Aug 22 12:36:23 2002 Received: from x Subject: two  body of two"}, nil},
		{[]string{"empty"}, &dataset.Options{Format: "mail"}, []string{"ham: "}, nil},
	} {
		got, errs := mails(t, c.names, c.opts)
		if c.names[0] == "crlf.mbox=ham" { // line ends are not what is asked for
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], "\r", "")
			}
			c.want = []string{"ham: " + quoted, "ham: two body of two"}
		}
		if !slices.Equal(got, c.want) || !slices.Equal(errs, c.errs) {
			t.Errorf("%q:\n got %q, %q\nwant %q, %q", c.names, got, errs, c.want, c.errs)
		}
	}
}

// Each message of an mbox is an example that does not depend on how it is read, and has its row.
func TestMboxStreams(t *testing.T) {
	var box strings.Builder
	for i := range 300 {
		fmt.Fprintf(&box, "From me@example.com Thu Aug 22 12:36:23 2002\n%s%s\n", letter(fmt.Sprint(i)), strings.Repeat("some text\n", i*10))
	}
	labelled := &dataset.Options{LabelOf: map[string]string{"f": "ham"}}
	got, errs := drain(t, dataset.Mail(strings.NewReader(box.String()), "f", labelled))
	if len(got) != 300 || errs != nil {
		t.Fatalf("%d examples, %v", len(got), errs)
	}
	again, _ := drain(t, dataset.Mail(iotest.OneByteReader(strings.NewReader(box.String())), "f", labelled))
	equal(t, again, got)
	for i, ex := range got {
		if !strings.HasPrefix(ex.Text, fmt.Sprintf("%d\nbody of %d\n", i, i)) || strings.Count(ex.Text, "some text") != i*10 || ex.Label != "ham" {
			t.Fatalf("%d: %.60q", i, ex.Text)
		}
	}
}

// A message that is too long is an error of its own line, and the next is read.
func TestMboxTooLong(t *testing.T) {
	from := "From me@example.com Thu Aug 22 12:36:23 2002\n"
	huge := bytes.Repeat([]byte("some text\n"), 7<<20)
	box := slices.Concat([]byte(from+letter("a")+"\n"+from+letter("b")), huge, []byte("\n"+from+letter("c")))
	got, errs := drain(t, dataset.Mail(bytes.NewReader(box), "f", unlabelled))
	if len(got) != 2 || !strings.HasPrefix(got[0].Text, "a\n") || !strings.HasPrefix(got[1].Text, "c\n") || len(errs) != 1 || !strings.HasPrefix(errs[0], "f:7: ") {
		t.Errorf("%d examples, %q", len(got), errs)
	}
	if got, errs := drain(t, dataset.Mail(bytes.NewReader(huge), "f", unlabelled)); len(got) != 0 || len(errs) != 1 {
		t.Errorf("%d examples, %q", len(got), errs)
	}
}

// The example of a message is its document, whatever file it is in.
func TestMailExample(t *testing.T) {
	got, errs := drain(t, dataset.Mail(strings.NewReader(message), "f", unlabelled))
	d := mail.Parse([]byte(message)).Document()
	equal(t, errs, nil)
	equal(t, got, []bayes.Example{{Text: d.Text, Attrs: d.Attrs}})
}
