package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bayes/internal/testdata"
)

// bayesOutput runs the command and returns its standard output.
func bayesOutput(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := newApp(strings.NewReader(""), &stdout, &stderr).run(context.Background(), args); code != exitDone {
		t.Fatalf("bayes %s: exit code %d\n%s", strings.Join(args, " "), code, stderr.String())
	}
	return stdout.String()
}

// accuracy trains on one file with flags, and tests on the other.
func accuracy(t *testing.T, train, test string, columns, flags []string) string {
	t.Helper()
	model := filepath.Join(t.TempDir(), "m.nb")
	bayesOutput(t, append(append([]string{"train", "-q", train, "-o", model}, columns...), flags...)...)
	var result struct{ Accuracy float64 }
	out := bayesOutput(t, append([]string{"test", "-q", model, test, "--json"}, columns...)...)
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%.4f", result.Accuracy)
}

// The accuracies of README.md. With the analyzer sklearn they are scikit-learn
// 1.2.1's on the same files.
func TestAccuracies(t *testing.T) {
	models := [][]string{
		{"--model", "multinomial"}, {"--model", "complement"}, {"--model", "complement", "--complement-norm"}, {"--model", "bernoulli"},
	}
	for _, tc := range []struct {
		folder, analyzer string
		want             [4]string
		long             bool
	}{
		{"ucinews", "sklearn", [4]string{"0.9592", "0.9647", "0.9639", "0.9466"}, false},
		{"agnews", "sklearn", [4]string{"0.8855", "0.8914", "0.8875", "0.8770"}, false},
		{"mr", "sklearn", [4]string{"0.7679", "0.7679", "0.7687", "0.7701"}, false},
		{"20news", "sklearn", [4]string{"0.7728", "0.8267", "0.8080", "0.6308"}, true},
		{"nsmc", "sklearn", [4]string{"0.8319", "0.8268", "0.8262", "0.8307"}, true},
		{"livedoor", "sklearn", [4]string{"0.9213", "0.9152", "0.9166", "0.4769"}, true},
		{"nsmc", "default", [4]string{"0.8509", "0.8510", "0.8491", "0.8490"}, true},
		{"livedoor", "default", [4]string{"0.8853", "0.8738", "0.8575", "0.8426"}, true},
	} {
		t.Run(tc.folder+"/"+tc.analyzer, func(t *testing.T) {
			if tc.long && testing.Short() {
				t.Skip("long: not with -short")
			}
			dir := testdata.Path(t, tc.folder)
			for i, flags := range models {
				flags = append([]string{"--analyzer", tc.analyzer}, flags...)
				if got := accuracy(t, filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv"), nil, flags); got != tc.want[i] {
					t.Errorf("%v: %s, want %s", flags, got, tc.want[i])
				}
			}
		})
	}
}

// What train --auto finds has the accuracy that docs/accuracy.md states.
func TestFound(t *testing.T) {
	for folder, found := range map[string]struct{ flags, want string }{
		"agnews":  {"--ngrams 1-2 --negation --stem en --subwords 3-5 --idf --norm l2 --model complement --complement-norm --calibrate temperature --alpha 0.1", "0.8934"},
		"mr":      {"--ngrams 1-2 --negation --stem en --subwords 3-5 --weighting log --idf --norm l2 --min-df 2 --model complement --alpha 0.2", "0.7912"},
		"ucinews": {"--ngrams 1-3 --subwords 3-5 --alpha 0.1", "0.9655"},
	} {
		dir := testdata.Path(t, folder)
		got := accuracy(t, filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv"), nil, strings.Fields(found.flags))
		if got != found.want {
			t.Errorf("%s %s: %s, want %s", folder, found.flags, got, found.want)
		}
	}
}

// The SMS collection, on the very rows that scikit-learn picks.
func TestSMS(t *testing.T) {
	out := filepath.Join(t.TempDir(), "sms")
	bayesOutput(t, "split", testdata.Path(t, "sms/spam.csv"), "--test", "0.2", "--seed", "1", "--sklearn", "-o", out)
	for model, want := range map[string]string{"multinomial": "0.9848", "bernoulli": "0.9848", "complement": "0.9767"} {
		got := accuracy(t, out+".train.csv", out+".test.csv", []string{"--label", "v1", "--text", "v2"}, []string{"--analyzer", "sklearn", "--model", model})
		if got != want {
			t.Errorf("%s: %s, want %s", model, got, want)
		}
	}
}

// Census income: six numbers, eight categories and empty cells. scikit-learn's
// Gaussian and categorical models, multiplied by hand with the empty cells for a
// category of their own, reach 0.8269.
func TestAdult(t *testing.T) {
	dir := testdata.Path(t, "adult")
	columns := []string{
		"--label", "income", "--numeric", "age,fnlwgt,education_num,capital_gain,capital_loss,hours_per_week",
		"--categorical", "workclass,education,marital_status,occupation,relationship,race,sex,native_country",
	}
	for _, tc := range []struct{ model, missing, empty string }{
		{"gaussian", "0.8251", "0.8269"}, {"kernel", "0.8525", "0.8521"}, {"discrete", "0.8428", "0.8417"},
	} {
		flags := []string{"--numeric-model", tc.model}
		if got := accuracy(t, filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv"), columns, flags); got != tc.missing {
			t.Errorf("%s: %s, want %s", tc.model, got, tc.missing)
		}
		with := append(columns[:len(columns):len(columns)], "--empty-category")
		if got := accuracy(t, filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv"), with, flags); got != tc.empty {
			t.Errorf("%s, empty cells a category: %s, want %s", tc.model, got, tc.empty)
		}
	}
}

// The same bytes from one worker and from eight,
// and from the files in either order.
func TestTrainingIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	for data, flags := range map[string][]string{"20news": nil, "mr": {"--subwords", "3-5"}} {
		train, test := testdata.Path(t, data+"/train.csv"), testdata.Path(t, data+"/test.csv")
		var first []byte
		for i, args := range [][]string{{train, test, "--workers", "1"}, {test, train, "--workers", "8"}} {
			name := filepath.Join(dir, fmt.Sprint(i))
			bayesOutput(t, slices.Concat([]string{"train", "-q", "-o", name}, args, flags)...)
			model, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = model
			} else if !bytes.Equal(first, model) {
				t.Errorf("%s: the model files differ", data)
			}
		}
	}
}
