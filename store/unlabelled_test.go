package store

import (
	"bytes"
	"testing"

	"bayes"
	"bayes/internal/unlabelled"
)

// A store keeps what examples without a label add, apart from what it learns and unlearns, in its model, in
// snapshots and when it is opened again.
func TestUnlabelled(t *testing.T) {
	c := bayes.NewCounts(nil)
	for _, ex := range []bayes.Example{
		{Label: "sport", Text: "the match"}, {Label: "money", Text: "the bank"},
		{Label: unlabelled.Label("sport"), Text: "match cup", Weight: .25}, {Label: unlabelled.Label("money"), Text: "bank loan", Weight: .25},
	} {
		c.Learn(ex)
	}
	dir := t.TempDir()
	s := mustOpen(t, dir, nil, &Options{Counts: c, Model: bayes.Multinomial{}, SnapshotEvery: 2})
	begin := file(t, s)
	cup := bayes.Document{Text: "cup"}
	if p := s.Model().Predict(cup); p.Best().Class != "sport" || len(p.Classes) != 2 {
		t.Errorf("%+v", p)
	}
	if _, err := s.Learn(ctx, entry("1", "money", "cup"), entry("2", "money", "cup"), entry("3", "work", "desk")); err != nil {
		t.Fatal(err)
	}
	if p := s.Model().Predict(cup); p.Best().Class != "money" || len(p.Classes) != 3 {
		t.Errorf("%+v", p)
	}
	if _, err := s.Unlearn(ctx, "1", "2", "3"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file(t, s), begin) {
		t.Error("learned and unlearned, the store has another file")
	}
	s.Close()
	if got := s.ClassExamples([]string{"money", "sport"}); got[0] != 1 || got[1] != 1 {
		t.Errorf("%v labelled examples", got)
	}
	again := mustOpen(t, dir, nil, nil)
	defer again.Close()
	if p := again.Model().Predict(cup); !bytes.Equal(file(t, again), begin) || p.Best().Class != "sport" {
		t.Errorf("opened again it has another file, or predicts %+v", p)
	}
}
