package cli

import (
	"fmt"

	"bayes"

	"github.com/spf13/cobra"
)

func (a *App) learnCommand() *cobra.Command {
	return a.updateCommand(&cobra.Command{
		Use:   "learn MODEL FILE...",
		Short: "Add labelled examples to a model",
		Long: `Add labelled examples to a model.

With --if-unsure, each example is predicted first, by what the model has learned
until then, and is learned only if that is wrong, or unsure by a cutoff of the model
(train --max-fpr): training on errors and near errors, which keeps models small.`,
		Example: `  bayes learn mail.nb corrections.csv
  bayes learn mail.nb inbox.csv --if-unsure`,
	}, &modelUpdate{combine: (*bayes.Counts).Add, done: "learned"})
}

func (a *App) unlearnCommand() *cobra.Command {
	return a.updateCommand(&cobra.Command{
		Use:     "unlearn MODEL FILE...",
		Short:   "Take labelled examples out of a model, exactly",
		Example: `  bayes unlearn mail.nb withdrawn.csv`,
	}, &modelUpdate{combine: (*bayes.Counts).Sub, subtracts: true, done: "unlearned"})
}

// A modelUpdate changes a model by examples: what the command does, and its flags.
type modelUpdate struct {
	combine   func(c, d *bayes.Counts) error
	subtracts bool   // exact only if the same analyzer cut both
	done      string // what was done with the documents

	Input
	workers    int
	anyVersion bool
	ifUnsure   bool // only examples that are predicted wrongly, or are unsure
}

// updateCommand completes a command that counts files and combines the counts with
// those of a model.
func (a *App) updateCommand(cmd *cobra.Command, u *modelUpdate) *cobra.Command {
	cmd.Args = Args(2, -1, "MODEL and at least one FILE")
	cmd.ValidArgsFunction = completeModel
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return a.update(cmd, u, args[0], args[1:]) }
	u.AddFlags(cmd)
	workersFlag(cmd, &u.workers)
	Group(cmd, Resources)
	if u.subtracts {
		addAnyVersion(cmd, &u.anyVersion)
	} else {
		cmd.Flags().BoolVar(&u.ifUnsure, "if-unsure", false, "learn only what the model predicts wrongly, or is unsure of by its cutoffs")
		Group(cmd, ModelFlags)
	}
	return cmd
}

// update changes the model called name, which no other command changes meanwhile.
func (a *App) update(cmd *cobra.Command, u *modelUpdate, name string, files []string) error {
	to, unlock, err := lock(name, a.stdout, func() { a.Note("%s: waiting for another command that changes it", name) })
	if err != nil {
		return err
	}
	defer unlock()
	c, em, err := a.load(name)
	if err != nil {
		return err
	}
	d, seen, err := a.countFor(cmd, u, name, c, em, files)
	if err != nil {
		return err
	}
	if u.subtracts && !u.anyVersion {
		if err := sameAnalyzer(name, c, d); err != nil {
			return err
		}
	}
	if err := u.combine(c, d); err != nil {
		return err
	}
	var terms int
	err = a.save(to, c, em, func() (err error) {
		if terms, err = usable(c, em); err != nil {
			err = fmt.Errorf("%s is left as it was: %w", name, err)
		}
		return err
	})
	if err != nil {
		return err
	}
	a.noteLabels(c.Classes())
	if learned := bayes.CorrectionOf(em); learned != nil && learned.Trust() == 0 && d.Examples() > 0 {
		a.Note("note: the corrections, by which %s answers, stay those of the training; train again to bring them up to date", name)
	}
	if a.json {
		record := map[string]any{"documents": d.Examples(), "total": c.Examples(), "terms": terms}
		if u.ifUnsure {
			record["predicted"] = seen
		}
		return a.PrintJSON(record)
	}
	documents := plural(d.Examples(), "document")
	if u.ifUnsure {
		documents = Count(d.Examples()) + " of " + plural(seen, "document")
	}
	a.Note("%s: %s %s, %s in all, %s", name, documents, u.done, Count(c.Examples()), featureCount(terms, c))
	return nil
}

// countFor counts files as c was counted, the model called name, and returns how many examples
// it saw.
func (a *App) countFor(cmd *cobra.Command, u *modelUpdate, name string, c *bayes.Counts, em bayes.EventModel, files []string) (d *bayes.Counts, seen int64, err error) {
	u.chooseWeight(c)
	src, err := a.openFor(&u.Input, files, em, c)
	if err != nil {
		return nil, 0, err
	}
	a.noteColumns(name, &u.Input, c)
	if c.Space().IDF != nil {
		a.Note("note: the inverse document frequencies stay those of the training; train again to bring them up to date")
	}
	if u.ifUnsure {
		return a.countUnsure(cmd, src, c, em)
	}
	d, err = a.count(cmd, src, c.Space(), u.workers)
	if err == nil {
		seen = d.Examples()
	}
	return d, seen, err
}

// countUnsure counts the examples of src that a model of c predicts wrongly, or is unsure of, when it
// has learned those before them. It leaves c as it was.
func (a *App) countUnsure(cmd *cobra.Command, src *source, c *bayes.Counts, em bayes.EventModel) (d *bayes.Counts, seen int64, err error) {
	d, learned := bayes.NewCounts(c.Space()), bayes.NewCounts(c.Space())
	if err := learned.Add(c); err != nil {
		return nil, 0, err
	}
	m, err := bayes.Fit(learned, em)
	if err != nil {
		return nil, 0, err
	}
	err = a.progress(src, func(progress func(int64)) error {
		for ex, err := range src.examples() {
			if err != nil {
				return err
			}
			if seen++; progress != nil && seen%1000 == 0 {
				progress(seen)
			}
			if err := bayes.Accepts(em, ex); err != nil {
				return err
			}
			if p := m.Predict(ex.Document()); isRight(c.Space(), p, ex.Label) && !p.Unsure && !p.Foreign {
				continue
			}
			d.Learn(ex)
			learned.Learn(ex)
			if m, err = bayes.Fit(learned, em); err != nil {
				return err
			}
		}
		return cmd.Context().Err()
	})
	src.finish()
	return d, seen, err
}
