package label

import "math"

// Next returns the question that a person is asked next, false if there is none. It stays until the person has answered
// or skipped the text, so a page may be loaded again; nobody else is asked it meanwhile, unless it measures or nothing else is left.
//
// All people are asked the same measured texts, in the same order, so their agreement can be measured by these. Of the
// other texts each has one answer.
//
// It takes time in proportion to the texts times the classes, whatever their length: some milliseconds of 20,000.
func (p *Pile) Next(who string) (Question, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.person(who)
	if i := one.asked; i >= 0 && p.open(one, i) && (one.measured || p.answers[i].label == "") {
		return Question{i, one.measured}, true
	}
	q, ok := p.next(one)
	one.asked, one.measured = -1, false
	if ok {
		one.asked, one.measured = q.Text, q.Measured
	}
	return q, ok
}

// questions returns how many questions a person has answered. Texts that are about the same are one.
func (p *Pile) questions(one *person) int {
	n, groups := 0, make(map[int]bool) // by their first text
	for i := range one.answers {
		if alike := p.alike[i]; alike == nil || p.kept[i] {
			n++
		} else {
			groups[alike[0]] = true
		}
	}
	return n + len(groups)
}

// chosen returns how many questions that do not measure have an answer, whoever gave it.
func (p *Pile) chosen() int {
	n, groups := 0, make(map[int]bool) // by their first text
	for i, a := range p.answers {
		switch alike := p.alike[i]; {
		case a.label == "" || p.kept[i]:
		case alike == nil:
			n++
		default:
			groups[alike[0]] = true
		}
	}
	return n + len(groups)
}

// Questions measure once this many others a class have been answered, or that many in all, or half of the texts that there are for these.
const chosenFirst, mostChosenFirst = 3, 50

// measures reports whether the next question of a person, who has come with some of those that measure, is to be one of them. The first answers teach most if they are asked for,
// and the few of them that would be drawn measure nothing, so questions begin to measure later, and four times as often, until as many do as should; those of [Random] are no better than drawn ones. That gains 0.01 of 20news with 43 and 52 answers, and
// 0.001 to 0.005 of agnews with ten to 14 (docs/labels-tried.md).
func (p *Pile) measures(one *person, drawn int) bool {
	if drawn >= len(p.reserve) || drawn*p.measured > p.questions(one) {
		return false
	}
	if p.order == Random {
		return true
	}
	first := min(chosenFirst*max(1, int(p.scores.live)), mostChosenFirst, (len(p.texts)-len(p.reserve))/2)
	return drawn*(p.measured-1) <= 4*(p.chosen()-first)
}

// open reports whether a person has neither answered nor skipped a text.
func (p *Pile) open(one *person, i int) bool { return one.answers[i] == "" && !one.skipped[i] }

func (p *Pile) next(one *person) (Question, bool) {
	p.scores.prepare()
	drawn := p.drawn(one)
	if p.measures(one, drawn) {
		return Question{p.reserve[drawn], true}, true
	}
	asked := make(map[int]bool)
	for _, other := range p.people {
		if other != one && other.asked >= 0 {
			asked[other.asked] = true
			if !p.kept[other.asked] { // or else it has an answer of its own
				for _, i := range p.alike[other.asked] {
					asked[i] = true
				}
			}
		}
	}
	best, most, held := -1, math.Inf(-1), -1
	for _, i := range p.shuffled {
		if p.kept[i] || p.answers[i].label != "" || !p.open(one, i) {
			continue
		}
		if asked[i] {
			held = i
			continue
		}
		if worth := p.order.worth(p.scores, i, most); best < 0 || worth > most {
			best, most = i, worth
		}
	}
	if best < 0 && drawn < len(p.reserve) { // nothing else is left
		return Question{p.reserve[drawn], true}, true
	}
	if best < 0 { // but what others were asked, who may be gone
		best = held
	}
	return Question{Text: best}, best >= 0
}

// drawn returns how many of the first texts of the reserve a person has answered or skipped.
func (p *Pile) drawn(one *person) int {
	for one.drawn < len(p.reserve) && !p.open(one, p.reserve[one.drawn]) {
		one.drawn++
	}
	return one.drawn
}

// drawnAnswers returns the texts that measure: of the first of the reserve, as far as each was answered or skipped
// by anybody, those that have a label.
func (p *Pile) drawnAnswers() (list []int) {
	for _, i := range p.reserve {
		switch {
		case p.answers[i].label != "":
			list = append(list, i)
		case !p.skippedByAny(i):
			return list
		}
	}
	return list
}

func (p *Pile) skippedByAny(i int) bool {
	for _, one := range p.people {
		if one.skipped[i] {
			return true
		}
	}
	return false
}
