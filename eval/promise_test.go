package eval

import (
	"math"
	"math/rand/v2"
	"testing"

	"bayes"

	"pgregory.net/rapid"
)

// sixDigits reports whether two numbers agree in six digits.
func sixDigits(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b)) }

// Published figures: 2,995 documents without a mistake are what it takes for 1 in 1,000 with 95 %, the rule of three; and the
// interval of 3 in 10 (Clopper and Pearson 1934; R's binom.test).
func TestBounds(t *testing.T) {
	if n := Needed(0.001); n != 2995 || AtMost(0, n) > 0.001 || AtMost(0, n-1) <= 0.001 || allowed(n, 0.001) != 0 || allowed(n-1, 0.001) != -1 {
		t.Errorf("a rate of 0.001 takes %d, of which none shows %v; allowed are %d, and of one less %d", n, AtMost(0, n), allowed(n, 0.001), allowed(n-1, 0.001))
	}
	if low, high := ClopperPearson(3, 10); !sixDigits(low, 0.06673951) || !sixDigits(high, 0.65245285) {
		t.Errorf("3 of 10: %v to %v", low, high)
	}
	for _, tc := range []struct {
		k, n int
		want float64
	}{{0, 59, 1 - math.Pow(0.05, 1.0/59)}, {5, 5, 1}, {1, 10, 0.39416334}} {
		if got := AtMost(tc.k, tc.n); !sixDigits(got, tc.want) {
			t.Errorf("%d of %d show %v, want %v", tc.k, tc.n, got, tc.want)
		}
	}
	if low, high := ClopperPearson(0, 0); low != 0 || high != 1 || Needed(0) != 0 || Needed(1) != 1 {
		t.Errorf("of none: %v to %v", low, high)
	}
	for v, want := range map[float64]float64{0.0012341: 0.00124, 0.001: 0.001, 0.9999: 1, 0.00123: 0.00123} {
		if got := roundUp(v, 3); !sixDigits(got, want) {
			t.Errorf("%v is rounded up to %v, want %v", v, got, want)
		}
	}
}

// What is allowed is shown by the exact bound, one more breaks a promise more often than it may, and rates that are less strict
// allow no less.
func TestAllowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, rate := rapid.IntRange(1, 3000).Draw(t, "n"), rapid.Float64Range(1e-4, 0.9).Draw(t, "rate")
		k := allowed(n, rate)
		if k >= 0 && AtMost(k, n) > rate*(1+1e-6) {
			t.Fatalf("%d of %d are allowed at %v, and show %v", k, n, rate, AtMost(k, n))
		}
		if k < 0 && n >= Needed(rate) {
			t.Fatalf("none is allowed of %d at %v, which takes %d", n, rate, Needed(rate))
		}
		most := int64(rate*float64(n)) + 1
		if k+1 < n && AtMost(k+1, n) <= rate*(1-1e-6) && again(int64(n), int64(k+1), most) <= 0.05*(1-1e-6) {
			t.Fatalf("%d of %d are allowed at %v, and one more could be", k, n, rate)
		}
		if looser := allowed(n, min(1, rate*1.5)); looser < k {
			t.Fatalf("%d of %d are allowed at %v, %d at half more", k, n, rate, looser)
		}
	})
}

// What is promised is shown by the exact bound and kept when counted again, and nothing less is both.
func TestPromised(t *testing.T) {
	holds := func(k, n int, rate float64) bool {
		return AtMost(k, n) <= rate && again(int64(n), int64(k), int64(math.Floor(rate*float64(n)))+1) <= unlikely
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(20, 3000).Draw(t, "n") // of fewer the second condition may ask for all
		k := rapid.IntRange(0, n/4).Draw(t, "k")
		rate := promised(k, n)
		if more := rate + 1e-9; more < 1 && !holds(k, n, more) {
			t.Fatalf("%d of %d promise %v, which they do not show", k, n, rate)
		}
		if holds(k, n, rate-1e-6) {
			t.Fatalf("%d of %d promise %v, and show less", k, n, rate)
		}
	})
	for n, want := range map[int]float64{1: 0.95, 100: 4.0 / 100, 2000: 4.0 / 2000} {
		if got := promised(0, n); !sixDigits(got, want) {
			t.Errorf("none of %d promises %v, want %v", n, got, want)
		}
	}
}

// Where the first terms of the closed form are 0, promises are still what both conditions show.
func TestPromisedOfMany(t *testing.T) {
	for _, of := range []struct{ k, n int }{{20_000, 200_000}, {12_000, 30_000}, {40_000, 100_000}, {2_000, 20_000}} {
		rate := promised(of.k, of.n)
		j := int64(math.Floor(rate*float64(of.n)+1e-6)) + 1
		if p, q := again(int64(of.n), int64(of.k), j), again(int64(of.n), int64(of.k), j-1); p > unlikely || q <= unlikely || rate <= AtMost(of.k, of.n) {
			t.Errorf("%d of %d promise %v: as many come again with %v, and one fewer with %v", of.k, of.n, rate, p, q)
		}
	}
}

// The closed form is what comes of drawing scores.
func TestAgain(t *testing.T) {
	const n, k, j, draws = 12, 2, 5, 40_000
	rng := rand.New(rand.NewPCG(1, 2))
	beyond := 0
	for range draws {
		// Of 2n scores in any order, the first n are held out. What lies above their k+1st?
		order := rng.Perm(2 * n)
		held, more := 0, 0
		rank := make([]bool, 2*n) // whether the score of this rank, best first, is held out
		for i, r := range order {
			rank[r] = i < n
		}
		for _, own := range rank {
			if own {
				if held++; held > k {
					break
				}
			} else {
				more++
			}
		}
		if more >= j {
			beyond++
		}
	}
	p := again(n, k, j)
	if got := float64(beyond) / draws; math.Abs(got-p) > 5*math.Sqrt(p*(1-p)/draws) {
		t.Errorf("drawn %v, computed %v", got, p)
	}
	if got := again(10, 0, 11); got != 0 {
		t.Errorf("more than there are: %v", got)
	}
}

// Of cutoffs that are set on scores drawn from any distribution, 95 of 100 keep their promises on that distribution, and
// about as many in a second set of as many scores, be there enough for what was asked or not. 900 promises are broken at most 71 times but once in
// ten thousand such tests.
func TestPromisesHold(t *testing.T) {
	const draws, most = 300, 71
	rng := rand.New(rand.NewPCG(26, 4))
	for _, goal := range []struct {
		name string
		Goals
	}{
		{"at most", Goals{MaxFPR: map[string]float64{"b": 0.05}}},
		{"at least", Goals{MinRecall: map[string]float64{"a": 0.9}}},
		{"too few others", Goals{MaxFPR: map[string]float64{"b": 0.001}}},
		{"too few of its own", Goals{MinRecall: map[string]float64{"a": 0.999}}},
	} {
		broken, counted := 0, 0
		for draw := range 3 * draws {
			n := 150 + draw%3*150
			odds := make([]float64, n) // of b, for documents of a: logistic, with a tail
			s := &Scores{Classes: []string{"a", "b"}, Truth: make([]int, n), Fold: make([]int, n)}
			for i := range odds {
				u := rng.Float64()
				odds[i] = -3 + math.Log(u/(1-u))
				s.logP = append(s.logP, 0, odds[i])
			}
			cutoffs, err := s.CutoffsFor(goal.Goals)
			if err != nil {
				t.Fatal(err)
			}
			c := cutoffs[0]
			beyond, promise := c.LogOdds, c.Promise // odds of b from which on an a is lost
			if c.MinRecall > 0 {
				beyond, promise = -c.LogOdds, 1-c.Promise
			}
			if lost := 1 / (1 + math.Exp(beyond+3)); lost > promise {
				broken++
			}
			again := 0
			for range n {
				if u := rng.Float64(); -3+math.Log(u/(1-u)) >= beyond {
					again++
				}
			}
			if float64(again) > promise*float64(n) {
				counted++
			}
		}
		if broken > most || counted > most {
			t.Errorf("%s: of %d promises %d are broken, and counted as broken %d", goal.name, 3*draws, broken, counted)
		}
	}
}

// A label of MinRecall is the answer although another is more probable, and of two such the more probable.
func TestMinRecall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 200).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		s := &Scores{Classes: []string{"a", "b", "c"}, Fold: make([]int, n)}
		for i := range n {
			s.Truth = append(s.Truth, i%3)
			for range s.Classes {
				s.logP = append(s.logP, -float64(rng.IntN(12)))
			}
		}
		goals := Goals{MinRecall: map[string]float64{"a": 0.8, "b": 0.5}, MaxFPR: map[string]float64{"c": 0.2}}
		cutoffs, err := s.CutoffsFor(goals)
		if err != nil {
			t.Fatal(err)
		}
		em := Operate(bayes.Calibrated{}, cutoffs)
		missed := make([]int, 3)
		verdicts := s.count(goals, append([]Cutoff(nil), cutoffs...), s.tested())
		for i, v := range verdicts {
			odds := []float64{s.logOdds(i, 0), s.logOdds(i, 1), s.logOdds(i, 2)}
			a, b := odds[0] >= em.Overrides["a"], odds[1] >= em.Overrides["b"]
			want := -2
			switch {
			case a && b && odds[0] > odds[1], a && !b:
				want = 0
			case a && b && odds[1] > odds[0], b && !a:
				want = 1
			}
			if want >= 0 && v.class != want {
				t.Fatalf("%v is %d, want %d", odds, v.class, want)
			}
			if v.class == 2 && (a || b || odds[2] < em.Cutoffs["c"]) {
				t.Fatalf("%v is c, with %+v", odds, em)
			}
			if v.class != s.Truth[i] {
				missed[s.Truth[i]]++
			}
		}
		for _, c := range cutoffs {
			k := int(c.Label[0] - 'a')
			if c.Missed != missed[k] || c.Label != "c" && c.Promise > 1-AtMost(c.Missed, c.Own)+1e-9 || em.Promises[c.Label] != c.Promise {
				t.Fatalf("%+v: %d are missed", c, missed[k])
			}
		}
	})
	for _, goals := range []Goals{
		{MinRecall: map[string]float64{"a": 0}}, {MinRecall: map[string]float64{"a": 1.1}}, {MinRecall: map[string]float64{"d": 0.5}},
		{MinRecall: map[string]float64{"a": 0.5}, MaxFPR: map[string]float64{"a": 0.5}},
	} {
		if c, err := sharp(20, 1, 1).CutoffsFor(goals); err == nil {
			t.Errorf("%v: %v", goals, c)
		}
	}
}

// The answer is the one of least expected cost, and the mean cost is that of the answers.
func TestCosts(t *testing.T) {
	s := sharp(400, 1, 1)
	goals := Goals{
		Costs:  map[[2]string]float64{{"a", "a"}: 0, {"a", "b"}: 5, {"b", "a"}: 1, {"b", "b"}: 0},
		Reject: map[string]float64{"a": 0.5, "b": 0.25},
	}
	after, cutoffs, err := s.CrossDecide(goals)
	if err != nil || len(cutoffs) != 0 {
		t.Fatal(cutoffs, err)
	}
	sum, answers := 0.0, make(map[string]int)
	for i, truth := range s.Truth {
		a, b := math.Exp(s.LogP(i)[0]), math.Exp(s.LogP(i)[1])
		expected := map[string]float64{"a": b, "b": 5 * a, "": 0.5*a + 0.25*b}
		p := after.Prediction(i)
		answer := p.Answer().Class
		if p.Unsure {
			answer = ""
		}
		for other, cost := range expected {
			if cost < expected[answer]-1e-12 {
				t.Fatalf("a %v, b %v: the answer %q costs %v, and %q %v", a, b, answer, expected[answer], other, cost)
			}
		}
		answers[answer]++
		switch class := s.Classes[truth]; {
		case answer == "":
			sum += goals.Reject[class]
		default:
			sum += goals.Costs[[2]string{class, answer}]
		}
	}
	if len(answers) != 3 {
		t.Errorf("answers %v: nothing is tested", answers)
	}
	cost, best := after.Tally().Cost(goals.Costs, goals.Reject), s.Tally().Cost(goals.Costs, goals.Reject)
	if !sixDigits(cost.Value, sum/float64(len(s.Truth))) || !(cost.Low < cost.Value && cost.Value < cost.High) || cost.Value >= best.Value {
		t.Errorf("%+v, want %v; of the best class %+v", cost, sum/float64(len(s.Truth)), best)
	}
}
