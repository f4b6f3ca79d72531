package svm

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// exact says how to fit until nothing moves.
func exact(strength float64) Options {
	return Options{Strength: strength, Tolerance: 1e-6, Passes: 20_000}
}

// A fixture is a problem, and what liblinear makes of it (testdata/liblinear.py).
type fixture struct {
	Name     string
	Features int
	Classes  int
	Class    []int32
	Weight   []float64
	Rows     [][][2]float64
	Fits     []struct {
		Strength   float64
		Objectives []float64
		Weights    [][]float64
	}
}

func (f *fixture) problem() *Problem {
	return &Problem{Rows: rowsOf(f.Features, f.Rows...), Class: f.Class, Classes: f.Classes, Weight: f.Weight}
}

func rowsOf(features int, rows ...[][2]float64) *Rows {
	x := &Rows{Features: features}
	for _, row := range rows {
		var cells []Cell
		for _, c := range row {
			cells = append(cells, Cell{int32(c[0]), float32(c[1])})
		}
		x.Row = append(x.Row, cells)
	}
	return x
}

// solve returns machines for a problem that keeps its rows.
func solve(p *Problem) *Solver {
	own := *p
	own.Rows = &Rows{Features: p.Features}
	for _, row := range p.Row {
		own.Row = append(own.Row, slices.Clone(row))
	}
	return New(&own)
}

// A machine is what a solver has found, in float64.
type machine struct {
	weights []float64
	bias    float64
}

func machines(s *Solver) []machine {
	list, row := make([]machine, Machines(s.problem.Classes)), make([]float32, Machines(s.problem.Classes))
	for f := range s.problem.Features {
		s.Weights(row, f)
		for k, w := range row {
			list[k].weights = append(list[k].weights, float64(w))
		}
	}
	for k := range list {
		list[k].bias = s.Bias(k)
	}
	return list
}

// score returns what a machine says of row i.
func (m *machine) score(p *Problem, i int) float64 {
	score := m.bias
	for _, c := range p.Row[i] {
		score += m.weights[c.Feature] * float64(c.Value)
	}
	return score
}

// margins returns y · score of each row, the score that is given included.
func (m *machine) margins(p *Problem, k int) []float64 {
	list := make([]float64, p.Len())
	for i := range list {
		score := m.score(p, i)
		if p.Base != nil {
			score += float64(p.Base[i*Machines(p.Classes)+k])
		}
		list[i] = p.target(i, k) * score
	}
	return list
}

// primal returns the objective of machine k.
func primal(p *Problem, m *machine, k int, strength float64) float64 {
	square, loss := m.bias*m.bias, 0.0
	for _, w := range m.weights {
		square += w * w
	}
	for i, margin := range m.margins(p, k) {
		violation := max(0, 1-margin)
		loss += p.weight(i) * violation * violation
	}
	return square/2 + strength*loss
}

// dual returns the dual objective of machine k, which is at most the primal one of any weights.
func dual(p *Problem, s *Solver, k int, strength float64) float64 {
	b := s.blocks[k/width]
	sum, bias, weights := 0.0, 0.0, make([]float64, p.Features)
	for i, r := range s.matrix.rows {
		alpha, row := b.alpha[i*b.n+k%width], int(r.row)
		y, base := p.target(row, k), 0.0
		if p.Base != nil {
			base = float64(p.Base[row*Machines(p.Classes)+k])
		}
		sum += alpha*(1-y*base) - alpha*alpha/(4*strength*r.weight)
		bias += alpha * y
		for _, c := range p.Row[row] {
			weights[c.Feature] += alpha * y * float64(c.Value)
		}
	}
	square := bias * bias
	for _, w := range weights {
		square += w * w
	}
	return sum - square/2
}

// The objective is at most liblinear's, to a millionth, and the weights are its own.
func TestLiblinear(t *testing.T) {
	data, err := os.ReadFile("testdata/liblinear.json")
	if err != nil {
		t.Fatal(err)
	}
	var fixtures []fixture
	if err := json.Unmarshal(data, &fixtures); err != nil {
		t.Fatal(err)
	}
	for _, f := range fixtures {
		p := f.problem()
		for _, want := range f.Fits {
			s := solve(p)
			passes := s.Fit(exact(want.Strength))
			for k, m := range machines(s) {
				got := primal(p, &m, k, want.Strength)
				if got > want.Objectives[k]*(1+1e-6) {
					t.Errorf("%s, strength %g, machine %d, %d passes: objective %.12g, liblinear's is %.12g", f.Name, want.Strength, k, passes, got, want.Objectives[k])
				}
				for j, w := range append(m.weights, m.bias) {
					if math.Abs(w-want.Weights[k][j]) > 1e-4*(1+math.Abs(w)) {
						t.Errorf("%s, strength %g, machine %d: weight %d is %g, liblinear's is %g", f.Name, want.Strength, k, j, w, want.Weights[k][j])
					}
				}
			}
		}
	}
}

// problems draws problems: rows that are empty or have features in common or of their own, classes
// without rows, weights, scores that are given.
var problems = rapid.Custom(func(t *rapid.T) *Problem {
	n, features := rapid.IntRange(1, 40).Draw(t, "rows"), rapid.IntRange(1, 30).Draw(t, "features")
	p := &Problem{Classes: rapid.SampledFrom([]int{2, 3, 8, 9, 20}).Draw(t, "classes")}
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	density := rapid.SampledFrom([]float64{0, 0.05, 0.3, 1}).Draw(t, "density")
	var rows [][][2]float64
	for range n {
		var row [][2]float64
		for _, f := range random.Perm(features) {
			if random.Float64() < density {
				row = append(row, [2]float64{float64(f), random.NormFloat64()})
			}
		}
		rows = append(rows, row)
		p.Class = append(p.Class, int32(random.IntN(p.Classes)))
	}
	p.Rows = rowsOf(features, rows...)
	if rapid.Bool().Draw(t, "weighted") {
		for range n {
			p.Weight = append(p.Weight, []float64{0, 0.1, 1, 5}[random.IntN(4)])
		}
	}
	if rapid.Bool().Draw(t, "based") {
		for range n * Machines(p.Classes) {
			p.Base = append(p.Base, float32(random.NormFloat64()))
		}
	}
	return p
})

// near reports whether an objective is another one, to a millionth.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b))+1e-12 }

// The dual objective is at most the primal one, and at the optimum they are equal.
func TestDualityGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems.Draw(t, "problem")
		strength := rapid.SampledFrom([]float64{0.01, 1, 10}).Draw(t, "strength")
		s := solve(p)
		last := make([]float64, Machines(p.Classes))
		for _, passes := range []int{0, 1, 3} {
			s.Fit(Options{Strength: strength, Passes: passes})
			for k, m := range machines(s) {
				upper, lower := primal(p, &m, k, strength), dual(p, s, k, strength)
				if lower > upper*(1+1e-6) || lower < last[k]-1e-6*(1+math.Abs(last[k])) {
					t.Fatalf("machine %d, %d more passes: dual %g after %g, primal %g", k, passes, lower, last[k], upper)
				}
				last[k] = lower
			}
		}
		s.Fit(exact(strength))
		for k, m := range machines(s) {
			if upper, lower := primal(p, &m, k, strength), dual(p, s, k, strength); !near(upper, lower) {
				t.Fatalf("machine %d: primal %.9g, dual %.9g", k, upper, lower)
			}
		}
	})
}

// Without a tolerance, a fit ends where float32 lets nothing get better, which is at the optimum.
func TestNoTolerance(t *testing.T) {
	const strength, most = 1, 10_000
	for _, classes := range []int{2, 9} {
		p := drawn(500, 50, classes)
		s := solve(p)
		if passes := s.Fit(Options{Strength: strength, Passes: most}); passes == most {
			t.Errorf("%d classes: no end after %d passes", classes, passes)
		}
		for k, m := range machines(s) {
			if upper, lower := primal(p, &m, k, strength), dual(p, s, k, strength); math.Abs(upper-lower) > 1e-9*upper {
				t.Errorf("%d classes, machine %d: primal %.12g, dual %.12g", classes, k, upper, lower)
			}
		}
	}
}

// From wherever machines begin, they come to the same objective.
func TestWarmStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems.Draw(t, "problem")
		warm := solve(p)
		for _, strength := range rapid.Permutation([]float64{0.01, 0.3, 1, 10}).Draw(t, "strengths") {
			warm.Fit(exact(strength))
			cold := solve(p)
			cold.Fit(exact(strength))
			from := machines(warm)
			for k, m := range machines(cold) {
				if a, b := primal(p, &from[k], k, strength), primal(p, &m, k, strength); !near(a, b) {
					t.Fatalf("strength %g, machine %d: %.9g warm, %.9g cold", strength, k, a, b)
				}
			}
		}
	})
}

// Scores that are given add to those of the machine.
func TestBase(t *testing.T) {
	p := &Problem{Rows: rowsOf(1, nil, nil, nil, nil), Class: []int32{0, 0, 1, 1}, Classes: 2}
	const strength = 10
	check := func(want float64, base ...float32) {
		t.Helper()
		p.Base = base
		s := solve(p)
		s.Fit(exact(strength))
		if b := s.Bias(0); math.Abs(b-want) > 1e-5 {
			t.Errorf("with the scores %v, the bias is %g, not %g", base, b, want)
		}
	}
	check(0)
	check(0, -1, -1, 1, 1)
	// Where all are 3 too high, ½b² + 2C(b + 3)² is to be least.
	check(-120./41, 2, 2, 4, 4)
}

// bits returns all that a solver has found.
func bits(s *Solver) string {
	list := machines(s)
	alphas := make([][]float64, len(s.blocks))
	for i, b := range s.blocks {
		alphas[i] = b.alpha
	}
	return fmt.Sprintf("%x %x", list, alphas)
}

// The same bits come of any number of cores, and of instructions of both kinds.
func TestSameBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	defer use(hasVectors)
	rapid.Check(t, func(t *rapid.T) {
		p := problems.Draw(t, "problem")
		var want string
		for _, cores := range []int{1, 8} {
			runtime.GOMAXPROCS(cores)
			for _, vectors := range []bool{false, hasVectors} {
				use(vectors)
				s := solve(p)
				s.Fit(Options{Strength: 1, Tolerance: 1e-3, Passes: 100})
				if got := bits(s); want == "" {
					want = got
				} else if got != want {
					t.Fatalf("%d cores, vectors %v: %s, not %s", cores, vectors, got, want)
				}
			}
		}
	})
}

// Rows of all lengths have the same sums with vectors and without.
func TestKernels(t *testing.T) {
	if !hasVectors {
		t.Skip("the processor has no AVX2")
	}
	defer use(hasVectors)
	random := rand.New(rand.NewPCG(1, 1))
	const features = 200
	weights := make([]float32, features*width)
	for i := range weights {
		weights[i] = float32(random.NormFloat64())
	}
	var moves [width]float32
	for k := range moves {
		moves[k] = float32(random.NormFloat64())
	}
	for n := range 100 {
		var row cells
		for _, f := range random.Perm(features)[:n] {
			row = append(row, Cell{int32(f), float32(random.NormFloat64())})
		}
		var found [2]string
		for i, vectors := range []bool{false, true} {
			use(vectors)
			var sums [width]float32
			row.dots(&sums, weights, nil)
			sum := row.dot(weights, row)
			after, afterAll := slices.Clone(weights), slices.Clone(weights)
			row.addTo(after, moves[0])
			row.addToAll(afterAll, &moves)
			found[i] = fmt.Sprintf("%x %x %x %x", sums, sum, after, afterAll)
		}
		if found[0] != found[1] {
			t.Fatalf("%d values: not the same", n)
		}
	}
}

// Whatever is to be fitted, fitting ends, with numbers, and no machine is worse than none.
func TestBadInput(t *testing.T) {
	ones := func(n int) (rows [][][2]float64) {
		for i := range n {
			rows = append(rows, [][2]float64{{0, 1}, {1, float64(i)}, {2, float64(i)}})
		}
		return rows
	}
	separable := [][][2]float64{{{0, 1}}, {{0, 2}}, {{0, -1}}, {{0, -2}}}
	same := [][][2]float64{{{0, 1}}, {{0, 1}}, {{0, 1}}, {{0, 1}}}
	class := []int32{0, 0, 1, 1}
	for name, p := range map[string]*Problem{
		"nothing":                 {Rows: rowsOf(0), Classes: 2},
		"no features":             {Rows: rowsOf(0, nil, nil), Class: []int32{0, 1}, Classes: 3},
		"one example":             {Rows: rowsOf(1, separable[0]), Class: []int32{1}, Classes: 2},
		"one class":               {Rows: rowsOf(1, separable...), Class: []int32{1, 1, 1, 1}, Classes: 2},
		"an empty row":            {Rows: rowsOf(1, nil, separable[0]), Class: []int32{1, 0}, Classes: 2},
		"separable":               {Rows: rowsOf(1, separable...), Class: class, Classes: 2},
		"contradictory":           {Rows: rowsOf(1, same...), Class: []int32{0, 1, 0, 1}, Classes: 2},
		"columns the same":        {Rows: rowsOf(3, ones(4)...), Class: class, Classes: 2},
		"a class without example": {Rows: rowsOf(1, separable...), Class: class, Classes: 12},
		"weights of 0":            {Rows: rowsOf(1, separable...), Class: class, Classes: 2, Weight: make([]float64, 4)},
		"weights of 1e9":          {Rows: rowsOf(1, separable...), Class: class, Classes: 2, Weight: []float64{1e9, 1e9, 1e9, 1e9}},
		"weights of all kinds":    {Rows: rowsOf(1, separable...), Class: class, Classes: 3, Weight: []float64{1e9, 0, 1, 1e-9}},
		"contradictory and heavy": {Rows: rowsOf(1, same...), Class: []int32{0, 1, 0, 1}, Classes: 3, Weight: []float64{1e9, 1e9, 1, 0}},
		"large values":            {Rows: rowsOf(1, [][2]float64{{0, 1e15}}, [][2]float64{{0, -1e15}}), Class: []int32{0, 1}, Classes: 2},
		"large scores":            {Rows: rowsOf(1, separable...), Class: class, Classes: 2, Base: []float32{1e9, -1e9, 1e9, -1e9}},
	} {
		for _, strength := range []float64{1e-6, 1, 1e6} {
			s := solve(p)
			const most = 1000
			passes := s.Fit(Options{Strength: strength, Tolerance: 1e-4, Passes: most})
			if passes > most {
				t.Errorf("%s, strength %g: %d passes", name, strength, passes)
			}
			for k, m := range machines(s) {
				got := primal(p, &m, k, strength)
				none := machine{weights: make([]float64, p.Features)}
				if math.IsNaN(got) || got > primal(p, &none, k, strength)*(1+1e-6) {
					t.Errorf("%s, strength %g, machine %d, %d passes: objective %g, without a machine %g", name, strength, k, passes, got, primal(p, &none, k, strength))
				}
			}
		}
	}
}

// A context that is done ends a fit after a pass, with machines that are consistent and can go on.
func TestFitContext(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	var rows [][][2]float64
	p := &Problem{Classes: 20}
	for i := range 200 {
		var row [][2]float64
		for f := range 20 {
			row = append(row, [2]float64{float64(f), random.NormFloat64()})
		}
		rows = append(rows, row)
		p.Class = append(p.Class, int32(i%20))
	}
	p.Rows = rowsOf(20, rows...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := solve(p)
	if passes, err := s.FitContext(ctx, exact(1)); passes != 0 || err != context.Canceled {
		t.Errorf("%d passes, %v", passes, err)
	}
	const some = 2
	ctx = &countdown{Context: t.Context(), left: some}
	passes, err := s.blocks[0].fitOnly(ctx, s, exact(1)), ctx.Err()
	if passes != some || err == nil {
		t.Errorf("%d passes, %v", passes, err)
	}
	m := machines(s)[0]
	if upper, lower := primal(p, &m, 0, 1), dual(p, s, 0, 1); lower <= 0 || upper < lower {
		t.Errorf("primal %g, dual %g", upper, lower)
	}
	if _, err := s.FitContext(t.Context(), exact(1)); err != nil {
		t.Error(err)
	}
	m = machines(s)[0]
	if upper, lower := primal(p, &m, 0, 1), dual(p, s, 0, 1); !near(upper, lower) {
		t.Errorf("primal %g, dual %g", upper, lower)
	}
}

// A countdown is a context that is done once it was asked some times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left == 0 {
		return context.Canceled
	}
	c.left--
	return nil
}

func (b *block) fitOnly(ctx context.Context, s *Solver, o Options) int {
	f := fitter{block: b, problem: s.problem, rows: s.matrix, options: o}
	return f.fit(ctx)
}

// Scaled rows give what rows with those values give, however often they are scaled, and machines for the same
// rows do not disturb each other.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems.Draw(t, "problem")
		scale := make([]float32, p.Features)
		for f := range scale {
			scale[f] = rapid.SampledFrom([]float32{0, 0.5, 1, 4}).Draw(t, "scale")
		}
		o := Options{Strength: 1, Tolerance: 1e-3, Passes: 100}
		s := solve(p)
		before := s.Again(p.Base)
		before.Fit(o)
		if fresh := solve(p); fresh.Fit(o) > 0 && bits(fresh) != bits(before) {
			t.Fatal("machines for the same rows differ")
		}
		given := slices.Clone(scale)
		if !s.Scale(scale) {
			if !slices.Equal(given, scale) {
				t.Fatal("scales are changed, and not used")
			}
			return
		}
		scaled := *p
		scaled.Rows = &Rows{Features: p.Features}
		var was, is float64
		for i, row := range p.Row {
			row = slices.Clone(row)
			for j, c := range row {
				row[j].Value = c.Value * scale[c.Feature]
				if p.weight(i) > 0 {
					was, is = was+float64(c.Value)*float64(c.Value), is+float64(row[j].Value)*float64(row[j].Value)
				}
			}
			scaled.Row = append(scaled.Row, row)
		}
		if math.Abs(is-was) > 1e-5*was {
			t.Fatalf("squares of values sum to %v, not %v", is, was)
		}
		want, got := solve(&scaled), s.Again(p.Base)
		want.Fit(o)
		got.Fit(o)
		if bits(want) != bits(got) {
			t.Fatal("scaled rows have other machines")
		}
	})
}
