package store

import (
	"errors"
	"testing"
	"time"

	"bayes"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var attrs = cmp.AllowUnexported(bayes.Attr{})

func drawEvent(t *rapid.T) Event {
	e := Event{
		Op:   rapid.SampledFrom([]Op{OpLearn, OpUnlearn, OpRelabel, opBegin}).Draw(t, "op"),
		Time: time.UnixMilli(rapid.Int64Range(-1e15, 1e15).Draw(t, "time")),
		ID:   rapid.String().Draw(t, "id"),
	}
	if e.hasExample() {
		e.Example = bayes.Example{Label: rapid.String().Draw(t, "label"), Text: rapid.String().Draw(t, "text"), Weight: 1}
		if rapid.Bool().Draw(t, "attr") {
			e.Example.Attrs = []bayes.Attr{bayes.Category("from", rapid.String().Draw(t, "from"))}
		}
	}
	return e
}

func TestEventsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEvent(t)
		b, err := e.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var got Event
		if err := got.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e, got, attrs); diff != "" {
			t.Fatal(diff)
		}
	})
}

// No flipped byte and no missing end goes unnoticed.
func TestDamagedEvents(t *testing.T) {
	b, _ := Event{Op: OpLearn, Time: time.UnixMilli(1e12), ID: "1", Example: bayes.Example{Label: "a", Text: "b"}}.MarshalBinary()
	for i := range b {
		var e Event
		if err := e.UnmarshalBinary(b[:i]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("cut to %d bytes: %v", i, err)
		}
		b[i] ^= 0x55
		if err := e.UnmarshalBinary(b); !errors.Is(err, ErrCorrupt) {
			t.Errorf("byte %d flipped: %v", i, err)
		}
		b[i] ^= 0x55
	}
}
