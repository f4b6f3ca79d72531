// Package labeltree reads labels as paths: with the separator / the label sport/football is a leaf
// below sport, which is below the root, whose label is empty.
//
// A label that others are below, such as sport beside sport/football, is a leaf too: its documents are of
// sport and of nothing below it. The leaf and the node have the same label, and the same level.
package labeltree

import "strings"

// A Tree has the classes as its leaves.
type Tree struct {
	Nodes []Node // each behind its parent; the root is the first
	Leaf  []int  // by class: its node
}

// A Node is a leaf, or all that is below a label.
type Node struct {
	Label   string
	Parent  int // of the root, -1
	Level   int // of the root, 0; of a leaf with the label of its parent, the parent's
	Classes int // how many are below it, or 1 of a leaf
}

// New returns the tree of labels, which differ.
func New(labels []string, separator string) *Tree {
	t := &Tree{Nodes: []Node{{Parent: -1}}}
	inner := make(map[string]int) // the nodes above others, by label
	for _, label := range labels {
		parent, level := 0, 1
		for at := range ends(label, separator) {
			node, ok := inner[label[:at]]
			if !ok {
				node = t.add(label[:at], parent, level)
				inner[label[:at]] = node
			}
			parent, level = node, level+1
		}
		t.Leaf = append(t.Leaf, t.add(label, parent, level))
	}
	for _, n := range t.Leaf {
		if under, ok := inner[t.Nodes[n].Label]; ok { // a leaf that others are below
			t.Nodes[n].Parent, t.Nodes[n].Level = under, t.Nodes[under].Level
		}
		for n >= 0 {
			t.Nodes[n].Classes++
			n = t.Nodes[n].Parent
		}
	}
	return t
}

func (t *Tree) add(label string, parent, level int) int {
	t.Nodes = append(t.Nodes, Node{Label: label, Parent: parent, Level: level})
	return len(t.Nodes) - 1
}

// ends yields where the labels of the nodes above a label end, the root's not.
func ends(label, separator string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for from := 0; separator != ""; {
			at := strings.Index(label[from:], separator)
			if at < 0 {
				return
			}
			// A label that begins with a separator has no node of an empty label above it.
			if at += from; at > 0 && !yield(at) {
				return
			}
			from = at + len(separator)
		}
	}
}

// Level returns the level of a label: how many parts it has.
func Level(label, separator string) int {
	level := 1
	for range ends(label, separator) {
		level++
	}
	return level
}

// Cut returns the first parts of a label, as many as level, or all if it has fewer.
func Cut(label, separator string, level int) string {
	for at := range ends(label, separator) {
		if level--; level == 0 {
			return label[:at]
		}
	}
	return label
}

// Path returns the nodes from a class's leaf up to the root.
func (t *Tree) Path(class int) []int {
	var path []int
	for n := t.Leaf[class]; n >= 0; n = t.Nodes[n].Parent {
		path = append(path, n)
	}
	return path
}
