package dataset

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

var formatNames = []string{"csv", "tsv", "jsonl", "fasttext", "svmlight", "parquet", "dir", "text"}

// readers are the formats that are read from a stream.
var readers = map[string]reader{
	"csv":      readCSV,
	"tsv":      readTSV,
	"jsonl":    readJSONL,
	"fasttext": readFastText,
	"svmlight": readSVMLight,
	"text":     readLines,
}

// Formats returns the names that [Options] can give a format, apart from
// "auto".
func Formats() []string { return slices.Clone(formatNames) }

// checkFormat returns an error if there is no format of that name.
func checkFormat(format string) error {
	switch {
	case slices.Contains(formatNames, format):
		return nil
	case format == "mbox":
		return fmt.Errorf("format %s is not supported yet (hint: convert to csv or jsonl)", format)
	}
	return fmt.Errorf("unknown format %q (formats: %s)", format, strings.Join(formatNames, ", "))
}

// formatByName returns the format that a file's name tells, or "" if it tells
// nothing. A .txt file is not told: it may be fastText.
func formatByName(name string) string {
	ext := filepath.Ext(plainName(name))
	switch ext {
	case ".csv":
		return "csv"
	case ".tsv", ".tab":
		return "tsv"
	case ".jsonl", ".ndjson", ".json":
		return "jsonl"
	case ".svm", ".libsvm", ".svmlight":
		return "svmlight"
	case ".ft", ".fasttext":
		return "fasttext"
	case ".mbox", ".parquet":
		return ext[1:]
	}
	return ""
}

// formatOf returns the format of what in shows, by its first line that is not
// blank.
func formatOf(in *input) string {
	line := firstLine(in.w)
	switch {
	case bytes.HasPrefix(line, []byte(labelPrefix)):
		return "fasttext"
	case strings.HasSuffix(plainName(in.name), ".txt"):
		return "text"
	case bytes.HasPrefix(line, []byte{'{'}):
		return "jsonl"
	case looksLikeVector(line, in.opts.Unlabelled):
		return "svmlight"
	case looksLikeHeader(line, "\t", in.opts):
		return "tsv"
	case looksLikeHeader(line, ",", in.opts):
		return "csv"
	}
	return "text"
}

// plainName returns a name without the suffix of a compression.
func plainName(name string) string {
	name = strings.ToLower(name)
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
}

// firstLine returns the first line that is neither blank nor a comment of
// svmlight, or as much as there is of it in the first 64 KiB.
func firstLine(w *window) []byte {
	const enough = 64 << 10
	for {
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
	last := w.bytes()[bytes.LastIndexByte(w.bytes(), '\n')+1:]
	return bytes.TrimSpace(last[:min(len(last), enough)])
}

// looksLikeVector reports whether line is a number and then pairs of numbers.
// If labels may be missing, so may the number.
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

// looksLikeHeader reports whether line is the first of a table. Where labels
// are wanted, nothing else can be meant by a comma; a document to be predicted
// may well have one, and so must name a column.
func looksLikeHeader(line []byte, comma string, opts *Options) bool {
	if !bytes.Contains(line, []byte(comma)) {
		return false
	}
	if !opts.Unlabelled || opts.NoHeader {
		return true
	}
	names := strings.Split(strings.ReplaceAll(string(line), `"`, ""), comma)
	return slices.ContainsFunc(opts.columns(), func(c column) bool {
		_, numbered := columnNumber(c.name)
		return numbered || slices.Contains(names, c.name)
	})
}

// FormatOf returns the format in which [Open] would read a file of that name
// and content, or the error that it would return. It reads no more of r than it
// must, and nothing if the name or opts tell the format.
func FormatOf(r io.Reader, name string, opts *Options) (string, error) {
	s, f := new(Source), &file{name: name, format: formatByName(name)}
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Format != "" && s.opts.Format != "auto" {
		f.format = s.opts.Format
	}
	err := s.opts.check()
	if err == nil {
		err = s.checkFormat(f)
	}
	if err == nil && f.format == "" {
		err = s.sniff(f, r)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, withoutPath(err))
	}
	return f.format, nil
}

// sniff finds the format of f by its content.
func (s *Source) sniff(f *file, r io.Reader) error {
	z, err := Decompress(r)
	if err != nil {
		return err
	}
	defer z.Close()
	in, err := newInput(newWindow(z), f.name, &s.opts, new(stats))
	if err != nil {
		return err
	}
	return s.settle(f, in)
}
