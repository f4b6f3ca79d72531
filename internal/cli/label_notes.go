package cli

import (
	"slices"
	"strconv"
	"strings"

	"bayes/eval"
	"bayes/internal/terminal"
)

// sameLabel returns what labels have in common that differ in case or surrounding space alone.
func sameLabel(label string) string { return strings.ToLower(strings.TrimSpace(label)) }

// noteLabels notes labels that differ in case or surrounding space alone: they are classes of
// their own, which is seldom meant.
func (a *App) noteLabels(classes []string) {
	alike := make(map[string][]string)
	for _, label := range classes {
		alike[sameLabel(label)] = append(alike[sameLabel(label)], label)
	}
	notes := 0
	for _, label := range classes {
		list := alike[sameLabel(label)]
		if len(list) < 2 || label != list[0] {
			continue
		}
		if notes++; notes > 5 {
			a.noteOnce("note: and more labels that differ in case or surrounding space alone")
			return
		}
		a.noteOnce("note: the labels " + terminal.Names(list) + " differ in case or surrounding space alone, and are " + Count(len(list)) + " classes")
	}
}

// noteOnce notes a line, unless it has been noted before.
func (a *App) noteOnce(line string) {
	if slices.Contains(a.noted, line) {
		return
	}
	a.noted = append(a.noted, line)
	a.Note("%s", line)
}

// noteOneClass notes that there is nothing to tell apart.
func (a *App) noteOneClass(class string) {
	a.noteOnce("note: there is one class only, " + strconv.Quote(class) + ", so every answer will be that")
}

// noteUnmet notes labels of test documents that are no class of what was tested: each of
// these documents is a mistake, whatever is answered.
func (a *App) noteUnmet(t *eval.Tally, classes []string) {
	met, alike := make(map[string]bool), make(map[string]string) // the first class that is spelled like a label
	for _, label := range classes {
		met[label] = true
		if same := sameLabel(label); alike[same] == "" {
			alike[same] = label
		}
	}
	var unmet []string
	documents := int64(0)
	for _, c := range t.Classes() {
		if c.Support > 0 && !met[c.Label] {
			unmet = append(unmet, c.Label)
			documents += c.Support
		}
	}
	if len(unmet) == 0 {
		return
	}
	known := "it knows " + terminal.Names(classes)
	for _, label := range unmet {
		if class := alike[sameLabel(label)]; class != "" {
			known = "it knows " + strconv.Quote(class) + ", which differs in case or surrounding space alone"
			break
		}
	}
	a.noteOnce("note: the model has never met the label" + pluralS(len(unmet)) + " " + terminal.Names(unmet) + " of " +
		Count(documents) + " of " + Count(t.Documents()) + " test documents, which all count as mistakes (" + known + ")")
}

// pluralS returns the ending of a noun for n things.
func pluralS(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
