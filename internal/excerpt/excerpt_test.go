package excerpt

import "testing"

// What is cut from a text is no part of a character.
func TestStart(t *testing.T) {
	for n, want := range []string{"", "a", "a", "aé", "aé", "aé", "aé語", "aé語b", "aé語b"} {
		if got := Start("aé語b", n); got != want {
			t.Errorf("of %d bytes: %q, want %q", n, got, want)
		}
	}
	for s, want := range map[string]string{"": "", "\xff\xff\xff\xff\xff": "\xff\xff\xff\xff", "\x80\x80\x80\x80\x80": ""} {
		if got := Start(s, 4); got != want {
			t.Errorf("of %q: %q, want %q", s, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	for n, want := range []string{"…", "a…", "a…", "aé"} {
		if got := Shorten("aé", n); got != want {
			t.Errorf("to %d bytes: %q, want %q", n, got, want)
		}
	}
}
