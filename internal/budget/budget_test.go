package budget_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"bayes/internal/budget"

	"pgregory.net/rapid"
)

// k holders that take all they can get have 1/(k+1) each, and as much is left.
func TestShares(t *testing.T) {
	for k := 1; k <= 9; k++ {
		const size = 1 << 14
		b := budget.New(size)
		held := make([]int, k)
		for more := true; more; {
			more = false
			for i := range held {
				if b.Take(fmt.Sprint(i), 1) {
					held[i]++
					more = true
				}
			}
		}
		for i, n := range held {
			if want := size / (k + 1); n < want-1 || n > want+1 {
				t.Errorf("holder %d of %d has %d of %d, want %d", i, k, n, size, want)
			}
		}
		if !b.Take("new", int64(size/(k+1)/2)) {
			t.Errorf("after %d holders a new one gets nothing", k)
		}
	}
}

// The first of a few places is anyone's, even where there is one.
func TestPlaces(t *testing.T) {
	for size, want := range map[int64]int{0: 0, 1: 1, 2: 1, 3: 2, 4: 2, 64: 32} {
		b := budget.New(size)
		n := 0
		for b.Take("a", 1) {
			n++
		}
		if n != want || int64(n) != b.Most() && size > 0 {
			t.Errorf("of %d places one holder gets %d, want %d; at most %d", size, n, want, b.Most())
		}
	}
}

// Whatever is taken and given back, no more is out than there is, nobody has more than
// half, and in the end all is there again.
func TestBudgetLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(0, 1000).Draw(t, "size")
		b := budget.New(size)
		held := make(map[string]int64)
		for range rapid.IntRange(0, 100).Draw(t, "steps") {
			who, n := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "who"), rapid.Int64Range(0, 600).Draw(t, "n")
			if rapid.Bool().Draw(t, "take") {
				if b.Take(who, n) {
					held[who] += n
				}
			} else {
				n = min(n, held[who])
				b.Give(who, n)
				held[who] -= n
			}
			var all int64
			for _, n := range held {
				all += n
				if n > b.Most() {
					t.Fatalf("%v of %d", held, size)
				}
			}
			if all > size {
				t.Fatalf("%v of %d", held, size)
			}
		}
		for who, n := range held {
			b.Give(who, n)
		}
		if !b.Take("d", b.Most()) {
			t.Fatal("something is missing")
		}
	})
}

// Another holder's work is done before the rest of one that has asked for much.
func TestQueueTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := budget.NewQueue(10, 1)
		var order []string
		leave, err := q.Enter(t.Context(), "greedy", 10)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{}, 11)
		ask := func(who string) {
			leave, err := q.Enter(t.Context(), who, 10)
			if err != nil {
				t.Error(err)
				return
			}
			order = append(order, who)
			leave()
			done <- struct{}{}
		}
		for range 10 {
			go ask("greedy")
			synctest.Wait()
		}
		go ask("modest")
		synctest.Wait()
		leave()
		for range 11 {
			<-done
		}
		if order[0] != "modest" && order[1] != "modest" {
			t.Errorf("in the order %v", order)
		}
	})
}

// Work that is called off leaves nothing behind.
func TestQueueCancel(t *testing.T) {
	q := budget.NewQueue(10, 2)
	leave, err := q.Enter(t.Context(), "a", 10)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, who := range []string{"a", "a", "b"} {
		if _, err := q.Enter(ctx, who, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", who, err)
		}
	}
	leave()
	for _, who := range []string{"a", "b"} {
		leave, err := q.Enter(t.Context(), who, q.Size())
		if err != nil {
			t.Fatal(err)
		}
		leave()
	}
}
