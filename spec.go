package bayes

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ParseEventModel returns the event model that s describes, such as
// "multinomial smoothing=0.1 prior=uniform". What is left out has its default.
func ParseEventModel(s string) (EventModel, error) {
	words, err := splitSpec(s)
	if err != nil || len(words) == 0 {
		return nil, fmt.Errorf("bayes: event model %q: want multinomial, complement or bernoulli", s)
	}
	var (
		smoothing Smoothing = Additive(1)
		prior     Prior     = Empirical{}
		norm      bool
	)
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		switch {
		case key == "smoothing":
			smoothing, err = ParseSmoothing(value)
		case key == "prior":
			prior, err = ParsePrior(value)
		case word == "norm" && words[0] == "complement":
			norm = true
		default:
			err = fmt.Errorf("bayes: event model %q: %q is not an option of %s", s, word, words[0])
		}
		if err != nil {
			return nil, err
		}
	}
	switch words[0] {
	case "multinomial":
		return Multinomial{Prior: prior, Smoothing: smoothing}, nil
	case "complement":
		return Complement{Prior: prior, Smoothing: smoothing, Normalize: norm}, nil
	case "bernoulli":
		return Bernoulli{Prior: prior, Smoothing: smoothing}, nil
	}
	return nil, fmt.Errorf("bayes: unknown event model %q: want multinomial, complement or bernoulli", words[0])
}

// splitSpec cuts s at spaces that are not inside quotation marks.
func splitSpec(s string) ([]string, error) {
	var words []string
	quoted, start := false, -1
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == ' ' && !quoted:
			if start >= 0 {
				words = append(words, s[start:i])
			}
			start = -1
			continue
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '\\' && quoted:
			if start < 0 {
				start = i
			}
			i++
			continue
		}
		if start < 0 {
			start = i
		}
	}
	if quoted {
		return nil, fmt.Errorf("unclosed quotation mark")
	}
	return words, nil
}

// joinShares returns NAME=NUMBER,NAME=NUMBER, sorted by name. Names with a
// space, a comma, an equals sign or a quotation mark are quoted as in Go.
func joinShares(shares map[string]float64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		quoted := name
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`,="\`, r) || !strconv.IsPrint(r) }) {
			quoted = strconv.Quote(name)
		}
		parts = append(parts, quoted+"="+formatFloat(shares[name]))
	}
	return strings.Join(parts, ",")
}

// parseShares reads what [joinShares] returns.
func parseShares(s string) (map[string]float64, error) {
	shares := make(map[string]float64)
	for rest := s; ; {
		name, v, tail, err := cutShare(rest)
		if err != nil {
			return nil, err
		}
		if _, twice := shares[name]; twice {
			return nil, fmt.Errorf("%q is named twice", name)
		}
		shares[name] = v
		if tail == "" {
			return shares, nil
		}
		rest = tail[1:]
	}
}

// cutShare reads one NAME=NUMBER from the front of s. The tail is empty or
// begins with a comma.
func cutShare(s string) (name string, v float64, tail string, err error) {
	if strings.HasPrefix(s, `"`) {
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", 0, "", fmt.Errorf("unclosed quotation mark")
		}
		name, _ = strconv.Unquote(quoted)
		s = s[len(quoted):]
	} else if i := strings.IndexAny(s, "=,"); i > 0 {
		name, s = s[:i], s[i:]
	}
	if !strings.HasPrefix(s, "=") {
		return "", 0, "", fmt.Errorf("no = after the name %q", name)
	}
	number := s[1:]
	if i := strings.IndexByte(number, ','); i >= 0 {
		number, tail = number[:i], number[i:]
	}
	if v, err = strconv.ParseFloat(number, 64); err != nil {
		return "", 0, "", fmt.Errorf("%q is no number", number)
	}
	return name, v, tail, nil
}
