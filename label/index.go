package label

import (
	"context"
	"slices"

	"bayes"
	"bayes/feature"
	"bayes/internal/nearest"
	"bayes/internal/parallel"
)

// An index has the terms of each text of a pile, and the texts of each term.
type index struct {
	terms  [][]nearest.Entry // by text
	texts  [][]nearest.Entry // by term
	number map[string]int32  // of terms
}

// newIndex reads texts.
func newIndex(ctx context.Context, space *bayes.Space, texts []bayes.Document) (*index, error) {
	x := &index{terms: make([][]nearest.Entry, len(texts)), number: make(map[string]int32)}
	const batch = 1 << 10
	features := make([][]feature.Feature, min(batch, len(texts)))
	for start := 0; start < len(texts); start += batch {
		end := min(start+batch, len(texts))
		pool := parallel.NewPool(ctx)
		pool.Part(end-start, 16, func(from, to int) {
			for i := from; i < to; i++ {
				features[i] = appendTerms(features[i][:0], space, texts[start+i])
			}
		})
		if err := pool.Wait(); err != nil {
			return nil, err
		}
		for i := start; i < end; i++ {
			x.read(i, features[i-start])
		}
	}
	return x, nil
}

// appendTerms appends the terms and categories of a document. Numbers say nothing by themselves.
func appendTerms(dst []feature.Feature, space *bayes.Space, d bayes.Document) []feature.Feature {
	d.Attrs = slices.DeleteFunc(slices.Clone(d.Attrs), func(a bayes.Attr) bool {
		_, number := a.Value()
		return number
	})
	return slices.DeleteFunc(space.AppendFeatures(dst, d), func(f feature.Feature) bool { return !(f.Value > 0) })
}

// read puts text i into the index.
func (x *index) read(i int, list []feature.Feature) {
	x.terms[i] = make([]nearest.Entry, len(list))
	for n, f := range list {
		t, ok := x.number[f.Name]
		if !ok {
			t = int32(len(x.texts))
			x.number[f.Name] = t
			x.texts = append(x.texts, nil)
		}
		x.terms[i][n] = nearest.Entry{ID: t, Value: f.Value}
		x.texts[t] = append(x.texts[t], nearest.Entry{ID: int32(i), Value: f.Value})
	}
}
