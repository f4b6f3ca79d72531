// Package long keeps what takes long out of go test ./..., and in .ci/run.
//
// A test that is long says so by [Test], or tries a [Sample]. The TestMain of its package runs
// the tests by [Tests], which lists at the end, once, what was left out.
package long

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"testing"
)

var (
	mu      sync.Mutex
	skipped []string
)

// Wanted reports whether long tests are to run: with CI=true, as in .ci/run, or BAYES_LONG=1,
// unless -short is given.
func Wanted() bool {
	return !testing.Short() && (os.Getenv("CI") == "true" || os.Getenv("BAYES_LONG") == "1")
}

// Test skips t unless long tests are wanted. What says what t tests that no shorter test does.
func Test(t testing.TB, what string) {
	t.Helper()
	if Sample(t, what) {
		t.Skip("long: CI=true or BAYES_LONG=1 runs it")
	}
}

// Sample reports whether t is to try a sample alone, since long tests are not wanted. What says
// what t tries where they are.
func Sample(t testing.TB, what string) bool {
	if Wanted() {
		return false
	}
	mu.Lock()
	defer mu.Unlock()
	if line := fmt.Sprintf("%s: %s", t.Name(), what); !slices.Contains(skipped, line) {
		skipped = append(skipped, line)
	}
	return true
}

const checks = "rapid.checks" // the flag that says with how many examples a property is tried

// Tests are those of a package.
type Tests struct{ M interface{ Run() int } }

// Run runs them, and lists what was left out: most of the examples that properties are tried with, too.
func (l Tests) Run() int {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == checks })
	if flag.Lookup(checks) != nil && !given && !Wanted() {
		flag.Set(checks, "30")
		skipped = append(skipped, "properties: 100 examples each, not 30")
	}
	code := l.M.Run()
	list(os.Stdout)
	return code
}

func list(w io.Writer) {
	if len(skipped) == 0 {
		return
	}
	fmt.Fprintf(w, "left out, since %s long; CI=true or BAYES_LONG=1 runs it:\n", map[bool]string{true: "it is", false: "they are"}[len(skipped) == 1])
	for _, s := range skipped {
		fmt.Fprintf(w, "    %s\n", s)
	}
}
