package cli

import (
	"context"
	"strings"

	"bayes"
	"bayes/eval"

	"github.com/spf13/cobra"
)

// An AutoTraining is what train --auto makes of examples.
type AutoTraining struct {
	Counts    *bayes.Counts
	Model     bayes.EventModel
	Flags     string  // of train, that were chosen
	Accuracy  float64 // of examples held out
	Documents int     // on how many the chosen flags were tried
}

// TrainAuto is train --auto of examples that are in memory rather than in files. The flags are those of train, --budget
// among them. It calls tried as [eval.SearchOptions] has it. If ctx is done there is no model.
func (a *App) TrainAuto(ctx context.Context, flags []string, examples []bayes.Example, tried func(examples, done, all int)) (*AutoTraining, error) {
	t, s := new(Trainer), &searchFlags{folds: 5, seed: 1}
	cmd := &cobra.Command{Use: "train"}
	cmd.SetContext(ctx)
	t.AddFlags(cmd)
	t.AddLabelFlags(cmd)
	s.addFlags(cmd)
	if err := cmd.ParseFlags(flags); err != nil {
		return nil, err
	}
	metric, err := eval.ParseMetric(s.metric)
	if err != nil {
		return nil, err
	}
	a.tried = tried
	defer spareMemory()()
	found, err := a.searchExamples(cmd, t, s, examples, len(t.Text) > 0 || !t.hasColumns(), metric, []string{"the table"})
	if err != nil {
		return nil, err
	}
	with := found.trainer(t)
	space, err := with.Space(cmd)
	if err != nil {
		return nil, err
	}
	out := &AutoTraining{Accuracy: found.trials[0].Accuracy, Documents: found.trials[0].documents}
	if out.Counts, out.Model, err = a.TrainOn(cmd, with, space, streamOf(examples)); err != nil {
		return nil, err
	}
	with.Remember(out.Counts)
	var chosen []string
	for _, f := range found.best.flags() {
		chosen = append(chosen, strings.TrimSpace("--"+f.name+" "+f.value))
	}
	out.Flags = strings.Join(chosen, " ")
	return out, nil
}
