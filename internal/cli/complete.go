package cli

import "github.com/spf13/cobra"

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
