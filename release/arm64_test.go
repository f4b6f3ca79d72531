package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A machine runs programs of an architecture, by an emulator if need be.
type machine struct {
	t       *testing.T
	program []string
	dir     string
}

func (m *machine) run(args ...string) string {
	m.t.Helper()
	words := append(slices.Clone(m.program), args...)
	cmd := exec.CommandContext(m.t.Context(), words[0], words[1:]...)
	cmd.Dir = m.dir
	out, err := cmd.Output()
	if err != nil {
		m.t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// machines returns the program on amd64 and on arm64, each in a folder of its own.
func machines(t *testing.T) (amd, arm *machine) {
	t.Helper()
	needs(t, "qemu-aarch64-static")
	r, err := open("..")
	if err != nil {
		t.Fatal(err)
	}
	r.stage = t.TempDir()
	on := func(arch string, emulator ...string) *machine {
		program, err := r.build(target{"linux", arch}, variants[0])
		if err != nil {
			t.Fatal(err)
		}
		return &machine{t, append(emulator, program), t.TempDir()}
	}
	return on("amd64"), on("arm64", "qemu-aarch64-static")
}

// numbers is a table of three classes, with numbers that are whole or not.
func numbers(whole bool) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("label,a,b\n")
	for range 300 {
		class := r.IntN(3)
		x, y := float64(class)+r.NormFloat64(), 10*r.Float64()-float64(class)
		if whole {
			x, y = math.Round(5*x), math.Round(y)
		}
		fmt.Fprintf(&b, "c%d,%v,%v\n", class, x, y)
	}
	return b.String()
}

// A model that is trained on arm64 is that of amd64: the same bytes, the same labels, and scores to
// 1e-12. A correction is found step by step, and its last digits may differ; from the other
// architecture's file, it answers the same.
func TestArm64(t *testing.T) {
	t.Parallel()
	amd, arm := machines(t)
	support := read(t, filepath.Join("..", "internal", "cli", "sample.csv"))
	for _, m := range []*machine{amd, arm} {
		write(t, filepath.Join(m.dir, "support.csv"), support)
		write(t, filepath.Join(m.dir, "whole.csv"), numbers(true))
		write(t, filepath.Join(m.dir, "fractions.csv"), numbers(false))
	}
	const (
		anyBytes = iota
		sameBytes
	)
	for _, c := range []struct {
		name, data, flags string
		bytes             int
	}{
		{"multinomial", "support.csv", "", sameBytes},
		{"evidence", "support.csv", "--alpha evidence", sameBytes},
		{"complement", "support.csv", "--model complement", sameBytes},
		{"bernoulli", "support.csv", "--model bernoulli", sameBytes},
		{"subwords", "support.csv", "--subwords 4 --ngrams 2", sameBytes},
		{"gaussian", "whole.csv", "--numeric a,b", sameBytes},
		{"fractions", "fractions.csv", "--numeric a,b", sameBytes},
		{"kernel", "fractions.csv", "--numeric a,b --numeric-model kernel", sameBytes},
		{"corrected", "support.csv", "--correct", anyBytes},
	} {
		t.Run(c.name, func(t *testing.T) {
			var models, predictions []string
			for _, m := range []*machine{amd, arm} {
				m.t = t
				m.run(slices.Concat([]string{"train", c.data, "-o", "m.nb", "--quiet", "--force"}, strings.Fields(c.flags))...)
				models = append(models, read(t, filepath.Join(m.dir, "m.nb")))
				predictions = append(predictions, m.run("predict", "m.nb", c.data, "--json"))
			}
			if c.bytes == sameBytes && models[0] != models[1] {
				t.Errorf("the models differ: %d and %d bytes", len(models[0]), len(models[1]))
			}
			t.Logf("trained on both: the models are the same: %t; scores differ by %.3g", models[0] == models[1], compare(t, predictions[0], predictions[1]))
			if models[0] == models[1] {
				return
			}
			if err := os.WriteFile(filepath.Join(arm.dir, "m.nb"), []byte(models[0]), 0o644); err != nil {
				t.Fatal(err)
			}
			t.Logf("of one model, scores differ by %.3g", compare(t, predictions[0], arm.run("predict", "m.nb", c.data, "--json")))
		})
	}
}

// compare compares predictions as JSON, labels and scores, and returns by how much the latter differ.
func compare(t *testing.T, a, b string) (largest float64) {
	t.Helper()
	parse := func(s string) (list []prediction) {
		for line := range strings.Lines(s) {
			var p prediction
			if err := json.Unmarshal([]byte(line), &p); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			list = append(list, p)
		}
		return list
	}
	one, other := parse(a), parse(b)
	if len(one) != len(other) || len(one) < 100 {
		t.Fatalf("%d and %d predictions", len(one), len(other))
	}
	for i, p := range one {
		if p.Label != other[i].Label {
			t.Errorf("prediction %d is %s, and %s", i, p.Label, other[i].Label)
		}
		for _, scores := range []struct{ a, b map[string]float64 }{{p.Scores, other[i].Scores}, {p.Probabilities, other[i].Probabilities}} {
			if len(scores.a) < 3 || len(scores.a) != len(scores.b) {
				t.Fatalf("prediction %d has the scores %v, and %v", i, scores.a, scores.b)
			}
			for _, class := range slices.Sorted(maps.Keys(scores.a)) {
				x, y := scores.a[class], scores.b[class]
				largest = max(largest, math.Abs(x-y)/max(1, math.Abs(x)))
			}
		}
	}
	if !(largest <= 1e-12) {
		t.Errorf("scores differ by %g", largest)
	}
	return largest
}

// A prediction is a line of bayes predict --json.
type prediction struct {
	Label         string
	Probabilities map[string]float64
	Scores        map[string]float64 `json:"log_joint"`
}
