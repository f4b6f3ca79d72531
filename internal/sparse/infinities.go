package sparse

// Infinities count the features of a document that add plus or minus infinity to the classes that
// have not seen them, and how many of these each class has seen.
type Infinities [2]struct {
	value    float64
	features int
	seen     []int // by class
}

// Count counts a feature with this row, whose class IDs have these positions.
func (n *Infinities) Count(row []Cell, position []int, value float64) {
	of := &n[0]
	if value > 0 {
		of = &n[1]
	}
	if of.seen == nil {
		of.value, of.seen = value, make([]int, len(position))
	}
	of.features++
	for j := range row {
		of.seen[position[row[j].Class]]++
	}
}

// Add adds to the scores what each class lacks.
func (n *Infinities) Add(scores []float64) {
	for _, of := range n {
		for k, seen := range of.seen[:min(len(of.seen), len(scores))] {
			if seen < of.features {
				scores[k] += of.value
			}
		}
	}
}
