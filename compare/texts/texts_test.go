package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	dirs := [2]string{t.TempDir(), t.TempDir()}
	for _, dir := range dirs {
		if err := write(dir, shape{classes: 7, words: 12, seed: 3}, 700, 50); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dirs[0])
	if err != nil || len(entries) != 7 {
		t.Fatalf("%d files: %v", len(entries), err)
	}
	for _, e := range entries {
		if read(t, dirs[0], e.Name()) != read(t, dirs[1], e.Name()) {
			t.Errorf("%s differs between two runs", e.Name())
		}
	}
	train, test := records(t, dirs[0], "train.csv"), records(t, dirs[0], "test.csv")
	if train[1][1] == test[1][1] || records(t, dirs[0], "first.csv")[1][1] != test[1][1] {
		t.Error("the texts held out are those of training, or the first is another")
	}

	// What about.json says, counted anew from the table.
	have := make(map[string]map[string]bool)
	classes := make(map[string]int)
	for _, r := range train[1:] {
		classes[r[0]]++
		for _, w := range strings.Fields(r[1]) {
			if have[w] == nil {
				have[w] = make(map[string]bool)
			}
			have[w][r[0]] = true
		}
	}
	got := about{}
	if err := json.Unmarshal([]byte(read(t, dirs[0], "about.json")), &got); err != nil {
		t.Fatal(err)
	}
	cells, visited := 0, 0
	for _, in := range have {
		cells += len(in)
	}
	for _, r := range test[1:] {
		seen := make(map[string]bool)
		for _, w := range strings.Fields(r[1]) {
			if !seen[w] {
				visited += len(have[w])
			}
			seen[w] = true
		}
	}
	want := about{7, 700, 50, 12, 3, len(have), cells, float64(visited) / 50}
	if got != want {
		t.Errorf("about.json: %+v, want %+v", got, want)
	}
	for label, n := range classes {
		if n != 100 {
			t.Errorf("%d texts of %s, want 100", n, label)
		}
	}

	// fastText's file has the same texts.
	lines := strings.Split(strings.TrimSpace(read(t, dirs[0], "train.txt")), "\n")
	for i, line := range lines {
		if r := train[i+1]; line != "__label__"+r[0]+" "+r[1] {
			t.Fatalf("line %d: %q, want %q", i+1, line, r)
		}
	}
}

func TestWords(t *testing.T) {
	seen := make(map[string]bool)
	for n := range 30_000 {
		w := string(appendWord(nil, n))
		if seen[w] {
			t.Fatalf("%q is word %d and one before it", w, n)
		}
		seen[w] = true
	}
	if w := string(appendWord(nil, 100)); len(w) != 4 || w != "baba" {
		t.Errorf("word 100 is %q", w)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func records(t *testing.T, dir, name string) [][]string {
	t.Helper()
	list, err := csv.NewReader(strings.NewReader(read(t, dir, name))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return list
}
