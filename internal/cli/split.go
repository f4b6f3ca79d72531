package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bayes/eval"
	"bayes/internal/outfile"
	"bayes/internal/terminal"

	"github.com/spf13/cobra"
)

// splitter holds the flags of split.
type splitter struct {
	test              float64
	seed              uint32
	stratify, sklearn bool
	wanted            bool // flags ask for the classes
	in                Input
	out               Writing
}

func (a *App) splitCommand() *cobra.Command {
	var s splitter
	cmd := &cobra.Command{
		Use:   "split FILE",
		Short: "Cut a file into a part to train on and a part to test with",
		Long: `Cut a file, such as mail.csv, into mail.train.csv and mail.test.csv, by a seed. The
parts are what the file is, such as .csv.gz, .jsonl or .parquet, and their rows in its
order, copied byte for byte where they are lines of text. Each class has
the same share of both parts, as near as whole rows allow, unless --stratify=false.
With --sklearn they are the very rows that scikit-learn's train_test_split picks with
that random_state, and with --stratify those that it picks with stratify=labels.`,
		Example: `  bayes split mail.csv
  bayes split mail.csv --test 0.25 --seed 42
  bayes split spam.csv --label v1
  bayes split spam.csv --test 0.2 --seed 1 --sklearn -o sms`,
		Args: Args(1, 1, "one FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !(s.test > 0 && s.test < 1) {
				return WrongUsage(cmd, "--test %v: want a share between 0 and 1", s.test)
			}
			given := cmd.Flags().Changed
			s.stratify = s.stratify && (given("stratify") || !s.sklearn)
			s.wanted = given("stratify") || given("label")
			return a.split(cmd.Context(), &s, args[0])
		},
	}
	f := cmd.Flags()
	f.Float64Var(&s.test, "test", 0.2, "share of the rows to test with")
	f.Uint32Var(&s.seed, "seed", 1, "which of the possible splits")
	f.BoolVar(&s.stratify, "stratify", true, "keep the shares of the classes")
	f.BoolVar(&s.sklearn, "sklearn", false, "pick the rows of scikit-learn's train_test_split")
	Group(cmd, "Parts")
	s.in.addFileFlags(cmd)
	s.out.AddFlags(cmd, outfile.New, "output", "o", "write `NAME`.train.csv and NAME.test.csv (default FILE without its ending)")
	return cmd
}

func (a *App) split(ctx context.Context, s *splitter, name string) error {
	format, err := a.formatOf(s, name)
	if err != nil {
		return err
	}
	train, err := s.out.PlanAs(partName(name, s.out.name, "train", format), []string{name})
	if err != nil {
		return err
	}
	test, err := s.out.PlanAs(partName(name, s.out.name, "test", format), []string{name})
	if err != nil {
		return err
	}
	for _, part := range []string{train.Name(), test.Name()} {
		if sameFile(part, name) {
			return fmt.Errorf("%s is a link to %s, which is read again for the other part (hint: -o)", part, name)
		}
	}
	labels, err := a.labelsToSplit(s, name)
	if err != nil {
		return err
	}
	inTest, err := s.choose(labels)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := a.copyPart(ctx, s, name, train, inTest, false); err != nil {
		return err
	}
	if err := a.copyPart(ctx, s, name, test, inTest, true); err != nil {
		return err
	}
	n := 0
	for _, t := range inTest {
		if t {
			n++
		}
	}
	if a.json {
		return a.PrintJSON(map[string]any{"train": train.Name(), "test": test.Name(), "train_documents": len(inTest) - n, "test_documents": n})
	}
	fmt.Fprintf(a.stdout, "%s\t%d\n%s\t%d\n", terminal.Line(train.Name()), len(inTest)-n, terminal.Line(test.Name()), n)
	return nil
}

// sameFile reports whether a and b are names of one file that exists.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// formatOf returns the format of a file that can be split.
func (a *App) formatOf(s *splitter, name string) (string, error) {
	s.in.everyAnswer = true
	s.in.Unlabelled = true // a label may be missing, until the classes matter
	if name == "-" {
		return "", errors.New("stdin: split reads a file more than once (hint: save it first)")
	}
	src, err := a.open(&s.in, []string{name})
	if err != nil {
		return "", err
	}
	formats, err := src.Formats()
	switch {
	case err != nil:
		return "", err
	case formats[0] == "mail":
		return "", fmt.Errorf("%s: split cuts one table or list, and this is mail (hint: cv and compare test on parts of it)", name)
	case formats[0] == "dir":
		return "", fmt.Errorf("%s: split cuts one file, and this is a folder (hint: cv and compare test on parts of a folder)", name)
	}
	return formats[0], nil
}

// partName returns the name of a part of the file called name: with -o OUT it begins with
// that, else with the file's own name. It ends as the file does, as in .csv.gz, or by the
// format where the file's name has no ending.
func partName(name, out, part, format string) string {
	rest, packed := name, ""
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".gz") || strings.EqualFold(ext, ".zst") {
		rest, packed = strings.TrimSuffix(name, ext), ext
	}
	ending := filepath.Ext(rest)
	rest = strings.TrimSuffix(rest, ending)
	return cmp.Or(out, rest) + "." + part + cmp.Or(ending, "."+format) + packed
}

// labelsToSplit returns the label of each record, or as many empty ones where they are not
// needed, or not there and not asked for.
func (a *App) labelsToSplit(s *splitter, name string) ([]string, error) {
	var missing error
	if s.stratify {
		s.in.Unlabelled = false
		labels, err := a.labelsOf(s, name)
		if err == nil || s.wanted {
			return labels, err
		}
		missing = err
	}
	s.in.Unlabelled = true
	labels, err := a.labelsOf(s, name)
	if err != nil {
		return nil, err
	}
	if missing != nil {
		// There may be labels, and something else may be wrong with the file.
		if slices.ContainsFunc(labels, func(label string) bool { return label != "" }) {
			return nil, fmt.Errorf("%w (hint: --stratify=false takes any rows)", missing)
		}
		a.Note("note: %v; so a class may have more of one part than of the other", missing)
	}
	s.stratify = false
	return make([]string, len(labels)), nil
}

// labelsOf returns the labels of all records.
func (a *App) labelsOf(s *splitter, name string) ([]string, error) {
	src, err := a.open(&s.in, []string{name})
	if err != nil {
		return nil, err
	}
	var labels []string
	for r, err := range src.Rows() {
		if err != nil {
			return nil, err
		}
		if !r.Header {
			labels = append(labels, r.Label)
		}
	}
	if len(labels) < 2 {
		return nil, fmt.Errorf("%s: %s, too few to split", name, plural(len(labels), "row"))
	}
	return labels, nil
}

// choose returns which rows are to test with.
func (s *splitter) choose(labels []string) ([]bool, error) {
	inTest := make([]bool, len(labels))
	switch {
	case s.sklearn && s.stratify:
		_, test, err := eval.SKLearnStratifiedSplit(labels, s.test, s.seed)
		mark(inTest, test)
		return inTest, err
	case s.sklearn:
		_, test := eval.SKLearnSplit(len(labels), s.test, s.seed)
		mark(inTest, test)
		return inTest, nil
	}
	n := len(labels)
	tests := min(max(int(s.test*float64(n)+0.5), 1), n-1)
	rows := rand.New(rand.NewPCG(uint64(s.seed), 0)).Perm(n)
	if s.stratify {
		mark(inTest, spread(rows, labels, tests))
	} else {
		mark(inTest, rows[:tests])
	}
	return inTest, nil
}

// spread returns as many of the rows, which are shuffled, as are to test with. The classes
// are laid end to end, in any order, and of all rows those taken that lie at equal distances:
// so a class has its share of them, rounded up or down.
func spread(rows []int, labels []string, tests int) []int {
	place := make(map[string]int) // of each class, that of its first row
	for i, row := range rows {
		if _, ok := place[labels[row]]; !ok {
			place[labels[row]] = i
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(place[labels[a]], place[labels[b]]) })
	var taken []int
	for i, row := range rows {
		if n := len(rows); (i+1)*tests/n > i*tests/n {
			taken = append(taken, row)
		}
	}
	return taken
}

func mark(set []bool, list []int) {
	for _, i := range list {
		set[i] = true
	}
}

// copyPart writes the records that are, or are not, to test with.
func (a *App) copyPart(ctx context.Context, s *splitter, name string, to Destination, inTest []bool, test bool) error {
	src, err := a.open(&s.in, []string{name})
	if err != nil {
		return err
	}
	return to.Write(func(w io.Writer) error {
		n := 0
		err := src.Copy(untilDone{ctx, w}, func(i int) bool { n = i + 1; return i < len(inTest) && inTest[i] == test })
		if err == nil && n != len(inTest) {
			err = fmt.Errorf("%s: changed while it was read", name)
		}
		return err
	})
}

// An untilDone is a writer that fails once its context is done.
type untilDone struct {
	ctx context.Context
	io.Writer
}

func (w untilDone) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(b)
}
