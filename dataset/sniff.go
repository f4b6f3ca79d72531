package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// FormatOf returns the format in which [Open] would read a file of that name
// and content, or the error that it would return. It reads no more of r than it
// must, and nothing if the name or opts say the format.
func FormatOf(r io.Reader, name string, opts *Options) (string, error) {
	if opts == nil {
		opts = new(Options)
	}
	format, err := findFormat(r, name, opts)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, withoutPath(err))
	}
	return format, nil
}

// findFormat is FormatOf, with an error that does not name the file.
func findFormat(r io.Reader, name string, opts *Options) (string, error) {
	if err := opts.check(); err != nil {
		return "", err
	}
	// The options go before the name, and the name before the content.
	format := formatByName(name)
	if opts.Format != "" && opts.Format != "auto" {
		format = opts.Format
	}
	if err := opts.checkFormat(format); err != nil || format != "" {
		return format, err
	}
	z, err := Decompress(r)
	if err != nil {
		return "", err
	}
	defer z.Close()
	w := newWindow(z)
	if err := checkForeign(w); err != nil {
		return "", err
	}
	in, err := newInput(w, name, opts, new(stats))
	if err != nil {
		return "", err
	}
	return sniff(in)
}

// sniff returns the format of the content of in. If the options do not allow that
// format, it returns both the format and an error.
func sniff(in *input) (string, error) {
	if looksLikeMail(in.w) {
		return "mail", in.opts.checkFormat("mail")
	}
	format := formatByContent(in)
	if err := in.w.failure(); err != nil {
		return "", err
	}
	if format == "text" && in.opts.Mail {
		format = "mail"
	}
	if format == "text" && len(in.w.bytes()) == 0 && !in.opts.Unlabelled {
		return "", errors.New("empty")
	}
	return format, in.opts.checkFormat(format)
}

// formatByContent returns the format that the first line of in looks like, apart
// from blank lines.
func formatByContent(in *input) string {
	line := firstLine(in.w)
	// What only one format begins with comes first. A comma decides last.
	switch {
	case bytes.HasPrefix(line, []byte(labelPrefix)):
		return "fasttext"
	case strings.HasSuffix(uncompressedName(in.name), ".txt"):
		return "text"
	case bytes.HasPrefix(line, []byte{'{'}):
		return "jsonl"
	case looksLikeVector(line, in.opts.Unlabelled):
		return "svmlight"
	case in.opts.Delimiter != 0 && looksLikeHeader(line, string(rune(in.opts.Delimiter)), in.opts):
		return "csv"
	case looksLikeHeader(line, "\t", in.opts):
		return "tsv"
	case looksLikeHeader(line, ",", in.opts), looksLikeHeader(line, ";", in.opts):
		return "csv"
	}
	return "text"
}

// firstLine returns the first line that is neither blank nor a comment of
// svmlight, or as much as there is of it in the first 64 KiB.
func firstLine(w *window) []byte {
	const enough = 64 << 10
	for {
		// Lines that are in the window from first to last.
		for line := range bytes.Lines(w.bytes()) {
			trimmed := bytes.TrimSpace(line)
			whole := line[len(line)-1] == '\n'
			if whole && len(trimmed) > 0 && trimmed[0] != '#' {
				return trimmed
			}
		}
		if len(w.bytes()) >= enough || !w.more() {
			break
		}
	}
	// No line is complete, or each is blank: take what there is of the last one.
	last := w.bytes()[bytes.LastIndexByte(w.bytes(), '\n')+1:]
	return bytes.TrimSpace(last[:min(len(last), enough)])
}

// looksLikeVector reports whether line is a number and then pairs index:value. The
// number is a label, and may be missing where labels may be.
func looksLikeVector(line []byte, unlabelled bool) bool {
	line, _, _ = bytes.Cut(line, []byte{'#'})
	words := bytes.Fields(line)
	if len(words) > 0 && !(unlabelled && bytes.IndexByte(words[0], ':') > 0) {
		if _, err := strconv.ParseFloat(string(words[0]), 64); err != nil {
			return false
		}
		words = words[1:]
	}
	isPair := func(word []byte) bool {
		_, _, err := parsePair(word)
		return err == nil || err == errZeroIndex || bytes.HasPrefix(word, []byte("qid:"))
	}
	return len(words) > 0 && !slices.ContainsFunc(words, func(w []byte) bool { return !isPair(w) })
}

// looksLikeHeader reports whether line is the first of a table. Where labels are
// wanted, a comma is enough, since plain text has none. A document to be predicted may
// be text with a comma, so the line must also name a column that is asked for, or all of them
// in another spelling; unless plain text cannot have what is asked for.
func looksLikeHeader(line []byte, comma string, opts *Options) bool {
	if !bytes.Contains(line, []byte(comma)) {
		return false
	}
	if _, _, others := opts.named(); others || !opts.Unlabelled || opts.NoHeader && !opts.Remembered || opts.checkNoColumns("text") != nil {
		return true
	}
	names := strings.Split(strings.ReplaceAll(string(line), `"`, ""), comma)
	columns := opts.columns()
	if slices.ContainsFunc(columns, func(c column) bool {
		_, numbered := columnNumber(c.name)
		return numbered && !opts.Remembered || slices.ContainsFunc(c.names(opts), func(name string) bool { return slices.Contains(names, name) })
	}) {
		return true
	}
	// A text may begin with "Text, ", but hardly with the names of all columns.
	return !slices.ContainsFunc(columns, func(c column) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return fold(name) == fold(c.name) })
	})
}
