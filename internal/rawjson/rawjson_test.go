package rawjson_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bayes/internal/rawjson"

	"github.com/google/go-cmp/cmp"
)

func ExampleScanner() {
	object := []byte(`{"id": "7", "tags": ["a", "b"], "n": 1.5}`)
	for s := rawjson.Open(object); s.Member(); {
		fmt.Printf("%s: %s\n", s.Key, s.Value)
	}
	// Output:
	// id: "7"
	// tags: ["a", "b"]
	// n: 1.5
}

// decode is what encoding/json would make of valid JSON, by means of a Scanner.
func decode(value []byte) any {
	switch value[0] {
	case '{':
		m := make(map[string]any)
		for s := rawjson.Open(value); s.Member(); {
			m[string(s.Key)] = decode(s.Value)
		}
		return m
	case '[':
		list := []any{}
		for s := rawjson.Open(value); s.Element(); {
			list = append(list, decode(s.Value))
		}
		return list
	case '"':
		return string(rawjson.AppendString(nil, value))
	}
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return err.Error()
	}
	return v
}

func FuzzScanner(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, ` [ ] `, `[1]`, `[[],{}]`, `{"a":[1,2,{"b":"]}\"\\"}],"c":null}`, "{\n\"a\" : \"\\ud83d\\ude00\\ud83dx\" ,\t\"a\":true}",
		`[1,"\u0041\n",-1.5e3,false]`, `{"":""}`, `[{"documents":[{"id":"1"}]}]`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want any
		if !json.Valid([]byte(s)) || strings.ToValidUTF8(s, "") != s {
			return
		}
		if err := json.Unmarshal([]byte(s), &want); err != nil {
			return // a number out of range
		}
		if s = strings.Trim(s, " \t\r\n"); s[0] != '{' && s[0] != '[' {
			return
		}
		if diff := cmp.Diff(want, decode([]byte(s))); diff != "" {
			t.Errorf("%q: -want +got:\n%s", s, diff)
		}
	})
}

// BenchmarkMembers measures what a Scanner replaces: it reads two members, whose names
// are known only at run time, of a line of six.
func BenchmarkMembers(b *testing.B) {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 8)
	line, err := json.Marshal(map[string]any{
		"id": 4711, "label": "sport", "text": text + "\n\"" + text, "lang": "en", "tags": []string{"a", "b"}, "score": 0.5,
	})
	if err != nil {
		b.Fatal(err)
	}
	label, content := "label", "text"
	for _, way := range []struct {
		name string
		read func() (string, string)
	}{
		{"encoding-json", func() (string, string) {
			var m map[string]json.RawMessage
			var first, second string
			if json.Unmarshal(line, &m) != nil || json.Unmarshal(m[label], &first) != nil || json.Unmarshal(m[content], &second) != nil {
				b.Fatal("not read")
			}
			return first, second
		}},
		{"scanner", func() (first, second string) {
			if !json.Valid(line) {
				b.Fatal("not valid")
			}
			for s := rawjson.Open(line); s.Member(); {
				switch string(s.Key) {
				case label:
					first = string(rawjson.AppendString(nil, s.Value))
				case content:
					second = string(rawjson.AppendString(nil, s.Value))
				}
			}
			return first, second
		}},
	} {
		b.Run("way="+way.name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if first, second := way.read(); first != "sport" || len(second) != 2*len(text)+2 {
					b.Fatal(first, second)
				}
			}
		})
	}
}
