package cli

import (
	"slices"
	"strings"

	"bayes/dataset"

	"github.com/spf13/cobra"
)

// Choices has the shell complete the value of a flag by one of words.
func Choices(cmd *cobra.Command, flag string, words ...string) {
	complete(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// choicesOrFile is Choices of a flag whose value may be a file, too.
func choicesOrFile(cmd *cobra.Command, flag string, words ...string) {
	complete(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveDefault))
}

func complete(cmd *cobra.Command, flag string, how cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, how); err != nil {
		panic("cli: internal error: " + err.Error()) // there is no such flag, or it is completed already
	}
}

// completeColumns has the shell complete the value of flags by the columns of the files
// that are given, and after a comma by those that are not in the list yet.
func (in *Input) completeColumns(cmd *cobra.Command, flags ...string) {
	how := func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		list := word[:strings.LastIndexByte(word, ',')+1]
		named := strings.Split(list, ",")
		var words []string
		for _, name := range in.columnsOf(args) {
			if !slices.Contains(named, name) {
				words = append(words, list+name)
			}
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	for _, flag := range flags {
		complete(cmd, flag, how)
	}
}

// columnsOf returns the columns of the first file that has any. Among the arguments may be a
// model.
func (in *Input) columnsOf(args []string) []string {
	for _, name := range args {
		if name == "-" {
			continue
		}
		src, err := dataset.Open([]string{name}, nil, &dataset.Options{Format: in.Format, Encoding: in.Encoding, Unlabelled: true})
		if err != nil {
			continue
		}
		for range src.Examples() {
			break
		}
		if columns := src.Columns(); len(columns) > 0 {
			return columns
		}
	}
	return nil
}

// completeModel has the shell complete the first argument by models, and what follows by
// other files.
func completeModel(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return []string{"nb"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// completeModels has the shell complete arguments by models.
func completeModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"nb"}, cobra.ShellCompDirectiveFilterFileExt
}
