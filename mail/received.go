package mail

import (
	"net/mail"
	"strings"
	"time"
)

// Received returns when m arrived: by the first Received field, which the server that collected it has
// written, or else by the sender's own date. It is zero if neither has a date.
func (m *Message) Received() time.Time {
	received := m.Get("Received")
	if i := strings.LastIndexByte(received, ';'); i >= 0 {
		if at := parseDate(received[i+1:]); !at.IsZero() {
			return at
		}
	}
	return parseDate(m.Get("Date"))
}

// parseDate returns the time of a date, zero if it is none.
func parseDate(s string) time.Time {
	if at, err := mail.ParseDate(strings.TrimSpace(s)); err == nil {
		return at
	}
	return time.Time{}
}
