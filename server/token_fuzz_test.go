package server_test

import (
	"bytes"
	"strings"
	"testing"

	"bayes/internal/fuzzing"
	"bayes/server"
)

// A file of tokens that is read is written as lines that read as the same tokens.
func FuzzTokens(f *testing.F) {
	token, _ := server.NewToken("moderators", server.Read, server.Learn)
	for _, s := range []string{"", "# comment\n\n" + token.String() + "\n", token.String() + "\r\n\tx read " + strings.Repeat("0", 64), "a b c", "a read,read 00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		var (
			list []server.Token
			err  error
		)
		fuzzing.Bound(t, len(file), 1024, func() { list, err = server.ParseTokens(bytes.NewReader(file)) })
		if err != nil {
			if strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("error in several lines: %q", err)
			}
			return
		}
		var lines strings.Builder
		for _, token := range list {
			lines.WriteString(token.String() + "\n")
		}
		again, err := server.ParseTokens(strings.NewReader(lines.String()))
		if err != nil || len(again) != len(list) {
			t.Fatalf("%q is written as %q: %v", file, lines.String(), err)
		}
		for i := range list {
			if again[i].String() != list[i].String() {
				t.Errorf("%v becomes %v", list[i], again[i])
			}
		}
	})
}
