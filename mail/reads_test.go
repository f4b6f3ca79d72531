package mail_test

import (
	"fmt"
	"testing"

	"bayes"
	"bayes/mail"
	"bayes/text"
	"bayes/text/bogofilter"
)

func ExampleDocumentFor() {
	raw := []byte("Subject: cheap\n\npills")
	lexed := &bayes.Space{Analyzer: &text.Analyzer{Segmenter: bogofilter.Tokens{}, KeepCase: true}}
	fmt.Println(len(mail.DocumentFor(nil, mail.Texts(), raw).Attrs) > 0, mail.ReadsTexts(mail.Texts()))
	fmt.Printf("%q\n", mail.DocumentFor(nil, nil, raw).Text)
	fmt.Printf("%q %v\n", mail.DocumentFor(lexed, nil, raw).Text, mail.ReadsRaw(lexed))
	// Output:
	// true true
	// "cheap\npills\n"
	// "Subject: cheap\n\npills" true
}

func ExampleID() {
	fmt.Println(mail.ID([]byte("Message-ID: <1@a.example>\n\ncheap pills\n")))
	// Output: mail-f597135c64e69cc7d95f01df032d9f7c
}

// What is added on the way does not change the ID of a message; what a sender writes does.
func TestID(t *testing.T) {
	const raw = "Message-ID: <1@a.example>\nSubject: a\n\ncheap\npills\n"
	id := mail.ID([]byte(raw))
	for _, same := range []string{
		"X-Spam-Status: No\n" + raw, "From a@b Thu Aug 22 12:36:23 2002\n" + raw, raw + "\n", "Message-Id: <1@a.example>\r\n\r\ncheap\r\npills\r\n",
		string(mail.Mark([]byte(raw), mail.Verdict{})),
	} {
		if mail.ID([]byte(same)) != id {
			t.Errorf("%q has another ID", same)
		}
	}
	for _, other := range []string{"Message-ID: <2@a.example>\n\ncheap\npills\n", "Message-ID: <1@a.example>\n\ncheap\npill\n", "\ncheap\npills\n", ""} {
		if mail.ID([]byte(other)) == id {
			t.Errorf("%q has the same ID", other)
		}
	}
}
