package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// aSearch runs bayes with arguments on a file that tells the classes by the order of words. It
// calls tried when candidates have been tried, with what a first signal does.
func aSearch(t *testing.T, tried func(done int, interrupt func()), args ...string) (code int, stdout, said string) {
	t.Helper()
	t.Chdir(t.TempDir())
	csv := "label,text\n" + strings.Repeat("ab,a b red\nba,b a red\nab,a b blue\nba,b a blue\nab,b a odd\n", 12)
	if err := os.WriteFile("order.csv", []byte(csv), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, notes bytes.Buffer
	a := newApp(strings.NewReader(""), &out, &notes)
	var interrupt func()
	restored := false
	a.divert = func(stop func()) func() {
		interrupt = stop
		return func() { restored = true }
	}
	a.tried = func(_, done, _ int) { tried(done, interrupt) }
	code = a.run(context.Background(), args)
	if !restored {
		t.Error("signals still go to the search")
	}
	return code, out.String(), notes.String()
}

// What has been found when a signal or the budget ends a search is kept, written, and said to
// be part of what was to be tried.
func TestSearchCutShort(t *testing.T) {
	interrupt := func(_ int, interrupt func()) { interrupt() }
	slow := func(int, func()) { time.Sleep(10100 * time.Millisecond) } // the budget, which is long enough to try one on a busy machine
	half := func(int, func()) { time.Sleep(5100 * time.Millisecond) }  // of the budget, which is for the search of several labels
	for _, tc := range []struct {
		args  string
		tried func(int, func())
		said  string
	}{
		{"tune order.csv -o m.nb", interrupt, "note: interrupted: "},
		{"train order.csv --auto -o m.nb", interrupt, "note: interrupted: "},
		{"tune order.csv -o m.nb --budget 10", slow, "note: the budget is used up (--budget 0 has no limit): "},
		{"train order.csv --auto -o m.nb --budget 10", slow, "note: the budget is used up (--budget 0 has no limit): "},
		{"tune order.csv --label-separator ; -o m.nb", interrupt, "note: interrupted: 1 of 15"},
		{"train order.csv --label-separator ; --auto -o m.nb", interrupt, "note: interrupted: 1 of 15"},
		{"tune order.csv --label-separator ; -o m.nb --budget 10", half, "note: the budget is used up (--budget 0 has no limit): "},
	} {
		t.Run(tc.args, func(t *testing.T) {
			code, _, said := aSearch(t, tc.tried, strings.Fields(tc.args)...)
			if code != exitDone || !strings.Contains(said, tc.said) || !strings.Contains(said, " combinations were tried on 60 of 60 documents\n") {
				t.Errorf("exit %d, %s", code, said)
			}
			if code, said := inTemp("check", "m.nb"); code != exitDone {
				t.Errorf("the best is not written: %s", said)
			}
		})
	}
}

func TestSearchCutShortJSON(t *testing.T) {
	var got struct {
		Best    map[string]string
		Trials  []any
		Partial *cut
	}
	decode := func(stdout string) {
		t.Helper()
		got.Partial = nil
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatal(err, stdout)
		}
	}
	n := 0
	code, stdout, said := aSearch(t, func(done int, interrupt func()) {
		if n++; n == 2 {
			interrupt()
		}
	}, "tune", "order.csv", "--json", "--ngrams", "2")
	decode(stdout)
	want := cut{Reason: "interrupted", Tried: got.Partial.Tried, Of: 33, Documents: 60, OfDocuments: 60}
	if code != exitDone || *got.Partial != want || len(got.Trials) < want.Tried || len(got.Trials) > 12*want.Tried || want.Tried >= want.Of {
		t.Errorf("exit %d, %+v, %d trials, %s", code, got.Partial, len(got.Trials), said)
	}
	code, stdout, said = aSearch(t, func(int, func()) {}, "tune", "order.csv", "--json", "--ngrams", "2")
	if decode(stdout); code != exitDone || got.Partial != nil {
		t.Errorf("exit %d, %+v, %s", code, got.Partial, said)
	}
}

// A signal before anything was tried leaves nothing to keep.
func TestSearchInterruptedAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(name, []byte("label,text\nx,a b\ny,b a\nx,a c\ny,c a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"tune -q", "tune -q --label-separator ;"} {
		var notes bytes.Buffer
		a := newApp(strings.NewReader(""), io.Discard, &notes)
		a.divert = func(stop func()) func() { stop(); return func() {} }
		if code := a.run(context.Background(), append(strings.Fields(args), name)); code != exitFailed || notes.String() != "bayes: interrupted\n" {
			t.Errorf("%s: exit %d, %s", args, code, notes.String())
		}
	}
}

// A search of several labels goes on from the best terms to their corrections, and says of each trial what it came to.
func TestSearchSetsJSON(t *testing.T) {
	code, stdout, said := aSearch(t, func(int, func()) {}, "tune", "order.csv", "--label-separator", ";", "--metric", "log-loss", "--json")
	var got struct {
		Best   map[string]string
		Trials []struct {
			Flags   map[string]string
			LogLoss float64 `json:"log_loss"`
		}
		Partial *cut
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitDone {
		t.Fatal(err, code, said)
	}
	if len(got.Trials) != 15 || got.Partial != nil || !maps.Equal(got.Best, got.Trials[0].Flags) {
		t.Errorf("%d trials, %v, best %v", len(got.Trials), got.Partial, got.Best)
	}
	corrections := make(map[string]bool)
	for i, x := range got.Trials {
		if i > 0 && x.LogLoss < got.Trials[i-1].LogLoss {
			t.Errorf("trial %d is better than the one before", i)
		}
		if x.Flags["ngrams"] == got.Best["ngrams"] && x.Flags["chars"] == got.Best["chars"] && x.Flags["stem"] == got.Best["stem"] {
			corrections[x.Flags["spread"]+" "+x.Flags["strength"]] = true
		}
	}
	if len(corrections) != 8 {
		t.Errorf("%v of the best terms", corrections)
	}
}
