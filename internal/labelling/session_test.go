package labelling

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bayes"
	"bayes/eval"
	"bayes/label"

	"pgregory.net/rapid"
)

// texts are n texts of few words, of which some are alike.
func texts(n int) (list []Text) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		var words []string
		for range 12 {
			words = append(words, fmt.Sprint("w", rng.IntN(40)))
		}
		list = append(list, Text{Text: strings.Join(words, " "), Row: fmt.Sprint(i + 1)})
		if i%5 == 4 {
			list[i].Text = list[i-1].Text
		}
	}
	return list
}

// begin opens a session on a file.
func begin(t rapid.TB, name string, list []Text) *Session {
	t.Helper()
	return beginIn(t, new(bayes.Space), name, list)
}

func beginIn(t rapid.TB, space *bayes.Space, name string, list []Text) *Session {
	t.Helper()
	answers, err := label.OpenAnswers(name)
	if err != nil {
		t.Fatal(err)
	}
	documents := make([]bayes.Document, len(list))
	for i := range list {
		documents[i].Text = list[i].Text
	}
	pile, err := label.New(context.Background(), space, nil, documents, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(pile, answers, list)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func inFile(t *testing.T) string { return filepath.Join(t.TempDir(), "labels.csv") }

// given returns who gave which text which label, by the file.
func given(s *Session) map[string]string {
	list := make(map[string]string)
	for _, a := range s.answers.All() {
		if a.Row != Words {
			list[a.Who+" "+a.Row] = a.Label
		}
	}
	return list
}

// Whatever people answer, skip and undo, and whenever the program ends: the file has what they said last, the pile has
// learned it, and what is undone is what was done last.
func TestSessions(t *testing.T) {
	list, dir, n := texts(15), t.TempDir(), 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		name := filepath.Join(dir, fmt.Sprint(n))
		s := begin(r, name, list)
		want := map[string]string{}
		before := map[string][]map[string]string{} // by person, what there was before each action
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			who := rapid.SampledFrom([]string{"ann", "bo"}).Draw(r, "who")
			switch what := rapid.IntRange(0, 9).Draw(r, "what"); {
			case what == 0: // the program ends
				if err := s.Close(); err != nil {
					r.Fatal(err)
				}
				s = begin(r, name, list)
				before = map[string][]map[string]string{}
			case what == 1:
				if a, ok := s.Ask(who); ok {
					if err := s.Skip(who, a.Text); err != nil {
						r.Fatal(err)
					}
					before[who] = append(before[who], mine(want, who))
				}
			case what <= 3:
				stack := before[who]
				err := s.Undo(who)
				if len(stack) == 0 {
					if err == nil { // of an earlier session
						want = given(s)
					}
					continue
				}
				if err != nil {
					r.Fatal(err)
				}
				set(want, who, stack[len(stack)-1])
				before[who] = stack[:len(stack)-1]
			default:
				var answered []int
				if a, ok := s.Ask(who); ok && what < 8 {
					answered = append([]int{a.Text}, a.Alike...)
				} else {
					answered = []int{rapid.IntRange(0, 14).Draw(r, "text")}
				}
				name := rapid.SampledFrom([]string{"a", "b", None}).Draw(r, "label")
				before[who] = append(before[who], mine(want, who))
				if _, err := s.Answer(who, answered, name); err != nil {
					r.Fatal(err)
				}
				for _, i := range answered {
					want[fmt.Sprint(who, " ", i+1)] = name
				}
			}
			if got := given(s); !reflect.DeepEqual(got, want) {
				r.Fatalf("the file has %v, want %v", got, want)
			}
			for key, name := range want {
				var who string
				var row int
				fmt.Sscan(key, &who, &row)
				if got := s.Given(who, row-1); got != name {
					r.Fatalf("the pile has %s of %s, want %s", got, key, name)
				}
			}
			p := s.Progress()
			sum := 0
			for _, one := range p.People {
				sum += one.Answers
			}
			if sum != len(want) {
				r.Fatalf("%d answers are counted of %d", sum, len(want))
			}
		}
		s.Close()
	})
}

// mine returns a person's part of what was given.
func mine(all map[string]string, who string) map[string]string {
	part := map[string]string{}
	for key, name := range all {
		if strings.HasPrefix(key, who+" ") {
			part[key] = name
		}
	}
	return part
}

// set makes a person's part what it was.
func set(all map[string]string, who string, part map[string]string) {
	for key := range mine(all, who) {
		delete(all, key)
	}
	for key, name := range part {
		all[key] = name
	}
}

// What was answered together is undone together, by the next program too; then the text is asked again.
func TestUndoOfEarlier(t *testing.T) {
	list, name := texts(15), inFile(t)
	s := begin(t, name, list)
	for range 3 {
		if _, err := s.Answer("ann", []int{0}, "a"); err != nil { // the same text thrice is one answer
			t.Fatal(err)
		}
	}
	if _, err := s.Answer("ann", []int{3, 4}, "b"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = begin(t, name, list)
	if err := s.Undo("ann"); err != nil {
		t.Fatal(err)
	}
	if got := given(s); !reflect.DeepEqual(got, map[string]string{"ann 1": "a"}) {
		t.Errorf("%v", got)
	}
	if a, ok := s.Ask("ann"); !ok || a.Text != 3 || !slices.Equal(a.Alike, []int{4}) {
		t.Errorf("%+v is asked", a.Question)
	}
	if err := s.Undo("ann"); err != nil {
		t.Fatal(err)
	}
	if err := s.Undo("ann"); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	s.Close()
}

func TestParseClass(t *testing.T) {
	for in, want := range map[string][2]string{
		" billing ": {"billing", ""}, "billing: invoice, refund": {"billing", "invoice, refund"}, "a: b: c": {"a", "b: c"}, "請求：請求書、返金": {"請求", "請求書、返金"}, "a:b：c": {"a", "b：c"},
	} {
		if name, words := ParseClass(in); name != want[0] || words != want[1] {
			t.Errorf("%q: %q, %q", in, name, words)
		}
	}
}

// Classes and their words are in the file, are learned as texts, and one without answers can be removed.
func TestClasses(t *testing.T) {
	list, name := texts(15), inFile(t)
	s := begin(t, name, list)
	for _, c := range [][2]string{{"billing", "w1 w2"}, {"access", ""}, {"gone", "w7"}, {"billing", "w1 w3"}, {"billing", ""}} {
		if err := s.AddClass("ann", c[0], c[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RemoveClass("gone"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = begin(t, name, list)
	defer s.Close()
	if got, want := s.Progress().Classes, []Class{{"billing", "w1 w3", 0}, {"access", "", 0}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	m, err := s.pile.Model()
	if err != nil {
		t.Fatal(err)
	}
	if best := m.Predict(bayes.Document{Text: "w1 w3"}).Best(); best.Class != "billing" || len(m.Classes()) != 2 {
		t.Errorf("%+v of %q", best, m.Classes())
	}
	if _, err := s.Answer("ann", []int{0}, "access"); err != nil {
		t.Fatal(err)
	}
	var bad *Invalid
	if err := s.RemoveClass("access"); !errors.As(err, &bad) {
		t.Error(err)
	}
	for _, who := range []string{"bob", "cleo"} {
		if _, err := s.Answer(who, []int{0}, "billing"); err != nil {
			t.Fatal(err)
		}
	}
	for _, wrong := range []string{"access", "billing", "of nobody"} { // the first is what one of three people says
		if err := s.RemoveClass(wrong); !errors.As(err, &bad) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	for _, wrong := range []string{"", " a", "a\nb", "\xff", strings.Repeat("x", 201)} {
		if err := s.AddClass("ann", wrong, ""); !errors.As(err, &bad) {
			t.Errorf("%q: %v", wrong, err)
		}
		if _, err := s.Answer("ann", []int{1}, wrong); !errors.As(err, &bad) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	for _, wrong := range [][]int{nil, {-1}, {15}, {1, 99}} {
		if _, err := s.Answer("ann", wrong, "a"); !errors.As(err, &bad) {
			t.Errorf("texts %v: %v", wrong, err)
		}
	}
	if got := given(s); len(got) != 3 {
		t.Errorf("%v", got)
	}
}

// Answers find their texts however lines end, in these or in what a spreadsheet has made of the file.
func TestLineEnds(t *testing.T) {
	list, name := texts(15), inFile(t)
	list[0].Text, list[1].Text, list[2].Text = "one big\r\ninvoice", "two\nsmall\nlogins", "\r\r\nthree\r"
	s := begin(t, name, list)
	for i, class := range []string{"a", "b", "c"} {
		if _, err := s.Answer("ann", []int{i}, class); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	written := string(data)
	for _, content := range []string{written, strings.ReplaceAll(written, "\r\n", "\n"), strings.ReplaceAll(strings.ReplaceAll(written, "\r\n", "\n"), "\n", "\r\n")} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		s := begin(t, name, list)
		if s.Lost() != 0 || s.Given("ann", 0) != "a" || s.Given("ann", 1) != "b" || s.Given("ann", 2) != "c" {
			t.Errorf("%q: %d answers are lost", content, s.Lost())
		}
		s.Close()
	}
}

// Of two rows of one text the later one counts, and both are taken back at once.
func TestRowsOfOneText(t *testing.T) {
	list, name := texts(15), inFile(t) // the fifth text is that of the fourth
	s := begin(t, name, list)
	for i, class := range []string{3: "a", 4: "b", 7: "c"} {
		if class != "" {
			if _, err := s.Answer("ann", []int{i}, class); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.Close()
	s = begin(t, name, slices.Delete(slices.Clone(list), 4, 5))
	defer s.Close()
	for undone, want := range []map[string]string{{"ann 4": "a", "ann 5": "b", "ann 8": "c"}, {"ann 4": "a", "ann 5": "b"}, {}} {
		if got, answers := given(s), s.people["ann"].answers; !reflect.DeepEqual(got, want) || answers != 2-undone || len(s.order) != answers {
			t.Errorf("%d undone: %v, and %d texts of %d answers", undone, got, len(s.order), answers)
		}
		if err := s.Undo("ann"); (err != nil) != (undone == 2) {
			t.Error(err)
		}
	}
}

// Labels that texts had are written once, as nobody's. Answers find their texts where rows have moved, and those of
// texts that are gone stay in the file.
func TestRowsMove(t *testing.T) {
	list, name := texts(15), inFile(t)
	list[2].Label, list[7].Label = "a", "b"
	s := begin(t, name, list)
	if _, err := s.Answer("ann", []int{10}, "b"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	moved := append([]Text{{Text: "new and first", Row: "1"}}, slices.Clone(list[3:])...)
	for i := range moved {
		moved[i].Row = fmt.Sprint(i + 1)
	}
	s = begin(t, name, moved)
	defer s.Close()
	if _, err := s.Answer("bo", []int{8}, "b"); err != nil {
		t.Fatal(err)
	}
	if got := s.Progress().Agreements; len(got) != 1 || got[0].A != "ann" || got[0].B != "bo" || got[0].Texts != 1 {
		t.Errorf("of one text, whose row has moved, two have answered alike: %+v", got)
	}
	if err := s.Undo("bo"); err != nil {
		t.Fatal(err)
	}
	if s.Lost() != 1 || len(s.answers.All()) != 3 {
		t.Errorf("%d of %d answers have no text", s.Lost(), len(s.answers.All()))
	}
	if s.Given("", 5) != "b" || s.Given("ann", 8) != "b" {
		t.Errorf("%q, %q", s.Given("", 5), s.Given("ann", 8))
	}
	if err := s.Undo("ann"); err != nil || len(s.answers.All()) != 2 {
		t.Errorf("%d answers, %v", len(s.answers.All()), err)
	}
}

// A label that texts come with is written once. If theirs is another one later, the one in the file counts, which may have been corrected there.
func TestDiffer(t *testing.T) {
	list, name := texts(6), inFile(t)
	list[1].Label, list[2].Label, list[3].Label = "a", "b", "a"
	s := begin(t, name, list)
	s.Close()
	list[1].Label, list[2].Label, list[3].Label, list[0].Label = "b", "b", "", "c"
	s = begin(t, name, list)
	defer s.Close()
	if !slices.Equal(s.Differ(), []int{1}) || s.Given("", 1) != "a" || s.Given("", 2) != "b" || s.Given("", 3) != "a" || s.Given("", 0) != "c" {
		t.Errorf("%v differ; %q", s.Differ(), s.Given("", 1))
	}
}

// Where rows have moved, answers about texts that read the same are still each about one of these, and are taken back one by one.
func TestSameTextsMove(t *testing.T) {
	list, name := texts(12), inFile(t)
	for _, i := range []int{3, 5, 8, 9} {
		list[i].Text = "the same"
	}
	s := begin(t, name, list)
	for i, label := range map[int]string{3: "a", 5: "b", 8: "a"} {
		if _, err := s.Answer("ann", []int{i}, label); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	slices.Reverse(list) // the same texts are 2, 3, 6 and 8 now
	for i := range list {
		list[i].Row = fmt.Sprint(i + 1)
	}
	s = begin(t, name, list)
	defer s.Close()
	if p := s.Progress(); s.Lost() != 0 || p.Answered != 3 || p.People[0].Answers != 3 {
		t.Errorf("%+v, and %d lost", p, s.Lost())
	}
	for n := 3; n > 0; n-- {
		if err := s.Undo("ann"); err != nil || len(s.answers.All()) != n-1 || s.Progress().Answered != n-1 {
			t.Errorf("%d answers in the file, and %d are left: %v", len(s.answers.All()), s.Progress().Answered, err)
		}
	}
}

// Of 200 texts 140 have the same label, and by chance, from 120 60 20 and 100 60 40 of each label, 82 would:
// κ = (140-82)/(200-82).
func TestAgreement(t *testing.T) {
	var answers []label.Answer
	counts := map[[2]string]int{
		{"1", "1"}: 88, {"1", "2"}: 14, {"1", "3"}: 18, {"2", "1"}: 10, {"2", "2"}: 40, {"2", "3"}: 10, {"3", "1"}: 2, {"3", "2"}: 6, {"3", "3"}: 12,
	}
	row := 0
	for pair, n := range counts {
		for range n {
			row++
			answers = append(answers, label.Answer{Label: pair[0], Row: fmt.Sprint(row), Who: "ann"}, label.Answer{Label: pair[1], Row: fmt.Sprint(row), Who: "bo"})
		}
	}
	answers = append(answers, label.Answer{Label: "1", Row: "alone", Who: "cy"}, label.Answer{Label: "1", Row: Words, Who: "ann"}, label.Answer{Label: "2", Row: Words, Who: "bo"})
	got := agreements(answers, newFinder(nil, nil), new(Session).canonical)
	if len(got) != 1 || got[0].Texts != 200 || got[0].Same != 140 || math.Abs(got[0].Kappa-58./118) > 1e-12 {
		t.Errorf("%+v", got)
	}
}

// The gain has the interval of Agresti and Min (2005) with half an observation in each cell, and what it says is
// not said of too few texts.
func TestGain(t *testing.T) {
	tally := func(right string) *eval.Tally {
		v := new(eval.Tally)
		for _, r := range right {
			class := "a"
			if r == '-' {
				class = "b"
			}
			v.Observe(bayes.Prediction{Classes: []bayes.Prob{{Class: class, P: 1}}}, "a")
		}
		return v
	}
	same := strings.Repeat("+", 90)
	g, err := gain(tally(same+"--+-------"), tally(same+"++-+------"))
	if err != nil {
		t.Fatal(err)
	}
	// 3 won and 1 lost of 100: (3.5-1.5)/102 + 1.96·√(5/102 - (2/102)²)/√102
	want := 2./102 + 1.96*math.Sqrt(5./102-4./102/102)/math.Sqrt(102)
	if g.Mean != .02 || math.Abs(g.Most-want) > 1e-12 || !g.Pays() {
		t.Errorf("%+v, want at most %v", g, want)
	}
	if g, err = gain(tally(same), tally(same)); err != nil || g.Pays() || g.Mean != 0 {
		t.Errorf("%+v, %v", g, err)
	}
	if !(Gain{Mean: 0, Most: 0}).Pays() {
		t.Error("nothing is known, and more answers do not pay")
	}
	if got, want := sizesUpTo(100), []int{6, 12, 25, 50, 100}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := sizesUpTo(0); !slices.Equal(got, []int{0}) {
		t.Errorf("%v", got)
	}
}

// A file that cannot be written loses nothing and acknowledges nothing.
func TestUnwritable(t *testing.T) {
	list, name := texts(15), inFile(t)
	s := begin(t, name, list)
	if _, err := s.Answer("ann", []int{0}, "a"); err != nil {
		t.Fatal(err)
	}
	s.answers.Close()
	if _, err := s.Answer("ann", []int{1}, "a"); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	if err := s.Undo("ann"); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	if s.Given("ann", 1) != "" || s.Given("ann", 0) != "a" {
		t.Errorf("%q, %q", s.Given("ann", 1), s.Given("ann", 0))
	}
}

// What measures does so whatever texts come and go, and skipped ones do not hide it; what told the order what comes next never does. A spreadsheet that sorts the
// file changes neither the keys of classes nor what is taken back.
func TestResume(t *testing.T) {
	list, name := texts(60), inFile(t)
	for i := range list {
		list[i].Text = fmt.Sprintf("%s only%d", list[i].Text, i) // none like another
	}
	measured := func(s *Session) int64 {
		m, err := s.pile.Measure()
		if err != nil {
			t.Fatal(err)
		}
		return m.Documents()
	}
	s := begin(t, name, list)
	for _, class := range []string{"z", "a", "m"} {
		if err := s.AddClass("ann", class, "some "+class); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddClass("ann", "z", "other words"); err != nil {
		t.Fatal(err)
	}
	drawn, told, skipped := make(map[string]bool), make(map[string]bool), false
	for n := range 30 {
		q, ok := s.Ask("ann")
		if !ok {
			t.Fatal("nothing is asked")
		}
		if q.Measured && !skipped {
			if err := s.Skip("ann", q.Text); err != nil {
				t.Fatal(err)
			}
			skipped = true
			continue
		}
		if _, err := s.Answer("ann", []int{q.Text}, []string{"z", "a", "m"}[n%3]); err != nil {
			t.Fatal(err)
		}
		if text := list[q.Text].Text; q.Measured {
			drawn[text] = true
		} else {
			told[text] = true
		}
	}
	latest := s.answers.All()[len(s.answers.All())-1]
	if n := measured(s); int(n) != len(drawn) || n < 5 {
		t.Fatalf("%d of %d measure", n, len(drawn))
	}
	rows := s.answers.All()
	s.Close()

	slices.SortStableFunc(rows, func(a, b label.Answer) int { return strings.Compare(a.Label, b.Label) })
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	file, err := label.OpenAnswers(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Add(rows...); err != nil {
		t.Fatal(err)
	}
	file.Close()
	for i := range 7 {
		list = append(list, Text{Text: fmt.Sprintf("new words%d", i), Row: "x"})
	}
	slices.Reverse(list)
	for i := range list {
		list[i].Row = fmt.Sprint(i + 1)
	}
	s = begin(t, name, list)
	defer s.Close()
	if n := measured(s); int(n) != len(drawn) {
		t.Errorf("%d measure, and %d did", n, len(drawn))
	}
	var classes []string
	for _, c := range s.Progress().Classes {
		classes = append(classes, c.Name+" "+c.Words)
	}
	if !slices.Equal(classes, []string{"z other words", "a some a", "m some m"}) {
		t.Errorf("classes %q", classes)
	}
	for n, more := 0, 0; n < 10; n++ {
		q, ok := s.Ask("ann")
		if q.Measured {
			more++
		}
		if !ok || q.Measured && told[list[q.Text].Text] || more > 3 {
			t.Errorf("question %d: %+v, %v; %d measure", n, q, ok, more)
		}
		if _, err := s.Answer("ann", []int{q.Text}, "a"); err != nil {
			t.Fatal(err)
		}
	}
	for range 11 {
		if err := s.Undo("ann"); err != nil {
			t.Fatal(err)
		}
	}
	if slices.ContainsFunc(s.answers.All(), func(a label.Answer) bool { return a == latest }) || len(s.answers.All()) != len(rows)-1 {
		t.Errorf("the latest of %d answers was not taken back: %d are left", len(rows), len(s.answers.All()))
	}
}
