package cli

import (
	"errors"
	"fmt"

	"bayes"
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
)

func (a *app) learnCommand() *cobra.Command {
	return a.updateCommand(&cobra.Command{
		Use:     "learn MODEL FILE...",
		Short:   "Add labelled examples to a model",
		Example: `  bayes learn mail.nb corrections.csv`,
	}, (*bayes.Counts).Add, false, "learned")
}

func (a *app) unlearnCommand() *cobra.Command {
	return a.updateCommand(&cobra.Command{
		Use:     "unlearn MODEL FILE...",
		Short:   "Take labelled examples out of a model, exactly",
		Example: `  bayes unlearn mail.nb withdrawn.csv`,
	}, (*bayes.Counts).Sub, true, "unlearned")
}

// updateCommand completes a command that counts files and combines the counts
// with those of a model, which is exact only if both were cut by the same analyzer.
func (a *app) updateCommand(cmd *cobra.Command, combine func(c, d *bayes.Counts) error, exact bool, done string) *cobra.Command {
	var (
		in         input
		workers    int
		anyVersion bool
	)
	cmd.Args = args(2, -1, "MODEL and at least one FILE")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		name := args[0]
		to, unlock, err := lock(name, a.stdout, func() { a.note("%s: waiting for another command that changes it", name) })
		if err != nil {
			return err
		}
		defer unlock()
		c, em, err := a.load(name)
		if err != nil {
			return err
		}
		src, err := a.openFor(&in, args[1:], em, c)
		if err != nil {
			return err
		}
		if c.Space().IDF != nil {
			a.note("note: the inverse document frequencies stay those of the training; train again to bring them up to date")
		}
		d, err := a.count(cmd, src, c.Space(), workers)
		if err != nil {
			return err
		}
		if exact && !anyVersion {
			if err := sameAnalyzer(name, c, d); err != nil {
				return err
			}
		}
		if err := combine(c, d); err != nil {
			return err
		}
		err = a.save(to, c, em, func() error {
			if err := usable(c, em); err != nil {
				return fmt.Errorf("%s is left as it was: %w", name, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if a.json {
			return writeJSON(a.stdout, map[string]any{"documents": d.Examples(), "total": c.Examples(), "terms": c.Len()})
		}
		a.note("%s: %s documents %s, %s in all, %s terms", name, count(d.Examples()), done, count(c.Examples()), count(c.Len()))
		return nil
	}
	in.addFlags(cmd)
	cmd.Flags().IntVar(&workers, "workers", 0, "cores to use (default all)")
	if exact {
		addAnyVersion(cmd, &anyVersion)
	}
	return cmd
}

func addAnyVersion(cmd *cobra.Command, any *bool) {
	cmd.Flags().BoolVar(any, "any-version", false, "subtract even if another version of the analyzer cut the texts")
}

// sameAnalyzer returns an error if different versions of the analyzer cut the texts of a
// model, in the file called name, and of what is to be subtracted: other terms would be
// taken out than were put in.
func sameAnalyzer(name string, c, d *bayes.Counts) error {
	if differ := analyzersDiffer(c.AnalyzerVersion(), d.AnalyzerVersion()); differ != "" {
		return fmt.Errorf("%s: %s: other terms would be taken out than were put in; train it anew, or give --any-version", name, differ)
	}
	return nil
}

// usable reports whether c can be kept in a file: it may be empty, but not
// negative.
func usable(c *bayes.Counts, em bayes.EventModel) error {
	if _, err := bayes.CheckFit(c, em); err != nil && !errors.Is(err, bayes.ErrEmpty) {
		return err
	}
	return nil
}

func (a *app) mergeCommand() *cobra.Command {
	return a.combineCommand(&cobra.Command{
		Use:     "merge -o OUT A.nb B.nb...",
		Short:   "Add up models, as if one had learned all their examples",
		Example: `  bayes merge -o all.nb monday.nb tuesday.nb`,
		Args:    args(1, -1, "at least one MODEL"),
	}, (*bayes.Counts).Add, false)
}

func (a *app) subtractCommand() *cobra.Command {
	return a.combineCommand(&cobra.Command{
		Use:     "subtract -o OUT A.nb B.nb",
		Short:   "Take the examples of B out of A, exactly",
		Example: `  bayes subtract -o rest.nb all.nb monday.nb`,
		Args:    args(2, 2, "two MODELs"),
	}, (*bayes.Counts).Sub, true)
}

// combineCommand completes a command that makes one model of several. The event
// model is the first one's, and so is the version of the analyzer. To subtract is exact
// only if that of the other is the same.
func (a *app) combineCommand(cmd *cobra.Command, combine func(c, d *bayes.Counts) error, exact bool) *cobra.Command {
	var (
		out        Writing
		anyVersion bool
	)
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if err := out.missing(cmd, "-o OUT"); err != nil {
			return err
		}
		to, err := out.Plan(names)
		if err != nil {
			return err
		}
		total, em, err := a.load(names[0])
		if err != nil {
			return err
		}
		for _, name := range names[1:] {
			c, other, err := a.load(name)
			if err != nil {
				return err
			}
			if exact && !anyVersion {
				if err := sameAnalyzer(names[0], total, c); err != nil {
					return err
				}
			} else if differ := analyzersDiffer(total.AnalyzerVersion(), c.AnalyzerVersion()); differ != "" {
				a.note("note: %s and %s: other versions of the analyzer cut their texts; the result has that of %s", names[0], name, names[0])
			}
			if err := combine(total, c); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if other.String() != em.String() {
				a.note("note: %s is fitted as %v, the result as %v", name, other, em)
			}
		}
		err = a.save(to, total, em, func() error {
			if err := usable(total, em); err != nil {
				return fmt.Errorf("%s is not written: %w", out.name, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if a.json {
			return writeJSON(a.stdout, map[string]any{"documents": total.Examples(), "terms": total.Len()})
		}
		a.note("%s: %s documents, %s terms", out.name, count(total.Examples()), count(total.Len()))
		return nil
	}
	out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the model to")
	if exact {
		addAnyVersion(cmd, &anyVersion)
	}
	return cmd
}
