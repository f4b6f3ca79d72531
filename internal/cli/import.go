package cli

import (
	"bytes"
	"cmp"
	"fmt"

	"bayes"
	"bayes/dataset"
	"bayes/internal/outfile"
	"bayes/text"
	"bayes/text/bogofilter"

	"github.com/spf13/cobra"
)

// importer holds the flags of import.
type importer struct {
	s, x, deviation float64
	out             Writing
}

func (a *App) importCommand() *cobra.Command {
	var f importer
	cmd := &cobra.Command{
		Use:   "import bogofilter FILE -o OUT",
		Short: "Make a model of what another filter has learned",
		Long: `Make a model of a list of words that bogofilter has learned, as bogoutil -d prints
it. The model cuts mail into bogofilter's tokens, and scores it as bogofilter does; it
goes on learning. Flags are those settings of bogofilter.cf that were changed.

SpamAssassin and rspamd keep hashes of words, which nothing can be made of: train anew
from the folders that they have learned from.`,
		Example: `  bogoutil -d ~/.bogofilter/wordlist.db | bayes import bogofilter - -o mail.nb
  bayes import bogofilter words.txt --robs 0.1 -o mail.nb`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] != "bogofilter" {
				return WrongUsage(cmd, "%.40q: want bogofilter", args[0])
			}
			return Args(2, 2, "bogofilter and one FILE")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.out.missing(cmd, "-o OUT"); err != nil {
				return err
			}
			if err := f.check(cmd); err != nil {
				return err
			}
			return a.importBogofilter(&f, args[1])
		},
	}
	cmd.Flags().Float64Var(&f.s, "robs", 0.0178, "how many mails robx is worth")
	cmd.Flags().Float64Var(&f.x, "robx", 0, "the estimate of a word that is not known (default: that of the list, or 0.52)")
	cmd.Flags().Float64Var(&f.deviation, "min-dev", 0.375, "words whose estimate is no further from 0.5 say nothing")
	Group(cmd, "Score")
	f.out.AddFlags(cmd, outfile.Model, "output", "o", "file to write the model to")
	return cmd
}

// check returns an error if a setting of the score makes no sense.
func (f *importer) check(cmd *cobra.Command) error {
	switch {
	case !(f.s > 0):
		return WrongUsage(cmd, "--robs %v: want a number above 0", f.s)
	case cmd.Flags().Changed("robx") && !(f.x > 0 && f.x < 1):
		return WrongUsage(cmd, "--robx %v: want a number between 0 and 1", f.x)
	case !(f.deviation >= 0 && f.deviation < 0.5):
		return WrongUsage(cmd, "--min-dev %v: want a number from 0 to less than 0.5", f.deviation)
	}
	return nil
}

func (a *App) importBogofilter(f *importer, name string) error {
	to, err := f.out.Plan([]string{name})
	if err != nil {
		return err
	}
	data, err := a.readFile(name)
	if err != nil {
		return err
	}
	list, err := dataset.ReadWordList(bytes.NewReader(data), name)
	if err != nil {
		return err
	}
	em, err := bayes.ParseEventModel(fmt.Sprintf("fisher robs=%v robx=%v min-dev=%v", f.s, cmp.Or(f.x, list.X, 0.52), f.deviation))
	if err != nil {
		return err
	}
	c := bayes.NewCounts(&bayes.Space{Analyzer: &text.Analyzer{Segmenter: bogofilter.Tokens{}, KeepCase: true}, Binary: true})
	for ex := range list.Examples() {
		c.Learn(ex)
	}
	err = a.save(to, c, em, func() (err error) {
		if _, err = usable(c, em); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return err
	})
	if err != nil {
		return err
	}
	if a.json {
		return a.PrintJSON(map[string]any{"documents": c.Examples(), "terms": list.Words, "classes": map[string]int{"ham": list.Ham, "spam": list.Spam}})
	}
	if list.Reduced > 0 {
		a.Note("note: %s are in more mails than there are, and count as in all", plural(list.Reduced, "word"))
	}
	a.Note("%s: %s words of %s spam and %s ham mails", f.out.name, Count(list.Words), Count(list.Spam), Count(list.Ham))
	return nil
}
