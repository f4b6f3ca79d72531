package bayes

import (
	"math"

	"bayes/internal/decision"
)

// A Prediction is a distribution over classes, most probable first. Where a document may have several
// labels, the probability of each is against its own rest, and they do not sum to one. Of classes
// equally probable, the first in the model's order comes first.
type Prediction struct {
	Classes []Prob
	Known   int  // features of the document that the model knows
	Unknown int  // and those it ignored
	LeftOut int  // less probable classes that are not among Classes: see [Model.PredictTop]
	Chosen  int  // which of Classes is the answer: 0 unless cutoffs or costs choose another, see [Calibrated]
	Unsure  bool // whether none is

	// Reason says why the answer is not the best class: "cutoff", which it is below; "recall" of the class chosen; "costs".
	Reason string

	// Labels are those whose log-odds reach their cutoff, sorted, where a document may have several:
	// see [Space]. There the list is not nil, even if it is empty; else it is.
	Labels []string
}

// A Prob is a class and its probability.
type Prob struct {
	Class    string
	P        float64 // in [0,1]
	LogP     float64 // ln P; -Inf where P is 0
	LogJoint float64 // ln P(class, document), the score before it is normalised; of several labels the log-odds against the rest
}

// Best returns the most probable class.
func (p Prediction) Best() Prob { return p.Classes[0] }

// Answer returns the class that is the answer, and the best one where none is.
func (p Prediction) Answer() Prob { return p.Classes[p.Chosen] }

// Costs say what each mistake costs. A right decision costs nothing.
type Costs struct {
	Of     map[[2]string]float64 // by true class and chosen class; missing pairs cost one
	Reject float64               // of not deciding; zero means always to decide
}

// Decide returns the class of least expected cost,
//
//	argmin_a Σ P(c) · cost(c, a),
//
// and false if leaving the document undecided costs less. Of classes that cost
// the same, the more probable one is chosen.
func (p Prediction) Decide(c Costs) (class string, ok bool) {
	least := math.Inf(1)
	for _, chosen := range p.Classes {
		var expected float64
		for _, actual := range p.Classes {
			expected += actual.P * decision.Settings{Costs: c.Of}.Cost(actual.Class, chosen.Class, true)
		}
		if expected < least {
			least, class = expected, chosen.Class
		}
	}
	if c.Reject > 0 && c.Reject < least {
		return "", false
	}
	return class, true
}
