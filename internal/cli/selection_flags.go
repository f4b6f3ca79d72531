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

// check returns an error if a flag makes no sense.
func (f *selectionFlags) check(cmd *cobra.Command) error {
	for _, limit := range []struct{ flag, value string }{{"min-df", f.minDF}, {"max-df", f.maxDF}} {
		if !isLimit(limit.value) {
			return WrongUsage(cmd, "--%s %s: want a whole number of documents, such as 5, or a share of them below 1, such as 0.05", limit.flag, limit.value)
		}
	}
	if least, most := number64(f.minDF), number64(f.maxDF); most > 0 && least > most && (least < 1) == (most < 1) {
		return WrongUsage(cmd, "--min-df %s --max-df %s: no term is in as many documents and in as few", f.minDF, f.maxDF)
	}
	if f.maxFeatures < 0 {
		return WrongUsage(cmd, "--max-features %d: want 1 or more", f.maxFeatures)
	}
	return nil
}

// bestTerms returns what --select says, in the words of package bayes, which knows the scores.
func (f *selectionFlags) bestTerms(cmd *cobra.Command) (string, error) {
	if f.best == "" {
		return "", nil
	}
	score, n, _ := strings.Cut(f.best, ":")
	if k, err := strconv.ParseUint(n, 10, 53); err != nil || k == 0 {
		return "", WrongUsage(cmd, "--select %s: want chi2:N or mi:N, with N terms from 1 up", f.best)
	}
	words := " best=" + n + " score=" + score
	if _, err := bayes.ParseEventModel("selected" + words); err != nil {
		return "", WrongUsage(cmd, "--select %s: %w", f.best, err)
	}
	return words, nil
}

// selected returns em for the terms that the flags select.
func (f *selectionFlags) selected(cmd *cobra.Command, em bayes.EventModel) (bayes.EventModel, error) {
	if *f == (selectionFlags{}) {
		return em, nil
	}
	if err := f.check(cmd); err != nil {
		return nil, err
	}
	best, err := f.bestTerms(cmd)
	if err != nil {
		return nil, err
	}
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
	parsed, err := bayes.ParseEventModel(spec + best + fmt.Sprintf(" model=(%v)", em))
	if err != nil {
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
