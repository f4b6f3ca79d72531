package cli

import (
	"cmp"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand returns bayes man. Pages are written here and not by cobra's package doc, which
// knows no groups of flags, and would link a reader of Markdown into the program.
func (a *App) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print the manual page of a command",
		Long: `Print the manual page of bayes, or of one of its commands. With --json print it and
those of all commands below it, a line each: the name of the file, and the page.`,
		Example: `  bayes man train > bayes-train.1 && man ./bayes-train.1
  bayes man completion bash > bayes-completion-bash.1`,
		ValidArgsFunction: completeCommand,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return WrongUsage(cmd, "%s has no command %q", about.CommandPath(), rest[0])
			}
			if a.json {
				return a.printPages(about)
			}
			return writePage(a.stdout, about)
		},
	}
}

// completeCommand has the shell complete the words of a command.
func completeCommand(cmd *cobra.Command, args []string, _ string) (names []string, how cobra.ShellCompDirective) {
	if above, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
		for _, c := range above.Commands() {
			if c.IsAvailableCommand() {
				names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// printPages prints the pages of cmd and of the commands below it as JSON.
func (a *App) printPages(cmd *cobra.Command) error {
	var page strings.Builder
	if err := writePage(&page, cmd); err != nil {
		return err
	}
	if err := a.PrintJSON(map[string]any{"name": pageName(cmd) + ".1", "page": page.String()}); err != nil {
		return err
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			if err := a.printPages(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// exitKey is the annotation of a command whose exit codes are others, which says what they are.
const exitKey = "bayes_exit"

// pageName returns what man calls the page of a command.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// writePage writes the manual page of cmd, in the macros of man(7).
func writePage(w io.Writer, cmd *cobra.Command) error {
	cmd.InitDefaultHelpFlag()
	p := &page{cmd: cmd}
	p.macro("TH", strings.ToUpper(pageName(cmd)), "1", "", cmd.Root().Name()+" "+Version(), "Manual of "+cmd.Root().Name())
	p.section("NAME")
	p.line(pageName(cmd) + ` \- ` + roff(lowered(cmd.Short)))
	p.section("SYNOPSIS")
	if cmd.Runnable() {
		p.line(`\fB` + roff(cmd.UseLine()) + `\fR`)
	}
	if cmd.HasAvailableSubCommands() {
		p.macro("br")
		p.line(`\fB` + roff(cmd.CommandPath()) + `\fR \fICOMMAND\fR`)
	}
	p.section("DESCRIPTION")
	p.text(cmp.Or(cmd.Long, cmd.Short+"."))
	p.commands()
	p.options()
	if cmd.HasExample() {
		p.section("EXAMPLES")
		p.verbatim(cmd.Example)
	}
	p.section("EXIT STATUS")
	p.line(roff(cmp.Or(cmd.Annotations[exitKey], "0: done; 1: failed; 2: called wrongly.")))
	p.seeAlso()
	_, err := io.WriteString(w, p.b.String())
	return err
}

// A page is a manual page that is being written.
type page struct {
	b   strings.Builder
	cmd *cobra.Command
}

// macro writes a macro with its arguments.
func (p *page) macro(name string, args ...string) {
	p.b.WriteString("." + name)
	for _, arg := range args {
		p.b.WriteString(` "` + strings.ReplaceAll(roff(arg), `"`, `\(dq`) + `"`)
	}
	p.b.WriteByte('\n')
}

func (p *page) section(title string) { p.macro("SH", title) }

// line writes a line of text that has been escaped.
func (p *page) line(s string) {
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	p.b.WriteString(s + "\n")
}

// text writes paragraphs; those that are indented keep their lines, as in help.
func (p *page) text(s string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(s), "\n\n") {
		if i > 0 {
			p.macro("PP")
		}
		if strings.HasPrefix(paragraph, " ") || strings.HasPrefix(paragraph, "\t") {
			p.verbatim(paragraph)
			continue
		}
		for line := range strings.Lines(paragraph) {
			p.line(roff(strings.TrimSpace(line)))
		}
	}
}

// verbatim writes lines as they are.
func (p *page) verbatim(s string) {
	p.macro("nf")
	for line := range strings.Lines(s) {
		p.line(roff(strings.TrimRight(line, "\n")))
	}
	p.macro("fi")
}

// commands writes the commands below, by group.
func (p *page) commands() {
	if !p.cmd.HasAvailableSubCommands() {
		return
	}
	p.section("COMMANDS")
	for _, g := range append(p.cmd.Groups(), &cobra.Group{}) {
		title := strings.TrimSuffix(g.Title, ":")
		for _, c := range p.cmd.Commands() {
			if c.GroupID != g.ID || !c.IsAvailableCommand() {
				continue
			}
			if title != "" {
				p.macro("SS", title)
				title = ""
			}
			p.macro("TP")
			p.line(`\fB` + roff(pageName(c)) + `\fR(1)`)
			p.line(roff(c.Short))
		}
	}
}

// options writes the flags, by group.
func (p *page) options() {
	titles, groups := flagGroups(p.cmd)
	if len(titles) == 0 {
		return
	}
	p.section("OPTIONS")
	for _, title := range titles {
		p.macro("SS", cmp.Or(title, "Flags"))
		groups[title].VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			alone := pflag.NewFlagSet("", pflag.ContinueOnError)
			alone.AddFlag(f)
			name, usage, _ := strings.Cut(strings.TrimSpace(alone.FlagUsages()), "   ")
			name, value, _ := strings.Cut(name, "--"+f.Name)
			p.macro("TP")
			p.line(`\fB` + roff(name+"--"+f.Name) + `\fR\fI` + roff(value) + `\fR`)
			p.line(roff(strings.Join(strings.Fields(usage), " ")))
		})
	}
}

// seeAlso names the pages of the commands around.
func (p *page) seeAlso() {
	var names []string
	add := func(c *cobra.Command) {
		if c != p.cmd && c.IsAvailableCommand() && !c.HasHelpSubCommands() {
			names = append(names, `\fB`+roff(pageName(c))+`\fR(1)`)
		}
	}
	if above := p.cmd.Parent(); above != nil {
		add(above)
		for _, c := range above.Commands() {
			if c.GroupID == p.cmd.GroupID {
				add(c)
			}
		}
	}
	if len(names) > 0 {
		p.section("SEE ALSO")
		p.line(strings.Join(names, ",\n"))
	}
}

// roff escapes what roff would take for more than letters. A hyphen that is escaped can be
// searched for, and copied to a shell.
func roff(s string) string { return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s) }

// lowered returns s with a small first letter, unless its first word is all in capitals.
func lowered(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsUpper(second) {
		return s
	}
	return string(unicode.ToLower(first)) + s[n:]
}
