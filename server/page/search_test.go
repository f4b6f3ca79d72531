package page_test

import (
	"context"
	"testing"

	"bayes"
	evaluation "bayes/eval"
	"bayes/internal/browser"
	"bayes/server"
)

// trySmoothings is a search among two smoothings.
func trySmoothings(ctx context.Context, t server.TableSearch) (*server.FoundModel, error) {
	models := []bayes.EventModel{bayes.Multinomial{}, bayes.Multinomial{Smoothing: bayes.Additive(0.1)}}
	found, err := evaluation.Search(ctx, t.Examples, []evaluation.Candidate{{Space: new(bayes.Space), Models: models}}, &evaluation.SearchOptions{Folds: 2, Progress: t.Tried})
	if err != nil {
		return nil, err
	}
	c, err := bayes.ReadCorpus(ctx, nil, func(yield func(bayes.Example, error) bool) {
		for _, ex := range t.Examples {
			if !yield(ex, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		return nil, err
	}
	best := found[0].Trials[found[0].Best]
	return &server.FoundModel{Counts: c.Counts(), Model: best.Model, Flags: "--alpha 0.1", Accuracy: best.Accuracy, Documents: found[0].Examples}, nil
}

// A table's best settings are searched for; how far that is is shown, it can be cancelled, and the
// accuracy of rows held out stands beside the result.
func TestSearch(t *testing.T) {
	ended := make(chan bool, 1)
	u := user{browser.Open(t), t}
	s := open(t, server.Options{Search: func(ctx context.Context, t server.TableSearch) (*server.FoundModel, error) {
		if t.Space != "ko" {
			return trySmoothings(ctx, t)
		}
		t.Tried(len(t.Examples), 1, 2)
		<-ctx.Done()
		ended <- true
		return nil, ctx.Err()
	}})
	u.Visit(t, s.address(), 1280, "light")
	u.see("models")
	u.give("#table", "best.csv", "label,text\nspam,win money\nspam,win a prize\nham,see you at lunch\nham,lunch at noon\n")
	u.wait("the columns are guessed", `document.querySelector('#role-1')?.value === 'text'`)
	eval[bool](u, `document.querySelector('#new-auto').click(), true`)
	eval[bool](u, `(e => { e.value = 'ko'; return e.dispatchEvent(new Event('change')) })(document.querySelector('#new-language'))`)
	eval[bool](u, `document.querySelector('#new-name').form.requestSubmit(), true`)
	u.sees("#view-models .progress", "1 of 2 settings tried on 4 rows")
	eval[bool](u, `document.querySelector('#view-models [data-act=cancel]').click(), true`)
	<-ended
	u.hidden("#view-models .progress")
	u.hidden("#trouble")
	if s.catalog.Store("best") != nil {
		t.Error("a search that was cancelled made a model")
	}
	eval[bool](u, `(e => { e.value = ''; return e.dispatchEvent(new Event('change')) })(document.querySelector('#new-language'))`)
	eval[bool](u, `document.querySelector('#new-name').form.requestSubmit(), true`)
	u.sees(".made", "best has learned 4 examples of 2 classes")
	u.sees(".made", "Accuracy on rows held out: 100.0% (settings tried on 4 rows)")
	u.Clean(t, s.address())
}
