package svm

import "math"

// Offsets returns scores by row and class times a factor, as the Base of a problem has them: by row and
// machine. Of two classes that is the score of the second less that of the first.
func Offsets(scores []float32, classes int, factor float64) []float32 {
	machines := Machines(classes)
	offsets := make([]float32, len(scores)/classes*machines)
	for i := range offsets {
		if machines == 1 {
			offsets[i] = float32(factor) * (scores[2*i+1] - scores[2*i])
		} else {
			offsets[i] = float32(factor) * scores[i]
		}
	}
	return offsets
}

// factorRows is about how many rows BestFactor looks at.
const factorRows = 2000

// BestFactor returns the factor of scores by row and class, from least up to most, that has the least loss
// as Base of p, when nothing but biases is added to it.
func BestFactor(p *Problem, scores []float32, least, most float64) float64 {
	// The loss is convex in the factor, and so has one minimum in its logarithm.
	low, high := math.Log(least), math.Log(most)
	for range 14 {
		a, b := low+0.382*(high-low), low+0.618*(high-low)
		if p.baseLoss(scores, math.Exp(a)) <= p.baseLoss(scores, math.Exp(b)) {
			high = b
		} else {
			low = a
		}
	}
	return math.Exp((low + high) / 2)
}

// baseLoss returns the loss of scores times a factor, with the best biases.
func (p *Problem) baseLoss(scores []float32, factor float64) (loss float64) {
	offsets, machines := Offsets(scores, p.Classes, factor), Machines(p.Classes)
	every := max(1, len(p.Class)/factorRows)
	// margins calls yield with how far each row is on the wrong side of its margin.
	margins := func(k int, bias float64, yield func(y, margin float64)) {
		for i := 0; i < len(p.Class); i += every {
			y := p.target(i, k)
			if margin := 1 - y*(float64(offsets[i*machines+k])+bias); margin > 0 {
				yield(y, margin)
			}
		}
	}
	for k := range machines {
		bias := 0.0
		for range 20 { // Newton's steps
			var gradient, curvature float64
			margins(k, bias, func(y, margin float64) {
				gradient -= y * margin
				curvature++
			})
			step := gradient / max(1, curvature)
			bias -= step
			if math.Abs(step) < 1e-6 {
				break
			}
		}
		margins(k, bias, func(_, margin float64) { loss += margin * margin })
	}
	return loss
}
