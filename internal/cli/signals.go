package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"bayes/internal/atomicfile"
)

var errInterrupted = errors.New("interrupted")

// endSignals returns the signals that end a command. One that was ignored when
// the program began, as SIGHUP is by nohup, stays ignored.
func endSignals() []os.Signal {
	var list []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return list
}

// NotifyContext returns a copy of ctx that is cancelled when the system asks the
// program to end. A second request ends it at once.
func NotifyContext(ctx context.Context) context.Context {
	signals := endSignals()
	if len(signals) == 0 {
		return ctx // to signal.NotifyContext, no signals mean all of them
	}
	ctx, stop := signal.NotifyContext(ctx, signals...)
	context.AfterFunc(ctx, stop)
	return ctx
}

// patience is how long a command that is asked to end may take to end by itself.
const patience = 250 * time.Millisecond

// An interrupter ends a command when the system asks the program to end.
type interrupter struct {
	asked   chan os.Signal
	instead atomic.Pointer[func()] // what the first signal calls instead of ending the command
}

func newInterrupter() *interrupter {
	i := &interrupter{asked: make(chan os.Signal, 1)}
	if signals := endSignals(); len(signals) > 0 {
		signal.Notify(i.asked, signals...)
	}
	return i
}

// release leaves the signals to the command.
func (i *interrupter) release() { signal.Stop(i.asked) }

// divert has the next signal call stop instead of ending the command, until restore is
// called. A second signal ends the command as ever.
func (i *interrupter) divert(stop func()) (restore func()) {
	i.instead.Store(&stop)
	return func() { i.instead.CompareAndSwap(&stop, nil) }
}

// run runs a command, and returns its exit code. When the system asks the program
// to end, the command's context is cancelled. A command that does not look at its
// context, for example because it waits for input, is left behind: its temporary files
// are removed, and each file that it was to write is as it was before, or whole.
func (i *interrupter) run(stderr *output, run func(ctx context.Context) int) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	code := make(chan int, 1) // with room, so that a command that is left behind can end
	go func() { code <- run(ctx) }()
	for ctx.Err() == nil {
		select {
		case c := <-code:
			return c
		case <-i.asked:
			if stop := i.instead.Swap(nil); stop != nil {
				(*stop)()
			} else {
				cancel()
			}
		}
	}
	// The command may need a moment to clean up, and then returns its own exit code.
	select {
	case c := <-code:
		return c
	case <-time.After(patience):
		atomicfile.Abandon()
		stderr.printLast("bayes: " + errInterrupted.Error())
		return exitFailed
	}
}
