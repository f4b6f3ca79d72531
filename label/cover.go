package label

import (
	"context"
	"math"
	"slices"

	"bayes/internal/nearest"
	"bayes/internal/parallel"
)

// A cover says which texts stand for many others. A text i with an answer is as near to a text j as 1 - exp(-20·w)·(1 - min(0.99, 1.5·l^2.5)), by their words or by what they are about. w is the cosine of the angle between their counts, where a
// term with value v that n of N texts have weighs ln(1 + v)·ln(N/n), and l, if that is above 0, the cosine of what is left of both in the fifty directions that keep most of all texts, see [nearest.Latent]; both times |i|/√(|i|² + 20²), with |i| for the length of i's vector: a text of few words teaches little, whatever it is like. The answered texts cover
// Σ_j max_i near(i, j), over those i that are among the nearest of j, and j among those of i: facility location (Wei, Iyer and Bilmes 2015, "Submodularity
// in data subset selection and active learning"), for which to take what adds most, text by text, comes to at least 1 - 1/e of the best there is.
//
// Both must be among the nearest of each other: others are hubs, see [nearest.Mutual]
// (Ozaki, Shimbo, Komachi and Matsumoto 2011, "Using the mutual k-nearest neighbor graphs for semi-supervised classification of natural language data").
//
// As a factor of [Informative] it gains 0.05 of accuracy with 14 answers about agnews, and 0.02 with 400 about 20news; docs/labels-tried.md has the others. Cosines alone, without the length, are
// 0.03 to 0.05 worse with 14 to 28 answers about agnews, mr and nsmc.
type cover struct {
	own      []float64             // by text: how near it is to itself
	covers   [][]nearest.Neighbour // by text: others that it is near to; only texts of a sample have some
	answered []float64             // by text: how many answers there are of it
	covered  []float64             // by text: how near the nearest answered text is; of the scores that are being read
	most     []float64             // by text: what gain returned last, and so the most that it returns while no answer is taken back
}

// coverTexts is how many texts are covered: this bounds the time, to about two seconds, and another for a million texts.
const coverTexts = 5_000

// coverNearest is how many texts are the nearest of each. With 50 that need not be mutual 20news has 0.06 less with 30 answers, and trec 0.015 more with 20 (docs/labels-tried.md).
const coverNearest = 400

const (
	// nearScale is that by which how near a text is nears 1. Texts that quote each other, or are about the same event, have cosines of 0.2, where most that are about the same have some 0.03: they are of one class not seven times as often, but two to five times
	// (docs/labels-tried.md). That gains 0.004 to 0.010 of 20news with 41 to 51 answers where no subject is in both the pile and the texts for testing, 0.03 of agnews with ten, and 0.01 to 0.02 of trec.
	nearScale = 0.05

	// latentShare, times l^2.5, is how near texts are by what they are about, at most mostLatent, so that words still tell which are nearer. Where classes are topics, the higher l is, the likelier are texts of one class, whatever words they share. Reviews, whose classes are not topics, have a low l
	// (docs/labels-tried.md). That gains 0.04 of 20news with 25 answers and 0.02 with 30 to 41, and 0.02 of ucinews with ten to 40; agnews, trec and nsmc are level.
	latentShare, mostLatent = 1.5, 0.99
)

// nearness returns how near a text is, by words or by what both are about: of w and l, which is not below 0.
func nearness(w, l float64) float64 {
	return 1 - math.Exp(-w/nearScale)*(1-min(mostLatent, latentShare*l*l*math.Sqrt(l)))
}

// mostNearness returns a number that is no less than nearness, and soon worked out.
func mostNearness(w, l float64) float64 { return w/nearScale + latentShare*l*l }

// newCover returns that of a sample of the texts of x.
func newCover(ctx context.Context, x *index, sample []int) (*cover, error) {
	c := &cover{
		covers:   make([][]nearest.Neighbour, len(x.terms)),
		answered: make([]float64, len(x.terms)),
		covered:  make([]float64, len(x.terms)),
		most:     slices.Repeat([]float64{math.Inf(1)}, len(x.terms)),
	}
	pool := parallel.NewPool(ctx)
	v, lists := nearest.NewVectors(pool, x.terms, len(x.texts), sample), make([][]nearest.Neighbour, len(sample))
	byLength := make([]float64, len(x.terms)) // by text: what its cosines are multiplied by
	for i, length := range v.Lengths {
		byLength[i] = length / math.Hypot(length, nearest.ShortLength)
	}
	latent := v.Latent(pool)
	// Texts that share no word may be about the same, so each is compared with all.
	pool.Part(len(sample), 64, func(from, to int) {
		sums := make([]float64, len(sample))
		for n := from; n < to; n++ {
			lists[n] = v.ToBy(sample[n], coverNearest, sums, func(i int, w, least float64) float64 {
				l := max(0, latent.Cosine(i, n)*byLength[sample[i]])
				if mostNearness(w, l) <= least {
					return least
				}
				return nearness(w, l)
			})
		}
	})
	if err := pool.Wait(); err != nil {
		return nil, err
	}
	nearest.Mutual(lists)
	// A text covers those that it is among the nearest of.
	for n, list := range lists {
		for _, near := range list {
			i := sample[near.Text]
			c.covers[i] = append(c.covers[i], nearest.Neighbour{Text: int32(sample[n]), Near: near.Near})
		}
	}
	c.own = byLength
	for i, v := range byLength { // both cosines of a text and itself are 1
		c.own[i] = nearness(v, v)
	}
	return c, nil
}

// add counts an answer to text i n times: 1 or -1.
func (c *cover) add(i int, n float64) {
	if c.answered[i] += n; n < 0 {
		for j := range c.most {
			c.most[j] = math.Inf(1)
		}
	}
}

// prepare has what answers cover worked out.
func (c *cover) prepare() {
	clear(c.covered)
	for i, answers := range c.answered {
		if answers > 0 {
			c.covered[i] = max(c.covered[i], c.own[i])
			for _, x := range c.covers[i] {
				c.covered[x.Text] = max(c.covered[x.Text], x.Near)
			}
		}
	}
}

// gain returns how much more would be covered with an answer to text i.
func (c *cover) gain(i int) float64 {
	sum := max(0, c.own[i]-c.covered[i])
	for _, x := range c.covers[i] {
		sum += max(0, x.Near-c.covered[x.Text])
	}
	c.most[i] = sum
	return sum
}
