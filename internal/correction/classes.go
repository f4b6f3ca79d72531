package correction

import (
	"math"
	"slices"
	"strings"
)

// Classes are those of counts, as a correction sees them.
type Classes struct {
	Trust        float64 // in naive Bayes
	TrustInNewer float64 // without a trust: that in what it says of newer classes
	Newer        []int   // the classes that the correction does not know
	place        []int32 // by class of the correction: its index among those of the counts, or -1
}

// Among returns how c sees the sorted classes of counts.
func (c *Data) Among(classes []string) *Classes {
	of := &Classes{Trust: c.Trust, place: make([]int32, len(c.Classes))}
	for k, label := range c.Classes {
		of.place[k] = -1
		if i, ok := slices.BinarySearch(classes, label); ok {
			of.place[k] = int32(i)
		}
	}
	for i, label := range classes {
		if _, ok := slices.BinarySearch(c.Classes, label); !ok {
			of.Newer = append(of.Newer, i)
		}
	}
	return of
}

// Padded returns labels with others among them that no example has, so that there are three: of two classes there
// would be one machine, and each of several labels has its own. No label has a tab in it.
func Padded(labels []string) []string {
	for n := len(labels); n < 3; n++ {
		labels = append(slices.Clone(labels), strings.Repeat("\t", 3-n))
	}
	slices.Sort(labels)
	return labels
}

// Places returns where some of the labels are among all, which are sorted.
func Places(all, some []string) []int32 {
	places := []int32{}
	for _, label := range some {
		if k, ok := slices.BinarySearch(all, label); ok {
			places = append(places, int32(k))
		}
	}
	return places
}

// mean returns the mean of the scores of the classes that are not newer.
func (c *Classes) mean(scores []float64) (mean float64) {
	n := float64(len(scores) - len(c.Newer))
	for _, i := range c.place {
		if i >= 0 {
			mean += scores[i] / n
		}
	}
	return mean
}

// Add adds v times the corrections of a feature to the scores. Of two classes there is one machine, half
// of it for the second and half against the first. A class that is newer has the mean of all. A
// feature without corrections adds nothing.
func (c *Classes) Add(scores []float64, weights []float32, v float64) {
	if len(weights) == 0 {
		return
	}
	if len(c.place) == 2 {
		half := v * float64(weights[0]) / 2
		for k, sign := range []float64{-1, 1} {
			if at := c.place[k]; at >= 0 {
				scores[at] += sign * half
			}
		}
		return
	}
	var sum float64
	for k, w := range weights {
		w := v * float64(w)
		if at := c.place[k]; at >= 0 {
			scores[at] += w
		}
		sum += w
	}
	for _, i := range c.Newer {
		scores[i] += sum / float64(len(weights))
	}
}

// Centred reports whether naive Bayes is trusted in newer classes alone. Then it says how far these are
// from the mean of the others.
func (c *Classes) Centred() bool { return c.Trust == 0 && c.TrustInNewer != 0 }

// TrustIn returns the trust in what naive Bayes says of class k.
func (c *Classes) TrustIn(k int) float64 {
	if c.Centred() && slices.Contains(c.Newer, k) {
		return c.TrustInNewer
	}
	return c.Trust
}

// Distrust multiplies scores of naive Bayes, which may be infinite, by the trust in them. If it is in newer
// classes alone, these are first made less by the mean of the others, and infinite scores say nothing.
func (c *Classes) Distrust(scores []float64) {
	if c.Trust != 0 {
		for k := range scores {
			scores[k] *= c.Trust
		}
		return
	}
	var all float64
	for _, v := range scores {
		all += 0 * v
	}
	mean := c.mean(scores)
	for k, v := range scores {
		if scores[k] = 0; all == 0 && slices.Contains(c.Newer, k) {
			scores[k] = c.TrustInNewer * (v - mean)
		}
	}
}

// AddShare adds to scores what Distrust leaves of base.
func (c *Classes) AddShare(scores, base []float64) {
	c.Distrust(base)
	for k, v := range base {
		scores[k] += v
	}
}

// Nearest finds the multiple of the weights of naive Bayes that is nearest to the corrections.
type Nearest struct{ both, base float64 }

// Add adds a feature: what naive Bayes says of each class, its corrections, and how important it is.
func (n *Nearest) Add(c *Classes, base []float64, weights []float32, importance float64) {
	corrections := make([]float64, len(base))
	c.Add(corrections, weights, 1)
	baseMean, mean := c.mean(base), c.mean(corrections)
	if math.IsInf(baseMean, 0) || math.IsNaN(baseMean) {
		return
	}
	for _, i := range c.place {
		if i >= 0 {
			n.base += importance * (base[i] - baseMean) * (base[i] - baseMean)
			n.both += importance * (base[i] - baseMean) * (corrections[i] - mean)
		}
	}
}

// Factor returns the factor, and zero if there is none above zero.
func (n *Nearest) Factor() float64 {
	if f := n.both / n.base; f > 0 && !math.IsInf(f, 0) {
		return f
	}
	return 0
}

// Biases returns the bias of each of some classes, of a newer one the mean.
func (c *Data) Biases(classes []string) []float64 {
	biases, of := make([]float64, len(classes)), c.Among(classes)
	machines := make([]float64, 0, len(c.Classes))
	if machines = append(machines, c.Bias...); len(c.Classes) == 2 {
		machines = []float64{-c.Bias[0] / 2, c.Bias[0] / 2}
	}
	var mean float64
	for _, b := range machines {
		mean += b / float64(len(machines))
	}
	for k, i := range of.place {
		if i >= 0 {
			biases[i] = machines[k]
		}
	}
	for _, i := range of.Newer {
		biases[i] = mean
	}
	return biases
}
