package part

// A Group is parts that one worker counts together. They come from one place in the list of
// files.
type Group struct{ Parts []Part }

// A Grouper collects parts into groups of about Size bytes.
type Grouper struct {
	Size  int64
	parts []Part
	ends  []int64 // of each part, among all bytes that were added
}

// Add adds parts that have a number of bytes together.
func (g *Grouper) Add(parts []Part, bytes int64) {
	start := g.end()
	for i, p := range parts {
		g.parts = append(g.parts, p)
		g.ends = append(g.ends, start+int64(float64(bytes)*float64(i+1)/float64(len(parts))))
	}
}

func (g *Grouper) end() int64 {
	if len(g.ends) == 0 {
		return 0
	}
	return g.ends[len(g.ends)-1]
}

// Groups returns the groups, which are about equally large: none is much larger than Size unless
// one of its parts is.
func (g *Grouper) Groups() []Group {
	size := max(1, g.Size)
	n := max(1, (g.end()+size/2)/size)
	var groups []Group
	last := int64(-1)
	start := int64(0)
	for i, p := range g.parts {
		// A part belongs to the share of all bytes that its middle is in.
		share := min(n-1, int64(float64(start+g.ends[i])/2/float64(max(1, g.end()))*float64(n)))
		if share != last {
			groups, last = append(groups, Group{}), share
		}
		group := &groups[len(groups)-1]
		group.Parts = append(group.Parts, p)
		start = g.ends[i]
	}
	return groups
}
