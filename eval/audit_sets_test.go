package eval_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/eval"
)

// A setFile draws texts with several labels, or none.
type setFile struct {
	rates    []float64 // by label: the share of the texts that have it
	tell     float64   // of the words are drawn from those of the labels that a text has
	shortest int       // words
	longest  int
}

// draw returns n examples with right labels, a, b, c ….
func (f *setFile) draw(seed uint64, n int) []bayes.Example {
	rng := rand.New(rand.NewPCG(seed, 4))
	list := make([]bayes.Example, n)
	for i := range list {
		var labels []string
		var words []string
		var own []int
		for k, rate := range f.rates {
			if rng.Float64() < rate {
				labels, own = append(labels, string(rune('a'+k))), append(own, k)
			}
		}
		for range f.shortest + rng.IntN(f.longest-f.shortest+1) {
			from := fmt.Sprintf("w%dx%d", rng.IntN(len(f.rates)+1), rng.IntN(20))
			if len(own) > 0 && rng.Float64() < f.tell {
				from = fmt.Sprintf("w%dx%d", own[rng.IntN(len(own))], rng.IntN(20))
			}
			words = append(words, from)
		}
		list[i] = bayes.Example{Label: strings.Join(labels, " ") + " ", Text: strings.Join(words, " ")}
	}
	return list
}

// A pair is an example and a label.
type pair struct {
	example int
	label   string
}

// damaged returns examples with some labels taken away at random, and some given at random, and which these are.
func damaged(seed uint64, list []bayes.Example, labels, take, give int) ([]bayes.Example, map[pair]bool) {
	rng := rand.New(rand.NewPCG(seed, 5))
	list, wrong := slices.Clone(list), make(map[pair]bool)
	for taken, given := 0, 0; taken < take || given < give; {
		i, label := rng.IntN(len(list)), string(rune('a'+rng.IntN(labels)))
		at := pair{i, label}
		switch has := slices.Contains(strings.Fields(list[i].Label), label); {
		case wrong[at]:
		case has && taken < take:
			list[i].Label = strings.ReplaceAll(list[i].Label, label, "")
			wrong[at] = true
			taken++
		case !has && given < give:
			list[i].Label += " " + label
			wrong[at] = true
			given++
		}
	}
	return list, wrong
}

func auditSets(t *testing.T, list []bayes.Example, opts *eval.AuditOptions) *eval.AuditedSets {
	t.Helper()
	c, err := bayes.ReadCorpus(t.Context(), &bayes.Space{LabelSeparator: " "}, streamed(list), nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := eval.AuditSets(t.Context(), c, bayes.Multinomial{}, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Doubts) != len(list) {
		t.Fatalf("%d doubts of %d examples", len(a.Doubts), len(list))
	}
	return a
}

// Where texts tell their labels, what is wrong comes first for the most part, and is suggested, be it a label too many or
// too few; and no more of the rest is listed than is stated.
func TestAuditSetsSeparable(t *testing.T) {
	f := setFile{rates: []float64{0.4, 0.3, 0.1, 0.05}, tell: 0.9, shortest: 25, longest: 40}
	const files, share = 6, 0.005
	listed, right, rows := 0, 0, 0
	for seed := range uint64(files) {
		list, wrong := damaged(seed, f.draw(seed, 600), len(f.rates), 12, 12)
		changed := make(map[int]bool)
		for at := range wrong {
			changed[at.example] = true
		}
		a := auditSets(t, list, &eval.AuditOptions{Plain: seed%2 == 1})
		found := 0
		for _, d := range a.Doubts[:len(changed)] {
			for _, c := range d.Changes {
				if wrong[pair{d.Example, c.Label}] && c.LogOdds > 0 {
					found++
				}
				if c.Given != slices.Contains(d.Labels, c.Label) || c.Given == slices.Contains(d.Suggested, c.Label) {
					t.Errorf("seed %d: %+v", seed, d)
				}
			}
		}
		if found < len(wrong)*2/3 {
			t.Errorf("seed %d: %d found of %d", seed, found, len(wrong))
		}
		cutoff, expected, err := a.Cutoff(share)
		if err != nil || expected > share*float64(len(list)) {
			t.Errorf("seed %d: %v expected, %v", seed, expected, err)
		}
		above := a.Above(cutoff)
		for _, d := range above {
			if !changed[d.Example] {
				right++
			}
		}
		rows, listed = rows+len(list), listed+len(above)
	}
	if listed < 50 || float64(right) > share*float64(rows) {
		t.Errorf("%d listed, %d of them right", listed, right)
	}
}

// Of files whose labels are all right, however hard their texts, no more is listed than is stated.
func TestAuditSetsClean(t *testing.T) {
	few, many := []float64{0.5, 0.2}, []float64{0.3, 0.2, 0.1, 0.1, 0.05, 0.05, 0.02, 0.02, 0.01, 0.005}
	for name, f := range map[string]setFile{
		"hardly telling, few":  {few, 0.1, 3, 22},
		"hardly telling, many": {many, 0.1, 3, 22},
		"telling, few":         {few, 0.4, 3, 22},
		"telling, many":        {many, 0.4, 3, 22},
		"easy, few":            {few, 0.9, 10, 30},
		"easy, many":           {many, 0.9, 10, 30},
		"short, few":           {few, 0.5, 1, 3},
		"short, many":          {many, 0.5, 1, 3},
	} {
		t.Run(name, func(t *testing.T) {
			const files, share = 4, 0.005
			listed, expected, rows := 0, 0.0, 0
			for seed := range uint64(files) {
				a := auditSets(t, f.draw(seed+100, 1500), nil)
				cutoff, e, err := a.Cutoff(share)
				if err != nil {
					t.Fatal(err)
				}
				rows += len(a.Doubts)
				listed, expected = listed+len(a.Above(cutoff)), expected+e
			}
			t.Logf("%d listed, %.1f expected, at most %.1f", listed, expected, share*float64(rows))
			if float64(listed) > share*float64(rows) {
				t.Errorf("%d listed of %d, stated are %v", listed, rows, share)
			}
		})
	}
}

// The shares of labels that are missing and wrong are estimated.
func TestAuditSetsShares(t *testing.T) {
	f := setFile{rates: []float64{0.4, 0.3, 0.1, 0.05}, tell: 0.8, shortest: 15, longest: 25}
	for _, n := range [][2]int{{0, 0}, {50, 150}, {150, 20}} {
		list, _ := damaged(2, f.draw(2, 1500), len(f.rates), n[0], n[1])
		given := 0
		for _, ex := range list {
			given += len(strings.Fields(ex.Label))
		}
		missing, wrong := float64(n[0])/float64(given-n[1]+n[0]), float64(n[1])/float64(given)
		if a := auditSets(t, list, nil); math.Abs(a.Missing-missing) > 0.02 || math.Abs(a.Wrong-wrong) > 0.02 {
			t.Errorf("%v missing and %v wrong are estimated, %v and %v are", a.Missing, a.Wrong, missing, wrong)
		}
	}
}

// Labels are taken and given as often rightly as their probabilities say, and hardly where all are right.
func TestAuditSetsProbability(t *testing.T) {
	f := setFile{rates: []float64{0.4, 0.3, 0.1, 0.05}, tell: 0.8, shortest: 15, longest: 25}
	for _, n := range [][2]int{{0, 0}, {100, 100}} {
		list, wrong := damaged(4, f.draw(4, 2000), len(f.rates), n[0], n[1])
		var stated, certain, right [2]float64 // of what is missing, and of what is given
		for _, d := range auditSets(t, list, nil).Doubts {
			for _, c := range d.Changes {
				if p := c.Probability(); p >= 0.5 {
					at := 0
					if c.Given {
						at = 1
					}
					stated[at]++
					certain[at] += p
					if wrong[pair{d.Example, c.Label}] {
						right[at]++
					}
				}
			}
		}
		for at := range stated {
			t.Logf("%v: %v changes, %.1f of them right by their probabilities, %v are", n, stated[at], certain[at], right[at])
			if n[0] == 0 && stated[at] > 2 || n[0] > 0 && (stated[at] < 40 || math.Abs(certain[at]-right[at]) > 0.15*stated[at]) {
				t.Errorf("%v: %v changes, %.1f of them right by their probabilities, %v are", n, stated[at], certain[at], right[at])
			}
		}
	}
}

// A label in place of another is two changes of one row. Labels that single rows have teach nothing and disturb nothing, and of two rows
// that have a label each is judged by the other.
func TestAuditSetsRare(t *testing.T) {
	f := setFile{rates: []float64{0.4, 0.3}, tell: 0.9, shortest: 25, longest: 40}
	list := f.draw(3, 600)
	for i := range 20 {
		text := list[i].Text
		list = append(list, bayes.Example{Label: list[i].Label + fmt.Sprint(" single", i), Text: text})
	}
	swapped := slices.IndexFunc(list, func(ex bayes.Example) bool { return ex.Label == "a " })
	list[swapped].Label = "b"
	twins := len(list)
	for i := range 20 {
		list = append(list, bayes.Example{Label: fmt.Sprint("b pair", i/2), Text: f.draw(uint64(i), 20)[i].Text})
	}
	found := 0
	for _, d := range auditSets(t, list, nil).Doubts {
		if d.Example == swapped && !slices.Equal(d.Suggested, []string{"a"}) {
			t.Errorf("%+v, want a", d)
		}
		if d.Example >= twins && slices.ContainsFunc(d.Changes, func(c eval.LabelDoubt) bool { return c.Given && strings.HasPrefix(c.Label, "pair") }) {
			found++
		}
	}
	if found != 20 {
		t.Errorf("of 20 labels that nothing tells of, %d are doubtful", found)
	}
}

// What cannot be doubted is not; and equal input has equal doubts.
func TestAuditSetsWithoutDoubt(t *testing.T) {
	f := setFile{rates: []float64{0.4, 0.3}, tell: 0.8, shortest: 5, longest: 10}
	none := []bayes.Example{{Label: " ", Text: "x"}, {Label: " ", Text: "y"}}
	single := append(f.draw(1, 60), bayes.Example{Label: "z", Text: "w0x1 w0x2"})
	for name, list := range map[string][]bayes.Example{
		"no labels": none, "one row": none[:1], "one row with a label": single[60:], "each alone": {{Label: "a", Text: "x"}, {Label: "b", Text: "y"}},
		"one label": {{Label: "a", Text: "x"}, {Label: "a", Text: "y"}, {Label: "a", Text: "z"}}, "one alone": single,
	} {
		a := auditSets(t, list, nil)
		cutoff, _, err := a.Cutoff(0.001)
		if err != nil {
			t.Fatal(err)
		}
		if above := a.Above(cutoff); len(above) > 0 {
			t.Errorf("%s: %+v", name, above)
		}
		for _, d := range a.Doubts {
			if math.IsNaN(d.LogOdds) || math.IsInf(d.LogOdds, 0) || len(d.Changes) == 0 && !slices.Equal(d.Labels, d.Suggested) {
				t.Errorf("%s: %+v", name, d)
			}
			if slices.ContainsFunc(d.Changes, func(c eval.LabelDoubt) bool { return c.Given && c.Label == "z" }) {
				t.Errorf("%s: nothing is known of z without the one that has it: %+v", name, d)
			}
		}
		if again := auditSets(t, list, nil); !reflect.DeepEqual(a, again) {
			t.Errorf("%s: another answer the second time", name)
		}
	}
	c, err := bayes.ReadCorpus(t.Context(), &bayes.Space{LabelSeparator: " "}, streamed(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eval.AuditSets(t.Context(), c, bayes.Multinomial{}, nil); !errors.Is(err, bayes.ErrEmpty) {
		t.Error(err)
	}
	if c, err = bayes.ReadCorpus(t.Context(), nil, streamed(single), nil); err != nil {
		t.Fatal(err)
	}
	for _, opts := range []*eval.AuditOptions{nil, {Folds: 1}} {
		if _, err := eval.AuditSets(t.Context(), c, bayes.Multinomial{}, opts); err == nil {
			t.Errorf("%+v: no error", opts)
		}
	}
}

// One text lacks a label, and another has one that it should not have.
func ExampleAuditSets() {
	var list []bayes.Example
	for range 10 {
		list = append(list,
			bayes.Example{Label: "oil", Text: "crude opec barrel"},
			bayes.Example{Label: "grain", Text: "wheat harvest corn"},
			bayes.Example{Label: "grain oil", Text: "wheat corn crude barrel"},
			bayes.Example{Label: " ", Text: "weather today"}) // no label
	}
	list = append(list, bayes.Example{Label: "oil", Text: "wheat harvest crude barrel"}, bayes.Example{Label: "grain", Text: "weather today"})
	c, err := bayes.ReadCorpus(context.Background(), &bayes.Space{LabelSeparator: " "}, streamed(list), nil)
	if err != nil {
		log.Fatal(err)
	}
	a, err := eval.AuditSets(context.Background(), c, bayes.Multinomial{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range a.Doubts[:2] {
		fmt.Printf("%q: %q, or rather %q; if it has to be sure, %q\n", list[d.Example].Text, d.Labels, d.Suggested, d.With(0.9999))
		fmt.Println(d.Changes[0].Label, "is given:", d.Changes[0].Given, "wrong:", d.Changes[0].Probability() > 0.5)
	}
	// Forty texts are too few to be that sure: of these hardly a label is missing, as far as they tell.
	cutoff, expected, err := a.Cutoff(0.01)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d listed, at most %.1f of them right\n", len(a.Above(cutoff)), expected)
	// Output:
	// "weather today": ["grain"], or rather []; if it has to be sure, ["grain"]
	// grain is given: true wrong: true
	// "wheat harvest crude barrel": ["oil"], or rather ["grain" "oil"]; if it has to be sure, ["oil"]
	// grain is given: false wrong: false
	// 0 listed, at most 0.4 of them right
}
