package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"bayes"
	"bayes/mail"

	"github.com/spf13/cobra"
)

// exitUnfiltered is the exit code of filter where it has failed: those below it say what a mail is.
const exitUnfiltered = 3

// mostRead is how much of a mail is looked at. What is beyond is passed on.
const mostRead = 64 << 20

// A VerdictFlags group is what makes a verdict of a prediction.
type VerdictFlags struct{ mail.Cutoffs }

// AddFlags defines the flags on cmd.
func (v *VerdictFlags) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&v.Label, "spam-label", mail.DefaultCutoffs.Label, "the class that is spam; all others are ham")
	cmd.Flags().Float64Var(&v.Spam, "spam-cutoff", 0, "the least probability of spam that is called spam (default the model's cutoff, or 0.99)")
	cmd.Flags().Float64Var(&v.Ham, "ham-cutoff", 0, "the largest probability of spam that is called ham (default the model's cutoff, or 0.45); between the two, unsure")
	Group(cmd, "Verdict")
}

func (a *App) filterCommand() *cobra.Command {
	var v VerdictFlags
	// Whatever is wrong, the mail must not be lost.
	pass := func(err error) error {
		if err == nil {
			return nil
		}
		return a.passMail(nil, err)
	}
	cmd := &cobra.Command{
		Use:   "filter MODEL",
		Short: "Pass a mail on, with headers that say whether it is spam",
		Long: `Pass a mail from standard input to standard output, as it is, with three header
fields in front: X-Bayes-Status (spam, ham or unsure), X-Bayes-Score (the log-odds of
spam) and X-Bayes-Reason (what decided). Fields of these names that it came with are
dropped. The exit code is 0 for spam, 1 for ham, 2 for unsure, and 3 if anything
fails: then the mail is passed on unchanged.

A model that was trained with --max-fpr or --min-recall decides by its own cutoffs, and any other by
those of bogofilter. The flags override both.

These are the codes of bogofilter, so that recipes of procmail, maildrop and mutt work
as they are. A frozen model answers soonest.`,
		Example: `  bayes filter mail.nb < mail > filtered
  bayes freeze mail.nb -o fast.nb && bayes filter fast.nb < mail
  bayes filter mail.nb --spam-cutoff 0.999 < mail`,
		Annotations:       map[string]string{exitKey: "0: spam; 1: ham; 2: unsure; 3: failed, and the mail passed on unchanged."},
		Args:              func(cmd *cobra.Command, args []string) error { return pass(Args(1, 1, "one MODEL")(cmd, args)) },
		ValidArgsFunction: completeModel,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.filter(&v, args[0]) },
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return pass(flagError(cmd, err)) })
	v.AddFlags(cmd)
	return cmd
}

// filter passes standard input on, and returns what makes the exit code.
func (a *App) filter(v *VerdictFlags, model string) error {
	a.release() // a signal ends the program as one: no exit code of filter's says that
	raw, err := io.ReadAll(io.LimitReader(a.stdin, mostRead))
	if err != nil {
		return a.passMail(raw, fmt.Errorf("standard input: %w", err))
	}
	said, err := guarded(func() (mail.Verdict, error) { return a.judge(v, model, raw) })
	if err != nil {
		return a.passMail(raw, err)
	}
	if err := a.copyMail(mail.Mark(raw, said)); err != nil {
		return &exitError{exitUnfiltered, err}
	}
	if said.Status == mail.Spam {
		return nil
	}
	return &exitError{code: int(said.Status)}
}

// judge says what a mail is.
func (a *App) judge(v *VerdictFlags, model string, raw []byte) (mail.Verdict, error) {
	if model == "-" {
		return mail.Verdict{}, errors.New("-: the mail is on standard input, and the model cannot be")
	}
	m, err := a.loadModel(model)
	if err != nil {
		return mail.Verdict{}, err
	}
	said, err := v.Judge(m, MailDocument(m, raw))
	if err == nil {
		err = m.Err()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", model, err)
	}
	return said, err
}

// MailDocument returns the document that m reads a mail as.
func MailDocument(m *bayes.Model, raw []byte) bayes.Document {
	texts, _, _ := m.Attributes()
	return mail.DocumentFor(m.Space(), texts, raw)
}

// guarded calls f, and makes an error of its panic.
func guarded[T any](f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a fault in bayes: %v: %s", p, debug.Stack())
		}
	}()
	return f()
}

// passMail passes on what was read of a mail, and the rest of it, unchanged. It returns err, for which
// that is done.
func (a *App) passMail(read []byte, err error) error {
	if copied := a.copyMail(read); copied != nil {
		err = errors.Join(err, copied)
	}
	return &exitError{exitUnfiltered, err}
}

// copyMail prints what is given of a mail, and what is not read yet.
func (a *App) copyMail(read []byte) error {
	_, err := io.Copy(a.stdout, io.MultiReader(bytes.NewReader(read), a.stdin))
	return err
}
