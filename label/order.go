package label

import (
	"fmt"
	"strings"
)

// An Order says which text comes next.
type Order string

const (
	// Random is the order of a shuffled pile.
	Random Order = "random"

	// Uncertain puts the text next that the model is least sure of (Lewis and Gale 1994): that with the least
	// difference between the log-probabilities of the two most probable classes.
	Uncertain Order = "uncertain"

	// Informative puts the text next that is expected to teach most: one that the model is unsure of, whose words
	// are frequent in the pile, and not among those that answers have told of already.
	Informative Order = "informative"
)

var orders = []Order{Random, Uncertain, Informative}

// ParseOrder returns the order of a name. An empty one is Informative.
func ParseOrder(name string) (Order, error) {
	if name == "" {
		return Informative, nil
	}
	var names []string
	for _, o := range orders {
		if string(o) == name {
			return o, nil
		}
		names = append(names, string(o))
	}
	return "", fmt.Errorf("unknown order %q: want one of %s", name, strings.Join(names, ", "))
}
