package bayes_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"bayes"
	"bayes/feature"

	"pgregory.net/rapid"
)

// Tests that a model, which reads the rows of the counts, answers as the formulas of the textbook
// do, worked out here for every class and every feature from [bayes.Counts.At] alone.

// A history is what was learned, in the end, and the Counts that learned it.
type history struct {
	*bayes.Counts
	labels, words []string
	kept          []bayes.Example
	weights       []float64          // that examples may have
	values        []float64          // that terms may have
	hadTitle      map[string]float64 // the weight of the examples that have the further text, by class
}

// drawHistory draws few classes and few features, some of them of one class alone and some of all,
// and Counts that learn examples and unlearn some, partly before they learn them.
func drawHistory(t *rapid.T, s *bayes.Space) *history {
	h := &history{words: []string{"all", "most", "some"}, hadTitle: make(map[string]float64)}
	for k := range rapid.IntRange(1, 12).Draw(t, "classes") {
		h.labels = append(h.labels, fmt.Sprint("c", k))
		h.words = append(h.words, fmt.Sprint("own", k))
	}
	if s.Vocabulary != nil {
		s.Vocabulary = append(s.Vocabulary, h.words...)
	}
	h.Counts = bayes.NewCounts(s)
	// Sums of whole numbers may go below zero on their way. Of fractions, those of no example are
	// taken for rounding, and dropped.
	h.weights, h.values = []float64{1, 1, 1, 2, .5, .7}, []float64{1, 1, 2, 3, .5, .3, 0}
	whole := rapid.Bool().Draw(t, "whole")
	if whole {
		h.weights, h.values = h.weights[:4], h.values[:4]
	}
	attrs := rapid.Bool().Draw(t, "attributes")
	for range rapid.IntRange(1, 20).Draw(t, "examples") {
		ex := h.drawExample(t, attrs)
		switch then := rapid.IntRange(0, 9).Draw(t, "then"); {
		case then == 0 && whole: // below zero, and up again
			other := h.drawExample(t, attrs)
			h.count(other, -1)
			h.count(ex, +1)
			h.count(other, +1)
			if rapid.Bool().Draw(t, "again") {
				h.count(other, +1)
				h.kept = append(h.kept, other)
			}
			h.kept = append(h.kept, ex)
		case then == 1:
			other := h.drawExample(t, attrs)
			h.count(ex, +1)
			h.count(other, +1)
			h.count(ex, -1)
			h.kept = append(h.kept, other)
		default:
			h.count(ex, +1)
			h.kept = append(h.kept, ex)
		}
	}
	return h
}

func (h *history) count(ex bayes.Example, sign float64) {
	if sign > 0 {
		h.Learn(ex)
	} else {
		h.Unlearn(ex)
	}
	if slices.ContainsFunc(ex.Attrs, func(a bayes.Attr) bool { return a.Name == "title" }) {
		h.hadTitle[ex.Label] += sign * ex.Weight
	}
}

func (h *history) drawExample(t *rapid.T, attrs bool) bayes.Example {
	ex := bayes.Example{
		Label:  rapid.SampledFrom(h.labels).Draw(t, "label"),
		Weight: rapid.SampledFrom(h.weights).Draw(t, "weight"),
	}
	own := "own" + ex.Label[1:]
	for _, word := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"all", "most", "some", own}), 0, 4, rapid.ID).Draw(t, "words") {
		ex.Attrs = append(ex.Attrs, bayes.Term(word, rapid.SampledFrom(h.values).Draw(t, "value")))
	}
	if attrs && rapid.Bool().Draw(t, "has title") {
		ex.Attrs = append(ex.Attrs, bayes.Text("title", rapid.SampledFrom([]string{"", "all", "some all some", own}).Draw(t, "title")))
	}
	if attrs && rapid.Bool().Draw(t, "has from") {
		ex.Attrs = append(ex.Attrs, bayes.Category("from", rapid.SampledFrom([]string{"bob", "eve", own}).Draw(t, "from")))
	}
	return ex
}

// A dense is one block as tables by feature and class.
type dense struct {
	prefix       string    // of its features' names
	names        []string  // without it, sorted
	weight       []float64 // by class: of the examples that have the block
	sum, present [][]float64
	documents    []int64 // by feature: how many examples have it
}

// dense returns the block whose features have the prefix.
func (h *history) dense(prefix string, declared []string) *dense {
	d := &dense{prefix: prefix, names: slices.Clone(declared)}
	for f := range h.Features() {
		if name, ok := strings.CutPrefix(f, prefix); ok && (prefix != "" || !strings.ContainsAny(f, ":=")) {
			d.names = append(d.names, name)
		}
	}
	slices.Sort(d.names)
	d.names = slices.Compact(d.names)
	for _, label := range h.Classes() {
		_, weight := h.Class(label)
		if prefix == "title:" {
			weight = h.hadTitle[label]
		}
		d.weight = append(d.weight, weight)
	}
	for _, name := range d.names {
		var sum, present []float64
		var documents int64
		for _, label := range h.Classes() {
			m := h.At(label, prefix+name)
			sum, present, documents = append(sum, m.Sum), append(present, m.Present), documents+m.Examples
		}
		d.sum, d.present, d.documents = append(d.sum, sum), append(d.present, present), append(d.documents, documents)
	}
	return d
}

// selected returns d with the features that are kept. A declared feature that no example has is not
// among them.
func (d *dense) selected(s bayes.Selected) *dense {
	var kept []int
	for i, n := range d.documents {
		if float64(n) >= s.MinDocuments {
			kept = append(kept, i)
		}
	}
	if s.MaxFeatures > 0 {
		slices.SortStableFunc(kept, func(i, j int) int {
			switch a, b := total(d.sum[i]), total(d.sum[j]); {
			case a > b*(1+1e-9):
				return -1
			case b > a*(1+1e-9):
				return 1
			}
			return 0
		})
		kept = kept[:min(s.MaxFeatures, len(kept))]
		slices.Sort(kept)
	}
	r := &dense{prefix: d.prefix, weight: d.weight}
	for _, i := range kept {
		if d.documents[i] > 0 {
			r.names, r.documents = append(r.names, d.names[i]), append(r.documents, d.documents[i])
			r.sum, r.present = append(r.sum, d.sum[i]), append(r.present, d.present[i])
		}
	}
	return r
}

func total(list []float64) float64 {
	var sum float64
	for _, v := range list {
		sum += v
	}
	return sum
}

// column returns what each feature has in class k.
func column(table [][]float64, k int) (list []float64) {
	for _, row := range table {
		list = append(list, row[k])
	}
	return list
}

// without returns the list without element k.
func without(list []float64, k int) []float64 { return slices.Delete(slices.Clone(list), k, k+1) }

// logP returns ln((n+α)/(total+A)), and minus infinity where nothing was counted.
func logP(n, alpha, total, alphas float64) float64 {
	if n+alpha <= 0 {
		return math.Inf(-1)
	}
	return math.Log((n + alpha) / (total + alphas))
}

// weights returns what each feature adds to each class, if it is present, and if it is absent.
func (d *dense) weights(kind string, alpha []float64) (present, absent [][]float64) {
	for i := range d.names {
		var has, lacks []float64
		for k := range d.weight {
			var w, a float64
			switch kind {
			case "multinomial":
				w = logP(d.sum[i][k], alpha[i], total(column(d.sum, k)), total(alpha))
			case "complement", "complement norm":
				w = -d.logNot(i, k, alpha)
			case "one-versus-rest":
				w = logP(d.sum[i][k], alpha[i], total(column(d.sum, k)), total(alpha))
				if !math.IsInf(w, -1) {
					w = (w - d.logNot(i, k, alpha)) / 2
				}
			case "bernoulli":
				w = logP(d.present[i][k], alpha[i], d.weight[k], 2*alpha[i])
				a = logP(d.weight[k]-d.present[i][k], alpha[i], d.weight[k], 2*alpha[i])
			case "categorical":
				w = logP(d.present[i][k], alpha[i], total(column(d.present, k)), total(alpha))
			}
			has, lacks = append(has, w), append(lacks, a)
		}
		present, absent = append(present, has), append(absent, lacks)
	}
	if kind == "complement norm" {
		for k := range d.weight {
			norm := total(column(present, k))
			for i := range d.names {
				if norm >= 1e-12 {
					present[i][k] /= norm
				}
			}
		}
	}
	return present, absent
}

// logNot returns ln P(t|¬c).
func (d *dense) logNot(i, k int, alpha []float64) float64 {
	var all float64
	for _, row := range d.sum {
		all += total(without(row, k))
	}
	return logP(total(without(d.sum[i], k)), alpha[i], all, total(alpha))
}

// A score is a sum of terms, and how large they were, which bounds its rounding error.
type score struct{ sum, size float64 }

func (s *score) add(v, w float64) {
	if v == 0 {
		return
	}
	s.sum += v * w
	if !math.IsInf(v*w, 0) {
		s.size += math.Abs(v * w)
	}
}

func (s score) tolerance() float64 { return 1e-12 * max(1, s.size) }

func (s score) is(v float64) bool { return v == s.sum || math.Abs(v-s.sum) <= s.tolerance() }

// add adds the weights of a document, whose values are by name, to the scores of the classes.
func (d *dense) add(scores []score, kind string, alpha []float64, values map[string]float64, threshold float64) {
	present, absent := d.weights(kind, alpha)
	for i, name := range d.names {
		v, ok := values[name]
		for k := range scores {
			switch {
			case kind != "bernoulli":
				scores[k].add(v, present[i][k])
			case ok && v > threshold:
				scores[k].add(1, present[i][k])
			default:
				scores[k].add(1, absent[i][k])
			}
		}
	}
}

// A drawnModel is an event model, and the parts that the reference is made of.
type drawnModel struct {
	bayes.EventModel
	kind        string
	smoothing   bayes.Smoothing
	prior       bayes.Prior
	selected    *bayes.Selected
	temperature float64
	mixed       bool
}

func drawModel(t *rapid.T, labels []string, mixed bool) *drawnModel {
	d := &drawnModel{temperature: 1, mixed: mixed}
	d.kind = rapid.SampledFrom([]string{"multinomial", "complement", "complement norm", "one-versus-rest", "bernoulli"}).Draw(t, "kind")
	smoothings := []bayes.Smoothing{
		bayes.Additive(1), bayes.Additive(.01), bayes.Additive(0),
		bayes.PerFeature{Alpha: map[string]float64{"all": 0, "most": .5, "own1": 0, "own2": 2}, Else: .25},
		bayes.Evidence{}, bayes.Evidence{PerTerm: true},
	}
	switch d.kind {
	case "complement norm":
		smoothings = slices.Delete(smoothings, 2, 4) // without a zero
	case "bernoulli":
		smoothings = smoothings[:4]
	}
	d.smoothing = rapid.SampledFrom(smoothings).Draw(t, "smoothing")
	given := make(bayes.GivenPrior)
	for _, label := range labels {
		given[label] = 1 / float64(len(labels))
	}
	if len(labels) > 1 {
		given[labels[0]], given[labels[1]] = given[labels[0]]/2, given[labels[1]]*1.5
	}
	d.prior = rapid.SampledFrom([]bayes.Prior{bayes.EmpiricalPrior{}, bayes.UniformPrior{}, given}).Draw(t, "prior")
	switch d.kind {
	case "multinomial":
		d.EventModel = bayes.Multinomial{Smoothing: d.smoothing, Prior: d.prior}
	case "one-versus-rest":
		d.EventModel = bayes.OneVersusRest{Smoothing: d.smoothing, Prior: d.prior}
	case "bernoulli":
		d.EventModel = bayes.Bernoulli{Smoothing: d.smoothing, Prior: d.prior}
	default:
		d.EventModel = bayes.Complement{Smoothing: d.smoothing, Prior: d.prior, Normalize: d.kind == "complement norm"}
	}
	if rapid.IntRange(0, 3).Draw(t, "selected") == 0 {
		d.selected = &bayes.Selected{MinDocuments: 2, MaxFeatures: rapid.IntRange(0, 3).Draw(t, "max features"), Model: d.EventModel}
		d.EventModel = *d.selected
	}
	if mixed {
		d.EventModel = bayes.Mixed{Text: d.EventModel, Category: bayes.Categorical{}, Prior: d.prior}
	}
	if rapid.IntRange(0, 3).Draw(t, "calibrated") == 0 {
		d.temperature = 2.5
		d.EventModel = bayes.Calibrated{Model: d.EventModel, Temperature: d.temperature}
	}
	return d
}

// scoresPrior reports whether the prior is part of the score of as many classes.
func (d *drawnModel) scoresPrior(classes int) bool {
	return d.mixed || classes == 1 || !strings.HasPrefix(d.kind, "complement")
}

// alphas returns the smoothing of each feature of a block. What is estimated is read off the
// derivation of the features.
func (d *drawnModel) alphas(b *dense, m *bayes.Model) (list []float64) {
	for _, name := range b.names {
		switch s := d.smoothing.(type) {
		case bayes.Additive:
			list = append(list, float64(s))
		case bayes.PerFeature:
			alpha, ok := s.Alpha[name]
			if !ok {
				alpha = s.Else
			}
			list = append(list, alpha)
		default:
			doc := bayes.Document{Attrs: []bayes.Attr{bayes.Term(name, 1)}}
			if b.prefix == "title:" {
				doc.Attrs[0] = bayes.Text("title", name)
			}
			list = append(list, m.Derive(doc).Classes[0].Factors[0].Smoothing)
		}
	}
	return list
}

// A reference answers as a model should.
type reference struct {
	*drawnModel
	model             *bayes.Model
	text, title, from *dense
	threshold         float64
}

func newReference(t *rapid.T, h *history, d *drawnModel) *reference {
	m, err := bayes.Fit(h.Counts, d.EventModel)
	if err != nil {
		t.Fatalf("%v: %v", d.EventModel, err)
	}
	r := &reference{drawnModel: d, model: m, threshold: h.Space().Threshold}
	vocabulary := h.Space().Vocabulary
	r.text = h.dense("", vocabulary)
	texts, _, categories := h.Attributes()
	if len(texts) > 0 {
		r.title = h.dense("title:", vocabulary)
	}
	if len(categories) > 0 {
		r.from = h.dense("from=", h.Space().Values["from"])
	}
	if d.selected != nil {
		r.text = r.text.selected(*d.selected)
		if r.title != nil {
			r.title = r.title.selected(*d.selected)
		}
	}
	return r
}

// scores returns ln P(c, d) of a document of these values.
func (r *reference) scores(values, title map[string]float64, from string) []score {
	scores := make([]score, len(r.text.weight))
	for k, p := range r.logPrior() {
		switch {
		case r.kind == "one-versus-rest" && !r.mixed:
			scores[k].add(1, r.halfLogOdds(k))
		case r.scoresPrior(len(scores)):
			scores[k].add(1, p)
		}
	}
	r.text.add(scores, r.kind, r.alphas(r.text, r.model), values, r.threshold)
	if r.title != nil && title != nil {
		r.title.add(scores, r.kind, r.alphas(r.title, r.model), title, r.threshold)
	}
	if r.from != nil && from != "" {
		r.from.add(scores, "categorical", slices.Repeat([]float64{1}, len(r.from.names)), map[string]float64{from: 1}, 0)
	}
	for k := range scores {
		if math.IsNaN(scores[k].sum) {
			scores[k].sum = math.Inf(-1)
		}
	}
	return scores
}

func (r *reference) logPrior() (list []float64) {
	for k, label := range r.model.Classes() {
		switch p := r.prior.(type) {
		case bayes.UniformPrior:
			list = append(list, -math.Log(float64(len(r.text.weight))))
		case bayes.GivenPrior:
			list = append(list, math.Log(p[label]))
		default:
			list = append(list, math.Log(r.text.weight[k]/total(r.text.weight)))
		}
	}
	return list
}

// halfLogOdds returns half of ln P(c) - ln(1 - P(c)); zero if there is nothing but the class.
func (r *reference) halfLogOdds(k int) float64 {
	var others float64
	logPrior := r.logPrior()
	for _, p := range without(logPrior, k) {
		others += math.Exp(p)
	}
	if others == 0 {
		return 0
	}
	return (logPrior[k] - math.Log(others)) / 2
}

// checkPrediction compares the decision and the probabilities.
func (r *reference) checkPrediction(t *rapid.T, doc bayes.Document, want []score) {
	logP, finite := make([]float64, len(want)), false
	var size float64
	for k, s := range want {
		logP[k], finite, size = s.sum, finite || s.sum > math.Inf(-1), max(size, s.size)
	}
	if !finite { // impossible: the prior decides
		logP = r.logPrior()
	}
	top := slices.Max(logP)
	var sum, powers float64
	for k := range logP {
		switch {
		case logP[k] == top: // certain classes too share everything
			logP[k] = 0
		default:
			logP[k] -= top
		}
		powers += math.Exp(logP[k] / r.temperature)
	}
	p := r.model.Predict(doc)
	labels := r.model.Classes()
	for i, c := range p.Classes {
		k := slices.Index(labels, c.Class)
		sum += c.P
		if !want[k].is(c.LogJoint) {
			t.Fatalf("%v: ln P(%s, d) = %v, want %v", r.EventModel, c.Class, c.LogJoint, want[k])
		}
		if want := logP[k]/r.temperature - math.Log(powers); want != c.LogP && !(math.Abs(want-c.LogP) <= 1e-12*max(1, size)) {
			t.Fatalf("%v: ln P(%s|d) = %v, want %v", r.EventModel, c.Class, c.LogP, want)
		}
		if i > 0 {
			if before := p.Classes[i-1]; before.LogP < c.LogP || before.LogP == c.LogP && before.Class > c.Class {
				t.Fatalf("%v: %v stands before %v", r.EventModel, before, c)
			}
			// A class that is better by more than rounding stands before the others.
			if before := slices.Index(labels, p.Classes[i-1].Class); logP[before] < logP[k]-2e-12*max(1, size) {
				t.Fatalf("%v: %s stands before %s, of %v", r.EventModel, labels[before], c.Class, logP)
			}
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Fatalf("%v: probabilities sum to %v", r.EventModel, sum)
	}
}

// checkParameters compares the weights of the main text.
func (r *reference) checkParameters(t *rapid.T) {
	p := r.model.Parameters()
	if len(r.text.names) == 0 && r.title != nil { // left out
		return
	}
	if !slices.Equal(p.Terms, r.text.names) {
		t.Fatalf("%v: terms %q, want %q", r.EventModel, p.Terms, r.text.names)
	}
	present, _ := r.text.weights(r.kind, r.alphas(r.text, r.model))
	for k := range p.Labels {
		for i, want := range column(present, k) {
			if got := p.TermLogProb[k][i]; got != want && !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
				t.Fatalf("%v: %q weighs %v in %s, want %v", r.EventModel, p.Terms[i], got, p.Labels[k], want)
			}
		}
	}
}

func drawDeclared(t *rapid.T) *bayes.Space {
	s := &bayes.Space{Threshold: rapid.SampledFrom([]float64{0, 0, .4, 1}).Draw(t, "threshold")}
	if rapid.IntRange(0, 3).Draw(t, "vocabulary") == 0 {
		s.Vocabulary = []string{"never", "ever"}
	}
	if rapid.IntRange(0, 3).Draw(t, "labels") == 0 {
		s.Labels = []string{"nobody", "c0"}
	}
	if rapid.IntRange(0, 3).Draw(t, "values") == 0 {
		s.Values = map[string][]string{"from": {"bob", "mallory"}}
	}
	return s
}

// A model answers as the formulas do.
func TestModelIsFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t, drawDeclared(t))
		if h.Examples() == 0 {
			return
		}
		_, _, categories := h.Attributes()
		r := newReference(t, h, drawModel(t, h.Classes(), len(categories) > 0))
		r.checkParameters(t)
		for range 3 {
			var (
				x      []feature.Feature
				doc    bayes.Document
				values = make(map[string]float64)
				title  map[string]float64
			)
			for _, word := range append([]string{"ever", "unknown"}, h.words...) {
				if rapid.IntRange(0, 2).Draw(t, "has") == 0 {
					continue
				}
				v := rapid.SampledFrom([]float64{1, 1, 2, .5, .3, 0, -1, 17, 1e-3}).Draw(t, "value")
				x, values[word] = append(x, feature.Feature{Name: word, Value: v}), v
				doc.Attrs = append(doc.Attrs, bayes.Term(word, v))
			}
			want := r.scores(values, nil, "")
			for k, got := range r.model.AppendLogJoint(nil, x) {
				if !want[k].is(got) {
					t.Fatalf("%v: ln P(%s, %v) = %v, want %v", r.EventModel, r.model.Classes()[k], x, got, want[k])
				}
			}
			if rapid.Bool().Draw(t, "has title") {
				title = map[string]float64{"all": 2, "own0": 1, "unknown": 1}
				doc.Attrs = append(doc.Attrs, bayes.Text("title", "all own0 unknown all"))
			}
			from := rapid.SampledFrom([]string{"", "bob", "eve", "mallory", "unknown"}).Draw(t, "from")
			if from != "" {
				doc.Attrs = append(doc.Attrs, bayes.Category("from", from))
			}
			r.checkPrediction(t, doc, r.scores(values, title, from))
			checkExplanation(t, r.model, doc)
		}
	})
}

// Classes of the same counts have the same scores to the last bit, and stand in the order of
// classes.
func TestTwinsTie(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t, drawDeclared(t))
		twins := bayes.NewCounts(&bayes.Space{Threshold: h.Space().Threshold})
		for _, ex := range h.kept {
			ex.Attrs = slices.DeleteFunc(slices.Clone(ex.Attrs), func(a bayes.Attr) bool { return a.Name == "from" })
			twins.Learn(ex)
			ex.Label += " twin"
			twins.Learn(ex)
		}
		if twins.Examples() == 0 {
			return
		}
		d := drawModel(t, twins.Classes(), false)
		if _, ok := d.prior.(bayes.GivenPrior); ok {
			return
		}
		m, err := bayes.Fit(twins, d.EventModel)
		if err != nil {
			t.Fatal(err)
		}
		p := m.Predict(h.drawExample(t, true).Document())
		for i, c := range p.Classes {
			if strings.HasSuffix(c.Class, " twin") {
				continue
			}
			twin := slices.IndexFunc(p.Classes, func(o bayes.Prob) bool { return o.Class == c.Class+" twin" })
			if o := p.Classes[twin]; twin < i || math.Float64bits(o.LogJoint) != math.Float64bits(c.LogJoint) || o.P != c.P {
				t.Fatalf("%v: %v and %v, at %d and %d", d.EventModel, c, o, i, twin)
			}
		}
	})
}

// A model keeps its answers to the last bit while its counts go on to learn and unlearn, whether or
// not it has read a row before, and any number of goroutines may ask it meanwhile.
func TestModelOutlivesCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t, drawDeclared(t))
		if h.Examples() == 0 {
			return
		}
		_, _, categories := h.Attributes()
		d := drawModel(t, h.Classes(), len(categories) > 0)
		warm := newReference(t, h, d).model
		cold := newReference(t, h, d).model
		var docs []bayes.Document
		var want []bayes.Prediction
		for range 5 {
			docs = append(docs, h.drawExample(t, true).Document())
			want = append(want, warm.Predict(docs[len(docs)-1]))
		}
		later := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bayes.Example { return h.drawExample(t, true) }), 50, 50).Draw(t, "later")
		signs := rapid.SliceOfN(rapid.SampledFrom([]float64{1, 1, -1}), 50, 50).Draw(t, "signs")
		check := func(m *bayes.Model) error {
			for i, doc := range docs {
				got := m.Predict(doc)
				for j, p := range got.Classes {
					if w := want[i].Classes[j]; p.Class != w.Class || math.Float64bits(p.LogJoint) != math.Float64bits(w.LogJoint) || p.P != w.P {
						return fmt.Errorf("%v: %v became %v", d.EventModel, w, p)
					}
				}
				m.Explain(doc)
			}
			return nil
		}
		var group sync.WaitGroup
		errs := make(chan error, 3)
		for range cap(errs) {
			group.Go(func() { errs <- check(cold) })
		}
		for i, ex := range later {
			h.count(ex, signs[i])
			if i%10 == 0 {
				bayes.Fit(h.Counts, d.EventModel) // its rows are shared again; it may be below zero
			}
		}
		group.Wait()
		close(errs)
		for err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := check(warm); err != nil {
			t.Fatal(err)
		}
	})
}

// Whatever the order in which whole examples are learned and unlearned, the same bytes are saved.
func TestOrderLeavesNoTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type change struct {
			bayes.Example
			learn bool
		}
		kept := rapid.SliceOfN(rapid.Custom(drawExample), 0, 10).Draw(t, "kept")
		var changes []change
		for _, ex := range kept {
			changes = append(changes, change{ex, true})
		}
		for _, ex := range rapid.SliceOfN(rapid.Custom(drawExample), 0, 10).Draw(t, "undone") {
			changes = append(changes, change{ex, true}, change{ex, false})
		}
		space := drawWhole(t)
		if space.Analyzer != nil {
			space.SubwordWeight = 1
		}
		straight, wild := bayes.NewCounts(space), bayes.NewCounts(space)
		for _, ex := range kept {
			straight.Learn(ex)
		}
		for _, i := range rapid.Permutation(seq(len(changes))).Draw(t, "order") {
			if changes[i].learn {
				wild.Learn(changes[i].Example)
			} else {
				wild.Unlearn(changes[i].Example)
			}
		}
		var a, b bytes.Buffer
		if err := bayes.Save(&a, straight, nil); err != nil {
			t.Fatal(err)
		}
		if err := bayes.Save(&b, wild, nil); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Fatalf("the bytes differ (%v)", err)
		}
	})
}

// Of two classes each is the rest of the other, and one-versus-rest is multinomial.
func TestTwoClassesVersusRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t, &bayes.Space{Labels: []string{"c0", "c1"}})
		if len(h.Classes()) != 2 || h.Examples() == 0 {
			return
		}
		var all [2]*bayes.Model
		alpha := rapid.SampledFrom([]bayes.Additive{1, .01, 0}).Draw(t, "alpha")
		_, _, categories := h.Attributes()
		for i, em := range []bayes.EventModel{bayes.OneVersusRest{Smoothing: alpha}, bayes.Multinomial{Smoothing: alpha}} {
			if len(categories) > 0 {
				em = bayes.Mixed{Text: em}
			}
			var err error
			if all[i], err = bayes.Fit(h.Counts, em); err != nil {
				t.Fatal(err)
			}
		}
		doc := h.drawExample(t, true).Document()
		got, want := all[0].Predict(doc), all[1].Predict(doc)
		for _, c := range got.Classes {
			k := slices.IndexFunc(want.Classes, func(o bayes.Prob) bool { return o.Class == c.Class })
			if p := want.Classes[k].P; math.Abs(p-c.P) > 1e-12 {
				t.Fatalf("P(%s|d) = %v, want %v", c.Class, c.P, p)
			}
		}
	})
}
