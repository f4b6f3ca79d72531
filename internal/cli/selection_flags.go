package cli

import (
	"fmt"
	"strings"

	"bayes"

	"github.com/spf13/cobra"
)

// selectionFlags say which terms an event model is fitted to.
type selectionFlags struct {
	minDF, maxDF string // a number of documents, or a share of them
	maxFeatures  int
	best         string // chi2:N or mi:N
}

func (f *selectionFlags) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.minDF, "min-df", "", "leave out terms in fewer than `N` documents, or a share of them below 1")
	flags.StringVar(&f.maxDF, "max-df", "", "leave out terms in more than `N` documents, or a share of them below 1")
	flags.IntVar(&f.maxFeatures, "max-features", 0, "keep the `N` most frequent terms")
	flags.StringVar(&f.best, "select", "", "keep the N terms that tell most of the class: chi2:N or mi:N")
	Group(cmd, LimitFlags)
}

// selected returns em for the terms that the flags select.
func (f *selectionFlags) selected(cmd *cobra.Command, em bayes.EventModel) (bayes.EventModel, error) {
	if *f == (selectionFlags{}) {
		return em, nil
	}
	// Package bayes reads descriptions, and knows which numbers make sense.
	spec := "selected"
	if f.minDF != "" {
		spec += " min-df=" + f.minDF
	}
	if f.maxDF != "" {
		spec += " max-df=" + f.maxDF
	}
	if f.maxFeatures != 0 {
		spec += fmt.Sprintf(" max-features=%d", f.maxFeatures)
	}
	if score, n, ok := strings.Cut(f.best, ":"); ok {
		spec += " best=" + n + " score=" + score
	} else if f.best != "" {
		return nil, WrongUsage(cmd, "--select %s: want chi2:N or mi:N", f.best)
	}
	parsed, err := bayes.ParseEventModel(spec + fmt.Sprintf(" model=(%v)", em))
	if err != nil {
		return nil, WrongUsage(cmd, "%w", err)
	}
	return parsed, nil
}
