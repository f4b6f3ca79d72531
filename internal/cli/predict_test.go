package cli

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A filter in a pipe answers each line before the next one comes, whatever the format.
func TestPredictLineByLine(t *testing.T) {
	dir := t.TempDir()
	data, model := filepath.Join(dir, "a.csv"), filepath.Join(dir, "m.nb")
	if err := os.WriteFile(data, []byte("label,text\nspam,win a prize\nham,see you at lunch\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said := inTemp("train", data, "-o", model); code != exitDone {
		t.Fatal(said)
	}
	for name, lines := range map[string][]string{
		"text":             {"win a prize", "see you"},
		"csv":              {"id,text\n1,win a prize", `2,"see you"`},
		"jsonl":            {`{"text": "win a prize"}`, `{"text": "see you"}`},
		"of few":           {"win", "see", "win", "see"},
		"after many":       {strings.Repeat("win\n", 700) + "see", "see", "win"},
		"csv, append":      {"id,text\n1,win a prize", `2,"see you"`, "3,\"win\na prize\""},
		"tsv, append":      {"id\ttext\n1\twin a prize", "2\tsee you"},
		"with blank lines": {"win", "", "see", ""},
	} {
		t.Run(name, func(t *testing.T) {
			in, typed := io.Pipe()
			printed, out := io.Pipe()
			// An answer that is kept back would have the test wait for ever.
			late := time.AfterFunc(time.Minute, func() { printed.CloseWithError(os.ErrDeadlineExceeded) })
			defer late.Stop()
			code := make(chan int)
			go func() {
				defer out.Close()
				args := []string{"predict", model}
				if strings.HasSuffix(name, "append") {
					args = append(args, "--append")
				}
				code <- newApp(in, out, io.Discard).run(context.Background(), args)
			}()
			answers := bufio.NewScanner(printed)
			for i, line := range lines {
				go io.WriteString(typed, line+"\n")
				n := strings.Count(line, "\n") + 1
				if name == "csv" && i == 0 {
					n-- // the header
				}
				for range n {
					if !answers.Scan() {
						t.Fatalf("no answer to line %d: %v", i+1, answers.Err())
					}
				}
			}
			typed.Close()
			go io.Copy(io.Discard, printed)
			if got := <-code; got != exitDone {
				t.Errorf("exit %d", got)
			}
		})
	}
}
