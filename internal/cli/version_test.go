package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bayes"
	"bayes/internal/golden"
	"bayes/internal/wire"
)

// TestUnlearnWithAnotherAnalyzer takes texts out of a model that another version of the
// analyzer put in: not without being told to.
func TestUnlearnWithAnotherAnalyzer(t *testing.T) {
	const old = "analysis=0"
	mails := []bayes.Example{{Label: "ham", Text: "lunch at noon"}, {Label: "spam", Text: "win a free prize"}}
	counted := func(examples ...bayes.Example) []byte {
		c := bayes.NewCounts(nil)
		for _, ex := range examples {
			c.Learn(ex)
		}
		var b bytes.Buffer
		if err := bayes.Save(&b, c, bayes.Multinomial{}); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	command := func(args ...string) (code int, stderr string) {
		var out, notes bytes.Buffer
		code = newApp(strings.NewReader(""), &out, &notes).run(context.Background(), args)
		return code, notes.String()
	}
	dir := t.TempDir()
	data, model, part := filepath.Join(dir, "a.csv"), filepath.Join(dir, "m.nb"), filepath.Join(dir, "part.nb")
	write := func(name string, content []byte) {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(data, []byte("label,text\nspam,win a prize\n"))
	ours := counted(mails...)
	write(part, ours)
	foreign := golden.WithVersion(counted(append(mails, bayes.Example{Label: "spam", Text: "win a prize"})...), old)
	write(model, foreign)
	for _, args := range [][]string{{"subtract", "-o", filepath.Join(dir, "out.nb"), model, part}, {"unlearn", model, data}} {
		code, stderr := command(args...)
		if code != 1 || !strings.Contains(stderr, `"analysis=0"`) || !strings.Contains(stderr, "--any-version") {
			t.Errorf("%s: exit %d, %s", args[0], code, stderr)
		}
		if b, _ := os.ReadFile(model); !bytes.Equal(b, foreign) {
			t.Errorf("%s: the model is not what it was", args[0])
		}
		if code, stderr := command(append(args, "--any-version")...); code != 0 {
			t.Errorf("%s --any-version: exit %d, %s", args[0], code, stderr)
		}
	}
	code, stderr := command("learn", model, data)
	if code != 0 || !strings.Contains(stderr, "note: "+model+": its texts were cut by version") {
		t.Errorf("learn: exit %d, %s", code, stderr)
	}
	if b, _ := os.ReadFile(model); !bytes.Equal(b, foreign) {
		t.Error("learned again, the model has other bytes than before it was unlearned")
	}
	code, stderr = command("merge", "-o", filepath.Join(dir, "merged.nb"), "--quiet=false", model, part)
	if code != 0 || !strings.Contains(stderr, "other versions of the analyzer") {
		t.Errorf("merge: exit %d, %s", code, stderr)
	}
	// A file of a release that says nothing is taken at its word.
	write(model, wire.Essential(foreign))
	if code, stderr := command("unlearn", model, data); code != 0 || strings.Contains(stderr, "note:") {
		t.Errorf("unlearn: exit %d, %s", code, stderr)
	}
	if b, _ := os.ReadFile(model); !bytes.Equal(b, wire.Essential(ours)) {
		t.Error("unlearned, the model is not the one without the text")
	}
}

// A model that was made of another program's sums says so, goes on learning, and unlearns nothing
// without being told to: what is to be taken out may be in no example of it.
func TestExamplesThatAreMadeUp(t *testing.T) {
	t.Chdir(t.TempDir())
	c := bayes.NewCounts(nil)
	c.Learn(bayes.Example{Label: "ham", Text: "lunch at noon"})
	c.Learn(bayes.Example{Label: "spam", Text: "win a prize"})
	var b bytes.Buffer
	if err := bayes.Save(&b, c, bayes.Multinomial{}); err != nil {
		t.Fatal(err)
	}
	marked := golden.WithVersion(b.Bytes(), c.AnalyzerVersion()+" "+MadeUp+"scikit-learn")
	for name, content := range map[string][]byte{"a.nb": marked, "plain.nb": b.Bytes(), "a.csv": []byte("label,text\nspam,win a prize\n")} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const note, refused = "note: a.nb: made of a model of scikit-learn, which keeps no examples", "a.nb: made of a model of scikit-learn, which keeps no examples: what is subtracted may not be in it; give --any-version"
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"inspect a.nb", exitDone, note},
		{"unlearn a.nb a.csv", exitFailed, refused},
		{"subtract a.nb plain.nb -o b.nb", exitFailed, refused},
		{"merge a.nb plain.nb -o b.nb", exitDone, note},
		{"learn a.nb a.csv", exitDone, note},
		{"unlearn a.nb a.csv --any-version", exitDone, note},
	} {
		code, said := inTemp(strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(said, c.says) || strings.Contains(said, "cut by version") || strings.Contains(said, "other versions") {
			t.Errorf("%s: exit code %d, want %d: %s", c.args, code, c.code, said)
		}
	}
	if got, err := os.ReadFile("a.nb"); err != nil || !bytes.Equal(got, marked) {
		t.Errorf("learned and unlearned, the model is another one: %v", err)
	}
}
