package mail_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bayes"
	"bayes/internal/fuzzing"
	"bayes/mail"
	"bayes/text"
)

func TestText(t *testing.T) {
	const top = "Subject: x\n"
	for _, c := range []struct{ name, in, text, hidden string }{
		{"plain", top + "\nsee you\n", "see you\n\n", ""},
		{"no header", "see you\nat lunch\n", "see you\nat lunch\n\n", ""},
		{"no body", top, "", ""},
		{"empty", "", "", ""},
		{"ends early", top + "not a field\nsee you", "not a field\nsee you\n", ""},
		{"mbox", "From a@b Thu Aug 22 12:36:23 2002\n" + top + "\nsee you", "see you\n", ""},
		{"base64", top + "Content-Transfer-Encoding: BASE64\n\nc2Vl\r\nIHlv!!dQ==\n", "see you\n", ""},
		{"base64, cut off", top + "Content-Transfer-Encoding: base64\n\nc2VlIHlvdQ=", "see you\n", ""},
		{"base64, twice", top + "Content-Transfer-Encoding: base64\n\nc2VlIHlvdQ==\nc2VlIHlvdQ==", "see yousee you\n", ""},
		{"quoted", top + "Content-Transfer-Encoding: quoted-printable\n\nsee=20y=\nou =C3=A9 =zz =", "see you é =zz \n", ""},
		{"latin1", top + "Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9", "café\n", ""},
		{"unknown charset", top + "Content-Type: text/plain; charset=klingon\n\ncaf\xe9", "café\n", ""},
		{"utf-8 in spite of", top + "Content-Type: text/plain; charset=us-ascii\n\ncafé", "café\n", ""},
		{"koi8-r", top + "Content-Type: text/plain; charset=\"koi8-r\"\n\n\xf0\xd2\xc9\xd7\xc5\xd4", "Привет\n", ""},
		{"iso-2022-jp", top + "Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B$3$s\x1b(B", "こん\n", ""},
		{"html", top + "Content-Type: text/html\n\n<p>win a v<!-- x -->iagra<br>now &eacute;<td>a<td>b", "\nwin a viagra\nnow é a b\n", "x\n"},
		{"html, unseen", top + "Content-Type: text/html\n\n<style>p {}</style><div style='color: RED; Display:none'>a<div>b</div>c</div>d<font color=white>e</font><font size=1>f</font><table bgcolor=black><font color=#FFF>g</font></table><span style=font-size:0px>h</span>", "\ndf\ng\n\n", "a\nb\nc\ne\nh\n"},
		{"html, said to be plain", top + "\n<html><b>a</b>", "a\n", ""},
		{"parts", top + "Content-Type: multipart/mixed; boundary=\"b b\"\n\nno part\n--b b\n\none\n--b b  \nContent-Type: TEXT/HTML\n\n<b>two</b>\n--b b\nContent-Type: image/png; name=a.png\n\nthree\n--b b--\nno part\n", "one\n\ntwo\n\n", ""},
		{"parts, no end", top + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo", "one\n\ntwo\n", ""},
		{"parts, no boundary", top + "Content-Type: multipart/mixed\n\n--b\n\none\n--b--\n", "one\n\n", ""},
		{"parts, none", top + "Content-Type: multipart/mixed; boundary=b\n\nall of it\n", "all of it\n\n", ""},
		{"parts in parts", top + "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/alternative; boundary=ab\n\n--ab\n\none\n--ab--\n--a\n\ntwo\n--a--", "one\n\ntwo\n\n", ""},
		{"message", top + "Content-Type: message/rfc822\n\nFrom: a\nSubject: =?utf-8?q?caf=C3?= =?utf-8?q?=A9?=\n\nsee you", "café\nsee you\n", ""},
		{"attachment of text", top + "Content-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nsee you", "see you\n", ""},
		{"tricks", top + "\nvi\u200bаgrа v.i.a.g.r.a  F R E E now i.e. a b", "viagra viagra  FREE now i.e. a b\n", ""},
		{"no UTF-8, NUL", top + "Content-Type: text/plain; charset=utf-8\n\na\xff\x00b", "aÿ b\n", ""},
	} {
		m := mail.Parse([]byte(c.in))
		if m.Text != c.text || m.Hidden != c.hidden {
			t.Errorf("%s: got %q, %q, want %q, %q", c.name, m.Text, m.Hidden, c.text, c.hidden)
		}
		crlf := mail.Parse([]byte(strings.ReplaceAll(strings.ReplaceAll(c.in, "\r", ""), "\n", "\r\n")))
		if got := strings.ReplaceAll(crlf.Text, "\r", ""); got != c.text && c.name != "base64" {
			t.Errorf("%s: got %q with CRLF", c.name, got)
		}
	}
}

func TestHeader(t *testing.T) {
	m := mail.Parse([]byte(">From x\nSUBJECT: =?ISO-8859-1?Q?caf=E9_a?= =?iso-8859-1?b?IGI=?= c =?utf-8?q?d?=e =?x\nfrom : Jos\xe9 <a@b>\n\tand\r\n more\nX-8: \xc3\xa9\nX-Empty:\nX-Spam-Status: Yes\n \nX-More: 1\nX body: 2\n"))
	want := []mail.Field{{"SUBJECT", "café a b c de =?x"}, {"from", "José <a@b> and more"}, {"X-8", "é"}, {"X-Empty", ""}, {"X-More", "1"}}
	if !slices.Equal(m.Header, want) || m.Text != "X body: 2\n\n" {
		t.Errorf("%q, %q", m.Header, m.Text)
	}
	if m.Get("Subject") != want[0].Value || m.Get("X-None") != "" {
		t.Errorf("%q", m.Get("Subject"))
	}
}

func TestParts(t *testing.T) {
	m := mail.Parse([]byte("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\n\n<a href=http://a.example/x>www.b.example</a><img src=cid:1 alt=pic>" +
		"\n--b\nContent-Type: application/pdf; name*=\"a b.pdf\"\nContent-Disposition: Attachment; size=3\nContent-Transfer-Encoding: base64\n\nJVBERg==\n--b--"))
	if want := []mail.Part{{"text/html", "utf-8", "", "", "", 68, 1}, {"application/pdf", "", "base64", "attachment", "a b.pdf", 9, 1}}; !slices.Equal(m.Parts, want) {
		t.Errorf("%+v", m.Parts)
	}
	if want := []mail.Link{{URL: "http://a.example/x", Text: "www.b.example"}, {URL: "cid:1", Image: true}}; !slices.Equal(m.Links, want) {
		t.Errorf("%+v", m.Links)
	}
}

// attr returns a further text of the document of a message.
func attr(t *testing.T, message, name string) string {
	t.Helper()
	d := mail.Parse([]byte(message)).Document()
	for i, want := range mail.Texts() {
		for _, a := range d.Attrs {
			if want == name && a.Name == name {
				return strings.ReplaceAll(fmt.Sprintf("%+v", a), "\n", " ")
			}
		}
		_ = i
	}
	return ""
}

// What the headers, the links and the tags of a message say is in texts of its document.
func TestDocument(t *testing.T) {
	const message = "Return-Path: <x@bounce.example>\nReceived: from localhost ([127.0.0.1]) by me with fetchmail\n" +
		"Received: from relay.shop.example (unknown [192.0.2.7]) by mx.home.example (Postfix) with SMTP id ABC123 for <me@home.example>; Thu, 22 Aug 2002 12:36:23 +0900\n" +
		"From: \"The Shop\" <deals42@shop.example>\nTo: undisclosed\nSubject: win\nMessage-ID: <1$Ab@shop.example>\nDate: Thu, 22 Aug 2002 12:36:23 +0900\nX-Mailer: Mass 1.0\nContent-Type: text/html\n\n" +
		"<a href='http://10.0.0.1:8080/buy?id=7'>www.bank.example</a> <!-- secret -->http://me@x.example/%41"
	for name, words := range map[string]string{
		"subject":  "win",
		"from":     "from_deals42_shop_example from_user_shape_ld from_host_shop_example from_host_example return_path_x_bounce_example hosts_2",
		"to":       "to_undisclosed to_addresses_0",
		"received": "first_relay_shop_example r_shop_example r_net_192_0_2 r_postfix r_zone_plus0900 hops_1 helo_unknown sender_relayed_true",
		"header":   "h_start_return_path h_date_x_mailer x_mailer_mass id_from_true date_day_thu date_hour_12 date_off_before_0 type_text_html part_text_html",
		"links":    "url_net_10_0_0_1 url_port_8080 path_buy link_says_other url_x_example url_user url_percent scheme_http",
		"html":     "t_a_href hidden_secret",
		"style":    "subject_shape_shape_l subject_words_1 subject_capitals_0 lines_1 quoted_0",
	} {
		got := " " + attr(t, message, name) + " "
		for _, w := range strings.Fields(words) {
			if !strings.Contains(strings.NewReplacer("str:", " ").Replace(got), " "+w+" ") {
				t.Errorf("%s lacks %s: %s", name, w, got)
			}
		}
		for _, w := range []string{"abc123", "fetchmail", "me_home"} {
			if strings.Contains(got, w) {
				t.Errorf("%s has %s: %s", name, w, got)
			}
		}
	}
}

// How a message is written is in the text style.
func TestStyle(t *testing.T) {
	for message, words := range map[string]string{
		"Subject: Re: [list] FREE money!!!   x7":    "subject_prefix_re subject_list subject_gap subject_last_55 subject_words_4 subject_capitals_3 subject_caps_free run_33_3",
		"Subject: Attention: none":                  "subject_words_2 subject_caps_words_0 subject_capitals_1", // too long for a prefix
		"Subject: 100%\n\nSAVE $1,000 NOW?":         "subject_capitals_none percent money_5 run_63_1 text_caps_save text_caps_now text_caps_words_2 text_capitals_8 lines_1",
		"\n> a\n| b\n\nAnn wrote:\n-----\n-- \nBob": "quoted_2 blank_1 wrote rule_45_3 rules_1 signature lines_3 run_45_5",
		"\n" + strings.Repeat("x", 101) + "\n...":   "long_1 run_46_3 text_capitals_0",
		"Subject: " + strings.Repeat("Ab1. ", 100):  "subject_shape_shape_uldpdpuldpdpuldpdpuldpdp subject_words_15",
	} {
		got := " " + strings.NewReplacer("str:", " ", "}", " ").Replace(attr(t, message, "style")) + " "
		for _, w := range strings.Fields(words) {
			if !strings.Contains(got, " "+w+" ") {
				t.Errorf("%q lacks %s: %s", message, w, got)
			}
		}
	}
}

// Whether a host calls itself what its address is called, and whether the sender's host had the message at all.
func TestCallers(t *testing.T) {
	for received, words := range map[string]string{
		"from mx.shop.example (mx.shop.example [192.0.2.7]) by b.example": "helo_same sender_relayed_true",
		"from shop.example (out.shop.example [192.0.2.7]) by b.example":   "helo_domain sender_relayed_true",
		"from shop.example (a.dsl.example [192.0.2.7]) by b.example":      "helo_other sender_relayed_true",
		"from designer ([192.0.2.7]) by b.example":                        "helo_unnamed sender_relayed_false",
		"from designer (a.dsl.example [192.0.2.7]) by b.example":          "helo_local sender_relayed_false",
		"from x.example (root@y.example [192.0.2.7]) by b.example":        "helo_other sender_relayed_false",
		"from unknown (HELO shop.example) (192.0.2.7) by b.example":       "helo_unknown sender_relayed_true",
		"by b.example with local":                                         "helo_none sender_relayed_false",
		"from":                                                            "helo_none sender_relayed_false",
	} {
		got := " " + strings.NewReplacer("str:", " ").Replace(attr(t, "Received: "+received+"\nFrom: x@mail.shop.example\n\n", "received")) + " "
		for _, w := range strings.Fields(words) {
			if !strings.Contains(got, " "+w+" ") {
				t.Errorf("%s: lacks %s: %s", received, w, got)
			}
		}
	}
	const twice = "Received: from a.example by b.example; Thu, 22 Aug 2002 12:00:00 +0200\nReceived: from c.example by a.example; Thu, 22 Aug 2002 10:00:00 -0100\n"
	if got := attr(t, twice+"\n", "received"); !strings.Contains(got, " last_c_example ") || !strings.Contains(got, " first_b_example ") || strings.Contains(got, "last_b_example") {
		t.Error(got)
	}
	for date, want := range map[string]string{
		"Thu, 22 Aug 2002 12:00:00 +0200": "before_0", "Thu, 22 Aug 2002 15:00:00 +0200": "after_2", "Thu, 01 Aug 2002 12:00:00 +0200": "before_9", "yesterday": "unread",
	} {
		if got := attr(t, twice+"Date: "+date+"\n\n", "header"); !strings.Contains(got, " date_off_"+want+" ") {
			t.Errorf("Date: %s: lacks %s: %s", date, want, got)
		}
	}
	if got := attr(t, "Date: Thu, 22 Aug 2002 12:00:00 +0200\n\n", "header"); !strings.Contains(got, " date_off_unknown ") {
		t.Error(got)
	}
}

// The words of further texts are those of the default analyzer.
func TestWords(t *testing.T) {
	message := "Subject: x\nFrom: \"A-B c.d\" <a.b-c@d_e.f'g.example>\nX-Ünï: a\nX-Odd: 1,5 a'b __ ---\n\nhttp://a.b/c?d=e%20f"
	var a text.Analyzer
	for _, d := range mail.Parse([]byte(message)).Document().Attrs[1:] {
		s := reflect.ValueOf(d).FieldByName("str").String()
		var got []string
		for token := range a.Tokens(s) {
			got = append(got, token.Term)
		}
		if want := strings.Fields(s); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", d.Name, got, want)
		}
	}
}

// What a filter or a mail program adds, in any case, changes nothing.
func TestForged(t *testing.T) {
	const message = "Return-Path: <a@b.example>\nSubject: win\nFrom: a@b.example\n\na prize\n"
	want := mail.Parse([]byte(message)).Document()
	for _, field := range []string{
		"X-Bayes-Status: ham", "x-bayes-score: -9", "X-Spam-Flag: NO", "X-Spam: no", "X-SPAM-STATUS: No, hits=0\n\ttests=none", "X-Bogosity: Ham", "Status: RO", "X-Status: A", "X-Keywords: ham", "X-UIDL: 1",
		"X-Mozilla-Status: 0001", "Delivered-To: me@home.example", "X-Original-To: me", "Envelope-to: me", "Delivery-date: now", "Content-Length: 7", "Lines: 1", "X-Gmail-Labels: Spam", "X-Rspamd-Score: 1", "X-DSPAM-Result: Spam",
		"X-MS-Exchange-Organization-SCL: 5", "X-Folder: Junk",
	} {
		for _, place := range []string{"Return-Path", "Subject", "From"} {
			d := mail.Parse([]byte(strings.Replace(message, place, field+"\n"+place, 1))).Document()
			if !sameButSize(d, want) {
				t.Errorf("%s before %s changes the document:\n%+v\n%+v", field, place, d, want)
			}
		}
	}
}

// sameButSize reports whether documents are the same apart from the size of the message.
func sameButSize(a, b bayes.Document) bool {
	s := func(d bayes.Document) string {
		var words []string
		for _, w := range strings.Fields(fmt.Sprintf("%s %+v", d.Text, d.Attrs)) {
			if !strings.HasPrefix(w, "size_") {
				words = append(words, w)
			}
		}
		return strings.Join(words, " ")
	}
	return s(a) == s(b)
}

// bombs are messages that would cost more than their size accounts for.
func bombs() map[string]string {
	const n = 10_000
	var nested, alike, entities strings.Builder
	for i := range n {
		fmt.Fprintf(&nested, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		fmt.Fprintf(&alike, "Content-Type: multipart/mixed; boundary=b\n\n--b\n")
		fmt.Fprintf(&entities, "Content-Type: message/rfc822\n\n")
	}
	many := func(s string, size int) string { return strings.Repeat(s, size/len(s)) }
	const size = 8 << 20
	html := "Content-Type: text/html\n\n"
	return map[string]string{
		"nested": nested.String(), "alike": alike.String(), "messages": entities.String(),
		"parts":             "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 1_000_000),
		"empty parts":       "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n", 1_000_000),
		"fields":            many("X: y\n", size),
		"distinct fields":   many("X-Spam: y\nA: b\n", size),
		"one field":         "Subject: " + many("x ", size),
		"folds":             "Subject:" + many("\n x", size),
		"blank folds":       "Subject:" + many("\n ", size),
		"encoded words":     "Subject: " + many("=?utf-8?q?=41?= ", size),
		"half words":        many("Subject: "+many("=?a?q?", 8000)+"\n", size),
		"no line":           many("x", size),
		"lines":             many("\n", size),
		"header lines":      "A: b\n" + many("--b\n", size),
		"parameters":        many("Content-Type: multipart/mixed; "+many("a=b;", 8000)+"\n", size),
		"tags":              html + many("<b>", size),
		"attributes":        html + "<b " + many("a=b ", size) + ">",
		"tags, distinct":    html + many("<a1 b2 c3=d4><e5>", size),
		"links":             html + many("<a href=http://x.example/a/b>", size),
		"comments":          html + many("<!--x-->", size),
		"open comments":     html + many("<!--", size),
		"open tags":         html + many("<a ", size),
		"quotes":            html + many("<a b='", size),
		"entities":          html + many("&nbsp;&#1;&zz", size),
		"hidden":            html + many("<div hidden>", size),
		"styles":            html + many("<p style='a:b;color:c'>", size),
		"urls":              "\n" + many("http://a ", size),
		"urls in one":       "\n" + many("://", size),
		"spaced out":        "\n" + many("a.", size),
		"spaced out, mixed": "\n" + many("a.b-", size),
		"invisible":         "\n" + many("\u200ba", size),
		"base64":            "Content-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(many("hello ", size))),
		"padding":           "Content-Transfer-Encoding: base64\n\n" + many("QQ==", size),
		"quoted":            "Content-Transfer-Encoding: quoted-printable\n\n" + many("=", size),
		"quoted blanks":     "Content-Transfer-Encoding: quoted-printable\n\n" + many("= ", size),
		"utf-16":            "Content-Type: text/plain; charset=utf-16\n\n" + many("\x30\x42", size),
		"received":          many("Received: from a.b.c.d by e; x\n", size),
		"addresses":         many("From: "+many("a@b.c.d,", 8000)+"\n", size),
	}
}

// Memory is a small multiple of a message's size, whatever it nests.
func TestBombs(t *testing.T) {
	for name, s := range bombs() {
		t.Run(name, func(t *testing.T) {
			raw := []byte(s)
			fuzzing.Bound(t, len(raw), 10, func() { check(t, raw) })
		})
	}
}

// check fails if the document of a message is not text.
func check(t *testing.T, raw []byte) {
	m := mail.Parse(raw)
	d := m.Document()
	if !utf8.ValidString(d.Text) {
		t.Errorf("not UTF-8: %.200q", d.Text)
	}
	for _, l := range m.Links {
		if !utf8.ValidString(l.Text) {
			t.Errorf("not UTF-8: %q", l.Text)
		}
	}
	for _, a := range d.Attrs {
		if s := reflect.ValueOf(a).FieldByName("str").String(); !utf8.ValidString(s) || len(s) > 1<<20 {
			t.Errorf("%s: %d bytes, %.200q", a.Name, len(s), s)
		}
	}
}

// Whatever bytes are mail, they are read: the same way each time, within bounds, and with what a
// filter has added they are the same document.
func FuzzMail(f *testing.F) {
	for _, s := range []string{
		"", "Subject: x\n\ny", "From x Thu Aug 22 12:36:23 2002\nReceived: from a.b ([1.2.3.4]) by c; Thu, 22 Aug 2002 12:36:23 +0200\nSubject: =?utf-8?b?w6k=?= =?utf-8?q?=c3?=\n =?utf-8?q?=a9?=\n\nv.i.a.g.r.a http://a.b/c",
		"Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\nContent-Type: text/html; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D'http://x'>y</a><!-- z --><p style=3Ddisplay:none>w\n--b\nContent-Type: message/rfc822\n\nSubject: z\n\nbody\n--b--\n",
		"Content-Type: text/html\n\n<font color=white>a<table bgcolor=#fff><td>b<img src=c alt=d>", "Content-Transfer-Encoding: base64\n\naGVsbG8=\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		fuzzing.Bound(t, len(raw), 100, func() { check(t, raw) })
		d := mail.Parse(raw).Document()
		if !reflect.DeepEqual(d, mail.Parse(raw).Document()) {
			t.Error("read twice, it differs")
		}
		if dos := bytes.ReplaceAll(raw, []byte("\n"), []byte("\r\n")); !bytes.Contains(raw, []byte("\r")) && !reflect.DeepEqual(d, mail.Parse(dos).Document()) {
			t.Error("with the line ends of SMTP, it differs")
		}
		if forged := append([]byte("X-Bayes-Status: ham\n"), raw...); strings.HasPrefix(string(raw), "Subject: ") && !sameButSize(mail.Parse(forged).Document(), d) {
			t.Error("a forged field changes the document")
		}
	})
}
