package intern

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"runtime"
	"slices"
	"sync"
)

// A sortKey has eight bytes of a string, as a number that compares as the bytes do.
type sortKey struct {
	prefix uint64 // the bytes; those behind the end of the string are zero
	number int32  // of the string
	left   int32  // how many bytes the string has from the first of the eight on, or 9 if more
}

func (a sortKey) compare(b sortKey) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	return cmp.Compare(a.left, b.left)
}

// Sort sorts the numbers of strings by the strings, on all cores. It does nothing if they
// are sorted.
func (t *Table) Sort(numbers []int) {
	if slices.IsSortedFunc(numbers, func(i, j int) int { return bytes.Compare(t.Bytes(i), t.Bytes(j)) }) {
		return
	}
	list := make([]sortKey, len(numbers))
	for j, i := range numbers {
		list[j].number = int32(i)
	}
	t.sort(list, 0, runtime.GOMAXPROCS(0))
	for j := range list {
		numbers[j] = int(list[j].number)
	}
}

// sort sorts strings whose first bytes, as many as equal says, are equal, on a number of
// cores. It sorts by the next eight bytes, then those among which these are equal too by
// what follows. So it reads each string a few times only, where a comparison of strings
// reads two of them each time.
func (t *Table) sort(list []sortKey, equal, cores int) {
	const fewest, most = 1 << 13, 64
	// Of strings with so long a common prefix there are few.
	if equal > most {
		slices.SortFunc(list, func(a, b sortKey) int {
			return bytes.Compare(t.Bytes(int(a.number))[equal:], t.Bytes(int(b.number))[equal:])
		})
		return
	}
	if len(list) < fewest {
		cores = 1
	}
	eachPart(list, cores, func(part []sortKey) {
		for j := range part {
			part[j].read(t.Bytes(int(part[j].number))[equal:])
		}
	})
	partition(list, cores, func(part []sortKey) {
		slices.SortFunc(part, sortKey.compare)
		// Sort runs of equal keys by the bytes behind them, unless the strings end there.
		for from := 0; from < len(part); {
			to := from + 1
			for to < len(part) && part[to].compare(part[from]) == 0 {
				to++
			}
			if to-from > 1 && part[from].left > 8 {
				t.sort(part[from:to], equal+8, 1)
			}
			from = to
		}
	})
}

// read sets r to the first eight bytes of b.
func (r *sortKey) read(b []byte) {
	r.left = int32(min(len(b), 9))
	if len(b) < 8 {
		var padded [8]byte
		copy(padded[:], b)
		b = padded[:]
	}
	r.prefix = binary.BigEndian.Uint64(b)
}

// eachPart calls f for parts of list of about the same size, each on a core of its own.
func eachPart(list []sortKey, cores int, f func(part []sortKey)) {
	var wg sync.WaitGroup
	for cores > 1 {
		n := len(list) / cores
		part := list[:n]
		wg.Go(func() { f(part) })
		list, cores = list[n:], cores-1
	}
	f(list)
	wg.Wait()
}

// partition moves what is less than the median of a sample before what is not, and does
// the same with both halves, until there is a part for each core. It calls f for each part.
func partition(list []sortKey, cores int, f func(part []sortKey)) {
	const size = 101
	if cores < 2 || len(list) < size {
		f(list)
		return
	}
	var sample [size]sortKey
	for j := range sample {
		sample[j] = list[j*(len(list)-1)/(size-1)]
	}
	slices.SortFunc(sample[:], sortKey.compare)
	// list[:n] is less than the median.
	n, median := 0, sample[size/2]
	for j := range list {
		if list[j].compare(median) < 0 {
			list[n], list[j] = list[j], list[n]
			n++
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { partition(list[:n], cores/2, f) })
	partition(list[n:], cores-cores/2, f)
	wg.Wait()
}
