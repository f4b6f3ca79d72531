package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups of flags that several commands have, as their help calls them. The help of a
// command shows its groups in the order in which they are defined, and General last.
const (
	InputFlags      = "Input"
	WordFlags       = "Words"
	ModelFlags      = "Model"
	LimitFlags      = "Limits"
	CorrectionFlags = "Corrections"
	SearchFlags     = "Search"
	OutputFlags     = "Output"
	Resources       = "Resources"
	General         = "General"
)

// helpColumns is how wide help is.
const helpColumns = 80

// groupKey is the annotation of a flag that holds its group.
const groupKey = "bayes_group"

// Group puts the flags of cmd that are in no group yet, those that have just been defined,
// into one.
func Group(cmd *cobra.Command, title string) {
	for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			if f.Annotations[groupKey] == nil {
				flags.SetAnnotation(f.Name, groupKey, []string{title})
			}
		})
	}
}

// groupOf returns the group of a flag, empty if it has none.
func groupOf(f *pflag.Flag) string {
	switch title := f.Annotations[groupKey]; {
	case title != nil:
		return title[0]
	case f.Name == "help":
		return General
	}
	return ""
}

// printHelp prints what cmd is for, and how it is called.
func printHelp(cmd *cobra.Command, _ []string) {
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s", wrapped(cmp.Or(cmd.Long, cmd.Short)), cmd.UsageString())
}

// wrapped returns text with the lines of each paragraph filled. What is indented stays.
func wrapped(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, " ") || strings.HasPrefix(p, "\t") {
			continue
		}
		var b strings.Builder
		column := 0
		for _, word := range strings.Fields(p) {
			n := utf8.RuneCountInString(word)
			switch {
			case column == 0:
			case column+1+n > helpColumns:
				b.WriteByte('\n')
				column = 0
			default:
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += n
		}
		paragraphs[i] = b.String()
	}
	return strings.Join(paragraphs, "\n\n")
}

// printUsage prints how cmd is called: its examples, its commands and its flags, both by
// group.
func printUsage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	fmt.Fprintln(w, "Usage:")
	if cmd.Runnable() {
		fmt.Fprintf(w, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	printCommands(w, cmd)
	printFlags(w, cmd)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%s COMMAND --help shows the flags of a command, with examples.\n", cmd.CommandPath())
	}
	return nil
}

// printCommands prints the commands below cmd by group, and those in none at the end.
func printCommands(w io.Writer, cmd *cobra.Command) {
	for _, g := range append(cmd.Groups(), &cobra.Group{Title: "Commands:"}) {
		title := "\n" + g.Title + "\n"
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && (c.IsAvailableCommand() || c.Name() == "help") {
				fmt.Fprintf(w, "%s  %-*s %s\n", title, c.NamePadding(), c.Name(), c.Short)
				title = ""
			}
		}
	}
}

// addGroup adds commands to root, in a group of their own.
func addGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	if len(commands) == 0 {
		return
	}
	root.AddGroup(&cobra.Group{ID: title, Title: title + ":"})
	for _, c := range commands {
		c.GroupID = title
		root.AddCommand(c)
	}
}

// addDefaults adds cobra's commands completion and help to root, whose output is set. To neither
// is an unknown word a reason to print help and be done.
func addDefaults(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error {
				_, _, err := root.Find(args)
				return err
			}
		case "completion":
			checkShells(c)
		}
	}
}

// checkShells has the command completion refuse what is no shell, and puts flags in a group.
func checkShells(c *cobra.Command) {
	for _, shell := range c.Commands() {
		Group(shell, General)
		shell.Args = Args(0, 0, "no argument")
	}
	c.SuggestionsMinimumDistance = 1 // names of shells are short
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return WrongUsage(cmd, "unknown shell %q%s", args[0], didYouMean(cmd, args[0]))
		}
		return cmd.Help()
	}
}

// printFlags prints the flags of cmd by group, each in the order in which they are defined.
func printFlags(w io.Writer, cmd *cobra.Command) {
	titles, groups := flagGroups(cmd)
	for _, title := range titles {
		fmt.Fprintf(w, "\n%s:\n%s", cmp.Or(title, "Flags"), groups[title].FlagUsagesWrapped(helpColumns))
	}
}

// flagGroups returns the flags of cmd that help shows by group, and the titles of groups in the
// order in which they are defined, with General last.
func flagGroups(cmd *cobra.Command) (titles []string, groups map[string]*pflag.FlagSet) {
	cmd.InheritedFlags() // merges these into the others
	cmd.Flags().SortFlags = false
	groups = make(map[string]*pflag.FlagSet)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		title := groupOf(f)
		if groups[title] == nil {
			titles = append(titles, title)
			groups[title] = pflag.NewFlagSet("", pflag.ContinueOnError)
			groups[title].SortFlags = false
		}
		groups[title].AddFlag(f)
	})
	if i := slices.Index(titles, General); i >= 0 {
		titles = append(slices.Delete(titles, i, i+1), General)
	}
	titles = slices.DeleteFunc(titles, func(title string) bool { return !groups[title].HasAvailableFlags() })
	return titles, groups
}

// flagError returns what is wrong with the flags of cmd, with the name of one that is meant
// perhaps.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			name = short // such as "-alpha"
		}
		if names := similarFlags(cmd, name); len(names) > 0 {
			return WrongUsage(cmd, "%w, did you mean --%s?", err, strings.Join(names, " or --"))
		}
	}
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return WrongUsage(cmd, "%w", err)
	}
	flag, why := invalid.GetFlag(), errors.Unwrap(invalid)
	var number *strconv.NumError
	if errors.As(why, &number) {
		why = errors.New("want " + wanted(flag, number))
	}
	return WrongUsage(cmd, "--%s %s: %w", flag.Name, invalid.GetValue(), why)
}

// wanted returns what the value of a flag has to be, which is not the number that it was read as.
func wanted(flag *pflag.Flag, number *strconv.NumError) string {
	switch kind := flag.Value.Type(); {
	case kind == "bool":
		return "true or false"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	case strings.HasPrefix(kind, "uint"):
		return "a whole number from 0 to 4294967295"
	case errors.Is(number, strconv.ErrRange):
		return "a number nearer to 0"
	}
	return "a whole number"
}

// unknownCommand returns what is wrong with a command that there is none of, as cobra says it,
// with the commands that are meant perhaps.
func unknownCommand(root *cobra.Command, err error) error {
	message, _, _ := strings.Cut(err.Error(), "\n")
	message = strings.TrimSuffix(message, " for "+strconv.Quote(root.Name()))
	name, _ := strconv.Unquote(strings.TrimPrefix(message, "unknown command "))
	if name == "version" {
		return WrongUsage(root, "%s, did you mean --version?", message)
	}
	return WrongUsage(root, "%s%s", message, didYouMean(root, name))
}

// didYouMean returns a question after those commands below cmd that are called much like name,
// empty if there are none.
func didYouMean(cmd *cobra.Command, name string) string {
	if cmd.SuggestionsMinimumDistance == 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	names := cmd.SuggestionsFor(name)
	if len(names) == 0 {
		return ""
	}
	return ", did you mean " + strings.Join(names, " or ") + "?"
}

// similarFlags returns the flags of cmd whose name is like a name, but not many. What is alike
// is what cobra holds to be so, of commands.
func similarFlags(cmd *cobra.Command, name string) []string {
	const most = 3
	flags := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Hidden: f.Hidden, Run: func(*cobra.Command, []string) {}})
	})
	names := flags.SuggestionsFor(name)
	if len(name) < 2 || len(names) > most {
		return nil
	}
	return names
}

// released is the version of a release, which the linker sets; see release/build.go.
var released string

// Version returns the version of the program alone: a release's, or what the go command knows.
func Version() string {
	if released != "" {
		return released
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "dev"
}

// version returns the version of the program, and what it was built from.
func version(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return "unknown"
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	v := cmp.Or(released, info.Main.Version)
	if v == "" || v == "(devel)" || strings.HasPrefix(v, "v0.0.0-") {
		v = "development" // the revision says more
	}
	if revision := settings["vcs.revision"]; revision != "" {
		day, _, _ := strings.Cut(settings["vcs.time"], "T")
		v = fmt.Sprintf("%s, revision %s of %s", v, revision, day)
		if settings["vcs.modified"] == "true" {
			v += " with changes"
		}
	}
	return v + ", " + info.GoVersion
}
