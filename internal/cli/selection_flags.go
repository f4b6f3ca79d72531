package cli

import (
	"fmt"
	"strconv"
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
	for flag, limit := range map[string]string{"min-df": f.minDF, "max-df": f.maxDF} {
		if !isLimit(limit) {
			return nil, WrongUsage(cmd, "--%s %s: want a whole number of documents, such as 5, or a share of them below 1, such as 0.05", flag, limit)
		}
	}
	if least, most := number64(f.minDF), number64(f.maxDF); most > 0 && least > most && (least < 1) == (most < 1) {
		return nil, WrongUsage(cmd, "--min-df %s --max-df %s: no term is in as many documents and in as few", f.minDF, f.maxDF)
	}
	if f.maxFeatures < 0 {
		return nil, WrongUsage(cmd, "--max-features %d: want 1 or more", f.maxFeatures)
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
	if f.best != "" {
		score, n, _ := strings.Cut(f.best, ":")
		if k, err := strconv.ParseUint(n, 10, 53); err != nil || k == 0 {
			return nil, WrongUsage(cmd, "--select %s: want chi2:N or mi:N, with N terms from 1 up", f.best)
		}
		spec += " best=" + n + " score=" + score
	}
	parsed, err := bayes.ParseEventModel(spec + fmt.Sprintf(" model=(%v)", em))
	switch {
	case err != nil && f.best != "":
		return nil, WrongUsage(cmd, "--select %s: %w", f.best, err)
	case err != nil:
		return nil, WrongUsage(cmd, "%w", err)
	}
	return parsed, nil
}

// isLimit reports whether a limit is not given, a share below 1, or a whole number. One such
// as 1.0 is none of these: elsewhere it is a share, and here it would be one document.
func isLimit(limit string) bool {
	if limit == "" {
		return true
	}
	if _, err := strconv.ParseUint(limit, 10, 53); err == nil {
		return true
	}
	v, err := strconv.ParseFloat(limit, 64)
	return err == nil && v >= 0 && v < 1
}

// number64 returns a number that isLimit allows, 0 for none.
func number64(limit string) float64 {
	v, _ := strconv.ParseFloat(limit, 64)
	return v
}
