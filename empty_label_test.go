package bayes

import (
	"bytes"
	"context"
	"iter"
	"testing"
)

// An empty label is not a class: Learn leaves such an example out, and what returns errors
// returns one. Files of earlier versions, in which it is a class, stay what they are.
func TestEmptyLabel(t *testing.T) {
	c := NewCounts(nil)
	c.Learn(Example{Label: "ham", Text: "lunch"})
	c.Learn(Example{Text: "prize"})
	if c.Examples() != 1 || len(c.Classes()) != 1 || c.Len() != 1 {
		t.Errorf("%d examples of classes %q, %d terms", c.Examples(), c.Classes(), c.Len())
	}
	c.Unlearn(Example{Text: "prize"})
	if _, err := Fit(c, nil); err != nil {
		t.Error(err)
	}
	examples := iter.Seq2[Example, error](func(yield func(Example, error) bool) {
		_ = yield(Example{Label: "ham", Text: "lunch"}, nil) && yield(Example{Text: "prize"}, nil)
	})
	const want = "bayes: an example has no label"
	for _, workers := range []int{1, 3} {
		if _, err := Count(context.Background(), nil, examples, &CountOptions{Workers: workers}); err == nil || err.Error() != want {
			t.Errorf("Count: %v", err)
		}
		if _, err := ReadCorpus(context.Background(), nil, examples, &CountOptions{Workers: workers}); err == nil || err.Error() != want {
			t.Errorf("ReadCorpus: %v", err)
		}
	}
	// A class of an earlier version, by way of its file.
	c.class("")
	c.Learn(Example{Text: "prize"})
	var file bytes.Buffer
	if err := Save(&file, c, Multinomial{}); err != nil {
		t.Fatal(err)
	}
	old, em, err := Load(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	old.Learn(Example{Text: "entry"})
	old.Unlearn(Example{Text: "entry"})
	var again bytes.Buffer
	if err := Save(&again, old, em); err != nil || !bytes.Equal(again.Bytes(), file.Bytes()) {
		t.Errorf("the file is another: %v", err)
	}
	if m, err := LoadModel(bytes.NewReader(file.Bytes())); err != nil || m.Predict(Document{Text: "prize"}).Best().Class != "" {
		t.Errorf("the model does not open: %v", err)
	}
}
