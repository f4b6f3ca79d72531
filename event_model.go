package bayes

import (
	"cmp"
	"fmt"
	"strings"

	"bayes/internal/decision"
	"bayes/internal/sweep"
	"bayes/internal/typicality"
)

// An EventModel says how a document is distributed given its class. The event
// models are [Multinomial], [Complement], [OneVersusRest] and [Bernoulli] for texts,
// [Gaussian], [Kernel] and [Discrete] for numbers, [Categorical] for categories, and
// [Mixed] for documents that have several of these. [Selected], [Corrected] and [Calibrated]
// are made of another one.
type EventModel interface {
	// String returns the model in the form read by [ParseEventModel].
	String() string

	// fit returns the likelihoods of the blocks, of a kind that it models.
	fit(blocks []*statistics) ([]likelihood, error)

	// models reports whether the event model is for blocks of a kind.
	models(kind attrKind) bool

	prior() Prior
}

// name returns the first word of an event model's description.
func name(em EventModel) string {
	word, _, _ := strings.Cut(em.String(), " ")
	return word
}

func notModelled(em EventModel, id blockID) error {
	return fmt.Errorf("%s does not model %s: mixed does", name(em), id)
}

// Accepts returns nil if em is for examples such as ex: models all that it holds,
// and has a prior for its label. Otherwise [Fit] would refuse Counts that have
// learned ex, and the error says why. An empty label asks about what ex holds
// alone, as for a document that is to be predicted. A nil em is Multinomial{}.
func Accepts(em EventModel, ex Example) error {
	em = cmp.Or[EventModel](em, Multinomial{})
	// Fit would refuse a class that the prior leaves out, and a block that no part of em models.
	if g, ok := em.prior().(GivenPrior); ok && ex.Label != "" {
		if _, ok := g[ex.Label]; !ok {
			return fmt.Errorf("bayes: prior: nothing is said of class %q", ex.Label)
		}
	}
	if ex.Text != "" && !em.models(textAttr) {
		return fmt.Errorf("bayes: %w", notModelled(em, blockID{}))
	}
	for _, a := range ex.Attrs {
		id := blockID{a.kind, a.Name}
		if a.kind == termAttr {
			id = blockID{}
		}
		if !em.models(id.kind) {
			return fmt.Errorf("bayes: %w", notModelled(em, id))
		}
	}
	return nil
}

// A gridded event model can be scored together with others that differ in an additive smoothing
// alone, without being fitted: see grid.go.
type gridded interface {
	EventModel

	// grid returns the place of the event model in a grid of smoothings, and whether it has
	// one: its smoothing is additive and within the bounds of package sweep.
	grid() (place gridPlace, ok bool)
}

// A gridPlace says which group an event model belongs to, and where it stands there.
type gridPlace struct {
	key    string                                 // the same for all event models of the group
	alpha  float64                                // the smoothing
	kind   sweep.Kind                             // of the group
	model  EventModel                             // of the group, without what selects features
	reduce func(*statistics) (*statistics, error) // selects features; nil if all are read
}

// A wrapper is an event model around another one.
type wrapper interface{ model() EventModel }

// unwrapTo returns the first event model that is a T of em and those inside its wrappers.
func unwrapTo[T any](em EventModel) (found T, ok bool) {
	for !ok {
		if found, ok = em.(T); ok {
			break
		}
		w, wraps := em.(wrapper)
		if !wraps {
			break
		}
		em = w.model()
	}
	return found, ok
}

// treeOf returns what separates the parts of the labels that em or a model inside reads as paths; empty if none does.
func treeOf(em EventModel) string {
	if t, ok := unwrapTo[interface{ tree() string }](em); ok {
		return t.tree()
	}
	return ""
}

// A biased event model adds something to the score of each class beside what the prior does.
type biased interface {
	// biases returns what is added, nil if nothing is, and what the part of the prior, which may be nil, is
	// multiplied by.
	biases(classes []string, prior []float64, parts []likelihood) (bias []float64, trust float64)
}

// partOf returns an error if em, which is part of another model, is biased: a bias is that of whole
// documents.
func partOf(outer string, em EventModel) error {
	if b, ok := unwrapTo[biased](em); ok {
		inner := name(b.(EventModel))
		return fmt.Errorf("%s: it cannot have %s inside: want it inside %s", outer, inner, inner)
	}
	return nil
}

// A priorScorer is an event model to whose score the prior adds something else than ln P(c).
type priorScorer interface {
	// scorePrior returns what is added to the score of each class; nil if nothing is.
	scorePrior(logPrior []float64) []float64
}

// A calibrator is an event model that changes the probabilities of the model it wraps.
type calibrator interface {
	// Apply replaces ln P(c|d) of each class, and returns the power that P was raised to.
	Apply(logP []float64) (power float64)

	// power returns that of Apply, of nothing the one that is the same for all.
	power(logP []float64) float64

	// settings say which class is the answer.
	settings() decision.Settings
	// known returns the share of documents of known classes that are not to be foreign, 0 if none is foreign.
	known() float64

	// typical returns how typical a document with this evidence is of a class, and whether it is foreign.
	typical(class string, e typicality.Evidence) (p float64, foreign bool)
}

// A labelFitter is an event model that can be fitted where a document may have several labels, each against the rest.
type labelFitter interface{ fitsLabels() }

// A checked event model has options that a frozen model uses too, and knows whether they are
// right.
type checked interface{ check() error }

// A smoothed event model has a smoothing, or wraps models that have one.
type smoothed interface {
	withSmoothing(s Smoothing) EventModel
}

// WithSmoothing returns em with the smoothing s wherever it has one, and em itself if it has
// none.
func WithSmoothing(em EventModel, s Smoothing) EventModel {
	if m, ok := em.(smoothed); ok {
		return m.withSmoothing(s)
	}
	return em
}
