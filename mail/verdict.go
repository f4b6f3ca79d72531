package mail

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bayes"
)

// A Status is what a filter calls a message. Its number is the exit code that filters have for it
// since bogofilter.
type Status int

// What messages are called.
const (
	Spam Status = iota
	Ham
	Unsure
)

func (s Status) String() string { return [...]string{"spam", "ham", "unsure"}[s] }

// Cutoffs turn what a model says into a [Status]. Those that are zero are left to the model: where it has
// cutoffs or costs of its own, [bayes.Calibrated] ones, what it predicts decides, and may be unsure;
// otherwise they are those of DefaultCutoffs.
type Cutoffs struct {
	Label string  // the class that is spam; all others are ham
	Spam  float64 // the least probability of spam that is spam
	Ham   float64 // the largest that is ham
}

// DefaultCutoffs are those of bogofilter.
var DefaultCutoffs = Cutoffs{Label: "spam", Spam: 0.99, Ham: 0.45}

// A Verdict is what a model says of a message.
type Verdict struct {
	Status Status
	Score  float64  // the log-odds of spam: ln P(spam) - ln P(not spam)
	Reason []string // the features that decided most, and their log-odds
}

// check returns what is wrong with the cutoffs.
func (c Cutoffs) check() error {
	if !(c.Ham >= 0 && c.Ham < 1 && c.Spam >= 0 && c.Spam <= 1) || c.Spam > 0 && c.Ham >= c.Spam {
		return fmt.Errorf("mail up to %v is ham and from %v on spam: want 0 <= ham < spam <= 1", c.Ham, c.Spam)
	}
	return nil
}

// of returns c with the defaults in place of what is zero, unless m has cutoffs of its own.
func (c Cutoffs) of(m *bayes.Model) Cutoffs {
	if own := m.Calibration(); len(own.Cutoffs)+len(own.Overrides)+len(own.Costs)+len(own.Reject) == 0 {
		c.Spam, c.Ham = cmp.Or(c.Spam, DefaultCutoffs.Spam), cmp.Or(c.Ham, DefaultCutoffs.Ham)
	}
	return c
}

// Judge returns what m says of a message that it reads as d.
func (c Cutoffs) Judge(m *bayes.Model, d bayes.Document) (Verdict, error) {
	c = c.of(m)
	if err := c.check(); err != nil {
		return Verdict{}, err
	}
	ex := m.Explain(d)
	var spam, ham []float64
	for _, class := range ex.Classes {
		if class.Class == c.Label {
			spam = append(spam, class.LogP)
		} else {
			ham = append(ham, class.LogP)
		}
	}
	switch {
	case len(spam) == 0:
		return Verdict{}, fmt.Errorf("the model has no class %q", c.Label)
	case len(ham) == 0:
		return Verdict{}, errors.New("the model has no class beside that of spam")
	}
	v := Verdict{Score: spam[0] - logSum(ham)}
	v.Status = c.status(v.Score, ex.Prediction)
	v.reasons(ex)
	return v, nil
}

// status returns what a message is, from its log-odds of spam and what the model predicts. What both
// cutoffs claim is ham, which must not be lost.
func (c Cutoffs) status(logOdds float64, p bayes.Prediction) Status {
	ham, spam := !p.Unsure && p.Answer().Class != c.Label, !p.Unsure && p.Answer().Class == c.Label
	probability := 1 / (1 + math.Exp(-logOdds))
	if c.Ham > 0 {
		ham = probability <= c.Ham
	}
	if c.Spam > 0 {
		spam = probability >= c.Spam
	}
	switch {
	case ham:
		return Ham
	case spam:
		return Spam
	}
	return Unsure
}

// logSum returns the logarithm of a sum whose addends have these logarithms.
func logSum(logs []float64) float64 {
	top := math.Inf(-1)
	for _, v := range logs {
		top = max(top, v)
	}
	if math.IsInf(top, 0) {
		return top
	}
	sum := 0.0
	for _, v := range logs {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// reasons sets the features that decided most, at most a few. Log-odds above 0 are for the class that
// won.
func (v *Verdict) reasons(ex *bayes.Explanation) {
	const most, longest = 8, 40
	for _, f := range ex.Features {
		if len(v.Reason) == most || f.LogOdds == 0 {
			return
		}
		v.Reason = append(v.Reason, printable(f.Feature, longest)+" "+logOdds(f.LogOdds, 2, "+"))
	}
}

// logOdds returns v with some decimals, and a sign in front of what is not negative.
func logOdds(v float64, decimals int, sign string) string {
	if math.Signbit(v) {
		sign = ""
	}
	return sign + strings.TrimPrefix(strconv.FormatFloat(v, 'f', decimals, 64), "+")
}

// printable returns s in the letters that a header may have, and no longer than that.
func printable(s string, longest int) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case b.Len() >= longest:
			return b.String()
		case r > ' ' && r < 0x7f && r != ',':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}
