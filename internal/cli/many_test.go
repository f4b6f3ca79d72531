package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of a model of more than a thousand classes, every command prints what a person can read:
// the worst classes, the pairs that are confused, the most probable classes.
func TestManyClasses(t *testing.T) {
	const classes = 1200
	dir := t.TempDir()
	data, model := filepath.Join(dir, "a.csv"), filepath.Join(dir, "m.nb")
	table := "label,text\n"
	for k := range classes {
		table += fmt.Sprintf("c%04d,common w%d v%d\n", k, k%40, k%50) // of 200 kinds, each of six classes
	}
	if err := os.WriteFile(data, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	says := func(args ...string) string {
		t.Helper()
		var out, said bytes.Buffer
		if code := newApp(strings.NewReader(""), &out, &said).run(context.Background(), append(args, "-q")); code != exitDone {
			t.Fatalf("%v: %s", args, said.String())
		}
		return out.String()
	}
	says("train", data, "-o", model)

	got := says("test", model, data)
	if !strings.Contains(got, "worst of 1,200 classes") || strings.Count(got, "\n") > 100 {
		t.Errorf("test prints %d lines:\n%.2000s", strings.Count(got, "\n"), got)
	}
	var metrics struct {
		Accuracy  float64
		Classes   []struct{ Support int }
		Labels    []string
		Confusion [][]int
		Confused  []struct {
			Label, Predicted string
			Documents        int
		}
	}
	unmarshal(t, says("test", model, data, "--json"), &metrics)
	if len(metrics.Classes) != classes || len(metrics.Labels) != classes || metrics.Confusion != nil {
		t.Errorf("%d classes, %d labels, a matrix of %d rows", len(metrics.Classes), len(metrics.Labels), len(metrics.Confusion))
	}
	if wrong := len(metrics.Confused); wrong != classes-classes/6 || metrics.Accuracy != 1./6 { // the first of six is right
		t.Errorf("%d pairs are confused, accuracy %v", wrong, metrics.Accuracy)
	}

	var answer struct {
		Probabilities map[string]float64
		LeftOut       int `json:"left_out"`
		Classes       []any
	}
	for _, tc := range []struct {
		args []string
		want int
	}{
		{[]string{"predict", model, "common w7"}, 10},
		{[]string{"predict", model, "common w7", "--top", "3"}, 3},
		{[]string{"predict", model, "common w7", "--top", "5000"}, classes},
		{[]string{"explain", model, "common w7"}, 10},
		{[]string{"explain", model, "common w7", "--top", "12"}, 12},
		{[]string{"explain", model, "common w7", "--work", "--top", "4"}, 4},
	} {
		answer.Probabilities, answer.Classes, answer.LeftOut = nil, nil, 0
		unmarshal(t, says(append(tc.args, "--json")...), &answer)
		if n := max(len(answer.Probabilities), len(answer.Classes)); n != tc.want || answer.LeftOut != classes-tc.want {
			t.Errorf("%v: %d classes, %d left out", tc.args, n, answer.LeftOut)
		}
	}
	if got := says("explain", model, "common w7", "--work"); strings.Count(got, "class c") != 10 || !strings.Contains(got, "those of 1,190 less probable") {
		t.Errorf("a derivation:\n%.3000s", got)
	}
	for _, args := range [][]string{{"inspect", model}, {"inspect", model, "--term", "common"}} {
		if got := says(args...); !strings.Contains(got, "largest of 1,200 classes") || strings.Count(got, "\n") > 50 {
			t.Errorf("%v: %.2000s", args, got)
		}
	}
	if code, said := inTemp("explain", model, "common w7", "--top", "0"); code != exitUsage || !strings.Contains(said, "want at least 1") {
		t.Errorf("explain --top 0: %s", said)
	}
}

func unmarshal(t *testing.T, s string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(s), v); err != nil {
		t.Fatalf("%v: %.200s", err, s)
	}
}
