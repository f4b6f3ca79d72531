package huge

import "testing"

func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 4095, page/8 - 1, 2 * page / 8, 3*page/8 + 5} {
		s := Make[uint64](n, n+n/2)
		if len(s) != n || cap(s) < n+n/2 {
			t.Errorf("Make(%d, %d) has length %d and room for %d", n, n+n/2, len(s), cap(s))
		}
		for i := range s {
			if s[i] != 0 {
				t.Fatalf("Make(%d): element %d is %d", n, i, s[i])
			}
			s[i] = uint64(i)
		}
		g := Grow(s, n+1)
		if len(g) != n || cap(g) < 2*n+1 {
			t.Errorf("Grow(%d, %d) has length %d and room for %d", n, n+1, len(g), cap(g))
		}
		for i := range g {
			if g[i] != uint64(i) {
				t.Fatalf("Grow(%d): element %d is %d", n, i, g[i])
			}
		}
	}
}
