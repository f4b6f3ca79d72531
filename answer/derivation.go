package answer

import (
	"math"

	"bayes"
)

// A Derivation is the whole calculation behind a prediction.
type Derivation struct {
	Classes     []ClassDerivation `json:"classes"`
	LeftOut     int               `json:"left_out,omitempty" doc:"How many less probable classes are left out"`
	LogEvidence Real              `json:"log_evidence" doc:"ln P(document); 0 where documents may have several labels, which are questions by themselves"`
	Power       Real              `json:"power" doc:"What calibration raises probabilities to, or of several labels multiplies log_joint by; 1 without it"`
	Unknown     []string          `json:"unknown" doc:"Features that the model ignored"`
}

// A ClassDerivation is the calculation for one class.
type ClassDerivation struct {
	Label       string   `json:"label"`
	Examples    int64    `json:"examples" doc:"How many examples of the class there were"`
	Weight      float64  `json:"weight" doc:"Their weight"`
	Of          float64  `json:"of" doc:"The weight of all examples"`
	LogPrior    Real     `json:"log_prior"`
	PriorCounts bool     `json:"prior_counts" doc:"Whether the prior is part of the score"`
	PriorScore  *Real    `json:"prior_score,omitempty" doc:"What the prior adds to the score, if not log_prior: of one-versus-rest half its log-odds, of several labels all of them; with a correction what the prior adds otherwise, times trust, and bias"`
	Trust       *Real    `json:"trust,omitempty" doc:"With a correction: what all that is naive Bayes' is multiplied by"`
	Bias        *Real    `json:"bias,omitempty" doc:"With a correction: what it adds to the score of the class"`
	Factors     []Factor `json:"factors" doc:"Of the terms of the document, then of at most 100 that it lacks"`
	AbsentSum   Real     `json:"absent_sum" doc:"The sum of the logarithms of all terms that it lacks; of Bernoulli only"`
	AbsentTerms int      `json:"absent_terms" doc:"How many terms it lacks; of Bernoulli only"`
	LogJoint    Real     `json:"log_joint" doc:"The prior and all factors; of several labels the log-odds against the rest"`
	P           Real     `json:"probability"`
}

// A Factor is the estimate of one term's probability in a class.
type Factor struct {
	Term        string  `json:"term"`
	Times       float64 `json:"times" doc:"How often the document has it"`
	Count       float64 `json:"count" doc:"How often it was counted"`
	Total       float64 `json:"total" doc:"Out of how many"`
	Numerator   float64 `json:"numerator" doc:"count, with smoothing"`
	Denominator float64 `json:"denominator" doc:"total, with smoothing"`
	Absent      bool    `json:"absent" doc:"Whether it is the term's absence that counts"`
	Complement  bool    `json:"complement" doc:"Whether the counts are those of all other classes"`
	Number      bool    `json:"number,omitempty" doc:"Whether it is a number, whose factor is a density"`
	Value       float64 `json:"value,omitempty" doc:"Of a number"`
	Mean        Real    `json:"mean,omitempty" doc:"Of a number, where its density is a normal one"`
	Variance    Real    `json:"variance,omitempty" doc:"Likewise; none where the class never had the number"`
	Log         Real    `json:"log" doc:"What one occurrence adds to the score"`
	Rest        *Rest   `json:"rest,omitempty" doc:"Of one-versus-rest: the estimate for all other classes. The factor is the square root of the quotient, and of several labels the quotient"`
	Trust       *Real   `json:"trust,omitempty" doc:"With a correction: log is trust times the logarithm of the factor, and correction"`
	Correction  Real    `json:"correction,omitempty"`
	Occurs      float64 `json:"occurs,omitempty" doc:"With a correction, of a term: its value, which times is, is (1 + ln occurs)·idf / length"`
	IDF         float64 `json:"idf,omitempty"`
	Length      float64 `json:"length,omitempty" doc:"What makes the values of the words of a text, and those of its subwords, of length one"`
}

// A Rest is the estimate of one term's probability in all classes but one.
type Rest struct {
	Count       float64 `json:"count"`
	Total       float64 `json:"total"`
	Numerator   float64 `json:"numerator" doc:"count, with smoothing"`
	Denominator float64 `json:"denominator" doc:"total, with smoothing"`
}

// NewDerivation returns der in JSON, with the top most probable classes: see [Top].
func NewDerivation(der *bayes.Derivation, top int) Derivation {
	classes := []ClassDerivation{}
	der, leftOut := TopDerivation(der, top)
	for _, c := range der.Classes {
		out := ClassDerivation{
			Label: c.Class, Examples: c.Examples, Weight: c.Weight, Of: c.Of, LogPrior: Real(c.LogPrior), PriorCounts: c.PriorCounts,
			Factors: []Factor{}, AbsentSum: Real(c.AbsentSum), AbsentTerms: c.AbsentTerms, LogJoint: Real(c.LogJoint), P: Real(c.P),
		}
		if c.Corrected {
			out.PriorScore, out.Trust, out.Bias = realOf(c.PriorScore), realOf(c.Trust), realOf(c.Bias)
		} else if c.PriorCounts && c.PriorScore != c.LogPrior {
			out.PriorScore = realOf(c.PriorScore)
		}
		for _, f := range append(c.Factors, c.Absent...) {
			out.Factors = append(out.Factors, newFactor(f))
		}
		classes = append(classes, out)
	}
	return Derivation{classes, leftOut, Real(der.Evidence), Real(der.Power), append([]string{}, der.Unknown...)}
}

func newFactor(f bayes.Factor) Factor {
	out := Factor{
		Term: f.Feature, Times: f.Times, Count: f.Count, Total: f.Total, Numerator: f.Count + f.Smoothing, Denominator: f.Total + f.TotalSmoothing,
		Absent: f.Absent, Complement: f.Complement, Number: f.Number, Value: f.Value, Mean: known(f.Mean), Variance: known(f.Variance),
		Log: Real(f.Log), Rest: restOf(f), Correction: Real(f.Correction), Occurs: f.Occurs, IDF: f.IDF, Length: f.Length,
	}
	if f.Corrected {
		out.Trust = realOf(f.Trust)
	}
	return out
}

func realOf(v float64) *Real {
	r := Real(v)
	return &r
}

func restOf(f bayes.Factor) *Rest {
	if f.Rest == nil {
		return nil
	}
	return &Rest{f.Rest.Count, f.Rest.Total, f.Rest.Count + f.Rest.Smoothing, f.Rest.Total + f.Rest.TotalSmoothing}
}

// known returns v, or zero where it is the mean or variance of no value at all.
func known(v float64) Real {
	if math.IsNaN(v) {
		return 0
	}
	return Real(v)
}
