package eval

import (
	"cmp"
	"context"
	"hash/fnv"
	"math"
	"slices"

	"bayes"
	"bayes/feature"
	"bayes/internal/parallel"
)

// Alike is a group of examples that have about the same features: each at least 0.8 of those that
// it or the first have.
type Alike struct {
	Examples []int // rising
	Exact    bool  // all have the very same features
	Same     []int // by index in Examples: the first example with the very same features, which may be itself
}

// least is the least share of common features, and fewest is the least number of features, of examples that are
// alike without being the same: of a few words, one makes another text.
const least, fewest = 0.8, 8

// FindAlike returns the groups of examples that are alike, in the order of their first ones. Examples without
// features are alike nobody. What has a share s of its features in common is found with a probability
// of 1 - (1 - s⁴)¹⁶, and the same features are always found. It takes time in proportion to the
// examples, 8 bytes a distinct feature, and some 900 an example.
func FindAlike(ctx context.Context, s *bayes.Space, examples []bayes.Example) ([]Alike, error) {
	return findAlike(ctx, len(examples), func(dst []feature.Feature, i int) []feature.Feature {
		return s.AppendFeatures(dst, examples[i].Document())
	})
}

// FindAlikeIn is [FindAlike] of the examples of c, which are not analyzed again. c has no IDF.
func FindAlikeIn(ctx context.Context, c *bayes.Corpus) ([]Alike, error) {
	return findAlike(ctx, c.Len(), c.AppendFeatures)
}

// findAlike finds them among n examples, by the features that are appended.
func findAlike(ctx context.Context, n int, appendFeatures func(dst []feature.Feature, i int) []feature.Feature) ([]Alike, error) {
	f := &alikeFinder{features: make([][]uint64, n), bands: make([][bands]uint64, n)}
	p := parallel.NewPool(ctx)
	p.Part(n, 64, func(from, to int) {
		var buf []feature.Feature
		for i := from; i < to; i++ {
			buf = appendFeatures(buf[:0], i)
			f.features[i] = hashed(buf)
			f.bands[i] = sketch(f.features[i])
		}
	})
	if err := p.Wait(); err != nil {
		return nil, err
	}
	f.join()
	return f.groups(), nil
}

// The sketch of an example is the least of its hashes by bands·rows functions (Broder 1997, "On the resemblance and containment
// of documents"); those of a band make one number.
const bands, rows = 16, 4

type alikeFinder struct {
	features [][]uint64 // by example: the hashes of its features and their values, sorted
	bands    [][bands]uint64
	first    []int // by example: that which it is joined to, itself if none
	same     []int // by example: the first with the same features
}

// hashed returns the hashes of features and their values, sorted.
func hashed(list []feature.Feature) []uint64 {
	hashes := make([]uint64, 0, len(list))
	h := fnv.New64a()
	for _, f := range list {
		h.Reset()
		h.Write([]byte(f.Name))
		hashes = append(hashes, mixed(h.Sum64()^mixed(math.Float64bits(f.Value))))
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// mixed is the finaliser of SplitMix64.
func mixed(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// sketch hashes hashes, which are mixed, by odd factors (Dietzfelbinger et al. 1997, "A reliable randomized algorithm for the closest-pair problem").
func sketch(hashes []uint64) (list [bands]uint64) {
	for b := range list {
		for r := range rows {
			odd, lowest := mixed(uint64(b*rows+r+1))|1, uint64(math.MaxUint64)
			for _, h := range hashes {
				lowest = min(lowest, h*odd)
			}
			list[b] = mixed(list[b] ^ lowest)
		}
	}
	return list
}

// join joins each example to the first of those before it that are alike. In a band it is
// compared with the first of its bucket that is joined to none, so that many of one kind take no more time than few.
func (f *alikeFinder) join() {
	f.first, f.same = make([]int, len(f.features)), make([]int, len(f.features))
	same, buckets := make(map[uint64]int, len(f.features)), [bands]map[uint64]int{}
	for b := range buckets {
		buckets[b] = make(map[uint64]int, len(f.features))
	}
	for i, hashes := range f.features {
		f.first[i], f.same[i] = i, i
		if len(hashes) == 0 {
			continue
		}
		whole := uint64(len(hashes))
		for _, h := range hashes {
			whole = mixed(whole ^ h)
		}
		if j, ok := same[whole]; ok && slices.Equal(f.features[j], hashes) {
			f.first[i], f.same[i] = f.first[j], j
			continue
		}
		same[whole] = i
		f.joinNear(i, &buckets)
	}
}

// joinNear joins an example that is the same as none to one that is near.
func (f *alikeFinder) joinNear(i int, buckets *[bands]map[uint64]int) {
	hashes := f.features[i]
	if len(hashes) < fewest {
		return
	}
	for b, key := range f.bands[i] {
		j, ok := buckets[b][key]
		if !ok {
			buckets[b][key] = i
			continue
		}
		if j = f.first[j]; f.first[i] == i && j != i && resemblance(f.features[j], hashes) >= least {
			f.first[i] = j
		}
	}
}

// resemblance returns how many of the features of either both have, of sorted ones.
func resemblance(a, b []uint64) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch cmp.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			i, j, common = i+1, j+1, common+1
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

func (f *alikeFinder) groups() []Alike {
	var list []Alike
	at := make(map[int]int)
	for i, first := range f.first {
		if i == first {
			continue
		}
		g, ok := at[first]
		if !ok {
			g = len(list)
			at[first] = g
			list = append(list, Alike{[]int{first}, true, []int{first}})
		}
		list[g].Examples, list[g].Same = append(list[g].Examples, i), append(list[g].Same, f.same[i])
		list[g].Exact = list[g].Exact && f.same[i] == first
	}
	slices.SortFunc(list, func(a, b Alike) int { return cmp.Compare(a.Examples[0], b.Examples[0]) })
	return list
}
