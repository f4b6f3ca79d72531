package mail_test

import (
	"fmt"
	"log"

	"bayes"
	"bayes/mail"
)

const message = `From: The Shop <deals@shop.example>
Subject: =?utf-8?q?caf=C3=A9?=
X-Spam-Status: No
Content-Type: text/html; charset=utf-8

<p>Your <b>free</b> coffee: <a href="http://192.0.2.7/c">www.cafe.example</a><!-- hi -->
`

func ExampleParse() {
	m := mail.Parse([]byte(message))
	fmt.Println(m.Get("subject"))
	fmt.Printf("%q, hidden %q\n", m.Text, m.Hidden)
	for _, l := range m.Links {
		fmt.Printf("%+v\n", l)
	}
	for _, p := range m.Parts {
		fmt.Println(p.Type, p.Charset, p.Size)
	}
	for _, f := range m.Header {
		fmt.Println(f.Name)
	}
	// Output:
	// café
	// "\nYour free coffee: www.cafe.example\n\n", hidden "hi\n"
	// {URL:http://192.0.2.7/c Text:www.cafe.example Image:false}
	// text/html utf-8 89
	// From
	// Subject
	// Content-Type
}

func ExampleMessage_Document() {
	c := bayes.NewCounts(nil)
	for label, raw := range map[string]string{"ham": "From: Ann <ann@home.example>\nSubject: lunch\n\nsee you at noon", "spam": message} {
		d := mail.Parse([]byte(raw)).Document()
		c.Learn(bayes.Example{Label: label, Text: d.Text, Attrs: d.Attrs})
	}
	m, err := bayes.Fit(c, bayes.Multinomial{Smoothing: bayes.Additive(0.01)})
	if err != nil {
		panic(err)
	}
	p := m.Predict(mail.Parse([]byte("From: deals@shop.example\nSubject: free coffee\nContent-Type: text/html\n\n<p>Your coffee")).Document())
	fmt.Println(p.Best().Class)
	// Output: spam
}

func ExampleTexts() {
	fmt.Println(mail.Texts())
	// Output: [subject from to received header links html style]
}

// The parts of a message.
var (
	_ mail.Message
	_ mail.Field
	_ mail.Link
	_ mail.Part
)

func ExampleCutoffs_Judge() {
	c := bayes.NewCounts(nil)
	for label, text := range map[string]string{"spam": "cheap pills", "ham": "see you at noon"} {
		c.Learn(bayes.Example{Label: label, Text: text})
	}
	m, err := bayes.Fit(c, nil)
	if err != nil {
		log.Fatal(err)
	}
	raw := []byte("X-Bayes-Status: ham\nSubject: cheap pills\n\nBuy pills. Cheap, cheap pills!\n")
	cutoffs := mail.Cutoffs{Label: "spam", Spam: 0.9, Ham: 0.5}
	var v mail.Verdict
	if v, err = cutoffs.Judge(m, mail.Parse(raw).Document()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.Status == mail.Spam, len(v.Fields()))
	fmt.Printf("%s", mail.Mark(raw, v))
	// Output:
	// true 3
	// X-Bayes-Status: spam
	// X-Bayes-Score: 5.4977
	// X-Bayes-Reason: cheap +2.75, pills +2.75
	// Subject: cheap pills
	//
	// Buy pills. Cheap, cheap pills!
}

func ExampleStatus() {
	fmt.Println(mail.Spam, mail.Ham, mail.Unsure)
	// Output: spam ham unsure
}

func ExampleMessage_Received() {
	m := mail.Parse([]byte("Received: from a.example by b.example; Thu, 22 Aug 2002 12:46:39 -0400\nDate: Thu, 22 Aug 2002 12:00:00 -0400\n\nhi\n"))
	fmt.Println(m.Received())
	// Output: 2002-08-22 12:46:39 -0400 -0400
}
