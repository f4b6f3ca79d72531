package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bayes/internal/mt19937"
)

// SKLearnSplit returns the very rows, in the very order, that scikit-learn's
// train_test_split(test_size=share, random_state=seed) picks of n rows: ⌈share·n⌉
// are to test with. share is in (0,1); one outside it gives an empty
// train or test, where that function raises an error, as it does where train is
// empty.
func SKLearnSplit(n int, share float64, seed uint32) (train, test []int) {
	tests := testRows(n, share)
	order := mt19937.New(seed).Permutation(n)
	return order[tests:], order[:tests]
}

// testRows returns how many of n rows scikit-learn takes to test with. A share
// that is not in (0,1), NaN included, counts as the nearer end, NaN as 0.
func testRows(n int, share float64) int {
	if !(share > 0) {
		return 0
	}
	return int(math.Ceil(min(share, 1) * float64(n)))
}

// SKLearnStratifiedSplit returns the very rows, in the very order, that
// train_test_split(test_size=share, random_state=seed, stratify=labels) picks.
// There is an error where that function raises one. Labels are compared as
// strings; labels that scikit-learn reads as numbers, it sorts as numbers, and
// then picks other rows where their order as strings differs ("10" before "9").
func SKLearnStratifiedSplit(labels []string, share float64, seed uint32) (train, test []int, err error) {
	groups := stratify(labels)
	tests := testRows(len(labels), share)
	trains := len(labels) - tests
	if err := divisible(labels, groups, trains, tests); err != nil {
		return nil, nil, err
	}
	rng := mt19937.New(seed)
	sizes, left := make([]int, len(groups)), make([]int, len(groups))
	for k, g := range groups {
		sizes[k] = len(g)
	}
	// Each draw from rng is scikit-learn's, in its order: first how many rows of each class
	// go to train, then to test, then which.
	trainOf := apportion(sizes, trains, rng)
	for k := range sizes {
		left[k] = sizes[k] - trainOf[k]
	}
	testOf := apportion(left, tests, rng)
	for k, g := range groups {
		order := rng.Permutation(len(g))
		for i, j := range order {
			switch {
			case i < trainOf[k]:
				train = append(train, g[j])
			case i < trainOf[k]+testOf[k]:
				test = append(test, g[j])
			}
		}
	}
	rng.Shuffle(train)
	rng.Shuffle(test)
	return train, test, nil
}

// divisible returns an error unless every class can have rows in both parts.
func divisible(labels []string, groups [][]int, trains, tests int) error {
	if len(labels) == 0 {
		return errors.New("no rows to split")
	}
	for _, g := range groups {
		if len(g) < 2 {
			return fmt.Errorf("class %q has one row; two are needed to split it", labels[g[0]])
		}
	}
	if trains < len(groups) || tests < len(groups) {
		return fmt.Errorf("%d rows to train on and %d to test with are fewer than the %d classes", trains, tests, len(groups))
	}
	return nil
}

// stratify returns the rows of each label, the labels sorted.
func stratify(labels []string) [][]int {
	rows := make(map[string][]int)
	for i, label := range labels {
		rows[label] = append(rows[label], i)
	}
	names := make([]string, 0, len(rows))
	for label := range rows {
		names = append(names, label)
	}
	slices.Sort(names)
	groups := make([][]int, len(names))
	for k, label := range names {
		groups[k] = rows[label]
	}
	return groups
}

// apportion shares n draws among classes in proportion to their sizes, the
// largest remainders first, ties by lot: an approximate mode of the
// multivariate hypergeometric distribution.
func apportion(sizes []int, n int, rng *mt19937.Source) []int {
	all := 0
	for _, s := range sizes {
		all += s
	}
	draws := make([]int, len(sizes))
	remainders := make([]float64, len(sizes))
	missing := n
	for k, s := range sizes {
		// Rounded here, as NumPy rounds it: fused with the subtraction below, as
		// compilers may for arm64, remainders that tie would no longer tie.
		exact := float64(float64(s) / float64(all) * float64(n))
		draws[k] = int(math.Floor(exact))
		remainders[k] = exact - math.Floor(exact)
		missing -= draws[k]
	}
	// What rounding down left over goes to the classes of the largest remainders.
	values := slices.Compact(slices.Sorted(slices.Values(remainders)))
	for _, value := range slices.Backward(values) {
		if missing <= 0 {
			break
		}
		var tied []int
		for k, r := range remainders {
			if r == value {
				tied = append(tied, k)
			}
		}
		now := min(len(tied), missing)
		for _, i := range rng.Permutation(len(tied))[:now] {
			draws[tied[i]]++
		}
		missing -= now
	}
	return draws
}
