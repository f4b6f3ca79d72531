package intern

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"runtime"
	"slices"
	"sync"
)

// A ranked is a string's number, and eight of its bytes, read so that numbers compare
// as the bytes do; behind the end of the string they are zero.
type ranked struct {
	prefix uint64
	number int32
	left   int32 // how many bytes there are from the first of the eight on, or 9 if more
}

func (a ranked) compare(b ranked) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	return cmp.Compare(a.left, b.left)
}

// Sort sorts the numbers of strings by the strings, on several cores. If they are sorted
// it is done as soon as it sees that.
func (t *Table) Sort(numbers []int) {
	if slices.IsSortedFunc(numbers, func(i, j int) int { return bytes.Compare(t.Bytes(i), t.Bytes(j)) }) {
		return
	}
	list := make([]ranked, len(numbers))
	for j, i := range numbers {
		list[j].number = int32(i)
	}
	t.sort(list, 0, runtime.GOMAXPROCS(0))
	for j := range list {
		numbers[j] = int(list[j].number)
	}
}

// sort sorts strings whose first so many bytes are equal, on so many cores: by the next
// eight, and those of which these are equal too by what follows. So it reads each string
// a few times only, where comparing them would read two each time.
func (t *Table) sort(list []ranked, equal, cores int) {
	const fewest, most = 1 << 13, 64
	if equal > most {
		slices.SortFunc(list, func(a, b ranked) int {
			return bytes.Compare(t.Bytes(int(a.number))[equal:], t.Bytes(int(b.number))[equal:])
		})
		return
	}
	if len(list) < fewest {
		cores = 1
	}
	share(list, cores, func(part []ranked) {
		for j := range part {
			part[j].read(t.Bytes(int(part[j].number))[equal:])
		}
	})
	split(list, cores, func(part []ranked) {
		slices.SortFunc(part, ranked.compare)
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

func (r *ranked) read(b []byte) {
	r.left = int32(min(len(b), 9))
	if len(b) < 8 {
		var padded [8]byte
		copy(padded[:], b)
		b = padded[:]
	}
	r.prefix = binary.BigEndian.Uint64(b)
}

// share calls f for parts of list of the same size, each on a core of its own.
func share(list []ranked, cores int, f func(part []ranked)) {
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

// split puts what comes before the median of a sample before what does not, and so on,
// until there is a part for each core, and calls f for each part.
func split(list []ranked, cores int, f func(part []ranked)) {
	const size = 101
	if cores < 2 || len(list) < size {
		f(list)
		return
	}
	var sample [size]ranked
	for j := range sample {
		sample[j] = list[j*(len(list)-1)/(size-1)]
	}
	slices.SortFunc(sample[:], ranked.compare)
	n, median := 0, sample[size/2]
	for j := range list {
		if list[j].compare(median) < 0 {
			list[n], list[j] = list[j], list[n]
			n++
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { split(list[:n], cores/2, f) })
	split(list[n:], cores-cores/2, f)
	wg.Wait()
}
