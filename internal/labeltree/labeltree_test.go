package labeltree

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTree(t *testing.T) {
	tree := New([]string{"sport", "sport/football", "sport/golf", "news", "/odd", "art/"}, "/")
	for _, tc := range []struct {
		class         int
		label         string
		level         int
		above         []string
		classesOfEach []int
	}{
		{0, "sport", 1, []string{"sport", ""}, []int{1, 3, 6}}, // a leaf below the node of the same label
		{1, "sport/football", 2, []string{"sport", ""}, []int{1, 3, 6}},
		{3, "news", 1, []string{""}, []int{1, 6}},
		{4, "/odd", 1, []string{""}, []int{1, 6}}, // no node of an empty label
		{5, "art/", 2, []string{"art", ""}, []int{1, 1, 6}},
	} {
		path := tree.Path(tc.class)
		leaf := tree.Nodes[path[0]]
		if leaf.Label != tc.label || leaf.Level != tc.level {
			t.Errorf("class %d is %v, want %s of level %d", tc.class, leaf, tc.label, tc.level)
		}
		var above []string
		var classes []int
		for _, n := range path {
			classes = append(classes, tree.Nodes[n].Classes)
		}
		for _, n := range path[1:] {
			above = append(above, tree.Nodes[n].Label)
		}
		if !slices.Equal(above, tc.above) || !slices.Equal(classes, tc.classesOfEach) {
			t.Errorf("%s: above it %q with %v classes, want %q with %v", tc.label, above, classes, tc.above, tc.classesOfEach)
		}
	}
}

func TestCut(t *testing.T) {
	for _, tc := range []struct {
		label, separator string
		level            int
		want             string
	}{
		{"a/b/c", "/", 1, "a"}, {"a/b/c", "/", 2, "a/b"}, {"a/b/c", "/", 3, "a/b/c"}, {"a/b/c", "/", 9, "a/b/c"},
		{"a::b", "::", 1, "a"}, {"a//b", "/", 2, "a/"}, {"/a", "/", 1, "/a"}, {"a", "", 1, "a"},
	} {
		if got := Cut(tc.label, tc.separator, tc.level); got != tc.want {
			t.Errorf("Cut(%q, %q, %d) = %q, want %q", tc.label, tc.separator, tc.level, got, tc.want)
		}
	}
}

// A cut label is the label of the node of that level above the leaf, or the leaf's.
func TestCutIsOnPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab/]{1,6}`), 1, 8, rapid.ID[string]).Draw(t, "labels")
		tree := New(labels, "/")
		for k, label := range labels {
			if got := tree.Nodes[tree.Leaf[k]]; got.Label != label || got.Level != Level(label, "/") {
				t.Fatalf("%q is the leaf %v", label, got)
			}
			for _, n := range tree.Path(k) {
				if node := tree.Nodes[n]; node.Level > 0 && Cut(label, "/", node.Level) != node.Label {
					t.Fatalf("%q at level %d is %q, want %q", label, node.Level, Cut(label, "/", node.Level), node.Label)
				}
			}
		}
		if tree.Nodes[0].Classes != len(labels) {
			t.Fatalf("%d classes are below the root, of %d", tree.Nodes[0].Classes, len(labels))
		}
	})
}
