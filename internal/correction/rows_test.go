package correction

import (
	"sync"
	"testing"
)

// What is read once stays as it was read, whoever reads it, times of zero and below too.
func TestRows(t *testing.T) {
	want := func(i int) Row { return Row{Times: float64(i%7 - 3), Place: int32(i%5 - 1)} }
	rows := NewRows(1000, want)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 2 {
				for i := range 1000 {
					if got := rows.At(i); got != want(i) {
						t.Errorf("row %d is %v, want %v", i, got, want(i))
					}
				}
			}
		})
	}
	wg.Wait()
}
