package prefetch

import (
	"testing"
	"unsafe"
)

// What is asked for need not be there; what is there stays as it is.
func TestPrefetch(t *testing.T) {
	for _, n := range []int{0, 1, 1000} {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		Elements(list, []int32{0, 999, 1000, -1, 1 << 30})
		Elements(list, []uint32{0, 1<<32 - 1})
		Elements(list, []int32(nil))
		Rows(list, 3, []int32{0, 333, -1})
		Rows(list, 1, []int32(nil))
		All(list)
		First([][]int{list, nil, {}, list[n:]})
		First([][]int(nil))
		All([]int(nil))
		for i := range list {
			if list[i] != i {
				t.Fatalf("element %d is %d", i, list[i])
			}
		}
	}
}

// Of each page from the element on, which stands anywhere in one, some byte is written,
// and nothing before it.
func TestPopulate(t *testing.T) {
	populate(t, uint8(1))
	populate(t, uint16(1))
	populate(t, [3]uint64{1, 1, 1})
	populate(t, [5000]byte{1})
	populate(t, struct{}{})
	Populate([]int(nil), 0)
}

func populate[T comparable](t *testing.T, one T) {
	t.Helper()
	var zero T
	list := make([]T, 5000)
	for _, from := range []int{0, 1, 127, 128, 4097, len(list)} {
		for i := range list {
			list[i] = one
		}
		Populate(list, from)
		written := from - 1
		for i := range list {
			if list[i] != zero || one == zero {
				continue
			}
			if i < from {
				t.Fatalf("%T: element %d is written, before %d", one, i, from)
			}
			if apart := int(unsafe.Sizeof(one)) * (i - max(written, 0)); written >= 0 && i > written+1 && apart > 4<<10 {
				t.Fatalf("%T: nothing is written for %d bytes before element %d", one, apart, i)
			}
			written = i
		}
		if one != zero && len(list)-from > 0 && (written < from || int(unsafe.Sizeof(one))*(len(list)-1-written) >= 4<<10) {
			t.Fatalf("%T from %d: %d is the last element written", one, from, written)
		}
	}
}
