package cli

import (
	"fmt"
	"reflect"

	"bayes"
	"bayes/internal/outfile"

	"github.com/spf13/cobra"
)

func (a *App) mergeCommand() *cobra.Command {
	return a.combineCommand(&cobra.Command{
		Use:               "merge -o OUT A.nb B.nb...",
		Short:             "Add up models, as if one had learned all their examples",
		Example:           `  bayes merge -o all.nb monday.nb tuesday.nb`,
		Args:              Args(1, -1, "at least one MODEL"),
		ValidArgsFunction: completeModels,
	}, &combination{combine: (*bayes.Counts).Add})
}

func (a *App) subtractCommand() *cobra.Command {
	return a.combineCommand(&cobra.Command{
		Use:               "subtract -o OUT A.nb B.nb",
		Short:             "Take the examples of B out of A, exactly",
		Example:           `  bayes subtract -o rest.nb all.nb monday.nb`,
		Args:              Args(2, 2, "two MODELs"),
		ValidArgsFunction: completeModels,
	}, &combination{combine: (*bayes.Counts).Sub, subtracts: true})
}

// A combination makes one model of several: what the command does, and its flags.
type combination struct {
	combine   func(c, d *bayes.Counts) error
	subtracts bool // exact only if the same analyzer cut both

	out        Writing
	anyVersion bool
}

// combineCommand completes a command that makes one model of several.
func (a *App) combineCommand(cmd *cobra.Command, c *combination) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if err := c.out.missing(cmd, "-o OUT"); err != nil {
			return err
		}
		return a.combine(c, names)
	}
	c.out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the model to")
	if c.subtracts {
		addAnyVersion(cmd, &c.anyVersion)
	}
	return cmd
}

// combine makes one model of those in the files called names. The event model is the
// first one's, and so is the version of the analyzer.
func (a *App) combine(c *combination, names []string) error {
	to, err := c.out.Plan(names)
	if err != nil {
		return err
	}
	total, em, err := a.load(names[0])
	if err != nil {
		return err
	}
	for _, name := range names[1:] {
		if em, err = a.combineOne(c, total, em, names[0], name); err != nil {
			return err
		}
	}
	var terms int
	err = a.save(to, total, em, func() (err error) {
		if terms, err = usable(total, em); err != nil {
			err = fmt.Errorf("%s is not written: %w", c.out.name, err)
		}
		return err
	})
	if err != nil {
		return err
	}
	if a.json {
		return a.PrintJSON(map[string]any{"documents": total.Examples(), "terms": terms})
	}
	a.Note("%s: %s, %s", c.out.name, plural(total.Examples(), "document"), featureCount(terms, total))
	return nil
}

// combineOne combines total, whose event model is em and which began as the file called
// first, with the model called name. It returns the event model of the result: em, unless both have
// corrections, and not the same one.
func (a *App) combineOne(c *combination, total *bayes.Counts, em bayes.EventModel, first, name string) (bayes.EventModel, error) {
	counts, other, err := a.load(name)
	if err != nil {
		return nil, err
	}
	if c.subtracts && !c.anyVersion {
		if err := sameAnalyzer(first, total, counts); err != nil {
			return nil, err
		}
	} else if differ := analyzersDiffer(withoutMadeUp(total.AnalyzerVersion()), withoutMadeUp(counts.AnalyzerVersion())); differ != "" {
		a.Note("note: %s and %s: other versions of the analyzer cut their texts; the result has that of %s", first, name, first)
	}
	if err := c.combine(total, counts); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if has, had := total.Columns(), counts.Columns(); !reflect.DeepEqual(has, had) {
		a.Note("note: %s is read by %s, the result by %s", name, columnWords(had), columnWords(has))
	}
	if other.String() != em.String() {
		em = a.combineCorrections(em, other, first, name)
		a.Note("note: %s is fitted as %v, the result as %v", name, other, em)
	}
	return em, nil
}

// combineCorrections returns em, and without its correction if other has another one: what two
// corrections were learned beside is neither's sum.
func (a *App) combineCorrections(em, other bayes.EventModel, first, name string) bayes.EventModel {
	has, had := bayes.CorrectionOf(em), bayes.CorrectionOf(other)
	if has == nil || had == nil || has.String() == had.String() {
		return em
	}
	a.Note("note: %s and %s have different corrections, which do not add: the result is without; to have one, train with --correct on the examples of all", first, name)
	return bayes.WithoutCorrection(em)
}
