package mail

import (
	"bytes"
	"strings"
)

// The names of the fields that [Mark] adds.
const (
	StatusField = "X-Bayes-Status"
	ScoreField  = "X-Bayes-Score"
	ReasonField = "X-Bayes-Reason"
)

// Fields returns the fields that [Mark] adds. Their values are of one line each.
func (v Verdict) Fields() []Field {
	reason := strings.Join(v.Reason, ", ")
	if reason == "" {
		reason = "nothing in it is known"
	}
	return []Field{{StatusField, v.Status.String()}, {ScoreField, logOdds(v.Score, 4, "")}, {ReasonField, reason}}
}

// Mark returns a message with the fields of a verdict in front, and without those of their names that
// it has, whoever wrote them. Everything else stays as it is, byte for byte. The fields are in front
// because no damage to the header hides them there; a line "From ..." of an mbox stays the first.
//
// Fields are dropped up to the first empty line, since not all programs end the header at a line that
// is no field.
func Mark(raw []byte, v Verdict) []byte {
	head := len(raw) - len(skipMboxLine(raw))
	end := "\n"
	if line, _, _ := bytes.Cut(raw, []byte{'\n'}); bytes.HasSuffix(line, []byte{'\r'}) {
		end = "\r\n"
	}
	out := make([]byte, 0, len(raw)+1<<10)
	out = append(out, raw[:head]...)
	if head > 0 && raw[head-1] != '\n' {
		out = append(out, end...)
	}
	for _, f := range v.Fields() {
		out = append(append(out, fold(f.Name+": "+f.Value, end)...), end...)
	}
	dropping := false
	for rest := raw[head:]; len(rest) > 0; {
		line, after := cutLine(rest)
		if len(line) == 0 {
			return append(out, rest...)
		}
		if line[0] != ' ' && line[0] != '\t' {
			dropping = isOurs(line)
		}
		if !dropping {
			out = append(out, rest[:len(rest)-len(after)]...)
		}
		rest = after
	}
	return out
}

// isOurs reports whether a line begins a field that Mark adds.
func isOurs(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte{':'})
	if !ok {
		return false
	}
	name = bytes.TrimRight(name, " \t\r\v\f\x00")
	for _, ours := range []string{StatusField, ScoreField, ReasonField} {
		if strings.EqualFold(string(name), ours) {
			return true
		}
	}
	return false
}

// fold breaks a field into lines of less than 78 letters, at blanks.
func fold(field, end string) string {
	const longest = 77
	var b strings.Builder
	used := 0
	for i, word := range strings.Split(field, " ") {
		switch {
		case i == 0:
		case used+1+len(word) > longest:
			b.WriteString(end + " ")
			used = 1
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += len(word)
	}
	return b.String()
}
