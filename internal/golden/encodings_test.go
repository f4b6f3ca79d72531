package golden_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/internal/golden"
	"bayes/store"
)

func fromHex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// encoded are examples that together have all that an encoding has a byte for.
var encoded = []bayes.Example{
	{},
	{Label: "spam", Text: "win a free prize", Weight: 1},
	{Label: "정상", Text: "line\nfeed \x00 and \xff", Weight: 2.5},
	{Label: "a", Attrs: []bayes.Attr{bayes.Text("title", "hello"), bayes.Number("x", -1e-300), bayes.Number("", math.Inf(1)), bayes.Category("c", ""), bayes.Term("k", 3)}},
	{Label: strings.Repeat("long", 40), Text: strings.Repeat("x", 300)},
}

// events are events that together have all that an encoding has a byte for.
func events() []store.Event {
	at := time.UnixMilli(1764000000123)
	list := []store.Event{
		{Op: 'B', Time: at, ID: strings.Repeat("0f", 32)},
		{Op: store.OpUnlearn, Time: at, ID: "7"},
		{Op: store.OpRelabel, Time: time.UnixMilli(-1), ID: "message-é", Example: bayes.Example{Label: "ham"}},
	}
	for i, ex := range encoded {
		list = append(list, store.Event{Op: store.OpLearn, Time: at.Add(time.Duration(i) * time.Second), ID: strings.Repeat("i", i), Example: ex})
	}
	return list
}

// TestGoldenEncodings holds examples, as the store keeps documents, and events, as
// log.db and the stream of Redis keep them, to their bytes.
func TestGoldenEncodings(t *testing.T) {
	golden.New(t, "examples.hex", func(path string) {
		var lines strings.Builder
		for _, ex := range encoded {
			b, err := ex.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&lines, "%x\n", b)
		}
		golden.Write(t, path, []byte(lines.String()))
	})
	golden.New(t, "events.hex", func(path string) {
		var lines strings.Builder
		for _, e := range events() {
			b, err := e.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&lines, "%x\n", b)
		}
		golden.Write(t, path, []byte(lines.String()))
	})
	golden.Each(t, "examples.hex", func(t *testing.T, path string) {
		lines := strings.Fields(string(golden.Read(t, path)))
		if len(lines) != len(encoded) {
			t.Fatalf("%d examples, of %d", len(lines), len(encoded))
		}
		for i, line := range lines {
			var got bayes.Example
			if err := got.UnmarshalBinary(fromHex(t, line)); err != nil {
				t.Fatal(err)
			}
			want := encoded[i]
			if want.Weight == 0 {
				want.Weight = 1
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("example %d is %v, not %v", i, got, want)
			}
			if b, _ := encoded[i].MarshalBinary(); fmt.Sprintf("%x", b) != line {
				t.Errorf("example %d has other bytes", i)
			}
		}
	})
	golden.Each(t, "events.hex", func(t *testing.T, path string) {
		want := events()
		lines := strings.Fields(string(golden.Read(t, path)))
		if len(lines) != len(want) {
			t.Fatalf("%d events, of %d", len(lines), len(want))
		}
		for i, line := range lines {
			var got store.Event
			if err := got.UnmarshalBinary(fromHex(t, line)); err != nil {
				t.Fatal(err)
			}
			if got.Op != want[i].Op || !got.Time.Equal(want[i].Time) || got.ID != want[i].ID || got.Example.Label != want[i].Example.Label || got.Example.Text != want[i].Example.Text {
				t.Errorf("event %d is %v, not %v", i, got, want[i])
			}
			if b, _ := got.MarshalBinary(); fmt.Sprintf("%x", b) != line {
				t.Errorf("event %d has other bytes", i)
			}
		}
	})
}
