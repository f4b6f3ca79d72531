package cli

import (
	"fmt"

	"bayes"

	"github.com/spf13/cobra"
)

// spaceFlags say how a document becomes features: which terms its text has, and what
// each of them counts.
type spaceFlags struct {
	analyzerFlags
	subwordWeight float64
	weighting     string
	idf           bool
	norm          string
	vocabulary    string // a file
	hashBits      int
}

func (f *spaceFlags) addFlags(cmd *cobra.Command) {
	f.analyzerFlags.addFlags(cmd)
	flags := cmd.Flags()
	flags.Float64Var(&f.subwordWeight, "subword-weight", 0.25, "what a subword counts, where a word counts 1")
	flags.StringVar(&f.weighting, "weighting", "count", "count: how often a term occurs; presence: whether it does; log: 1 + ln of how often")
	flags.BoolVar(&f.idf, "idf", false, "multiply by the inverse document frequency, of a first pass over the data")
	flags.StringVar(&f.norm, "norm", "", "scale each document to length one: l1 or l2")
	flags.StringVar(&f.vocabulary, "vocabulary", "", "file of the only terms to count, one a line")
	flags.IntVar(&f.hashBits, "hash", 0, "count terms in 2^`BITS` columns that they are hashed to, 1 to 30, and keep no vocabulary")
	Group(cmd, WordFlags)
	Choices(cmd, "weighting", "count", "presence", "log")
	Choices(cmd, "norm", "l1", "l2")
}

// A requirement is what an event model wants to be counted beyond how often a term
// occurs.
type requirement struct {
	numberValues bool // each value of a number by itself
	histograms   bool // in how many documents a term occurs once, twice and so on
}

// space returns the Space that the flags describe, before any IDF, for an event model
// that requires what need says.
func (f *spaceFlags) space(cmd *cobra.Command, need requirement) (*bayes.Space, error) {
	analyzer, err := f.analyzerFlags.parse(cmd)
	if err != nil {
		return nil, err
	}
	s := &bayes.Space{Analyzer: analyzer, SubwordWeight: f.subwordWeight, NumberValues: need.numberValues, Histograms: need.histograms}
	if cmd.Flags().Changed("hash") {
		if f.hashBits < 1 || f.hashBits > 30 {
			return nil, WrongUsage(cmd, "--hash %d: want 1 to 30 bits", f.hashBits)
		}
		if f.vocabulary != "" {
			return nil, WrongUsage(cmd, "--hash keeps no vocabulary: leave out --vocabulary")
		}
		s.HashBits = f.hashBits
	}
	if err := f.checkSubwords(cmd, need); err != nil {
		return nil, err
	}
	switch f.weighting {
	case "count":
	case "presence":
		s.Binary = true
	case "log":
		s.Log = true
	default:
		return nil, WrongUsage(cmd, "--weighting %s: want count, presence or log", f.weighting)
	}
	if f.norm != "" {
		if err = s.Norm.UnmarshalText([]byte(f.norm)); err != nil {
			return nil, WrongUsage(cmd, "--norm: %w", err)
		}
	}
	if f.vocabulary != "" {
		s.Vocabulary, err = readVocabulary(f.vocabulary)
	}
	return s, err
}

// checkSubwords returns an error if --subword-weight makes no sense, by itself or for
// the event model.
func (f *spaceFlags) checkSubwords(cmd *cobra.Command, need requirement) error {
	switch {
	case cmd.Flags().Changed("subword-weight") && f.subwords == "":
		return WrongUsage(cmd, "--subword-weight goes with --subwords")
	case !(0.001 <= f.subwordWeight && f.subwordWeight <= 1000):
		return WrongUsage(cmd, "--subword-weight %v: want a number from 0.001 to 1000", f.subwordWeight)
	case need.histograms && f.subwords != "" && f.subwordWeight != 1:
		return WrongUsage(cmd, "--alpha evidence-documents counts whole terms: add --subword-weight 1")
	}
	return nil
}

// readVocabulary returns the terms in a file, and an error if there are none.
func readVocabulary(file string) ([]string, error) {
	terms, err := readLines(file)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--vocabulary: %w", err)
	case len(terms) == 0:
		return nil, fmt.Errorf("%s: no terms", file)
	}
	return terms, nil
}
