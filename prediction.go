package bayes

// A Prediction is a distribution over classes, most probable first. Of classes
// equally probable, the first in the model's order comes first.
type Prediction struct {
	Classes []Prob
	Known   int // features of the document that the model knows
	Unknown int // and those it ignored
}

// A Prob is a class and its probability.
type Prob struct {
	Class    string
	P        float64 // in [0,1]
	LogP     float64 // ln P; -Inf where P is 0
	LogJoint float64 // ln P(class, document), the score before it is normalised
}

// Best returns the most probable class.
func (p Prediction) Best() Prob { return p.Classes[0] }
