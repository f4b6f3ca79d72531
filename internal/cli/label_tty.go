package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bayes"
	"bayes/internal/labelling"
	"bayes/internal/terminal"
)

// An asker asks in the terminal. A line is an answer.
type asker struct {
	app     *App
	who     string
	session *labelling.Session
	lines   *bufio.Scanner
	one     bool // whether texts that are alike are left out
	answers int
}

// classKeys are the keys of the first classes.
const classKeys = "1234567890"

const askingHelp = `  1, 2, …      the class of that number
  a name       the class of that name; +NAME: WORDS makes one
  nothing      the class that is guessed
  n            none of these
` + commandHelp

const commandHelp = `  s            skip: not now
  u            undo: ask the last one again
  o            only this one, and not those that are about the same; again: all
  q            end; what was answered is saved
`

// labelHere asks one question after the other until nothing is left, or no line.
func (a *App) labelHere(ctx context.Context, f *labelFlags, s *labelling.Session) error {
	k := &asker{app: a, who: f.who, session: s, lines: bufio.NewScanner(a.stdin)}
	k.lines.Buffer(nil, 1<<20)
	for last := 0; ctx.Err() == nil; {
		asked, ok := s.Ask(k.who)
		if !ok {
			fmt.Fprintln(a.stdout, "nothing is left to label")
			break
		}
		if more, err := k.ask(asked); err != nil {
			return err
		} else if !more {
			break
		}
		const every = 10
		if k.answers >= last+every {
			last = k.answers
			if err := s.Measure(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, bayes.ErrEmpty) {
				fmt.Fprintln(a.stdout, paintFor(a.stdout).dim("not measured yet: "+terminal.Line(err.Error()))) // as with a --prior of classes that no answer has
			} else if q := s.Progress().Quality; err == nil && q.Measured > 0 {
				fmt.Fprintln(a.stdout, paintFor(a.stdout).dim(accuracyOf(q, s.LabelSeparator() != "")))
			}
		}
		if a.stdout.err != nil {
			return a.stdout.err
		}
	}
	return ctx.Err()
}

// ask puts a question until it is answered, and reports whether to go on.
func (k *asker) ask(q labelling.Asked) (more bool, err error) {
	k.one = false
	k.show(q)
	for {
		k.prompt(q)
		more := k.lines.Scan()
		if _, typed := k.app.stdin.(*console); !typed || !more { // nothing has ended the line
			fmt.Fprintln(k.app.stdout)
		}
		if !more {
			err := k.lines.Err()
			if errors.Is(err, bufio.ErrTooLong) {
				err = errors.New("standard input: an answer of more than 1 MiB; those before it are saved")
			}
			return false, err
		}
		done, more, err := k.take(q, strings.TrimSpace(k.lines.Text()))
		var bad *labelling.Invalid
		switch {
		case errors.As(err, &bad):
			fmt.Fprintln(k.app.stdout, "  "+terminal.Line(bad.Reason))
		case err != nil || done:
			return more, err
		}
	}
}

// show prints a text, and what the model makes of it.
func (k *asker) show(q labelling.Asked) {
	w, p := k.app.stdout, paintFor(k.app.stdout)
	t := k.session.Text(q.Text)
	title := "row " + terminal.Line(t.Row)
	if q.Measured {
		title += ", drawn at random to measure by"
	}
	fmt.Fprintf(w, "\n%s\n%s\n", p.dim(title), strings.TrimRight(clip(t.Text), "\n"))
	for i, other := range q.Alike {
		if i == 5 {
			fmt.Fprintf(w, "%s\n", p.dim(fmt.Sprintf("  and %d more", len(q.Alike)-i)))
			break
		}
		fmt.Fprintf(w, "%s\n", p.dim("  alike: "+terminal.Line(firstOf(k.session.Text(other).Text))))
	}
	if guess := k.guess(q); guess != nil {
		fmt.Fprintf(w, "%s\n", p.dim(fmt.Sprintf("guess: %s %s%s", k.says(q.Answer.Class), percent(q.Answer.P), k.tellingWords(guess))))
	}
}

// guess returns the guess that is shown. Of a text that measures none is, since it sways people.
func (k *asker) guess(q labelling.Asked) *bayes.Explanation {
	if q.Measured {
		return nil
	}
	return q.Guess
}

// tellingWords returns the words that tell most for a guess, of several labels for the most probable.
func (k *asker) tellingWords(ex *bayes.Explanation) string {
	var words []string
	for _, c := range ex.Features {
		if c.LogOdds > 0 && len(words) < 3 {
			words = append(words, terminal.Line(c.Name()))
		}
	}
	if words == nil {
		return ""
	}
	of := ""
	if k.several() {
		of = terminal.Line(ex.Class) + ": "
	}
	return " (" + of + strings.Join(words, ", ") + ")"
}

// percent returns a probability as people read it.
func percent(p float64) string {
	if p < 1 && p > 0.995 {
		return "over 99 %"
	}
	return fmt.Sprintf("%.0f %%", 100*p)
}

// clip returns what of a text is shown.
func clip(text string) string {
	const most = 4000
	if cut := []rune(text[:min(len(text), 4*most+4)]); len(cut) > most {
		return string(cut[:most]) + "…"
	}
	return text
}

// classes returns the classes that have keys and names.
func (k *asker) classes() (names []string) {
	for _, c := range k.session.Progress().Classes {
		if c.Name != labelling.None {
			names = append(names, c.Name)
		}
	}
	return names
}

func (k *asker) prompt(q labelling.Asked) {
	names := k.classes()
	var parts []string
	for i, name := range names {
		key := ""
		if k.several() {
			key = strconv.Itoa(i + 1)
		} else if i < len(classKeys) {
			key = classKeys[i : i+1]
		}
		if key != "" && !slices.Contains(names, key) {
			name = key + " " + name
		}
		parts = append(parts, terminal.Line(name))
	}
	if len(names) == 0 {
		parts = []string{"no class yet: +NAME: WORDS makes one"}
	}
	all := ""
	if n := len(q.Alike); n > 0 && !k.one {
		all = fmt.Sprintf(" [%d texts]", n+1)
	}
	none := "n"
	if k.several() {
		none = "-"
	}
	fmt.Fprintf(k.app.stdout, "%s%s (%s s u o q ?) > ", strings.Join(parts, "  "), all, none)
}

// take does what a line says. It reports whether the question is done with, and whether to go on.
func (k *asker) take(q labelling.Asked, line string) (done, more bool, err error) {
	switch line {
	case "q":
		return true, false, nil
	case "?":
		help := askingHelp
		if k.several() {
			help = askingSets
		}
		fmt.Fprint(k.app.stdout, help)
		return false, true, nil
	case "s":
		return true, true, k.session.Skip(k.who, q.Text)
	case "u":
		return true, true, k.session.Undo(k.who)
	case "o":
		k.one = !k.one
		return false, true, nil
	case "":
		if k.guess(q) == nil {
			return false, true, nil
		}
		return true, true, k.answer(q, q.Answer.Class)
	}
	if name, ok := strings.CutPrefix(line, "+"); ok {
		name, words := labelling.ParseClass(name)
		return false, true, k.session.AddClass(k.who, name, words)
	}
	read := k.readClass
	if k.several() {
		read = k.readSet
	}
	name, err := read(line)
	if err != nil {
		return false, true, err
	}
	return true, true, k.answer(q, name)
}

// readClass returns the class that a line names.
func (k *asker) readClass(line string) (string, error) {
	names := k.classes()
	if line == labelling.None || slices.Contains(names, line) { // a name comes before keys: classes may be called 0 and 1
		return line, nil
	}
	if i := strings.Index(classKeys, line); len(line) == 1 && i >= 0 && i < len(names) {
		return names[i], nil
	}
	if line == "n" {
		return labelling.None, nil
	}
	return "", noClass(line)
}

func noClass(name string) error {
	return &labelling.Invalid{Reason: fmt.Sprintf("there is no class %q; +%s makes it, ? says what there is", name, name)}
}

func (k *asker) answer(q labelling.Asked, name string) error {
	texts := []int{q.Text}
	if !k.one {
		texts = append(texts, q.Alike...)
	}
	was, err := k.session.Answer(k.who, texts, name)
	if err != nil {
		return err
	}
	k.answers++
	if was.Measured && was.Guess != "" {
		said := "the model had guessed it"
		if was.Guess != was.Label {
			said = "the model had guessed " + k.says(was.Guess)
		}
		fmt.Fprintln(k.app.stdout, paintFor(k.app.stdout).dim(fmt.Sprintf("%s, %s", said, percent(was.P))))
	}
	return nil
}
