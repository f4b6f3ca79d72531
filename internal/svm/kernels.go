package svm

// The functions here go through the values of a row. Products are converted before they are added
// up, which keeps compilers from fusing the two, so that sums are the same on all processors. They
// are added up in four sums, which wait for each other a quarter as long as one.

// cells are a row.
type cells []Cell

// dot returns Σ weight · value. It asks memory for as much of a row that is read soon.
func (c cells) dot(weights []float32, soon cells) float32 {
	if len(c) == 0 {
		return 0
	}
	if useAVX2 {
		return dotAVX2(&weights[0], c, first(soon))
	}
	var sums [4]float32
	for j, x := range c {
		sums[j%4] += float32(weights[x.Feature] * x.Value)
	}
	return (sums[0] + sums[1]) + (sums[2] + sums[3])
}

// addTo adds v · value to the weights.
func (c cells) addTo(weights []float32, v float32) {
	if len(c) == 0 {
		return
	}
	if useAVX2 {
		addToAVX2(&weights[0], c, v)
		return
	}
	for _, x := range c {
		weights[x.Feature] += float32(v * x.Value)
	}
}

// dots is dot for width machines.
func (c cells) dots(to *[width]float32, weights []float32, soon cells) {
	*to = [width]float32{}
	if len(c) == 0 {
		return
	}
	if useAVX2 {
		dotsAVX2(&to[0], &weights[0], c, first(soon))
		return
	}
	var sums [4][width]float32
	for j, x := range c {
		sum := &sums[j%4]
		for k, w := range (*[width]float32)(weights[int(x.Feature)*width:]) {
			sum[k] += float32(w * x.Value)
		}
	}
	for k := range to {
		to[k] = (sums[0][k] + sums[1][k]) + (sums[2][k] + sums[3][k])
	}
}

// addToAll is addTo for width machines.
func (c cells) addToAll(weights []float32, v *[width]float32) {
	if len(c) == 0 {
		return
	}
	if useAVX2 {
		addToAllAVX2(&weights[0], c, &v[0])
		return
	}
	for _, x := range c {
		w := (*[width]float32)(weights[int(x.Feature)*width:])
		for k := range w {
			w[k] += float32(v[k] * x.Value)
		}
	}
}

// first returns where a row is, or nil.
func first(c cells) *Cell {
	if len(c) == 0 {
		return nil
	}
	return &c[0]
}
