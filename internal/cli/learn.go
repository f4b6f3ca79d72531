package cli

import (
	"fmt"

	"bayes"

	"github.com/spf13/cobra"
)

func (a *App) learnCommand() *cobra.Command {
	return a.updateCommand(&cobra.Command{
		Use:     "learn MODEL FILE...",
		Short:   "Add labelled examples to a model",
		Example: `  bayes learn mail.nb corrections.csv`,
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
}

// updateCommand completes a command that counts files and combines the counts with
// those of a model.
func (a *App) updateCommand(cmd *cobra.Command, u *modelUpdate) *cobra.Command {
	cmd.Args = Args(2, -1, "MODEL and at least one FILE")
	cmd.ValidArgsFunction = completeModel
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return a.update(cmd, u, args[0], args[1:]) }
	u.AddFlags(cmd)
	cmd.Flags().IntVar(&u.workers, "workers", 0, "cores to use (default all)")
	Group(cmd, Resources)
	if u.subtracts {
		addAnyVersion(cmd, &u.anyVersion)
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
	d, err := a.countFor(cmd, u, name, c, em, files)
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
	if a.json {
		return a.PrintJSON(map[string]any{"documents": d.Examples(), "total": c.Examples(), "terms": terms})
	}
	a.Note("%s: %s documents %s, %s in all, %s", name, Count(d.Examples()), u.done, Count(c.Examples()), featureCount(terms, c))
	return nil
}

// countFor counts files as c was counted, the model called name.
func (a *App) countFor(cmd *cobra.Command, u *modelUpdate, name string, c *bayes.Counts, em bayes.EventModel, files []string) (*bayes.Counts, error) {
	u.chooseWeight(c)
	src, err := a.openFor(&u.Input, files, em, c)
	if err != nil {
		return nil, err
	}
	a.noteColumns(name, &u.Input, c)
	if c.Space().IDF != nil {
		a.Note("note: the inverse document frequencies stay those of the training; train again to bring them up to date")
	}
	return a.count(cmd, src, c.Space(), u.workers)
}
