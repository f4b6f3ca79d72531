package cli

import (
	"fmt"
	"slices"
	"strings"

	"bayes"

	"github.com/spf13/cobra"
)

// noteAnalyzer notes it if another version of the analyzer than this program has cut the
// texts of a model.
func (a *App) noteAnalyzer(name, version string, space *bayes.Space) {
	if program := madeUpOf(version); program != "" {
		a.Note("note: %s: made of a model of %s, which keeps no examples: which of them have which terms is made up", name, program)
	}
	if differ := analyzersDiffer(withoutMadeUp(version), space.AnalyzerVersion()); differ != "" {
		a.Note("note: %s: %s: some of its terms no text has any more; train it anew", name, differ)
	}
}

// analyzersDiffer says in what one version of an analyzer differs from another, and
// returns nothing if they are the same or one is not known.
func analyzersDiffer(was, is string) string {
	if was == "" || is == "" || was == is {
		return ""
	}
	had, has := strings.Fields(was), strings.Fields(is)
	without := func(all, others []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(all), func(w string) bool { return slices.Contains(others, w) }), " ")
	}
	return fmt.Sprintf("its texts were cut by version %q of the analyzer, not %q", without(had, has), without(has, had))
}

// addAnyVersion defines the flag of commands that subtract.
func addAnyVersion(cmd *cobra.Command, any *bool) {
	cmd.Flags().BoolVar(any, "any-version", false, "subtract even if another version of the analyzer cut the texts")
	Group(cmd, InputFlags)
}

// sameAnalyzer returns an error if different versions of the analyzer cut the texts of a
// model, in the file called name, and of what is to be subtracted: other terms would be
// taken out than were put in.
func sameAnalyzer(name string, c, d *bayes.Counts) error {
	if program := madeUpOf(c.AnalyzerVersion()); program != "" {
		return fmt.Errorf("%s: made of a model of %s, which keeps no examples: what is subtracted may not be in it; give --any-version", name, program)
	}
	if differ := analyzersDiffer(c.AnalyzerVersion(), d.AnalyzerVersion()); differ != "" {
		return fmt.Errorf("%s: %s: other terms would be taken out than were put in; train it anew, or give --any-version", name, differ)
	}
	return nil
}

// MadeUp begins the word of an analyzer's version that names the program whose sums a model was made of. That
// program kept no examples, so which of them have which terms is made up.
const MadeUp = "made-up-examples="

// madeUpOf returns the program whose model one with that version of the analyzer was made of, empty if it
// learned from examples.
func madeUpOf(version string) string {
	for word := range strings.FieldsSeq(version) {
		if program, ok := strings.CutPrefix(word, MadeUp); ok {
			return program
		}
	}
	return ""
}

// withoutMadeUp returns a version of an analyzer without that word.
func withoutMadeUp(version string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(version), func(word string) bool { return strings.HasPrefix(word, MadeUp) }), " ")
}
