// Package answer says in JSON what models say: predictions, explanations,
// derivations and terms, in the keys of docs/cli.md. The command and the server
// answer alike because both answer by it.
package answer

import (
	"encoding/json"
	"math"

	"bayes"
)

// Undecided is the label of a prediction that is foreign, or less probable than a threshold.
const Undecided = "?"

// A Real is a number in JSON. JSON has no infinities, so they are the strings
// "inf" and "-inf".
type Real float64

// MarshalJSON implements [json.Marshaler].
func (r Real) MarshalJSON() ([]byte, error) {
	switch v := float64(r); {
	case math.IsInf(v, 1):
		return []byte(`"inf"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-inf"`), nil
	default:
		return json.Marshal(v)
	}
}

// Reals returns list as Reals.
func Reals(list []float64) []Real {
	out := make([]Real, len(list))
	for i, v := range list {
		out[i] = Real(v)
	}
	return out
}

// A Prediction is what a model predicts of a document.
type Prediction struct {
	ID            string          `json:"id,omitempty" doc:"The document's id, where one was given"`
	Label         string          `json:"label" doc:"The most probable class, unless the model has cutoffs or costs that choose another; ? for what is foreign or below a threshold, and unsure below a cutoff of the model or where that costs less; where a document may have several labels, the most probable of labels, empty if there are none"`
	Labels        []string        `json:"labels,omitzero" doc:"Where a document may have several labels: those it is given, sorted"`
	Reason        string          `json:"reason,omitempty" doc:"Why the label is not the most probable class: foreign, threshold, cutoff, recall, costs or certain"`
	Typicality    Real            `json:"typicality,omitempty" doc:"How typical the document is of its most probable class: of documents like the examples, at most this share has so little; of a model that knows what is foreign"`
	Level         *int            `json:"level,omitempty" doc:"How many parts the label has, where it is of a tree and has to be certain; 0 of ?"`
	Probability   Real            `json:"probability" doc:"Of the label, and of the most probable class where the label is no class"`
	Probabilities map[string]Real `json:"probabilities" doc:"Of each class, or of the most probable"`
	Set           []string        `json:"set,omitempty" doc:"Classes that have the right one among them as often as was asked for"`
	LogJoint      map[string]Real `json:"log_joint" doc:"ln P(class, document): each class's score"`
	LeftOut       int             `json:"left_out,omitempty" doc:"How many less probable classes are left out"`
	Known         int             `json:"known" doc:"How many features of the document the model knows"`
	Unknown       int             `json:"unknown" doc:"How many it ignored"`
}

// NewPrediction returns p in JSON, with the label of [Decide]. It has the top most probable classes, and that of the
// label: see [Top].
func NewPrediction(p bayes.Prediction, threshold float64, top int) Prediction {
	n := len(p.Classes) + p.LeftOut
	top = Top(n, top)
	label, reason := decide(&p, threshold)
	r := Prediction{
		Label: label, Labels: Labels(p, threshold), Reason: reason, Typicality: Real(p.Typicality), Probability: Real(p.Answer().P),
		Probabilities: make(map[string]Real), LogJoint: make(map[string]Real),
		Known: p.Known, Unknown: p.Unknown,
	}
	for _, k := range sorted(nil, p.Classes, top, p.Chosen) {
		c := p.Classes[k]
		r.Probabilities[c.Class], r.LogJoint[c.Class] = Real(c.P), Real(c.LogJoint)
	}
	r.LeftOut = n - len(r.Probabilities)
	return r
}

// Decide returns the class that is the answer, [Undecided] where p is foreign, or the class less
// probable than threshold, or [Unsure] where none is.
func Decide(p bayes.Prediction, threshold float64) string {
	label, _ := decide(&p, threshold)
	return label
}

// An Explanation is a prediction and what each term added to the log-odds.
type Explanation struct {
	Prediction
	Class      string  `json:"class" doc:"The class that the label is, the most probable one, or the label that was asked for"`
	Against    string  `json:"against" doc:"The most probable of the others; empty if there is a single class, and where a document may have several labels: then it is the rest"`
	Cutoff     *Cutoff `json:"cutoff,omitempty" doc:"How certain the class is and has to be, where the model has a cutoff for it"`
	Power      Real    `json:"power" doc:"What calibration multiplies the log-odds by; 1 without it"`
	Prior      Real    `json:"prior" doc:"The prior's part of the log-odds"`
	Bias       Real    `json:"bias,omitempty" doc:"The part of prior that a correction has learned"`
	Absent     Real    `json:"absent" doc:"The part of the terms that the document lacks; of Bernoulli only"`
	Terms      []Share `json:"terms" doc:"Largest effect first"`
	Highlights []Span  `json:"highlights,omitempty" doc:"The text, cut where terms begin and end"`
}

// A Share is what one term added.
type Share struct {
	Term       string  `json:"term"`
	Value      float64 `json:"value" doc:"How often the document has it; of a number, its value"`
	LogOdds    Real    `json:"log_odds" doc:"Positive speaks for class, negative for against"`
	Correction Real    `json:"correction,omitempty" doc:"The part of log_odds that a correction has learned; the rest is naive Bayes'"`
	For        float64 `json:"sum_class" doc:"How often the examples of class have it"`
	Against    float64 `json:"sum_against" doc:"And those of against"`

	SpreadFor     *Spread `json:"spread_class,omitempty" doc:"Of a number alone: its mean and deviation in class"`
	SpreadAgainst *Spread `json:"spread_against,omitempty" doc:"And in against"`
}

// A Span is a piece of text and its share of the log-odds.
type Span struct {
	Text    string `json:"text"`
	LogOdds Real   `json:"log_odds"`
}

// NewExplanation returns ex in JSON, without Highlights, and with the top most probable
// classes: see [Top].
func NewExplanation(ex *bayes.Explanation, top int) Explanation {
	terms := []Share{}
	for _, f := range ex.Features {
		share := Share{Term: f.Feature, Value: f.Value, LogOdds: Real(f.LogOdds), Correction: Real(f.Correction), For: f.Counts[0].Sum, Against: f.Counts[1].Sum}
		if class, against, ok := Spreads(f); ok {
			share.SpreadFor, share.SpreadAgainst = &class, &against
		}
		terms = append(terms, share)
	}
	return Explanation{
		Prediction: NewPrediction(ex.Prediction, 0, top), Class: ex.Class, Against: ex.Against, Cutoff: NewCutoff(ex),
		Power: Real(ex.Power), Prior: Real(ex.Prior), Bias: Real(ex.Bias), Absent: Real(ex.Absent), Terms: terms,
	}
}

// Cut sets e.Highlights to those of text, which is the one that ex explains.
func (e *Explanation) Cut(ex *bayes.Explanation, text string) {
	for _, s := range ex.Highlights(text) {
		e.Highlights = append(e.Highlights, Span{s.Text, Real(s.LogOdds)})
	}
}
