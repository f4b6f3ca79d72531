package mail

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// html reads HTML token by token: a tree could be as deep as the text is long.
func (p *parser) html(s string) {
	h := htmlReader{parser: p, link: -1, page: "#ffffff", attrs: make(map[string]string)}
	h.background = h.page
	for z := html.NewTokenizer(strings.NewReader(s)); ; {
		switch z.Next() {
		case html.ErrorToken:
			h.endLink()
			p.text.WriteByte('\n')
			return
		case html.TextToken:
			h.text(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			h.start(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			h.end(atom.Lookup(name))
		case html.CommentToken:
			p.hide(string(z.Text()))
		}
	}
}

// hide writes what is not to be seen.
func (p *parser) hide(s string) {
	if s = strings.TrimSpace(s); s != "" {
		p.hidden.WriteString(s)
		p.hidden.WriteByte('\n')
	}
}

// An htmlReader is the state of parser.html.
type htmlReader struct {
	*parser
	hiddenBy         atom.Atom // the element that hides what is in it
	nested           int       // how many of its kind are open
	link             int       // the index of the link that is open, or -1
	linkText         strings.Builder
	page, background string            // colours
	attrs            map[string]string // of the tag that is read
}

// blocks are elements that begin a line. Others do not separate letters: spam writes v<b></b>i.
var blocks = map[atom.Atom]string{
	atom.P: "\n", atom.Br: "\n", atom.Div: "\n", atom.Tr: "\n", atom.Li: "\n", atom.Table: "\n", atom.H1: "\n", atom.H2: "\n", atom.H3: "\n", atom.H4: "\n",
	atom.Ul: "\n", atom.Ol: "\n", atom.Hr: "\n", atom.Blockquote: "\n", atom.Pre: "\n", atom.Center: "\n", atom.Title: "\n", atom.Body: "\n", atom.Form: "\n",
	atom.Td: " ", atom.Th: " ", atom.Option: " ", atom.Dt: "\n", atom.Dd: "\n", atom.Img: " ",
}

// void are elements without an end.
var void = map[atom.Atom]bool{atom.Br: true, atom.Hr: true, atom.Img: true, atom.Input: true, atom.Meta: true, atom.Link: true, atom.Base: true, atom.Area: true, atom.Col: true}

// longestLink is how much of the text of a link is kept.
const longestLink = 200

func (h *htmlReader) text(s string) {
	switch h.hiddenBy {
	case 0:
		h.parser.text.WriteString(strings.ReplaceAll(s, "\u00a0", " "))
		if h.link >= 0 && h.linkText.Len() < longestLink {
			h.linkText.WriteString(s[:min(len(s), longestLink)])
		}
	case atom.Script, atom.Style:
	default:
		h.hide(s)
	}
}

func (h *htmlReader) start(z *html.Tokenizer) {
	raw, more := z.TagName()
	name := string(raw)
	tag := atom.Lookup(raw)
	h.note(name)
	clear(h.attrs)
	attrs := h.attrs
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		const longest = 2 << 10
		if len(attrs) < 30 {
			attrs[string(key)] = string(value[:min(len(value), longest)])
			h.noteAttribute(name, string(key), string(value[:min(len(value), longest)]))
		}
	}
	if h.hiddenBy != 0 {
		if tag == h.hiddenBy {
			h.nested++
		}
		return
	}
	h.parser.text.WriteString(blocks[tag])
	h.colours(tag, attrs)
	switch {
	case tag == atom.Script, tag == atom.Style, tag != 0 && !void[tag] && tag != atom.Body && tag != atom.Html && h.hides(attrs):
		h.hiddenBy, h.nested = tag, 1
	case tag == atom.A && attrs["href"] != "":
		h.endLink()
		h.addLink(Link{URL: attrs["href"]})
		h.link = len(h.m.Links) - 1
	case tag == atom.Img && attrs["src"] != "":
		h.addLink(Link{URL: attrs["src"], Image: true})
		h.text(attrs["alt"])
	case tag == atom.Area, tag == atom.Form, tag == atom.Iframe, tag == atom.Base, tag == atom.Link:
		for _, key := range []string{"href", "action", "src"} {
			if attrs[key] != "" {
				h.addLink(Link{URL: attrs[key]})
			}
		}
	}
}

func (h *htmlReader) end(tag atom.Atom) {
	if h.hiddenBy != 0 {
		if tag == h.hiddenBy {
			if h.nested--; h.nested == 0 {
				h.hiddenBy = 0
			}
		}
		return
	}
	h.parser.text.WriteString(blocks[tag])
	switch tag {
	case atom.A:
		h.endLink()
	case atom.Table:
		h.background = h.page
	}
}

func (h *htmlReader) addLink(l Link) {
	if len(h.m.Links) < maxLinks {
		h.m.Links = append(h.m.Links, l)
	}
}

// endLink notes what the open link is on.
func (h *htmlReader) endLink() {
	if h.link >= 0 {
		h.m.Links[h.link].Text = strings.TrimSpace(h.linkText.String())
		h.link = -1
		h.linkText.Reset()
	}
}

// colours follows what text is written on.
func (h *htmlReader) colours(tag atom.Atom, attrs map[string]string) {
	colour := attrs["bgcolor"]
	if colour == "" {
		colour = style(attrs, "background-color")
	}
	if colour == "" {
		return
	}
	h.background = canonicalColour(colour)
	if tag == atom.Body {
		h.page = h.background
	}
}

// hides reports whether an element's attributes hide its text.
func (h *htmlReader) hides(attrs map[string]string) bool {
	if _, ok := attrs["hidden"]; ok {
		return true
	}
	switch style(attrs, "font-size") {
	case "0", "0px", "0pt", "1px", "1pt", "0em", "0%":
		return true
	}
	colour := style(attrs, "color")
	if colour == "" {
		colour = attrs["color"]
	}
	return style(attrs, "display") == "none" || style(attrs, "visibility") == "hidden" || style(attrs, "mso-hide") == "all" ||
		colour != "" && canonicalColour(colour) == h.background
}

// style returns a property of the attribute style, lower-cased.
func style(attrs map[string]string, property string) string {
	s := strings.ToLower(attrs["style"])
	for s != "" {
		var one string
		one, s, _ = strings.Cut(s, ";")
		if key, value, _ := strings.Cut(one, ":"); strings.TrimSpace(key) == property {
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		}
	}
	return ""
}

// canonicalColour writes a colour in one way, as far as white and black go by several names.
func canonicalColour(s string) string {
	switch s = strings.ToLower(strings.TrimSpace(s)); s {
	case "white", "#fff", "ffffff", "rgb(255,255,255)", "rgb(255, 255, 255)":
		return "#ffffff"
	case "black", "#000", "000000", "rgb(0,0,0)", "rgb(0, 0, 0)":
		return "#000000"
	}
	return s
}

// note notes what HTML is made of.
func (h *htmlReader) note(tag string) {
	const longest = 60
	if len(tag) > longest || h.m.seen[tag] || len(h.m.tags) >= maxHTMLTags {
		return
	}
	h.m.seen[tag] = true
	h.m.tags = append(h.m.tags, tag)
}

// noteAttribute notes an attribute, and its value where that is of the layout.
func (h *htmlReader) noteAttribute(tag, key, value string) {
	h.note(tag + " " + key)
	switch key {
	case "href", "src", "alt", "title", "id", "name", "value", "content", "action", "style", "class":
		return
	}
	if len(value) <= 20 && value != "" {
		h.note(key + "=" + strings.ToLower(value))
	}
}
