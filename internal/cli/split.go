package cli

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bayes/dataset"
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
	noLabels          bool // they are not in the table, and nobody asked for them
	noHeader          bool
	label             string
	out               Writing
}

func (a *App) splitCommand() *cobra.Command {
	var s splitter
	cmd := &cobra.Command{
		Use:   "split FILE",
		Short: "Cut a file into a part to train on and a part to test with",
		Long: `Cut a CSV or TSV file, such as mail.csv, into mail.train.csv and mail.test.csv,
by a seed. The rows are copied byte for byte, in the order of the file. Each
class has the same share of both parts, as near as whole rows allow, unless
--stratify=false. With --sklearn they are the very rows that scikit-learn's
train_test_split picks with that random_state, and with --stratify those that it
picks with stratify=labels.`,
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
			return a.split(&s, args[0])
		},
	}
	f := cmd.Flags()
	f.Float64Var(&s.test, "test", 0.2, "share of the rows to test with")
	f.Uint32Var(&s.seed, "seed", 1, "which of the possible splits")
	f.BoolVar(&s.stratify, "stratify", true, "keep the shares of the classes")
	f.BoolVar(&s.sklearn, "sklearn", false, "pick the rows of scikit-learn's train_test_split")
	f.BoolVar(&s.noHeader, "no-header", false, "the first line is data")
	f.StringVar(&s.label, "label", "label", "column of the label, by name or as #1")
	s.out.AddFlags(cmd, outfile.New, "output", "o", "write `NAME`.train.csv and NAME.test.csv")
	return cmd
}

func (a *App) split(s *splitter, name string) error {
	train, err := s.out.PlanAs(partName(name, s.out.name, "train"), []string{name})
	if err != nil {
		return err
	}
	test, err := s.out.PlanAs(partName(name, s.out.name, "test"), []string{name})
	if err != nil {
		return err
	}
	labels, err := s.labels(name)
	if err != nil {
		return err
	}
	if s.noLabels {
		a.Note("note: %s: no column %q, so a class may have more of one part than of the other (--label names the column)", name, s.label)
	}
	inTest, err := s.choose(labels)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := s.copy(name, train, inTest, false); err != nil {
		return err
	}
	if err := s.copy(name, test, inTest, true); err != nil {
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

// partName returns the name of a part of the file called name: with -o OUT it begins with
// that, else with the file's own name. It ends as the file does, or in .csv where that is
// no ending of a table.
func partName(name, out, part string) string {
	ending := filepath.Ext(name)
	switch strings.ToLower(ending) {
	case ".csv", ".tsv":
		name = strings.TrimSuffix(name, ending)
	default:
		ending = ".csv"
	}
	return cmp.Or(out, name) + "." + part + ending
}

// records calls yield for each row of a file, with the row's number; that of the header
// is -1.
func (s *splitter) records(name string, yield func(i int, r dataset.Record) error) error {
	f, err := os.Open(name)
	if err != nil {
		return Plain(err)
	}
	defer f.Close()
	comma := byte(',')
	if strings.EqualFold(filepath.Ext(name), ".tsv") {
		comma = '\t'
	}
	i := -1
	if s.noHeader {
		i = 0
	}
	for r, err := range dataset.Records(f, name, comma) {
		if err != nil {
			return Plain(err)
		}
		if err := yield(i, r); err != nil {
			return err
		}
		i++
	}
	return nil
}

// labels returns the label of each row, or as many empty ones where they are
// not needed.
func (s *splitter) labels(name string) ([]string, error) {
	var labels []string
	column := -1
	err := s.records(name, func(i int, r dataset.Record) error {
		// The first row says which column it is, whether or not it is a header.
		if s.stratify && column < 0 {
			if column = columnOf(r, s.label); column < 0 {
				if s.wanted {
					return fmt.Errorf("%s: no column %q", name, s.label)
				}
				s.stratify, s.noLabels = false, true
			}
		}
		switch {
		case i < 0:
		case !s.stratify:
			labels = append(labels, "")
		case column >= len(r.Fields):
			return fmt.Errorf("%s:%d: no column %q", name, r.Line, s.label)
		default:
			labels = append(labels, string(r.Fields[column]))
		}
		return nil
	})
	if err == nil && len(labels) < 2 {
		err = fmt.Errorf("%s: %s, too few to split", name, plural(len(labels), "row"))
	}
	return labels, err
}

// columnOf returns the number of the column called name, or named by its number
// as #1, and -1 if there is none.
func columnOf(r dataset.Record, name string) int {
	var n int
	if _, err := fmt.Sscanf(name, "#%d", &n); err == nil && n >= 1 && n <= len(r.Fields) {
		return n - 1
	}
	for i, f := range r.Fields {
		if string(f) == name {
			return i
		}
	}
	return -1
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

// copy copies the header and the rows that are, or are not, to test with.
func (s *splitter) copy(name string, to Destination, inTest []bool, test bool) error {
	return to.Write(func(w io.Writer) error {
		return s.records(name, func(i int, r dataset.Record) error {
			if i >= 0 && inTest[i] != test {
				return nil
			}
			return writeRow(w, r.Raw)
		})
	})
}

// writeRow writes a row, and the line end that a file's last row may lack.
func writeRow(w io.Writer, raw []byte) error {
	if len(raw) > 0 && raw[len(raw)-1] != '\n' {
		raw = append(raw[:len(raw):len(raw)], '\n')
	}
	_, err := w.Write(raw)
	return err
}
