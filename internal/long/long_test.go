package long

import (
	"strings"
	"testing"
)

type fake struct{ t *testing.T }

func (f fake) Run() int {
	f.t.Run("census", func(t *testing.T) {
		Sample(t, "the accuracies of README.md")
		Test(t, "the accuracies of README.md")
	})
	return 3
}

// What is left out is listed once, and nothing is in .ci/run.
func TestLeftOut(t *testing.T) {
	defer func(was []string) { skipped = was }(skipped)
	for _, c := range []struct {
		ci, long string
		want     int
	}{{"", "", 1}, {"true", "", 0}, {"", "1", 0}} {
		if testing.Short() {
			c.want = 1
		}
		t.Setenv("CI", c.ci)
		t.Setenv("BAYES_LONG", c.long)
		skipped = nil
		if code := (Tests{fake{t}}).Run(); code != 3 {
			t.Errorf("exit code %d", code)
		}
		var b strings.Builder
		list(&b)
		if got := strings.Count(b.String(), "census"); got != c.want {
			t.Errorf("CI=%s BAYES_LONG=%s: %q", c.ci, c.long, b.String())
		}
	}
}
