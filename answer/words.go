package answer

import (
	"strings"

	"bayes"
	"bayes/internal/specgrammar"
)

// Known is what knows which columns it was counted from: Counts, or a Model.
type Known interface {
	Attributes() (texts, numbers, categories []string)
	ReadsText() bool
}

// FeatureWord returns what the features of k are called: terms, unless k has columns and none of them is text.
func FeatureWord(k Known) string {
	if has := kinds(k); !has["text"] && (has["number"] || has["category"]) {
		return "feature"
	}
	return "term"
}

// EventModel returns the description of em for people: without the models of texts, numbers or
// categories where k has none of them. [bayes.ParseEventModel] reads it as em for counts like k.
func EventModel(em bayes.EventModel, k Known) string {
	has := kinds(k)
	if !has["text"] && !has["number"] && !has["category"] {
		return em.String() // nothing is known yet
	}
	return describe(em.String(), has)
}

// kinds returns which kinds of columns k has.
func kinds(k Known) map[string]bool {
	texts, numbers, categories := k.Attributes()
	return map[string]bool{"text": len(texts) > 0 || k.ReadsText(), "number": len(numbers) > 0, "category": len(categories) > 0}
}

// describe leaves the models of kinds that there are none of out of a description, of a model
// inside another one too.
func describe(description string, has map[string]bool) string {
	words, err := specgrammar.Words(description)
	if err != nil {
		return description
	}
	kept := words[:0:0]
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		inner, nested := specgrammar.Inner(value)
		there, kind := has[key]
		switch {
		case !nested:
			kept = append(kept, word)
		case there || !kind:
			kept = append(kept, key+"=("+describe(inner, has)+")")
		}
	}
	return strings.Join(kept, " ")
}
