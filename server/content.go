package server

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"bayes"
	"bayes/internal/wire"
)

// contentOf returns what an example holds, by the names that its document's object has: strings
// and numbers, in the order of the example. It reads the bytes of
// [bayes.Example.AppendBinary], which have the strings of attributes.
func contentOf(ex bayes.Example) (names []string, values []any) {
	add := func(name string, value any) { names, values = append(names, name), append(values, value) }
	data, _ := ex.MarshalBinary() // it has no error
	d := wire.NewDecoder(data, 0)
	str := func() string { return string(d.Bytes(d.Uvarint())) }
	str() // the label
	if text := str(); text != "" {
		add("text", text)
	}
	d.Bytes(8) // the weight
	for d.Len() > 0 && d.Err() == nil {
		kind, name := d.Bytes(1), str()
		if kind[0] == 't' || kind[0] == 'c' {
			add(name, str())
		} else {
			if b := d.Bytes(8); b != nil {
				add(name, math.Float64frombits(binary.LittleEndian.Uint64(b)))
			}
		}
	}
	return names, values
}

// objectOf returns an example as the object that predict and learn take, without its label.
func objectOf(ex bayes.Example) map[string]any {
	object := make(map[string]any)
	names, values := contentOf(ex)
	for i, name := range names {
		object[name] = values[i]
	}
	return object
}

// excerptOf returns the beginning of what an example holds, of at most some bytes.
func excerptOf(ex bayes.Example, most int) string {
	var parts []string
	_, values := contentOf(ex)
	for _, v := range values {
		switch v := v.(type) {
		case string:
			parts = append(parts, beginning(v, most))
		case float64:
			parts = append(parts, strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return beginning(strings.Join(parts, " · "), most)
}

// beginning returns the first characters of s that are at most as many bytes.
func beginning(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// contentID returns a name for what an example holds: a hash, so that the same content has the
// same name, and is learned once.
func contentID(ex bayes.Example) string {
	ex.Label, ex.Weight = "", 1
	data, _ := ex.MarshalBinary() // it has no error
	sum := sha256.Sum256(data)
	return "content-" + hex.EncodeToString(sum[:16])
}

// sizeOf returns how many bytes of memory an example takes, about.
func sizeOf(ex bayes.Example) int64 {
	data, _ := ex.MarshalBinary() // it has no error
	return int64(len(data)) + int64(len(ex.Attrs))*64 + 200
}
