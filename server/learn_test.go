package server_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"bayes"
	"bayes/internal/long"
	"bayes/server"
)

// A receipt is what learning answers.
type receipt struct {
	Sequence uint64
	Applied  int
}

func (s *site) change(path, body string) receipt {
	s.t.Helper()
	return decode[receipt](s.t, s.want(200, s.post(path, body)).Body)
}

// batch returns the file of a model that was trained on examples at once.
func batch(t testing.TB, em bayes.EventModel, examples ...bayes.Example) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := bayes.Save(&b, counts(examples...), em); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// After any learning, relabelling and unlearning, the snapshot is that of a batch
// training on what is left, byte for byte.
func TestLearnEqualsBatch(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	check := func(want ...bayes.Example) {
		t.Helper()
		if !bytes.Equal(s.snapshot(), batch(t, bayes.Multinomial{}, append(mail[:4:4], want...)...)) {
			t.Fatalf("the snapshot is not that of a batch of %v", want)
		}
	}
	steps := []struct {
		path, body string
		applied    int
		left       []bayes.Example
	}{
		{learnPath, `{"id":"1","label":"spam","text":"cheap pills"}`, 1, []bayes.Example{{Label: "spam", Text: "cheap pills"}}},
		{learnPath, `{"id":"1","label":"spam","text":"cheap pills"}`, 0, []bayes.Example{{Label: "spam", Text: "cheap pills"}}},
		{learnPath, `{"id":"1","label":"ham","text":"cheap pills"}`, 1, []bayes.Example{{Label: "ham", Text: "cheap pills"}}},
		{learnPath, `{"id":"1","label":"spam"}`, 1, []bayes.Example{{Label: "spam", Text: "cheap pills"}}},
		{learnPath, `{"id":"1","label":"spam"}`, 0, []bayes.Example{{Label: "spam", Text: "cheap pills"}}},
		{learnPath, `{"id":"1","label":"spam","text":"cheaper pills"}`, 1, []bayes.Example{{Label: "spam", Text: "cheaper pills"}}},
		{learnPath, `{"documents":[{"id":"2","label":"ham","text":"a b"},{"label":"spam","text":"c"},{"id":"1","label":"ham"}]}`, 3,
			[]bayes.Example{{Label: "ham", Text: "cheaper pills"}, {Label: "ham", Text: "a b"}, {Label: "spam", Text: "c"}}},
		{learnPath + "?new_labels=true", `{"id":"3","label":"eggs","text":"d"}`, 1,
			[]bayes.Example{{Label: "ham", Text: "cheaper pills"}, {Label: "ham", Text: "a b"}, {Label: "spam", Text: "c"}, {Label: "eggs", Text: "d"}}},
		{unlearnPath, `{"documents":[{"id":"3"},{"id":"2"},{"id":"nobody"}]}`, 2, []bayes.Example{{Label: "ham", Text: "cheaper pills"}, {Label: "spam", Text: "c"}}},
		{unlearnPath, `{"id":"1"}`, 1, []bayes.Example{{Label: "spam", Text: "c"}}},
	}
	last := uint64(0)
	for _, step := range steps {
		got := s.change(step.path, step.body)
		if got.Applied != step.applied || got.Sequence <= last {
			t.Errorf("%s: %+v after %d, want %d applied", step.body, got, last, step.applied)
		}
		last = got.Sequence
		check(step.left...)
	}
	if got := s.get("/v1/models/mail/snapshot").Header.Get("Bayes-Sequence"); got != fmt.Sprint(last) {
		t.Errorf("the snapshot is of event %s, not %d", got, last)
	}
	s.visible()
	if got := decode[struct{ Probabilities map[string]float64 }](t, s.post(predictPath, `{"text":"c"}`).Body); len(got.Probabilities) != 2 {
		t.Errorf("classes %v, though eggs has been unlearned", got.Probabilities)
	}
}

// A batch with a bad document changes nothing.
func TestLearnAllOrNone(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	before := s.snapshot()
	for _, body := range []string{
		`{"documents":[{"label":"spam","text":"a"},{"label":"eggs","text":"b"}]}`,
		`{"documents":[{"label":"spam","text":"a"},{"label":"spam"}]}`,
		`{"documents":[{"label":"spam","text":"a"},{"text":"a"}]}`,
	} {
		got := s.want(422, s.post(learnPath, body))
		if !strings.Contains(got.Body, "documents[1]: ") {
			t.Errorf("%s: which document? %s", body, got.Body)
		}
	}
	if !bytes.Equal(before, s.snapshot()) {
		t.Error("half a batch was learned")
	}
	if got := s.change(learnPath, `{"documents":[]}`); got.Applied != 0 {
		t.Errorf("no documents: %+v", got)
	}
}

// Many clients learn, relabel and unlearn their own documents while others
// predict, explain and look; what is left is what a batch gives.
func TestConcurrently(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	const clients = 8
	rounds := 60
	if long.Sample(t, "60 changes of each client, not 15") {
		rounds = 15
	}
	var (
		wg   sync.WaitGroup
		left [clients][]bayes.Example
		done = make(chan struct{})
	)
	for k := range clients {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(k)))
			known := make(map[string]bayes.Example)
			for range rounds {
				id := fmt.Sprintf("%d-%d", k, r.IntN(10))
				ex := bayes.Example{Label: []string{"ham", "spam"}[r.IntN(2)], Text: fmt.Sprintf("word%d word%d", r.IntN(50), r.IntN(50))}
				old, ok := known[id]
				var got reply
				switch {
				case ok && r.IntN(3) == 0:
					delete(known, id)
					got = s.post(unlearnPath, fmt.Sprintf(`{"id":%q}`, id))
				case ok && r.IntN(2) == 0:
					old.Label = ex.Label
					known[id] = old
					got = s.post(learnPath, fmt.Sprintf(`{"id":%q,"label":%q}`, id, ex.Label))
				default:
					known[id] = ex
					got = s.post(learnPath, fmt.Sprintf(`{"id":%q,"label":%q,"text":%q}`, id, ex.Label, ex.Text))
				}
				if got.Status != 200 {
					t.Errorf("status %d: %s", got.Status, got.Body)
					return
				}
			}
			for _, ex := range known {
				left[k] = append(left[k], ex)
			}
		})
	}
	var readers sync.WaitGroup
	for _, read := range []func() reply{
		func() reply { return s.post(predictPath, `{"text":"word1 word2 free"}`) },
		func() reply { return s.post(explainPath+"?work=true", `{"text":"word1 word2 free"}`) },
		func() reply {
			return s.do("POST", predictPath, asLines, strings.NewReader(strings.Repeat(`{"text":"word3"}`+"\n", 100)))
		},
		func() reply { return s.get("/v1/models") },
		func() reply { return s.get("/v1/models/mail/terms") },
		func() reply { return s.get("/v1/models/mail/snapshot") },
		func() reply { return s.get("/metrics") },
	} {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if got := read(); got.Status != 200 {
					t.Errorf("status %d: %s", got.Status, got.Body)
					return
				}
			}
		})
	}
	wg.Wait()
	close(done)
	readers.Wait()
	all := mail[:4:4]
	for _, list := range left {
		all = append(all, list...)
	}
	if !bytes.Equal(s.snapshot(), batch(t, bayes.Multinomial{}, all...)) {
		t.Error("the snapshot is not that of a batch of what is left")
	}
}
