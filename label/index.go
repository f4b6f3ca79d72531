package label

import (
	"context"
	"slices"

	"bayes"
	"bayes/feature"
	"bayes/internal/nearest"
	"bayes/internal/parallel"
)

// newIndex reads texts.
func newIndex(ctx context.Context, space *bayes.Space, texts []bayes.Document) (*nearest.Index, error) {
	x := nearest.NewIndex(len(texts))
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
			x.Set(i, features[i-start])
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
