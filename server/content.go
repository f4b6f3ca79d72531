package server

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"bayes"
	"bayes/internal/excerpt"
)

// contentOf returns what an example holds, by the names that its document's object has: strings
// and numbers, in the order of the example.
func contentOf(ex bayes.Example) (names []string, values []any) {
	add := func(name string, value any) { names, values = append(names, name), append(values, value) }
	if ex.Text != "" || len(ex.Attrs) == 0 {
		add("text", ex.Text)
	}
	for _, a := range ex.Attrs {
		if s, ok := a.Words(); ok {
			add(a.Name, s)
		} else if v, ok := a.Value(); ok {
			add(a.Name, v)
		} else if n, ok := a.Count(); ok {
			add(a.Name, n)
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
			parts = append(parts, excerpt.Shorten(v, most))
		case float64:
			parts = append(parts, strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return excerpt.Shorten(strings.Join(parts, " · "), most)
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
