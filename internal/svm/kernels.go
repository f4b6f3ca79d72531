package svm

// The functions here go through the values of a row. Products are converted before they are added
// up, which keeps compilers from fusing the two, so that sums are the same on all processors. They
// are added up in four sums, which wait for each other a quarter as long as one.

// A cells is a row: its features and their values.
type cells struct {
	features []int32
	values   []float32
}

// dot returns Σ weight · value. It asks for as much of the row that comes next.
func (c *cells) dot(weights []float32, next *cells) float32 {
	if len(c.features) == 0 {
		return 0
	}
	if useAVX2 {
		return dotAVX2(&weights[0], c.features, &c.values[0], first(next.features), first(next.values))
	}
	var sums [4]float32
	values := c.values[:len(c.features)]
	for j, f := range c.features {
		sums[j%4] += float32(weights[f] * values[j])
	}
	return (sums[0] + sums[1]) + (sums[2] + sums[3])
}

// addTo adds v · value to the weights.
func (c *cells) addTo(weights []float32, v float32) {
	if len(c.features) == 0 {
		return
	}
	if useAVX2 {
		addToAVX2(&weights[0], c.features, &c.values[0], v)
		return
	}
	values := c.values[:len(c.features)]
	for j, f := range c.features {
		weights[f] += float32(v * values[j])
	}
}

// dots is dot for width machines.
func (c *cells) dots(to *[width]float32, weights []float32, next *cells) {
	*to = [width]float32{}
	if len(c.features) == 0 {
		return
	}
	if useAVX2 {
		dotsAVX2(&to[0], &weights[0], c.features, &c.values[0], first(next.features), first(next.values))
		return
	}
	var sums [4][width]float32
	values := c.values[:len(c.features)]
	for j, f := range c.features {
		sum, v := &sums[j%4], values[j]
		for k, w := range (*[width]float32)(weights[int(f)*width:]) {
			sum[k] += float32(w * v)
		}
	}
	for k := range to {
		to[k] = (sums[0][k] + sums[1][k]) + (sums[2][k] + sums[3][k])
	}
}

// addToAll is addTo for width machines.
func (c *cells) addToAll(weights []float32, v *[width]float32) {
	if len(c.features) == 0 {
		return
	}
	if useAVX2 {
		addToAllAVX2(&weights[0], c.features, &c.values[0], &v[0])
		return
	}
	values := c.values[:len(c.features)]
	for j, f := range c.features {
		w := (*[width]float32)(weights[int(f)*width:])
		for k := range w {
			w[k] += float32(v[k] * values[j])
		}
	}
}

// first returns the place of the first element of a list, or nil.
func first[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}
