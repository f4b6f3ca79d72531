package mail

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"bayes"
)

// Texts are the names of the further texts of a [Message.Document], in order. Their words are made
// of letters, digits and low lines alone, so that any analyzer of words cuts them alike.
func Texts() []string { return slices.Clone(texts) }

var texts = []string{"subject", "from", "to", "received", "header", "links", "html", "style"}

// Document returns m as it is learned and classified. Its text is the subject and what can be read.
// Of the further texts, subject is the subject again; from and to are names and addresses; received
// has the hosts that passed the message on; header the names of fields in their order, their
// values, and the types, sizes and names of the parts; links what is linked and how; html the tags,
// their attributes, and what is hidden; and style how it is written.
func (m *Message) Document() bayes.Document {
	subject := m.tricks.undo(m.Get("Subject"))
	d := bayes.Document{Text: subject + "\n" + m.Text}
	for i, s := range []string{subject, m.from(), m.to(), m.received(), m.header(), m.links(), m.html(), m.style()} {
		if s != "" {
			d.Attrs = append(d.Attrs, bayes.Text(texts[i], s))
		}
	}
	return d
}

// words collects the words of a further text.
type words struct{ b strings.Builder }

// mostWords is how long a further text becomes, in bytes.
const mostWords = 256 << 10

// add adds a word made of parts: lower-cased, with a low line between them and in the place of what
// is neither a letter nor a digit.
func (w *words) add(parts ...string) {
	const longest = 80
	if w.b.Len() > mostWords {
		return
	}
	var word []byte
	for _, s := range parts {
		if len(word) > 0 && word[len(word)-1] != '_' {
			word = append(word, '_')
		}
		for _, r := range s {
			switch {
			case len(word) > longest:
			case unicode.IsLetter(r), unicode.IsDigit(r):
				word = append(word, string(unicode.ToLower(r))...)
			case len(word) > 0 && word[len(word)-1] != '_':
				word = append(word, '_')
			}
		}
	}
	if word = []byte(strings.Trim(string(word), "_")); len(word) > 0 {
		w.b.Write(word)
		w.b.WriteByte('\n')
	}
}

// addEach adds the words of a value, the first few, each behind a mark.
func (w *words) addEach(mark, value string, most int) {
	for _, s := range strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if most--; most < 0 {
			return
		}
		w.add(mark, s)
	}
}

// addHost adds the name of a host, and the domains that it is in; of an address, its nets.
func (w *words) addHost(mark, host string) {
	labels := strings.Split(strings.ToLower(strings.Trim(host, ".")), ".")
	const most = 8
	if len(labels) > most {
		labels = labels[len(labels)-most:]
	}
	if isAddress(labels) {
		for n := 4; n > 0; n-- {
			w.add(mark, "net", strings.Join(labels[:n], "."))
		}
		return
	}
	for n := range labels {
		w.add(mark, strings.Join(labels[n:], "."))
	}
}

// isAddress reports whether labels are four numbers.
func isAddress(labels []string) bool {
	return len(labels) == 4 && !slices.ContainsFunc(labels, func(s string) bool {
		_, err := strconv.ParseUint(s, 10, 8)
		return err != nil
	})
}

func (w *words) addAddress(mark, address string) {
	user, host, _ := strings.Cut(address, "@")
	w.add(mark, address)
	w.add(mark, "user", user)
	w.add(mark, "user", shape(user))
	w.addHost(mark+" host", host)
}

// String returns the words.
func (w *words) String() string { return w.b.String() }

// shape returns s with letters and digits in runs of a kind: aB3 becomes aA9.
func shape(s string) string {
	const longest = 40
	var b []byte
	for _, r := range s {
		c := byte('p') // punctuation
		switch {
		case unicode.IsUpper(r):
			c = 'U'
		case unicode.IsLetter(r):
			c = 'l'
		case unicode.IsDigit(r):
			c = 'd'
		case r == '.' || r == '$' || r == '-' || r == '_' || r == '%':
			c = byte("dDmuc"[strings.IndexByte(".$-_%", byte(r))])
			b = append(b, 'p')
		}
		if len(b) == 0 || b[len(b)-1] != c {
			b = append(b, c)
		}
		if len(b) > longest {
			break
		}
	}
	return "shape " + string(b)
}

// addresses returns what looks like addresses in a value, and the value without them.
func addresses(value string) (found []string, rest string) {
	const most = 20
	var names []string
	for _, s := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t<>,;()\"[]", r) }) {
		if strings.Contains(s, "@") && len(found) < most {
			found = append(found, strings.Trim(s, "'"))
		} else {
			names = append(names, s)
		}
	}
	return found, strings.Join(names, " ")
}

func (m *Message) from() string {
	var w words
	var hosts []string
	for _, name := range []string{"From", "Reply-To", "Sender", "Return-Path", "Errors-To", "X-Sender"} {
		value := m.Get(name)
		if value == "" {
			continue
		}
		found, names := addresses(value)
		w.addEach(name, names, 10)
		for _, a := range found {
			w.addAddress(name, a)
			_, host, _ := strings.Cut(a, "@")
			hosts = append(hosts, host)
		}
		w.add(name, "addresses", strconv.Itoa(len(found)))
	}
	w.add("hosts", strconv.Itoa(len(slices.Compact(slices.Sorted(slices.Values(hosts))))))
	return w.String()
}

func (m *Message) to() string {
	var w words
	for _, name := range []string{"To", "Cc", "Bcc"} {
		value := m.Get(name)
		found, names := addresses(value)
		w.addEach(name, names, 20)
		for _, a := range found {
			w.add(name, a)
			_, host, _ := strings.Cut(a, "@")
			w.addHost(name+" host", host)
		}
		w.add(name, "addresses", strconv.Itoa(len(found)))
	}
	return w.String()
}

func (m *Message) header() string {
	var w words
	before, handed := "start", m.handedOver()
	for _, f := range m.Header {
		name := f.Name
		if strings.EqualFold(name, "Received") && before == "Received" {
			continue
		}
		w.add("h", name)
		w.add("h", before, name)
		before = name
		m.addField(&w, f, handed)
	}
	for _, p := range m.Parts {
		w.addPart(p)
	}
	w.add("parts", strconv.Itoa(min(len(m.Parts), 10)))
	w.add("size", about(m.Size))
	w.add("text", "size", about(len(m.Text)))
	for _, d := range m.defects {
		w.add("defect", d)
	}
	for _, t := range []struct {
		name string
		n    int
	}{{"invisible", m.tricks.invisible}, {"mixed", m.tricks.mixed}, {"spaced", m.tricks.spacedOut}} {
		if t.n > 0 {
			w.add("trick", t.name)
			w.add("trick", t.name, about(t.n))
		}
	}
	return w.String()
}

// addField adds what a field's value says of a message that was handed over then.
func (m *Message) addField(w *words, f Field, handed time.Time) {
	switch name := strings.ToLower(f.Name); name {
	case "received", "from", "to", "cc", "bcc", "reply-to", "sender", "return-path", "errors-to", "x-sender", "subject":
	case "message-id":
		local, host, _ := strings.Cut(strings.Trim(f.Value, "<> "), "@")
		w.add("id", shape(local))
		w.addHost("id host", host)
		if from, ok := m.fromHost(); ok {
			w.add("id", "from", strconv.FormatBool(strings.EqualFold(from, host)))
		}
	case "date", "x-original-date":
		w.addDate(name, f.Value)
		w.add(name, "off", off(parseDate(f.Value), handed))
	case "content-type":
		t := parseMediaType(f.Value)
		w.add("type", t.name)
		w.add("charset", t.params["charset"])
		w.add("boundary", shape(t.params["boundary"]))
	case "references", "in-reply-to":
		w.add(name, "some")
	default:
		w.addEach(name, f.Value, 12)
	}
}

// addDate adds the shape of a date, its day of the week, hour and zone.
func (w *words) addDate(name, value string) {
	fields := strings.Fields(value)
	w.add(name, shape(value))
	if len(fields) > 0 {
		w.add(name, "day", fields[0][:min(3, len(fields[0]))])
	}
	for _, s := range fields {
		if len(s) == 8 && s[2] == ':' {
			w.add(name, "hour", s[:2])
		}
	}
	w.add(name, "zone", zone(fields))
}

func (w *words) addPart(p Part) {
	w.add("part", p.Type)
	w.add("part", p.Type, "depth", strconv.Itoa(min(p.Depth, 5)))
	w.add("part", "charset", p.Charset)
	w.add("part", "encoding", p.Encoding)
	if p.Disposition != "" {
		w.add("part", p.Type, p.Disposition)
	}
	if p.Name != "" {
		_, ending, _ := cutLast(p.Name, '.')
		w.add("part", "ending", ending)
		w.add("part", "name", p.Name)
	}
	w.add("part", "size", about(p.Size))
}

func (m *Message) links() string {
	var w words
	images := 0
	for _, l := range m.Links {
		w.addURL(l.URL)
		if l.Image {
			images++
			continue
		}
		if said, host := hostOf(l.Text), hostOf(l.URL); said != "" && host != "" && !strings.EqualFold(said, host) {
			w.add("link", "says", "other")
		}
	}
	for _, u := range urlsIn(m.Text) {
		w.addURL(u)
	}
	if n := len(m.Links) - images; n > 0 {
		w.add("links", about(n))
	}
	if images > 0 {
		w.add("images", about(images))
	}
	return w.String()
}

// hostOf returns the host of an address of the web, empty if s is none.
func hostOf(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(strings.ToLower(s), "www.") {
		s = "http://" + s
	}
	if u, err := url.Parse(s); err == nil && !strings.ContainsAny(s, " \n") {
		return u.Hostname()
	}
	return ""
}

// urlsIn returns the first addresses of the web in a text.
func urlsIn(s string) []string {
	var list []string
	for len(list) < maxLinks {
		i := strings.Index(s, "://")
		if i < 0 {
			break
		}
		start := max(0, i-5)
		for start < i && !isASCIILetter(s[start]) {
			start++
		}
		end := len(s)
		if n := strings.IndexFunc(s[i:], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>\"')]", r) }); n >= 0 {
			end = i + n
		}
		list = append(list, s[start:end])
		s = s[end:]
	}
	return list
}

// addURL adds the scheme, the host, and the pieces of the rest.
func (w *words) addURL(s string) {
	const longest, most = 500, 12
	s = s[:min(len(s), longest)]
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		scheme, rest, _ = strings.Cut(s, ":")
		w.add("scheme", scheme)
		if strings.EqualFold(scheme, "mailto") {
			address, _, _ := strings.Cut(rest, "?")
			w.addAddress("mailto", address)
		}
		return
	}
	w.add("scheme", scheme)
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		w.add("url", "user")
		host = host[i+1:]
	}
	if name, port, ok := strings.Cut(host, ":"); ok {
		w.add("url", "port", port)
		host = name
	}
	w.addHost("url", host)
	if strings.Contains(path, "%") {
		w.add("url", "percent")
	}
	w.addEach("path", path, most)
}

func (m *Message) html() string {
	var w words
	for _, t := range m.tags {
		w.add("t", t)
	}
	if m.Hidden != "" {
		w.add("hidden", "size", about(len(m.Hidden)))
	}
	w.addEach("hidden", m.Hidden, 500)
	return w.String()
}
