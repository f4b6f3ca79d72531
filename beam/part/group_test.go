package part

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Groups have all parts, in their order, and none is much larger than it should be.
func TestGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		g := &Grouper{Size: 1 + rng.Int64N(2000)}
		var all []Part
		bytes := make(map[int]int64) // of each part of a file
		largest, total := int64(0), int64(0)
		for i := range rng.IntN(20) {
			var parts []Part
			for j := range rng.Int64N(10) {
				parts = append(parts, Part{Index: i, Start: j})
			}
			if len(parts) > 0 {
				bytes[i] = rng.Int64N(300)
				largest = max(largest, bytes[i])
			}
			total += bytes[i] * int64(len(parts))
			all = append(all, parts...)
			g.Add(parts, bytes[i]*int64(len(parts)))
		}
		var got []Part
		for _, group := range g.Groups() {
			size := int64(0)
			for _, p := range group.Parts {
				size += bytes[p.Index]
			}
			if len(group.Parts) == 0 || size > 2*g.Size+largest {
				t.Fatalf("a group of %d parts and %d bytes, where %d are wanted and a part has at most %d", len(group.Parts), size, g.Size, largest)
			}
			got = append(got, group.Parts...)
		}
		if !slices.EqualFunc(got, all, func(a, b Part) bool { return a.Index == b.Index && a.Start == b.Start }) {
			t.Fatalf("the groups have the parts %v, want %v", got, all)
		}
		if n := int64(len(g.Groups())); n > total/g.Size+1 {
			t.Fatalf("%d groups of %d bytes, want at most %d", n, total, total/g.Size+1)
		}
	}
}

// Without a size, each part is a group.
func TestGroupsOfOne(t *testing.T) {
	g := new(Grouper)
	g.Add([]Part{{Start: 1}, {Start: 2}}, 200)
	g.Add([]Part{{Index: 1}}, 100)
	if groups := g.Groups(); len(groups) != 3 {
		t.Errorf("%d groups, want 3: %v", len(groups), groups)
	}
}
