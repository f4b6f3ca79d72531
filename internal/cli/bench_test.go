package cli

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"bayes/internal/testdata"
)

// BenchmarkRun runs whole commands, from the arguments to the last line, in this process.
// Of these compare/profile makes the profile that cmd/bayes is compiled with.
func BenchmarkRun(b *testing.B) {
	model := filepath.Join(b.TempDir(), "nsmc.nb")
	frozen := filepath.Join(b.TempDir(), "frozen.nb")
	out := filepath.Join(b.TempDir(), "out.nb")
	bayes := func(b *testing.B, line string) {
		args := strings.Fields(line)
		for i, arg := range args {
			switch {
			case strings.HasSuffix(arg, ".csv"):
				args[i] = testdata.Path(b, arg)
			case arg == "MODEL":
				args[i] = model
			case arg == "FROZEN":
				args[i] = frozen
			case arg == "OUT":
				args[i] = out
			}
		}
		var stderr bytes.Buffer
		if code := newApp(strings.NewReader(""), io.Discard, &stderr).run(context.Background(), args); code != exitDone {
			b.Fatalf("bayes %s: exit code %d: %s", line, code, &stderr)
		}
	}
	bayes(b, "train nsmc/train.csv -o MODEL")
	bayes(b, "freeze MODEL -o FROZEN")
	for _, line := range []string{
		"train 20news/train.csv -o OUT",
		"train --workers 1 20news/train.csv -o OUT",
		"train --ngrams 1-2 20news/train.csv -o OUT",
		"train nsmc/train.csv -o OUT",
		"train livedoor/train.csv -o OUT",
		"predict MODEL nsmc/test.csv",
		"predict FROZEN nsmc/test.csv",
		"test MODEL nsmc/test.csv",
		"cv 20news/train.csv",
	} {
		b.Run("command="+strings.ReplaceAll(line, " ", "+"), func(b *testing.B) {
			for b.Loop() {
				bayes(b, line)
			}
		})
	}
}
