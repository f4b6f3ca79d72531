package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"bayes"
	"bayes/eval"
	"bayes/internal/mmap"
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
)

// freezer holds the flags of freeze.
type freezer struct {
	Input
	bayes.FreezeOptions
	test []string
	out  Writing
}

func (a *App) freezeCommand() *cobra.Command {
	var f freezer
	cmd := &cobra.Command{
		Use:   "freeze MODEL -o OUT",
		Short: "Write a model's weights alone, to predict with",
		Long: `Write the weights of a model of texts, and nothing of what they rest on. Such a
file is mapped into memory rather than read, so that the first prediction does not
wait, however large it is. It cannot learn. With --test, what the smaller weights
cost in accuracy is said.`,
		Example: `  bayes freeze mail.nb -o mail.frozen.nb
  bayes freeze mail.nb -o small.nb --bits 8 --prune 0.1 --test held.csv`,
		Args:              Args(1, 1, "one MODEL"),
		ValidArgsFunction: completeModel,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.out.missing(cmd, "-o OUT"); err != nil {
				return err
			}
			switch {
			case f.Bits != 8 && f.Bits != 32:
				return WrongUsage(cmd, "--bits %d: want 8 or 32", f.Bits)
			case !(f.Prune >= 0):
				return WrongUsage(cmd, "--prune %v: want a number from 0 up", f.Prune)
			}
			return a.freeze(&f, args[0])
		},
	}
	f.Input.AddFlags(cmd)
	cmd.Flags().IntVar(&f.Bits, "bits", 32, "size of a weight: 32, or 8, one of 256 steps")
	cmd.Flags().Float64Var(&f.Prune, "prune", 0, "leave out terms whose weights differ by no more than `X` between the classes")
	Group(cmd, "Weights")
	cmd.Flags().StringSliceVar(&f.test, "test", nil, "labelled `FILE`s to measure the cost with")
	Group(cmd, InputFlags)
	f.out.AddFlags(cmd, outfile.Frozen, "output", "o", "file to write the weights to")
	return cmd
}

// A frozenRecord is what freeze says in JSON.
type frozenRecord struct {
	Terms     int         `json:"terms"` // kept
	Of        int         `json:"of"`
	Bytes     int         `json:"bytes"`
	OfBytes   int64       `json:"of_bytes"`
	Documents int64       `json:"documents,omitempty"`
	Before    *frozenCost `json:"before,omitempty"`
	After     *frozenCost `json:"after,omitempty"`
	Agreement *float64    `json:"agreement,omitempty"` // the share of documents with the same label
}

type frozenCost struct {
	Accuracy float64 `json:"accuracy"`
	LogLoss  float64 `json:"log_loss"`
}

func (a *App) freeze(f *freezer, name string) error {
	to, err := f.out.Plan([]string{name})
	if err != nil {
		return err
	}
	m, err := a.loadModel(name)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := m.Freeze(&b, &f.FreezeOptions); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	// What was written is read back: the figures are those of the file.
	frozen, err := bayes.LoadModel(bytes.NewReader(b.Bytes()), Languages()...)
	if err != nil {
		return err
	}
	r := frozenRecord{Terms: frozen.Len(), Of: m.Len(), Bytes: b.Len()}
	if info, err := os.Stat(name); err == nil {
		r.OfBytes = info.Size()
	}
	if len(f.test) > 0 {
		if err := a.frozenCost(f, m, frozen, &r); err != nil {
			return err
		}
	}
	if err := to.Write(func(w io.Writer) error { return mmap.Write(w, b.Bytes()) }); err != nil {
		return err
	}
	return a.reportFrozen(f, &r)
}

// frozenCost tests a model and what is frozen of it on the same examples.
func (a *App) frozenCost(f *freezer, m, frozen *bayes.Model, r *frozenRecord) error {
	src, err := a.openFor(&f.Input, f.test, m.EventModel(), m)
	if err != nil {
		return err
	}
	if several(m) {
		return errors.New("--test is for models of one label a document (hint: bayes test)")
	}
	var before, after eval.Tally
	same := 0
	for s, err := range m.PredictAll(src.examples(), 0) {
		if err != nil {
			return err
		}
		p := frozen.Predict(s.Document())
		before.Observe(s.Prediction, s.Label)
		after.Observe(p, s.Label)
		if p.Answer().Class == s.Answer().Class {
			same++
		}
	}
	src.finish()
	if r.Documents = before.Documents(); r.Documents == 0 {
		return fmt.Errorf("%s: no examples to test with", strings.Join(f.test, " "))
	}
	a.noteUnmet(&before, m.Classes())
	cost := func(t *eval.Tally) *frozenCost {
		accuracy, _, _ := t.Accuracy()
		return &frozenCost{accuracy, t.LogLoss()}
	}
	agreement := float64(same) / float64(r.Documents)
	r.Before, r.After, r.Agreement = cost(&before), cost(&after), &agreement
	return nil
}

func (a *App) reportFrozen(f *freezer, r *frozenRecord) error {
	if a.json {
		return a.PrintJSON(r)
	}
	a.Note("%s: %s of %s terms, %s bytes (the model: %s)", f.out.name, Count(r.Terms), Count(r.Of), Count(r.Bytes), Count(r.OfBytes))
	if r.Before != nil {
		a.Note("accuracy %.4f, was %.4f; log loss %.4f, was %.4f; the same label for %.2f %% of %s documents",
			r.After.Accuracy, r.Before.Accuracy, r.After.LogLoss, r.Before.LogLoss, 100**r.Agreement, Count(r.Documents))
	}
	return nil
}
