package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeMail writes so much ham and spam in folders of these names.
func writeMail(t *testing.T, n map[string]int) string {
	t.Helper()
	dir := t.TempDir()
	for label, n := range n {
		if err := os.Mkdir(filepath.Join(dir, label), 0o700); err != nil {
			t.Fatal(err)
		}
		words := map[bool]string{true: "cheap pills", false: "lunch at noon"}[label == spam]
		for i := range n {
			message := fmt.Sprintf("Received: from %s.example by home.example; Thu, 22 Aug 2002 12:%02d:23 +0200\nFrom: x%d@%s.example\nSubject: %s\n\n%s, w%d v%d\n",
				label, i%60, i, label, words, words, i%7, i%11)
			if err := os.WriteFile(filepath.Join(dir, label, fmt.Sprintf("%d.eml", i)), []byte(message), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// runs runs a command that must succeed, and returns what it prints and notes.
func runs(t *testing.T, args ...string) (out, notes string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := newApp(strings.NewReader(""), &stdout, &stderr).run(context.Background(), args); code != exitDone {
		t.Fatalf("%v: %s", args, stderr.String())
	}
	return stdout.String(), stderr.String()
}

// Mail is learned as is best for mail, by train, cv and progressive validation, whether its format is
// given or found; and the flags that are noted train the same model.
func TestMailDefaults(t *testing.T) {
	box := writeMail(t, map[string]int{ham: 30, spam: 20})
	model := filepath.Join(t.TempDir(), "m.nb")
	const chosen = "--subwords 4 --weighting presence --correct --spread --trust 0.4"
	const noted = "for mail, unless flags say otherwise: " + chosen
	trained := func(args ...string) (event, notes string) {
		t.Helper()
		_, notes = runs(t, append([]string{"train", box, "-o", model}, args...)...)
		out, _ := runs(t, "inspect", model)
		_, event, _ = strings.Cut(out, "event model  ")
		event, _, _ = strings.Cut(event, "\n")
		return event, notes
	}
	written := func() []byte {
		t.Helper()
		file, err := os.ReadFile(model)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}

	event, notes := trained()
	if !strings.Contains(notes, noted+" --max-fpr spam=0.001\n") {
		t.Errorf("train notes %q", notes)
	}
	if !strings.HasPrefix(event, "calibrated cutoffs=spam=") || !strings.Contains(event, "corrected strength=1 spread trust=0.4 ") {
		t.Errorf("train has %s", event)
	}
	found := written()
	trained("--format", "mail")
	if !bytes.Equal(written(), found) {
		t.Error("another model where the format is given")
	}
	if _, notes := trained(append(strings.Fields(chosen), "--max-fpr", "spam=0.001")...); strings.Contains(notes, "for mail") || !bytes.Equal(written(), found) {
		t.Errorf("another model with the flags that are noted, or noted again: %s", notes)
	}

	for _, words := range [][]string{{"cv", box, "--folds", "2"}, {"cv", box, "--folds", "progressive"}} {
		_, notes := runs(t, words...)
		if !strings.Contains(notes, noted) || strings.Contains(notes, "--max-fpr") != (words[3] == "2") {
			t.Errorf("%v notes %q", words, notes)
		}
	}
	if _, notes := runs(t, "cv", box, "--folds", "loo"); !strings.Contains(notes, "otherwise: --subwords 4 --weighting presence\n") {
		t.Errorf("leaving one out notes %q", notes)
	}
}

// A flag that is given decides what it is about, and what the mail cannot have is left out.
func TestMailDefaultsGiven(t *testing.T) {
	var (
		both  = map[string]int{ham: 12, spam: 12}
		model = filepath.Join(t.TempDir(), "m.nb")
	)
	for _, test := range []struct {
		mail  map[string]int
		flags string
		noted string // of the defaults; empty: nothing
		event string // how the event model begins
	}{
		{both, "--ngrams 1-2", "--weighting presence --correct --spread --trust 0.4 --max-fpr spam=0.001", "calibrated cutoffs=spam="},
		{both, "--analyzer chars --weighting log --correct --trust 0.5 --spread=false", "--max-fpr spam=0.001", "calibrated cutoffs=spam="},
		{both, "--correct --strength 3", "--subwords 4 --weighting presence --spread --trust 0.4 --max-fpr spam=0.001", "calibrated cutoffs=spam="},
		{both, "--correct=false", "--subwords 4 --weighting presence", "multinomial "},
		{both, "--model complement", "--subwords 4 --weighting presence", "complement "},
		{both, "--max-fpr spam=0.5", "--subwords 4 --weighting presence --correct --spread --trust 0.4", "calibrated cutoffs=spam="},
		{both, "--alpha evidence-documents", "", "multinomial smoothing=evidence-documents"},
		{both, "--idf", "--subwords 4 --correct --spread --trust 0.4 --max-fpr spam=0.001", "calibrated cutoffs=spam="},
		{map[string]int{ham: 12, "newsletter": 12}, "", "--subwords 4 --weighting presence --correct --spread --trust 0.4 --calibrate temperature", "calibrated temperature="},
		{map[string]int{ham: 12, "newsletter": 12}, "--calibrate none", "--subwords 4 --weighting presence --correct --spread --trust 0.4", "corrected "},
		{map[string]int{ham: 12, spam: 12, "newsletter": 12}, "", "--subwords 4 --weighting presence --correct --spread --trust 0.4 --calibrate temperature", "calibrated temperature="},
		{map[string]int{ham: 12, spam: 4}, "", "--subwords 4 --weighting presence", "multinomial "},
		{map[string]int{spam: 12}, "", "--subwords 4 --weighting presence", "multinomial "},
	} {
		box := writeMail(t, test.mail)
		args := append([]string{"train", box, "-o", model}, strings.Fields(test.flags)...)
		_, notes := runs(t, args...)
		_, noted, _ := strings.Cut(notes, "for mail, unless flags say otherwise: ")
		if noted, _, _ = strings.Cut(noted, "\n"); noted != test.noted {
			t.Errorf("%v of %v: %q is noted, want %q", test.flags, test.mail, noted, test.noted)
		}
		out, _ := runs(t, "inspect", model)
		if !strings.Contains(out, "event model  "+test.event) {
			t.Errorf("%v of %v:\n%s", test.flags, test.mail, out)
		}
	}
}

// What a search has found of mail is trained as it was found, and other formats are trained as ever.
func TestMailDefaultsLeave(t *testing.T) {
	box, model := writeMail(t, map[string]int{ham: 12, spam: 12}), filepath.Join(t.TempDir(), "m.nb")
	for _, args := range [][]string{
		{"train", box, "--auto", "--correct=false", "--analyzer", "whitespace", "--weighting", "count", "--min-df", "1", "--model", "multinomial", "--alpha", "1", "-o", model},
		{"train", box, "--format", "dir", "-o", model},
	} {
		if _, notes := runs(t, args...); strings.Contains(notes, "for mail") {
			t.Errorf("%v notes %q", args, notes)
		}
	}
}

// A model of mail answers three ways, and goes on to learn.
func TestMailDefaultsLearn(t *testing.T) {
	box, model := writeMail(t, map[string]int{ham: 30, spam: 20}), filepath.Join(t.TempDir(), "m.nb")
	runs(t, "train", box, "-o", model)
	before, _ := runs(t, "predict", model, box, "--json")
	if n := strings.Count(before, `"log_joint":{"ham":`); n != 50 {
		t.Fatalf("%d lines of 50 mails have scores:\n%s", n, before)
	}
	if n := strings.Count(before, `{"label":"spam"`); n != 20 {
		t.Errorf("%d of 20 spam are found:\n%s", n, before)
	}
	runs(t, "learn", model, writeMail(t, map[string]int{ham: 2, spam: 2}))
	out, _ := runs(t, "inspect", model)
	if !strings.Contains(out, "cutoffs=spam=") || !strings.Contains(out, "54") {
		t.Errorf("after learning:\n%s", out)
	}
}
