package store

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"bayes"
)

// correctedMail returns the counts of some examples, and the event model with what they teach it.
func correctedMail(t *testing.T) (*bayes.Counts, bayes.EventModel) {
	t.Helper()
	c, err := bayes.ReadCorpus(ctx, nil, func(yield func(bayes.Example, error) bool) {
		for i := range 40 {
			for _, ex := range []bayes.Example{
				{Label: "spam", Text: fmt.Sprintf("win a free prize w%d", i%7)}, {Label: "ham", Text: fmt.Sprintf("see you at lunch v%d", i%5)}, {Label: "ham", Text: "lunch is free"},
			} {
				if !yield(ex, nil) {
					return
				}
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	em, err := c.Correct(ctx, bayes.Calibrated{Temperature: 1.5, Model: bayes.Corrected{Trust: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return c.Counts(), em
}

// A store keeps the correction of its model while it learns and unlearns, in snapshots, backups and
// replicas; and one correction of a user moves the answer.
func TestCorrectedModel(t *testing.T) {
	c, em := correctedMail(t)
	dir := t.TempDir()
	s := mustOpen(t, dir, nil, &Options{Counts: c, Model: em, SnapshotEvery: 2})
	begin := file(t, s)
	var want bytes.Buffer
	if err := bayes.Save(&want, c, em); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(begin, want.Bytes()) {
		t.Error("the store does not begin with the model's file")
	}
	asked := bayes.Document{Text: "cheap watches free"}
	before := s.Model().Predict(asked)
	learned := entry("1", before.Classes[1].Class, asked.Text)
	if _, err := s.Learn(ctx, learned); err != nil {
		t.Fatal(err)
	}
	if after := s.Model().Predict(asked); after.Best().Class != learned.Example.Label {
		t.Errorf("before %v, and after it was corrected %v", before, after)
	}
	if _, err := s.Learn(ctx, entry("2", "work", "the quarterly report"), entry("3", "work", "a report is due")); err != nil {
		t.Fatal(err)
	}
	if p := s.Model().Predict(bayes.Document{Text: "the report"}); p.Best().Class != "work" {
		t.Errorf("a class that is newer than the correction: %v", p)
	}
	if _, err := s.Unlearn(ctx, "1", "2", "3"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file(t, s), begin) {
		t.Error("learned and unlearned, the store has another file")
	}
	backup := filepath.Join(t.TempDir(), "backup")
	if err := s.Backup(backup); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for _, dir := range []string{dir, backup} {
		again := mustOpen(t, dir, nil, nil)
		if !bytes.Equal(file(t, again), begin) || bayes.CorrectionOf(again.Model().EventModel()).Examples() != 120 {
			t.Errorf("opened again, %s has another file", dir)
		}
		again.Close()
	}
	report, err := Check(dir)
	if err != nil || len(report.Damage) > 0 || bayes.CorrectionOf(report.Model).Len() == 0 {
		t.Errorf("%+v, %v", report, err)
	}
}
