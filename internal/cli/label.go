package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"bayes"
	"bayes/internal/labelling"
	"bayes/internal/outfile"
	"bayes/label"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// labelFlags are the flags of label.
type labelFlags struct {
	Trainer
	out     Writing
	classes []string
	order   string
	seed    uint32
	afresh  bool
	who     string
	listen  string
	hosts   []string
	tty     bool
}

func (a *App) labelCommand() *cobra.Command {
	var f labelFlags
	cmd := &cobra.Command{
		Use:   "label FILE...",
		Short: "Label texts, on a page of this machine or in the terminal",
		Long: `Label texts, and see how good the classifier is by now. The command prints the address of a
page, which shows one text after the other with the model's guess and the words that it
rests on; one key is an answer, which is learned at once. Of texts that are about the same all
are answered together. In a terminal, --tty asks the same.

One question in five is drawn at random, but for the first ones: only these measure. The others are
those of which most is learned (--order). The page shows the accuracy with its interval, how it has grown, and says so when more
answers hardly pay. From ten answers on, and before the first if two classes have words, the model
learns from the texts without an answer too, where that helps; train --unlabelled FILE does so with all answers.

Every answer is in the file of --output before the next text is shown, so the program may
be ended at any time, and goes on where it was when it is called again. The file is a table as
train reads it, with the columns label, text, row, who, when and random. Several people label one
pile at once, each under a name; all get the same texts that measure, so that their agreement is known.

Labels that FILE has already count as answers of nobody, and are written too.

With --label-separator a text may have several labels, or none: a key takes one in or out, Enter is the
answer, and what is in the file of answers is the set, which train reads with the same flag. Accuracy is then
the share of texts with all labels right.`,
		Example: `  bayes label tickets.csv -o labels.csv
  bayes label tickets.csv --class "billing: invoice, refund" --class access
  bayes label tickets.csv --tty
  bayes train labels.csv -o tickets.nb
  bayes label news.csv --label-separator ';' -o topics.csv`,
		Args: Args(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, files []string) error { return a.label(cmd, &f, files) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.classes, "class", nil, "a class, and words of it, as in `NAME: WORDS`; repeatable")
	flags.StringVar(&f.order, "order", "", "which text comes next: "+orderNames()+" (default "+string(label.Informative)+")")
	flags.Uint32Var(&f.seed, "seed", 0, "seed of the order in which texts are drawn at random")
	flags.BoolVar(&f.afresh, "afresh", false, "labels that FILE has do not count")
	Group(cmd, "Labelling")
	Choices(cmd, "order", strings.Split(orderNames(), ", ")...)
	flags.StringVar(&f.who, "who", "", "`NAME` under which you answer (default that of the system)")
	flags.BoolVar(&f.tty, "tty", false, "ask in the terminal")
	flags.StringVar(&f.listen, "listen", "127.0.0.1:0", "`ADDRESS` of the page; one that other machines can reach has a key")
	flags.StringSliceVar(&f.hosts, "host", nil, "answer to this host name only; repeatable (default localhost, or any with a key)")
	Group(cmd, "Page")
	f.out.AddFlags(cmd, outfile.Answers, "output", "o", "`FILE` of the answers, which it may have already (default: in this folder, called like FILE, as in tickets.labels.csv)")
	f.AddFlags(cmd)
	f.AddLabelSeparator(cmd)
	return cmd
}

func orderNames() string {
	return strings.Join([]string{string(label.Informative), string(label.Uncertain), string(label.Random)}, ", ")
}

// check returns an error if flags make no sense.
func (f *labelFlags) check(cmd *cobra.Command, files []string) error {
	switch {
	case f.HasCutoffs(), f.Calibrates(), f.Corrects(), f.LeavesOneOut(), f.NeedsIDF():
		return WrongUsage(cmd, "--max-fpr, --min-recall, --costs, --calibrate, --correct, --idf and --alpha loo are for train: a model that learns each answer at once has none of them")
	case f.hasColumns() || len(f.Text) > 1 || f.Weight != "":
		return WrongUsage(cmd, "one column of text is labelled: leave out --numeric, --categorical and --weight-column, and name one with --text")
	case slices.Contains([]string{"gaussian", "categorical"}, cmd.Flag("model").Value.String()):
		return WrongUsage(cmd, "--model %s reads no text: want multinomial, complement, one-versus-rest or bernoulli", cmd.Flag("model").Value)
	case f.out.Name() == "-":
		return WrongUsage(cmd, "--output -: answers go to a file")
	case f.tty && (cmd.Flags().Changed("listen") || len(f.hosts) > 0):
		return WrongUsage(cmd, "--listen and --host are of the page, and --tty asks in the terminal")
	case f.tty && cmd.Flags().Changed("json"):
		return WrongUsage(cmd, "--json prints the address of the page, and --tty has none")
	case f.tty && (len(files) == 0 || files[0] == "-"):
		return WrongUsage(cmd, "--tty reads answers from standard input: name a FILE")
	}
	if _, err := label.ParseOrder(f.order); err != nil {
		return WrongUsage(cmd, "--order: %w", err)
	}
	if _, _, err := net.SplitHostPort(f.listen); err != nil {
		return WrongUsage(cmd, "--listen %s: want an address and a port, such as 127.0.0.1:8090", f.listen)
	}
	for i, host := range f.hosts {
		name := strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
		if name == "" || strings.ContainsAny(name, "/[] ") || strings.Contains(name, ":") && net.ParseIP(name) == nil {
			return WrongUsage(cmd, "--host %q: want the name or the address alone, such as labels.example.com", host)
		}
		f.hosts[i] = name
	}
	for _, c := range f.classes {
		name, _ := labelling.ParseClass(c)
		if err := labelling.CheckClass(name, f.LabelSeparator); err != nil {
			return WrongUsage(cmd, "--class %s: %w", c, err)
		}
	}
	if f.who == "" {
		f.who = userName()
	}
	if err := labelling.CheckName(f.who); err != nil {
		return WrongUsage(cmd, "--who: %w", err)
	}
	return nil
}

// userName returns what the system calls whoever runs the command.
func userName() string {
	if u, err := user.Current(); err == nil && labelling.CheckName(u.Username) == nil {
		return u.Username
	}
	return "me"
}

func (a *App) label(cmd *cobra.Command, f *labelFlags, files []string) (err error) {
	if err := f.check(cmd, files); err != nil {
		return err
	}
	to, err := f.plan(files)
	if err != nil {
		return err
	}
	texts, pile, err := a.readPile(cmd, f, files)
	if err != nil {
		return err
	}
	answers, err := openAnswers(to, f.out.Force())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answers.Close()) }()
	if torn := answers.Torn(); torn != "" {
		a.Note("note: %s: its end was no whole row, and is left out: %.60q", answers.Name(), torn)
	}
	session, err := labelling.New(pile, answers, texts)
	if err != nil {
		return err
	}
	a.noteFound(f, answers, session)
	for _, c := range f.classes {
		name, words := labelling.ParseClass(c)
		if err := session.AddClass(f.who, name, words); err != nil {
			return err
		}
	}
	train := func(unanswered bool) string { return trainLine(cmd, answers.Name(), files, unanswered) }
	learning, stop := context.WithCancel(cmd.Context())
	defer stop()
	go session.WatchUnanswered(learning)
	if f.tty {
		err = a.labelHere(cmd.Context(), f, session)
	} else {
		err = a.labelOnPage(cmd.Context(), f, train, session)
	}
	if err == nil {
		err = a.noteLabelled(cmd.Context(), train, session)
	}
	return err
}

// noteFound notes what is odd about the answers that there were.
func (a *App) noteFound(f *labelFlags, answers *label.Answers, session *labelling.Session) {
	if n := session.Lost(); n > 0 {
		a.Note("%s: %s of texts that are not among these; they stay in the file", answers.Name(), plural(n, "answer"))
	}
	if i := slices.IndexFunc(session.Progress().People, func(p labelling.Person) bool { return p.Name == "" }); f.afresh && i >= 0 {
		a.Note("note: --afresh: %s that %s has from the file before go on to count", plural(session.Progress().People[i].Answers, "label"), answers.Name())
	}
	if differ := session.Differ(); len(differ) > 0 {
		t := session.Text(differ[0])
		a.Note("note: %s counts, which has another label of %s (row %s: %s, there %s)", answers.Name(), plural(len(differ), "text"), t.Row, t.Label, session.Given("", differ[0]))
	}
}

// plan returns where the answers go.
func (f *labelFlags) plan(files []string) (Destination, error) {
	name := f.out.Name()
	if name == "" {
		name = defaultAnswers(files)
	}
	for _, file := range files {
		if sameFile(name, file) { // also with --force: texts without an answer would be lost
			return nil, fmt.Errorf("%s: not written over: it is read by this very command, whose texts have a file of their own (choose another name)", name)
		}
	}
	return f.out.PlanAs(name, files)
}

// openAnswers opens the file of answers. With force it takes the place of a file of another kind.
func openAnswers(to Destination, force bool) (*label.Answers, error) {
	answers, err := label.OpenAnswers(to.Name())
	if errors.Is(err, label.ErrNotAnswers) && force {
		if err := to.Write(func(io.Writer) error { return nil }); err != nil {
			return nil, err
		}
		answers, err = label.OpenAnswers(to.Name())
	}
	return answers, err
}

// defaultAnswers returns the name of the file of answers to the texts of files.
func defaultAnswers(files []string) string {
	name := filepath.Base(filepath.Clean(files[0]))
	if name == "-" || name == "." || name == ".." || name == string(filepath.Separator) {
		return "labels.csv"
	}
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	return strings.TrimSuffix(name, filepath.Ext(name)) + ".labels.csv"
}

// noteLabelled says what came of a session.
func (a *App) noteLabelled(ctx context.Context, train func(bool) string, s *labelling.Session) error {
	err := s.Measure(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p := s.Progress()
	a.Note("%s: %s of %s labelled", s.File(), Count(p.Answered), plural(s.Len(), "text"))
	if err != nil && !errors.Is(err, bayes.ErrEmpty) {
		a.Note("not measured: %v", err) // all answers are saved
	} else if q := p.Quality; q.Measured > 0 && len(q.Points) > 0 {
		a.Note("%s", accuracyOf(q, s.LabelSeparator() != ""))
	}
	if u := p.Unanswered; u.Helps && u.Measured > 0 {
		hint := train(true)
		if hint != "" {
			hint = " (hint: " + hint + ")"
		}
		a.Note("%.3f with texts that have no answer, %.3f without, by %s whose labels were not learned%s", u.Accuracy, u.Alone, plural(u.Measured, "text"), hint)
	}
	return nil
}

// trainLine returns the command that trains a model of answers as the pile is read, and if they can be read in the same way, of the texts
// of files without an answer; it is empty if those are wanted and cannot.
func trainLine(cmd *cobra.Command, answers string, files []string, unanswered bool) string {
	if strings.HasPrefix(answers, "-") {
		answers = "./" + answers
	}
	words := []string{"bayes train", shellQuoted(answers)}
	alike := !slices.Contains(files, "-") // whether files are read as answers are, whose columns have names of their own
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch of := groupOf(f); {
		case of == InputFlags && f.Name != "label-separator":
			alike = false
		case of == InputFlags, of == WordFlags, of == ModelFlags, of == LimitFlags:
			words = append(words, flagWord(f))
		}
	})
	switch {
	case unanswered && !alike:
		return ""
	case unanswered:
		for _, name := range files {
			words = append(words, "--unlabelled", shellQuoted(name))
		}
		if order, _ := cmd.Flags().GetString("order"); order == string(label.Random) {
			words = append(words, "--asked=false") // the file says of each text whether it measures, and not who chose the others
		}
	}
	return strings.Join(append(words, "-o model.nb"), " ")
}

// accuracyOf says how good the classifier is, by what was measured, where a text may have several labels or one.
func accuracyOf(q labelling.Quality, several bool) string {
	last := q.Points[len(q.Points)-1]
	what, micro := "accuracy", ""
	if several {
		what, micro = "subset accuracy", fmt.Sprintf(", micro F1 %.3f", q.MicroF1)
	}
	s := fmt.Sprintf("%s %.3f (%.3f to %.3f)%s, by %s drawn at random", what, last.Accuracy, last.Low, last.High, micro, plural(q.Measured, "text"))
	if g := q.Gain; g.Known && !g.Pays() {
		s += fmt.Sprintf("; more answers hardly pay: the last doubling brought %+.3f, at most %+.3f", g.Mean, g.Most)
	}
	return s
}
