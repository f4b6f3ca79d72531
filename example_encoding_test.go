package bayes_test

import (
	"bytes"
	"math"
	"testing"

	"bayes"

	"pgregory.net/rapid"
)

// What an example counts for survives its encoding, and equal examples are
// equal bytes.
func TestExampleBinary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ex := drawExample(t)
		ex.Attrs = append(ex.Attrs, bayes.Term(rapid.String().Draw(t, "term"), rapid.Float64().Draw(t, "count")))
		ex.Text += rapid.String().Draw(t, "text")
		b, _ := ex.AppendBinary([]byte("front"))
		b, _ = bytes.CutPrefix(b, []byte("front"))
		var got bayes.Example
		if err := got.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		again, _ := got.MarshalBinary()
		if !bytes.Equal(b, again) {
			t.Fatalf("%q came back as %q", b, again)
		}
		learned, relearned := bayes.NewCounts(full), bayes.NewCounts(full)
		learned.Learn(ex)
		relearned.Learn(got)
		wantEqual(t, "decode(encode(x)) = x", learned, relearned)
	})
}

// A number that is missing is still missing.
func TestExampleBinaryMissing(t *testing.T) {
	ex := bayes.Example{Label: "a", Attrs: []bayes.Attr{bayes.Number("x", math.NaN())}}
	b, _ := ex.MarshalBinary()
	var got bayes.Example
	if err := got.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	c := bayes.NewCounts(nil)
	c.Learn(got)
	if _, numbers, _ := c.Attributes(); len(numbers) > 0 {
		t.Fatalf("numbers %q", numbers)
	}
}

// Bytes that decode are what the example encodes as: there is one spelling, but
// for lengths written long.
func FuzzExampleBinary(f *testing.F) {
	seed, _ := bayes.Example{
		Label: "a", Text: "b", Weight: 2,
		Attrs: []bayes.Attr{bayes.Text("t", "u"), bayes.Number("n", 1), bayes.Category("c", "d"), bayes.Term("k", 3)},
	}.MarshalBinary()
	f.Add(seed)
	f.Fuzz(func(t *testing.T, b []byte) {
		var ex, again bayes.Example
		if ex.UnmarshalBinary(b) != nil {
			return
		}
		once, _ := ex.MarshalBinary()
		if err := again.UnmarshalBinary(once); err != nil {
			t.Fatal(err)
		}
		if twice, _ := again.MarshalBinary(); !bytes.Equal(once, twice) {
			t.Fatalf("%q, then %q", once, twice)
		}
	})
}
