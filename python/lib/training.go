package main

import (
	"context"
	"sync"

	"bayes/internal/cli"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A training is the command train's flags. They are what a Classifier's parameters are, so that
// equal settings count and fit alike.
type training struct {
	cli.Trainer
	cmd *cobra.Command
}

// idle are trainings to be used again: package cobra keeps what it knows of flags for ever.
var idle struct {
	sync.Mutex
	list []*training
}

// newTraining returns a training with these flags.
func newTraining(flags []string) (*training, error) {
	idle.Lock()
	defer idle.Unlock()
	var t *training
	if n := len(idle.list); n > 0 {
		t, idle.list = idle.list[n-1], idle.list[:n-1]
	} else {
		t = &training{cmd: &cobra.Command{Use: "Classifier"}}
		t.AddFlags(t.cmd)
		t.cmd.SetContext(context.Background())
	}
	t.cmd.Flags().Visit(func(f *pflag.Flag) {
		f.Value.Set(f.DefValue)
		f.Changed = false
	})
	if err := t.cmd.ParseFlags(flags); err != nil {
		idle.list = append(idle.list, t)
		return nil, err
	}
	return t, nil
}

// release lets t be used again.
func (t *training) release() {
	idle.Lock()
	defer idle.Unlock()
	idle.list = append(idle.list, t)
}
