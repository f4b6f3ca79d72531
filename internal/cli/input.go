package cli

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bayes/dataset"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// An Input holds the flags of every command that reads data.
type Input struct {
	dataset.Options
	skipBad     bool
	everyAnswer bool           // each answer of a file of answers is read, also where several people have answered
	flags       *pflag.FlagSet // which say what was given; nil if there are none
}

// addFileFlags defines the flags that say how a file is read, whatever its columns are for.
func (in *Input) addFileFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	in.Format = "auto"
	f.Var((*formatName)(&in.Format), "format", formatWords())
	f.StringVar(&in.Label, "label", "label", "column of the label, by name or as #1")
	f.BoolVar(&in.NoHeader, "no-header", false, "the first line is data")
	f.Var((*delimiter)(&in.Delimiter), "delimiter", "what stands between the cells of a table: a character, or tab (default: found in the header)")
	Group(cmd, InputFlags)
	Choices(cmd, "format", append([]string{"auto"}, dataset.Formats()...)...)
	Choices(cmd, "delimiter", ",", ";", "tab", "|")
	in.completeColumns(cmd, "label")
}

// A formatName is the value of --format.
type formatName string

func (n *formatName) Type() string { return "string" }

func (n *formatName) String() string { return string(*n) }

func (n *formatName) Set(s string) error {
	if s != "" && s != "auto" && !slices.Contains(dataset.Formats(), s) {
		return errors.New("want " + formatWords())
	}
	*n = formatName(s)
	return nil
}

// formatWords lists what --format may be.
func formatWords() string { return "auto, " + strings.Join(dataset.Formats(), ", ") }

// An encodingName is the value of --encoding.
type encodingName string

func (n *encodingName) Type() string { return "string" }

func (n *encodingName) String() string { return string(*n) }

func (n *encodingName) Set(s string) error {
	if _, err := dataset.Open([]string{"-"}, strings.NewReader(""), &dataset.Options{Encoding: s}); err != nil {
		return errors.New("want the WHATWG name of a character set, such as utf-8, latin1 or shift_jis, or auto")
	}
	*n = encodingName(s)
	return nil
}

// AddFlags defines the flags of reading on cmd.
func (in *Input) AddFlags(cmd *cobra.Command) {
	in.addFileFlags(cmd)
	f := cmd.Flags()
	in.flags = f
	f.StringSliceVar(&in.Text, "text", nil, "column of the text, by name or as #2; several are counted apart (default text)")
	f.StringSliceVar(&in.Numeric, "numeric", nil, "columns of numbers, * for all others; an empty cell is missing")
	f.StringSliceVar(&in.Categorical, "categorical", nil, "columns of categories, * for all others; an empty cell is missing")
	f.BoolVar(&in.EmptyCategory, "empty-category", false, "an empty cell is a category of its own, rather than missing")
	f.StringVar(&in.Weight, "weight-column", "", "column that says how many times an example counts")
	in.Encoding = "auto"
	f.Var((*encodingName)(&in.Encoding), "encoding", "character set, by its WHATWG name, such as utf-8, latin1 or shift_jis")
	f.Var((*labelOf)(&in.LabelOf), "label-of", "label the mail of a folder, as in Junk=spam, rather than by its name; once for each folder")
	f.BoolVar(&in.skipBad, "skip-bad", false, "skip bad records and report them, rather than stop")
	Group(cmd, InputFlags)
	Choices(cmd, "encoding", "auto", "utf-8", "latin1", "windows-1252", "shift_jis", "euc-jp", "euc-kr", "gb18030", "big5", "koi8-r")
	in.completeColumns(cmd, "text", "numeric", "categorical", "weight-column")
}

// SkipBad reports whether bad records are to be skipped.
func (in *Input) SkipBad() bool { return in.skipBad }

// hasColumns reports whether flags name columns of numbers or categories.
func (in *Input) hasColumns() bool { return len(in.Numeric)+len(in.Categorical) > 0 }

// allNumbered reports whether the names are all numbers.
func allNumbered(names []string) bool {
	for _, name := range names {
		if _, err := strconv.Atoi(name); err != nil {
			return false
		}
	}
	return true
}

// completeColumns has the shell complete the value of flags by the columns of the files
// that are given, and after a comma by those that are not in the list yet. A shell shows
// names as they are, so those that would steer the terminal are left out.
func (in *Input) completeColumns(cmd *cobra.Command, flags ...string) {
	how := func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		list := word[:strings.LastIndexByte(word, ',')+1]
		named := strings.Split(list, ",")
		var words []string
		for _, name := range in.columnsOf(args) {
			if !slices.Contains(named, name) && !strings.ContainsFunc(name, unicode.IsControl) {
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
// model. A pipe is not opened, as the shell would wait for whoever writes to it.
func (in *Input) columnsOf(args []string) []string {
	for _, name := range args {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		src, err := dataset.Open([]string{name}, nil, &dataset.Options{Format: in.Format, Delimiter: in.Delimiter, Encoding: in.Encoding, Unlabelled: true})
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
