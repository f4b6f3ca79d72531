package cli

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// parsed returns what train makes of flags.
func parsed(t *testing.T, words []string) (*Trainer, *cobra.Command) {
	t.Helper()
	tr, cmd := new(Trainer), new(cobra.Command)
	tr.AddFlags(cmd)
	if err := cmd.ParseFlags(words); err != nil {
		t.Fatal(err)
	}
	return tr, cmd
}

// What tune tries is what train does with the flags that tune prints.
func TestSettingsAreFlags(t *testing.T) {
	for _, given := range [][]string{
		nil,
		{"--numeric", "age"},
		{"--text", "notes", "--numeric", "age", "--lowercase=false", "--min-length", "2"},
	} {
		base, cmd := parsed(t, given)
		list := base.settings(cmd, true, 3)
		seen := make(map[string]bool)
		for i, s := range list {
			variants := s.variants(cmd)
			s = variants[i%len(variants)]
			if i%7 == 0 {
				s.calibrate = "temperature"
			}
			if seen[s.String()] {
				t.Errorf("%v is tried twice", s)
			}
			seen[s.String()] = true
			got := s.on(base)
			want, _ := parsed(t, append(given[:len(given):len(given)], s.words()...))
			if got.flags, want.flags = nil, nil; !reflect.DeepEqual(got, want) {
				t.Errorf("%v with %v: %+v, want %+v", given, s, got, want)
			}
		}
		if len(list) < 100 {
			t.Errorf("%v: only %d settings", given, len(list))
		}
	}
}

// A flag that is given is not varied, nor what goes with it.
func TestGivenFlagsAreNotVaried(t *testing.T) {
	for _, test := range []struct{ given, never string }{
		{"--ngrams=1-2", "--analyzer --chars --char-words --ngrams --negation --stem --subwords"},
		{"--idf", "--weighting --idf --norm"},
		{"--max-df=0.5", "--min-df --select"},
		{"--model=bernoulli", "--model --complement-norm --numeric-model"},
		{"--numeric-model=kernel", "--numeric-model"},
		{"--alpha=evidence", "--alpha bernoulli"},
		{"--alpha=0", "--complement-norm"},
	} {
		base, cmd := parsed(t, []string{"--numeric", "age", "--text", "notes", test.given})
		for i, s := range base.settings(cmd, true, 3) {
			variants := s.variants(cmd)
			s = variants[i%len(variants)]
			for _, word := range s.words() {
				if strings.Contains(" "+test.never+" ", " "+word+" ") {
					t.Errorf("%s: %v is tried", test.given, s)
				}
			}
		}
	}
}

// One class against the rest is tried where there are more than two: of two it is multinomial.
func TestRestIsOfThree(t *testing.T) {
	base, cmd := parsed(t, nil)
	for classes, want := range map[int]int{2: 265, 3: 301} {
		list := base.settings(cmd, true, classes)
		tried := slices.ContainsFunc(list, func(s setting) bool { return s.text.model == "one-versus-rest" })
		if len(list) != want || tried != (classes > 2) {
			t.Errorf("%d classes: %d settings, want %d; one-versus-rest: %v", classes, len(list), want, tried)
		}
	}
}
