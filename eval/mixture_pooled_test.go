package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/parallel"
)

// drawEvents returns n texts of two classes, each of some words of its class, of one of the events of its class, as far as there are any, and of all. Every tenth has a word that no other has.
func drawEvents(n, events int, random *rand.Rand) (list []bayes.Example) {
	for i := range n {
		event := 2*random.IntN(max(1, events)) + i%2
		var words []string
		for range 12 {
			switch of := random.IntN(10); {
			case of == 0:
				words = append(words, fmt.Sprintf("%c%d", "ab"[i%2], random.IntN(80)))
			case of < 4 && events > 0:
				words = append(words, fmt.Sprintf("event%d-%d", event, random.IntN(10)))
			default:
				words = append(words, fmt.Sprint("common", random.IntN(300)))
			}
		}
		if i%10 == 9 {
			words = []string{fmt.Sprint("alone", i)}
		}
		list = append(list, bayes.Example{Label: string("ab"[i%2]), Text: strings.Join(words, " ")})
	}
	return list
}

// readEvents returns a first round of EM of texts about events, the first 16 of which have a label, with the pool that it reads with: what the model says of them is read, and shares are to be made.
func readEvents(t *testing.T, events int) (*emState, *parallel.Pool) {
	t.Helper()
	m, every := mixtureOf(t, drawEvents(700, events, rand.New(rand.NewPCG(1, 2))), 16)
	if err := m.findNearest(t.Context(), 1, true); err != nil {
		t.Fatal(err)
	}
	e, err := m.begin(every, SemiTrial{Smoothing: bayes.Additive(.1), Weight: .25, Rounds: 2})
	if err != nil {
		t.Fatal(err)
	}
	pool := parallel.NewPool(t.Context())
	e.read(pool)
	return e, pool
}

// Shares are the part that says Moran's I of what the neighbours have, and the rest of what the model says.
func TestPooledShares(t *testing.T) {
	e, pool := readEvents(t, 50)
	m := e.mixture
	e.share(pool, nil)
	const k = 2
	p := func(i, c int) float64 { return e.logPOf(i)[c] } // from here on these are probabilities
	var n, own, near float64
	var mean [k]float64
	means := make(map[int][]float64)
	for i := m.labelled; i < m.Len(); i++ {
		list, sum := m.pooled[i-m.labelled], 0.0
		if len(list) == 0 {
			continue
		}
		n++
		means[i] = make([]float64, k)
		for _, x := range list {
			sum += x.Near
		}
		for c := range k {
			for _, x := range list {
				means[i][c] += x.Near / sum * p(m.labelled+int(x.Text), c)
			}
			mean[c] += p(i, c)
			own += p(i, c) * p(i, c)
			near += p(i, c) * means[i][c]
		}
	}
	chance := (mean[0]*mean[0] + mean[1]*mean[1]) / n
	part := 2*(near-chance)/(own-chance) - 1
	if part < .05 || part > .95 || n < 600 || n == float64(m.Len()-m.labelled) {
		t.Fatalf("a part of %v is of neighbours, which %v of %d have", part, n, m.Len()-m.labelled)
	}
	for i := m.labelled; i < m.Len(); i++ {
		var got [k]float64
		classes, weights := e.of(i)
		for j, c := range classes {
			got[c] = weights[j]
		}
		for c := range k {
			want := p(i, c)
			if of := means[i]; of != nil {
				want = (1-part)*want + part*of[c]
			}
			if want *= .25 * m.byLength[i]; math.Abs(got[c]-want) > 1./(1<<16) {
				t.Fatalf("example %d has %v of class %d, want %v", i, got[c], c, want)
			}
		}
	}
}

// Where texts are about events shares that are pooled are right more often, and where they are about none nothing is pooled.
func TestPooledHelps(t *testing.T) {
	right := func(events int, pooled bool) (sum float64) {
		const draws = 8
		for seed := range uint64(draws) {
			all := drawEvents(816, events, rand.New(rand.NewPCG(seed, 4)))
			m, every := mixtureOf(t, all, 16)
			if err := m.findNearest(t.Context(), 1, pooled); err != nil {
				t.Fatal(err)
			}
			s, err := m.run(t.Context(), parallel.NewPool(t.Context()), every, SemiTrial{Smoothing: bayes.Additive(.1), Weight: .25, Rounds: 5}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			sum += float64(rightOf(m, s, all)) / float64(m.Len()-m.labelled) / draws
		}
		return sum
	}
	with, without := right(100, true), right(100, false)
	if with < without+.01 {
		t.Errorf("events: %.3f right, %.3f without", with, without)
	}
	for _, events := range []int{0, 50} {
		e, pool := readEvents(t, events)
		e.share(pool, nil)
		if part := e.pooledPart(pool); (part == 0) != (events == 0) {
			t.Errorf("%d events: a part of %v is pooled", events, part)
		}
	}
}

// An example that no class can have, without smoothing, has the shares of its neighbours alone, and tells these nothing.
func TestPooledImpossible(t *testing.T) {
	e, pool := readEvents(t, 50)
	m := e.mixture
	impossible := m.labelled
	for len(m.pooled[impossible-m.labelled]) == 0 {
		impossible++
	}
	p := e.logPOf(impossible)
	p[0], p[1] = math.Inf(-1), math.Inf(-1)
	e.share(pool, nil)
	part := e.pooledPart(pool)
	if !(part > 0 && part < 1) {
		t.Fatalf("a part of %v is pooled", part)
	}
	for i := m.labelled; i < m.Len(); i++ {
		sum := 0.0
		_, weights := e.of(i)
		for _, w := range weights {
			sum += w
		}
		want := .25 * m.byLength[i]
		if i == impossible {
			want *= part
		}
		if math.Abs(sum-want) > 1./(1<<15) {
			t.Errorf("example %d has %v in all, want %v; none can be of %d", i, sum, want, impossible)
		}
	}
}
