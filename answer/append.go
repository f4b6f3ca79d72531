package answer

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bayes"
)

// AppendPrediction appends what encoding/json, without escaping for HTML, makes
// of [NewPrediction] with an ID: the same bytes, many times as fast.
func AppendPrediction(b []byte, id string, p bayes.Prediction, threshold float64, top int) []byte {
	n := len(p.Classes) + p.LeftOut
	top = Top(n, top)
	b = append(b, '{')
	if id != "" {
		b = append(b, `"id":`...)
		b = append(appendString(b, id), ',')
	}
	b = append(b, `"label":`...)
	label, reason := decide(&p, threshold)
	b = appendString(b, label)
	if p.Labels != nil {
		b = append(b, `,"labels":[`...)
		for i, label := range Labels(p, threshold) {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, label)
		}
		b = append(b, ']')
	}
	if reason != "" {
		b = append(b, `,"reason":`...)
		b = appendString(b, reason)
	}
	if p.Typicality != 0 {
		b = append(b, `,"typicality":`...)
		b = appendReal(b, p.Typicality)
	}
	b = append(b, `,"probability":`...)
	b = appendReal(b, p.Answer().P)
	var few [16]int
	order := sorted(few[:0], p.Classes, top, p.Chosen)
	b = append(b, `,"probabilities":{`...)
	for i, k := range order {
		b = appendMember(b, i, p.Classes[k].Class, p.Classes[k].P)
	}
	b = append(b, `},"log_joint":{`...)
	for i, k := range order {
		b = appendMember(b, i, p.Classes[k].Class, p.Classes[k].LogJoint)
	}
	b = append(b, '}')
	if out := n - len(order); out > 0 {
		b = append(b, `,"left_out":`...)
		b = strconv.AppendInt(b, int64(out), 10)
	}
	b = append(b, `,"known":`...)
	b = strconv.AppendInt(b, int64(p.Known), 10)
	b = append(b, `,"unknown":`...)
	b = strconv.AppendInt(b, int64(p.Unknown), 10)
	return append(b, '}')
}

// sorted appends the places of the top classes, and that of the chosen one, in the order of their names.
func sorted(order []int, classes []bayes.Prob, top, chosen int) []int {
	for k := range min(top, len(classes)) {
		order = append(order, k)
	}
	if chosen >= len(order) {
		order = append(order, chosen)
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(classes[i].Class, classes[j].Class) })
	return order
}

func appendMember(b []byte, i int, key string, v float64) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	b = appendString(b, key)
	b = append(b, ':')
	return appendReal(b, v)
}

// appendReal appends v as [Real.MarshalJSON] has it.
func appendReal(b []byte, v float64) []byte {
	switch {
	case math.IsInf(v, 1):
		return append(b, `"inf"`...)
	case math.IsInf(v, -1):
		return append(b, `"-inf"`...)
	}
	format := byte('f')
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, v, format, -1, 64)
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
		b[n-2] = b[n-1] // e-09 is e-9
		b = b[:n-1]
	}
	return b
}

// appendString appends s as a JSON string.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendHardString(b, s)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func appendHardString(b []byte, s string) []byte {
	var w strings.Builder
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string has none
		return append(b, `""`...)
	}
	return append(b, strings.TrimSuffix(w.String(), "\n")...)
}
