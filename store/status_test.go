package store

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"bayes"
)

// lines is what a logger writes to.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Counts that can no longer be fitted are seen in the status and in the log, once,
// and so is that they can be fitted again.
func TestFitFails(t *testing.T) {
	known := bayes.NewCounts(nil)
	known.Learn(bayes.Example{Label: "ham", Text: "see you"})
	known.Learn(bayes.Example{Label: "spam", Text: "win"})
	var log lines
	s := mustOpen(t, t.TempDir(), nil, &Options{
		Counts: known, Model: bayes.Multinomial{Prior: bayes.GivenPrior{"ham": .9, "spam": .1}},
		Window: Window{Documents: 2}, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	s.mu.Lock()
	s.state.counts.Unlearn(bayes.Example{Label: "spam", Text: "win"}) // as if the only spam were in the window
	s.mu.Unlock()
	wait := func(failing bool, line string) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			st := s.Status()
			if (st.Fit != nil) == failing && (st.Visible == st.Applied) != failing && strings.Contains(log.String(), line) {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%+v, %s", st, log.String())
			}
		}
	}
	learn := func(e Entry) {
		t.Helper()
		if _, err := s.Learn(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	learn(entry("1", "ham", "you"))
	wait(true, "cannot be fitted")
	learn(entry("2", "ham", "me"))
	wait(true, "cannot be fitted")
	if s.Model() == nil {
		t.Error("the earlier model is gone")
	}
	learn(entry("3", "spam", "prize"))
	wait(false, "can be fitted again")
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 {
		t.Errorf("%d errors are logged: %s", n, log.String())
	}
}

// What cannot be fitted to what a store begins with is not begun.
func TestBeginUnfit(t *testing.T) {
	prior := bayes.GivenPrior{"ham": .9, "spam": .1}
	ham := bayes.NewCounts(nil)
	ham.Learn(bayes.Example{Label: "ham", Text: "see you"})
	if _, err := Open(ctx, t.TempDir(), nil, &Options{Counts: ham, Model: bayes.Multinomial{Prior: prior}}); !errors.Is(err, ErrInvalid) {
		t.Errorf("no spam: %v", err)
	}
	s, err := Open(ctx, t.TempDir(), nil, &Options{Model: bayes.Multinomial{Prior: prior}})
	if err != nil {
		t.Fatalf("no examples: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
