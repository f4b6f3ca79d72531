package intern

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"
	"sync"
)

// A ranked is a string's number and its first eight bytes, read so that numbers
// compare as the bytes do. Most strings are told apart by them.
type ranked struct {
	prefix uint64
	number int
}

// Sort sorts the numbers of strings by the strings, on several cores.
func (t *Table) Sort(numbers []int) {
	list := make([]ranked, len(numbers))
	for j, i := range numbers {
		var first [8]byte
		copy(first[:], t.Bytes(i))
		list[j] = ranked{binary.BigEndian.Uint64(first[:]), i}
	}
	t.sort(list, make([]ranked, len(list)), runtime.GOMAXPROCS(0))
	for j := range list {
		numbers[j] = list[j].number
	}
}

// sort sorts list on so many cores, each of which sorts a part to be merged.
func (t *Table) sort(list, scratch []ranked, cores int) {
	const fewest = 1 << 13
	if cores < 2 || len(list) < fewest {
		slices.SortFunc(list, t.compare)
		return
	}
	half := len(list) / 2
	var wg sync.WaitGroup
	wg.Go(func() { t.sort(list[:half], scratch[:half], cores/2) })
	t.sort(list[half:], scratch[half:], cores-cores/2)
	wg.Wait()
	copy(scratch, list)
	a, b := scratch[:half], scratch[half:]
	for j := range list {
		if len(b) == 0 || len(a) > 0 && t.compare(a[0], b[0]) < 0 {
			list[j], a = a[0], a[1:]
		} else {
			list[j], b = b[0], b[1:]
		}
	}
}

func (t *Table) compare(a, b ranked) int {
	if a.prefix != b.prefix {
		if a.prefix < b.prefix {
			return -1
		}
		return 1
	}
	return bytes.Compare(t.Bytes(a.number), t.Bytes(b.number))
}
