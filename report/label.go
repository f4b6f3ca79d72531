package report

import "strings"

// mostLabel is how many characters of a label are shown.
const mostLabel = 60

// label returns a label as it is shown: not nothing, and not a page long.
func label(s string) string {
	if s == "" {
		return "(empty)"
	}
	if r := []rune(s); len(r) > mostLabel {
		return string(r[:mostLabel-1]) + "…"
	}
	return s
}

// breakable cuts a label, as it is shown, behind each character at which a line may
// end.
func breakable(s string) []string {
	s = label(s)
	var parts []string
	from := 0
	for i := range len(s) {
		if strings.IndexByte("._/-", s[i]) >= 0 {
			parts = append(parts, s[from:i+1])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

// listed returns the first few of a list of labels as prose.
func listed(labels []string) string {
	const most = 6
	var list []string
	for _, s := range labels[:min(len(labels), most)] {
		list = append(list, label(s))
	}
	switch {
	case len(labels) > most:
		return strings.Join(list, ", ") + " or " + plural(int64(len(labels)-most), "other class", "other classes")
	case len(list) == 1:
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// labelled returns the labels of a document as prose.
func labelled(labels []string) string {
	if len(labels) == 0 {
		return "no label"
	}
	var list []string
	for _, s := range labels {
		list = append(list, label(s))
	}
	return strings.Join(list, ", ")
}
