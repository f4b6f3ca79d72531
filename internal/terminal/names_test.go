package terminal

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	many := strings.Split(strings.Repeat("x", 22), "")
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"a"}, `"a"`},
		{[]string{"a\n", "\x1b[31mb"}, `"a\n" and "\x1b[31mb"`},
		{[]string{"a", "b", ""}, `"a", "b" and ""`},
		{[]string{strings.Repeat("ä", 60)}, `"` + strings.Repeat("ä", 60) + `"`},
		{[]string{strings.Repeat("ä", 61), "b"}, `"` + strings.Repeat("ä", 60) + `"... and "b"`},
		{many[:20], strings.Repeat(`"x", `, 18) + `"x" and "x"`},
		{many, strings.Repeat(`"x", `, 19) + `"x" and 2 more`},
	} {
		if got := Names(c.names); got != c.want {
			t.Errorf("%q: %s, not %s", c.names, got, c.want)
		}
	}
}
