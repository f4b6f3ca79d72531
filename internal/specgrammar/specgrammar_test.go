package specgrammar

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	for s, want := range map[string][]string{
		"":                                    nil,
		"  a  b ":                             {"a", "b"},
		`mixed text=(selected model=(x y)) z`: {"mixed", "text=(selected model=(x y))", "z"},
		`prior="a b"=1,"(\"\\"=2 z`:           {"prior=\"a b\"=1,\"(\\\"\\\\\"=2", "z"},
		strings.Repeat("(", MaxDepth) + " " + strings.Repeat(")", MaxDepth): {strings.Repeat("(", MaxDepth) + " " + strings.Repeat(")", MaxDepth)},
	} {
		if got, err := Words(s); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	}
	for s, want := range map[string]string{
		"(":                                 "unclosed",
		`"a`:                                "unclosed",
		"a)":                                "unclosed",
		strings.Repeat("(x=", MaxDepth+1):   "deeper than 16",
		strings.Repeat("(", 1<<20) + "\"\\": "deeper than 16",
	} {
		if _, err := Words(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", s, err, want)
		}
	}
}

func TestSharesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := rapid.MapOfN(rapid.String(), rapid.Float64(), 1, 5).Draw(t, "shares")
		got, err := ParseShares(JoinShares(shares))
		if err != nil || !maps.Equal(got, shares) {
			t.Fatalf("%q came back as %v, %v", JoinShares(shares), got, err)
		}
	})
	for _, s := range []string{"", "a", "a=", "a=x", `"a`, "a=1,a=2", "a=1,", "=1"} {
		if got, err := ParseShares(s); err == nil && s != "=1" {
			t.Errorf("%q is %v", s, got)
		}
	}
}

func TestPairsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", ">", "a>b", `"`, "(", "a b", "=,"}))
		pairs := make(map[[2]string]float64)
		for range rapid.IntRange(1, 5).Draw(t, "n") {
			pairs[[2]string{name.Draw(t, "actual"), name.Draw(t, "chosen")}] = rapid.Float64().Draw(t, "cost")
		}
		joined := JoinPairs(pairs)
		got, err := ParsePairs(joined)
		if err != nil || !maps.Equal(got, pairs) {
			t.Fatalf("%q came back as %v, %v", joined, got, err)
		}
		if words, err := Words("costs=" + joined); err != nil || len(words) != 1 {
			t.Fatalf("%q is %d words, %v", joined, len(words), err)
		}
	})
	for _, s := range []string{"", "a", "a=1", "a>b", "a>b=x", `"a`, `"a>b=1`, "a>b=1,a>b=2", "a>b=1,", `a>"b`, "=1"} {
		if got, err := ParsePairs(s); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
}

func TestIsFloat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		if !IsFloat([]byte(strings.Split(JoinShares(map[string]float64{"x": v}), "=")[1])) {
			t.Fatalf("%v is none", v)
		}
	})
	for _, s := range []string{"", "1.0", "+1", "NaN", "Inf", "1e999", "0x1p1", "1_0", " 1", "x"} {
		if IsFloat([]byte(s)) {
			t.Errorf("%q is one", s)
		}
	}
}
