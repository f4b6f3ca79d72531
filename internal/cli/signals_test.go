package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// The first signal is the command's if it wants it; the next one ends it.
func TestDivert(t *testing.T) {
	i := newInterrupter()
	defer i.release()
	var got []string
	code := i.run(newOutput("standard error", io.Discard), func(ctx context.Context) int {
		stopped := make(chan bool)
		restore := i.divert(func() { close(stopped) })
		i.asked <- os.Interrupt
		<-stopped
		if ctx.Err() != nil {
			got = append(got, "the command is ended")
		}
		restore()
		i.divert(func() { got = append(got, "a signal was diverted that is no longer") })()
		i.asked <- os.Interrupt
		<-ctx.Done()
		got = append(got, "ended")
		return exitFailed
	})
	if code != exitFailed || !slices.Equal(got, []string{"ended"}) {
		t.Errorf("exit %d, %q", code, got)
	}
}

// A command that is left behind, and what leaves it behind, say once that it was interrupted, whichever is first.
func TestInterruptedOnce(t *testing.T) {
	wait := func(*App) *cobra.Command {
		return &cobra.Command{Use: "wait", RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Context().Err() }}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, leftFirst := range []bool{true, false} {
		var said bytes.Buffer
		a := newApp(strings.NewReader(""), io.Discard, &said)
		if leftFirst {
			a.stderr.printLast("bayes: interrupted")
		}
		code := a.run(ctx, []string{"wait"}, wait)
		a.Note("and no more")
		a.stderr.printLast("bayes: interrupted")
		if code != exitFailed || said.String() != "bayes: interrupted\n" {
			t.Errorf("left first %v: exit %d, %q", leftFirst, code, said.String())
		}
	}
}
