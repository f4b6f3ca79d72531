// Package specgrammar reads and writes the parts that the descriptions of event
// models, priors and smoothings are made of: words, which may have others in
// parentheses, and numbers by name.
//
//	mixed prior=ham=0.8,spam=0.2 text=(multinomial smoothing=0.1)
//
// Reading takes time linear in the description, whoever wrote it.
package specgrammar

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// MaxDepth is how deep parentheses may nest. Each level is read once more by the
// level inside it. No event model that says anything needs more than five.
const MaxDepth = 16

var (
	errUnclosed = errors.New("an unclosed quotation mark or parenthesis")
	errDepth    = fmt.Errorf("parentheses nest deeper than %d", MaxDepth)
)

// Words cuts s at spaces that are inside neither quotation marks nor
// parentheses.
func Words(s string) ([]string, error) {
	var words []string
	quoted, depth, start := false, 0, -1
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == ' ' && !quoted && depth == 0 {
			if start >= 0 {
				words = append(words, s[start:i])
			}
			start = -1
			continue
		}
		if start < 0 {
			start = i
		}
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted && i+1 < len(s):
			i++
		case c == '(' && !quoted:
			if depth++; depth > MaxDepth {
				return nil, errDepth
			}
		case c == ')' && !quoted:
			depth--
		}
	}
	if quoted || depth != 0 {
		return nil, errUnclosed
	}
	return words, nil
}

// Inner returns what is in the parentheses that s begins and ends with, and
// whether it has them.
func Inner(s string) (string, bool) {
	if len(s) < 2 || s[0] != '(' || s[len(s)-1] != ')' {
		return "", false
	}
	return s[1 : len(s)-1], true
}

// IsFloat reports whether b is how this program writes a finite float64.
func IsFloat(b []byte) bool {
	v, err := strconv.ParseFloat(string(b), 64)
	return err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) && strconv.FormatFloat(v, 'g', -1, 64) == string(b)
}

// JoinShares returns NAME=NUMBER,NAME=NUMBER, sorted by name. Names with a
// space, a comma, an equals sign, a quotation mark or an unclosed parenthesis are quoted as in Go.
func JoinShares(shares map[string]float64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		quoted := name
		_, unclosed := Words(name)
		if name == "" || unclosed != nil || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`,="\`, r) || !strconv.IsPrint(r) }) {
			quoted = strconv.Quote(name)
		}
		parts = append(parts, quoted+"="+strconv.FormatFloat(shares[name], 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}

// ParseShares reads what [JoinShares] returns.
func ParseShares(s string) (map[string]float64, error) {
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
			return "", 0, "", errors.New("unclosed quotation mark")
		}
		name, _ = strconv.Unquote(quoted)
		s = s[len(quoted):]
	} else if i := strings.IndexAny(s, "=,"); i > 0 {
		name, s = s[:i], s[i:]
	}
	if !strings.HasPrefix(s, "=") {
		return "", 0, "", fmt.Errorf("no = after the name %.100q", name)
	}
	number := s[1:]
	if i := strings.IndexByte(number, ','); i >= 0 {
		number, tail = number[:i], number[i:]
	}
	if v, err = strconv.ParseFloat(number, 64); err != nil {
		return "", 0, "", fmt.Errorf("%.100q is no number", number)
	}
	return name, v, tail, nil
}

// CheckDistribution returns an error if shares are no distribution: each from 0 to 1, and all together 1.
func CheckDistribution(shares map[string]float64) error {
	var sum float64
	for _, label := range slices.Sorted(maps.Keys(shares)) {
		p := shares[label]
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("the probability of %q must be between 0 and 1, not %v", label, p)
		}
		sum += p
	}
	if math.Abs(sum-1) > 1e-8 {
		return fmt.Errorf("the probabilities sum to %v, not to 1", sum)
	}
	return nil
}
