package bayes_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"bayes"
)

// sampleFile returns a small file with every kind of section.
func sampleFile(t testing.TB) []byte {
	t.Helper()
	c := bayes.NewCounts(&bayes.Space{
		Labels:     []string{"China", "Japan", "none"},
		Vocabulary: []string{"chinese", "beijing", "tokyo", "japan", "unseen"},
	})
	for _, ex := range iirTraining {
		c.Learn(ex)
	}
	c.Learn(bayes.Example{Label: "Japan", Text: "tokyo tokyo", Weight: .3})
	return saved(t, c)
}

func saved(t testing.TB, c *bayes.Counts) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := bayes.Save(&b, c, bayes.Multinomial{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The example of docs/format.md, byte for byte.
func TestFormatExample(t *testing.T) {
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "ham", Text: "see you"})
	c.Learn(bayes.Example{Label: "spam", Text: "win win"})
	got := saved(t, c)
	header := "bayes model 1\nspace default\nevent multinomial smoothing=1 prior=empirical\nclasses 2\nfeatures 3\nexamples 2\nchecksum adda7397\n\n"
	if !bytes.HasPrefix(got, []byte(header)) {
		t.Errorf("header:\n%s", got[:len(header)])
	}
	for _, payload := range []string{
		"CLAS\x0d\x00\x00\x00\x00\x00\x00\x00" + "\x03ham\x02\x04" + "\x04spam\x02\x04",
		"TERM\x0f\x00\x00\x00\x00\x00\x00\x00" + "\x00\x03see" + "\x00\x03win" + "\x00\x03you",
		"MOME\x0a\x00\x00\x00\x00\x00\x00\x00" + "\x01\x00\x08" + "\x01\x01\x0a\x08" + "\x01\x00\x08",
		"END.\x00\x00\x00\x00\x00\x00\x00\x00",
	} {
		if !bytes.Contains(got, []byte(payload)) {
			t.Errorf("no section %q in %q", payload, got[len(header):])
		}
	}
}

// wantFormatError wants one line that names section and offset.
func wantFormatError(t *testing.T, what string, data []byte) {
	t.Helper()
	_, _, err := bayes.Load(bytes.NewReader(data))
	var fe *bayes.FormatError
	if !errors.As(err, &fe) || fe.Section == "" || fe.Offset < 0 || fe.Offset > int64(len(data)) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: error %v", what, err)
	}
}

func TestDamagedFiles(t *testing.T) {
	whole := sampleFile(t)
	if _, _, err := bayes.Load(bytes.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		wantFormatError(t, "cut short", whole[:n])
		for bit := range 8 {
			flipped := bytes.Clone(whole)
			flipped[n] ^= 1 << bit
			wantFormatError(t, "a flipped bit", flipped)
		}
	}
	wantFormatError(t, "trailing bytes", append(bytes.Clone(whole), 0))
	wantFormatError(t, "text", []byte("label,text\nspam,win\n"))
	newer := bytes.Replace(whole, []byte("bayes model 1"), []byte("bayes model 2"), 1)
	if _, _, err := bayes.Load(bytes.NewReader(newer)); err == nil || !strings.Contains(err.Error(), "version 2 is newer than this program") {
		t.Errorf("a newer version: %v", err)
	}
}

func TestUnmarshalKeepsCountsOnError(t *testing.T) {
	c := bayes.NewCounts(nil)
	c.Learn(iirTraining[0])
	before := c.Clone()
	if err := c.UnmarshalBinary([]byte("nonsense")); err == nil || !c.Equal(before) {
		t.Errorf("error %v, equal %v", err, c.Equal(before))
	}
	b, err := before.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.UnmarshalBinary(b); err != nil || !c.Equal(before) {
		t.Errorf("error %v, equal %v", err, c.Equal(before))
	}
	if _, _, err := bayes.Load(bytes.NewReader(b)); err == nil {
		t.Error("counts without an event model are loaded as a model")
	}
}

// A file that is read is written back byte for byte: there is one spelling.
func FuzzLoad(f *testing.F) {
	f.Add(sampleFile(f))
	f.Add(saved(f, bayes.NewCounts(nil)))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, em, err := bayes.Load(bytes.NewReader(data))
		if err != nil {
			return
		}
		if m, err := bayes.Fit(c, em); err == nil {
			m.Predict(bayes.Document{Text: "chinese tokyo"})
		}
		var b bytes.Buffer
		if err := bayes.Save(&b, c, em); err != nil {
			t.Fatal(err)
		}
		again, _, err := bayes.Load(bytes.NewReader(b.Bytes()))
		if err != nil || !again.Equal(c) {
			t.Fatalf("what was read is not what was written: %v", err)
		}
	})
}

// A failingWriter takes so many pieces.
type failingWriter struct{ left int }

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.left == 0 {
		return 0, io.ErrShortWrite
	}
	w.left--
	return len(b), nil
}

// A writer's error is returned, and then the counts are read no more.
func TestSaveFails(t *testing.T) {
	defer bayes.SetPartRows(bayes.SetPartRows(100))
	c := bayes.NewCounts(nil)
	for i := range 5000 {
		c.Learn(bayes.Example{Label: fmt.Sprint(i % 3), Text: fmt.Sprintf("word%d word%d", i, i+1)})
	}
	for pieces := range 4 {
		if err := bayes.Save(&failingWriter{pieces}, c, bayes.Multinomial{}); err != io.ErrShortWrite {
			t.Errorf("after %d pieces: %v", pieces, err)
		}
		for i := range 5000 {
			c.Learn(bayes.Example{Label: "0", Text: fmt.Sprintf("word%d", i)})
		}
	}
}

// However many rows are encoded at a time, the bytes are the same.
func TestSaveInParts(t *testing.T) {
	c := bayes.NewCounts(nil)
	for i := range 300 {
		c.Learn(bayes.Example{Label: fmt.Sprint(i % 3), Text: fmt.Sprintf("word%d word%d other%d", i, i+1, i%50)})
	}
	want, err := c.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 7, 64} {
		before := bayes.SetPartRows(n)
		got, err := c.AppendBinary([]byte("before"))
		bayes.SetPartRows(before)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != "before"+string(want) {
			t.Errorf("%d rows at a time make other bytes", n)
		}
	}
}
