package budget_test

import (
	"context"
	"fmt"

	"bayes/internal/budget"
)

// One holder gets half, and there is something left for the next.
func ExampleBudget_Take() {
	b := budget.New(100)
	fmt.Println(b.Most(), b.Take("a", 50), b.Take("a", 1), b.Take("b", 25))
	b.Give("a", 50)
	fmt.Println(b.Held("a"), b.Held("b"))
	// Output:
	// 50 true false true
	// 0 25
}

// The second piece of work waits until the first has left.
func ExampleQueue_Enter() {
	q := budget.NewQueue(10, 2)
	leave, err := q.Enter(context.Background(), "a", 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	done := make(chan error)
	go func() {
		leave, err := q.Enter(context.Background(), "b", 8)
		if err == nil {
			defer leave()
		}
		done <- err
	}()
	leave()
	fmt.Println(<-done)
	// Output: <nil>
}
