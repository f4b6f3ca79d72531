package dataset_test

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"bayes/dataset"
)

// Three laws of CSV: the Raw of the records make up the input; how the stream
// is cut does not matter; what encoding/csv can read, we read alike.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{
		"", "label,text\na,\"b\"\"c\"\r\n\nd,e", "\ufeffa\n\"b\nc\",d", "a,\"b\"c\nd", "a\r\r\n\"b\"\r", "\"", "label,text\n\xe9,\x81\n\"x\ny\",z\n",
		"\ufeff\ufeff",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		checkRaw(t, in)
		checkChunks(t, in, dataset.CSV)
		if !reflect.DeepEqual(rows(bytes.NewReader(in)), rows(iotest.OneByteReader(bytes.NewReader(in)))) {
			t.Error("records differ with the reader's chunks")
		}
		for mark := []byte("\ufeff"); bytes.HasPrefix(in, mark); { // the first is skipped, a second is text
			in = in[len(mark):]
		}
		if want, err := standard(in); err == nil {
			checkStandard(t, in, want)
		}
	})
}

// checkChunks fails if what comes of in depends on how it is cut, or if an
// error is not one line.
func checkChunks(t *testing.T, in []byte, read streamReader) {
	t.Helper()
	got, errs := drain(t, read(bytes.NewReader(in), "f", nil))
	again, errsAgain := drain(t, read(iotest.OneByteReader(bytes.NewReader(in)), "f", nil))
	equal(t, again, got)
	equal(t, errsAgain, errs)
	for _, err := range errs {
		if strings.ContainsAny(err, "\r\n") {
			t.Errorf("error in several lines: %q", err)
		}
	}
}

// A line that encoding/json takes for an object with two strings is an example
// with them.
func FuzzJSONL(f *testing.F) {
	for _, s := range []string{
		`{"label":"a","text":"x"}`, `{"label":"\ud83d\ude00\ud83d","x":[{"}":1}],"text":"\"\\"}`, ` {"text" : "a", "label":null , "label":"1"} `,
		`{"label":"\\","text":"\u00e9"}`, `{}`, `{"a"`, `[]`, "\n", "{\"label\":\"\xe9\"}", `{"label":1e5,"text":-0}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		checkChunks(t, in, dataset.JSONL)
		var want map[string]any
		if bytes.IndexByte(in, '\n') >= 0 || !utf8.Valid(in) || bytes.HasPrefix(in, []byte("\ufeff")) || json.Unmarshal(in, &want) != nil {
			return
		}
		label, ok := want["label"].(string)
		text, ok2 := want["text"].(string)
		if ok && ok2 && label != "" && !strings.ContainsAny(label, "\t\r\n") {
			got, errs := drain(t, dataset.JSONL(bytes.NewReader(in), "f", nil))
			equal(t, got, texts(label, text))
			equal(t, errs, nil)
		}
	})
}

// Vectors are read as they are after being rewritten the slow way, whatever is
// bad left out.
func FuzzSVMLight(f *testing.F) {
	for _, s := range []string{"1 1:2 3:0.5\n", "-1 qid:1 2:1e-3 1:-4 # x", "+1\n0:1\n1 1:1 1:2", "1 1:nan\n1 2147483648:1", "a 1:0x1p-2", "é 007:1_0", "0\x02\u200a.", "1 2:1 +2:1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		checkChunks(t, in, dataset.SVMLight)
		if !utf8.Valid(in) {
			return
		}
		got, _ := drain(t, dataset.SVMLight(bytes.NewReader(in), "f", nil))
		again, _ := drain(t, dataset.SVMLight(naive(in), "f", nil))
		equal(t, again, got)
	})
}

// naive rewrites the lines of in, without those that are bad in themselves.
func naive(in []byte) io.Reader {
	var out strings.Builder
	for line := range strings.SplitSeq(strings.TrimPrefix(string(in), "\ufeff"), "\n") {
		line, _, _ = strings.Cut(line, "#")
		isSpace := func(r rune) bool { return strings.ContainsRune(" \t\v\f\r", r) }
		if words := strings.FieldsFunc(line, isSpace); len(words) > 0 {
			out.WriteString(naiveLine(words))
		}
	}
	return strings.NewReader(out.String())
}

func naiveLine(words []string) string {
	out := words[0]
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "qid:") {
			continue
		}
		i, v, _ := strings.Cut(word, ":")
		index, err := strconv.ParseUint(i, 10, 64)
		value, err2 := strconv.ParseFloat(v, 64)
		if err != nil || err2 != nil || index < 1 {
			return ""
		}
		out += " " + strconv.FormatUint(index, 10) + ":" + strconv.FormatFloat(value, 'g', -1, 64)
	}
	return out + "\n"
}
