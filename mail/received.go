package mail

import (
	"net/mail"
	"strconv"
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

// received reads who passed the message on. What the machine that collected it adds says nothing.
func (m *Message) received() string {
	const most = 20
	var w words
	hops, last := 0, ""
	from, _ := m.fromHost()
	sender, relayed := domain(from), false
	for _, f := range m.Header {
		if !strings.EqualFold(f.Name, "Received") || hops == 0 && isLocalHop(f.Value) {
			continue
		}
		if hops++; hops > most {
			break
		}
		w.addHop("r", f.Value)
		if hops == 1 {
			w.addHop("first", f.Value)
		}
		helo, name := callers(f.Value)
		w.add("helo", agreement(helo, name))
		relayed = relayed || sender != "" && (domain(helo) == sender || domain(name) == sender)
		last = f.Value
	}
	if hops > 1 {
		w.addHop("last", last)
	}
	w.add("sender", "relayed", strconv.FormatBool(relayed))
	w.add("hops", strconv.Itoa(hops))
	return w.String()
}

// fromHost returns the host of the first address in From, and whether there is an address.
func (m *Message) fromHost() (host string, ok bool) {
	found, _ := addresses(m.Get("From"))
	if len(found) == 0 {
		return "", false
	}
	_, host, _ = strings.Cut(found[0], "@")
	return strings.ToLower(host), true
}

// callers returns what the host that sent a message calls itself, and what its address is called, in a field
// "Received: from ITSELF (NAME [ADDRESS]) by ...".
func callers(value string) (helo, name string) {
	words := strings.Fields(value)
	if len(words) < 2 || words[0] != "from" {
		return "", ""
	}
	helo = strings.ToLower(words[1])
	if len(words) > 2 && strings.HasPrefix(words[2], "(") {
		name, _, _ = strings.Cut(strings.ToLower(words[2][1:]), "[")
		name = strings.Trim(name, "()")
		if strings.Contains(name, "@") {
			_, name, _ = strings.Cut(name, "@")
		}
		if name == "helo" && len(words) > 3 { // qmail has them the other way round
			helo, name = strings.Trim(strings.ToLower(words[3]), "()"), helo
		}
	}
	return helo, name
}

// agreement returns whether a host calls itself what its address is called.
func agreement(helo, name string) string {
	switch {
	case helo == "":
		return "none"
	case name == "":
		return "unnamed"
	case name == "unknown":
		return "unknown"
	case helo == name:
		return "same"
	case domain(helo) == domain(name):
		return "domain"
	case !strings.Contains(helo, "."):
		return "local"
	}
	return "other"
}

// domain returns the last two labels of a host.
func domain(host string) string {
	labels := strings.Split(strings.Trim(host, "."), ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}

// isLocalHop reports whether a machine had the message from itself, or fetched it.
func isLocalHop(value string) bool {
	value = strings.ToLower(value)
	return strings.HasPrefix(value, "from localhost") || strings.HasPrefix(value, "(") || strings.Contains(value, "[127.0.0.1]") ||
		strings.Contains(value, " by localhost ") || strings.Contains(value, "fetchmail")
}

// addHop adds the words of a field Received, without for whom, when and under what number.
func (w *words) addHop(mark, value string) {
	value, date, _ := cutLast(value, ';')
	const most = 40
	fields := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t()[]<>,=;/\"", r) })
	for i := 0; i < len(fields) && i < most; i++ {
		switch s := fields[i]; {
		case s == "id" || s == "for":
			i++
		case strings.Contains(s, "@"):
			w.addHost(mark, s[strings.LastIndexByte(s, '@')+1:])
		case strings.Contains(s, "."):
			w.addHost(mark, s)
		default:
			w.add(mark, s)
		}
	}
	if words := strings.Fields(date); len(words) > 4 {
		w.add(mark, "zone", zone(words))
	}
}

// cutLast cuts s around the last c.
func cutLast(s string, c byte) (before, after string, found bool) {
	if i := strings.LastIndexByte(s, c); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// zone returns the time zone among the words of a date.
func zone(date []string) string {
	for _, s := range date {
		if len(s) == 5 && s[0] == '+' {
			return "plus" + s[1:]
		}
		if len(s) == 5 && s[0] == '-' {
			return "minus" + s[1:]
		}
	}
	return "none"
}

// handedOver returns when the first host that is not the receiver's own had the message, zero if that is
// unknown.
func (m *Message) handedOver() time.Time {
	for _, f := range m.Header {
		if strings.EqualFold(f.Name, "Received") && !isLocalHop(f.Value) {
			_, date, _ := cutLast(f.Value, ';')
			return parseDate(date)
		}
	}
	return time.Time{}
}

// off returns by about how much the sender's date is before or after that at which a message was received.
func off(sent, received time.Time) string {
	switch {
	case sent.IsZero():
		return "unread"
	case received.IsZero():
		return "unknown"
	case sent.After(received):
		return "after_" + about(int(sent.Sub(received).Hours()))
	}
	return "before_" + about(int(received.Sub(sent).Hours()))
}
