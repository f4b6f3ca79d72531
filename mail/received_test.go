package mail

import (
	"testing"
	"time"
)

// A message has arrived when the server that collected it says so, in the first line.
func TestReceived(t *testing.T) {
	for raw, want := range map[string]string{
		"Received: from a by b; Thu, 22 Aug 2002 12:46:39 -0400 (EDT)\nReceived: from c by a; Thu, 22 Aug 2002 10:00:00 +0000\nDate: Mon, 1 Jan 2001 00:00:00 +0000\n\nx": "2002-08-22T16:46:39Z",
		"Received: from a (x; y) by b;\n\tThu, 22 Aug 2002 12:46:39 +0100 (IST)\n\nx":                                                                                     "2002-08-22T11:46:39Z",
		"Received: no date\nDate: 22 Aug 2002 12:46:39 +0000\n\nx":                                                                                                        "2002-08-22T12:46:39Z",
		"Received: from a by b; yesterday\nDate: Thu, 22 Aug 2002 12:46:39 GMT\n\nx":                                                                                      "2002-08-22T12:46:39Z",
		"From x Thu Aug 22 12:46:39 2002\nSubject: x\n\nDate: Thu, 22 Aug 2002 12:46:39 GMT\n":                                                                            "",
		"": "",
	} {
		got := Parse([]byte(raw)).Received()
		switch {
		case want == "" && !got.IsZero(), want != "" && got.UTC().Format(time.RFC3339) != want:
			t.Errorf("%q: %v, want %s", raw, got, want)
		}
	}
}
