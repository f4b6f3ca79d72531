package labelling

import (
	"bayes/internal/labelset"
	"bayes/label"
)

// Outvoted returns which answers of a file to leave out so that each text counts once, by their indices, and how many texts several people have
// answered: of such a text the label stays that most gave, of equally many the last. Of a person's answers to a text that is the last one. The words of
// classes all stay. Where separator is not empty, a text may have several labels.
func Outvoted(answers []label.Answer, separator string) (left map[int]bool, texts int) {
	type text struct{ row, text string }
	all := make(map[text][]int)
	for i, a := range answers {
		if a.Row != Words {
			t := text{a.Row, a.Text}
			all[t] = append(all[t], i)
		}
	}
	left = make(map[int]bool)
	for _, list := range all {
		latest := make(map[string]int) // by person
		for _, i := range list {
			latest[answers[i].Who] = i
		}
		var labels []string
		last := make(map[string]int) // by label
		for _, i := range list {
			left[i] = true
			if latest[answers[i].Who] == i {
				label := canonical(answers[i].Label, separator)
				labels, last[label] = append(labels, label), i
			}
		}
		delete(left, last[labelset.Majority(labels)])
		if len(labels) > 1 {
			texts++
		}
	}
	return left, texts
}
