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

	"bayes"
	"bayes/internal/long"
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
func accuracy(t *testing.T, train, test string, flags ...string) string {
	t.Helper()
	return tested(t, trained(t, train, flags...), test)
}

// trained returns the model that is trained on a file with flags.
func trained(t *testing.T, train string, flags ...string) (model string) {
	t.Helper()
	model = filepath.Join(t.TempDir(), "m.nb")
	bayesOutput(t, append([]string{"train", "-q", train, "-o", model}, flags...)...)
	return model
}

// fittedAs returns a model of the same counts that is fitted as em: the very file that training
// with its flags writes, without counting once more.
func fittedAs(t *testing.T, model string, em bayes.EventModel) string {
	t.Helper()
	f, err := os.Open(model)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, _, err := bayes.Load(f, Languages()...)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := bayes.Save(&file, c, em); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "m.nb")
	if err := os.WriteFile(to, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return to
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// tested returns the accuracy of a model on a file.
func tested(t *testing.T, model, test string) string {
	t.Helper()
	var result struct{ Accuracy float64 }
	out := bayesOutput(t, "test", "-q", model, test, "--json")
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%.4f", result.Accuracy)
}

// The accuracies of docs/accuracy.md. With the analyzer sklearn they are scikit-learn
// 1.2.1's on the same files.
func TestAccuracies(t *testing.T) {
	models := []struct {
		flags []string
		em    bayes.EventModel
	}{
		{[]string{"--model", "multinomial"}, bayes.Multinomial{}}, {[]string{"--model", "complement"}, bayes.Complement{}},
		{[]string{"--model", "complement", "--complement-norm"}, bayes.Complement{Normalize: true}},
		{[]string{"--model", "one-versus-rest"}, bayes.OneVersusRest{}}, {[]string{"--model", "bernoulli"}, bayes.Bernoulli{}},
	}
	for _, tc := range []struct {
		folder, analyzer string
		want             [5]string
		long             bool
	}{
		{"ucinews", "sklearn", [5]string{"0.9592", "0.9647", "0.9639", "0.9631", "0.9466"}, false},
		{"agnews", "sklearn", [5]string{"0.8855", "0.8914", "0.8875", "0.8868", "0.8770"}, false},
		{"mr", "sklearn", [5]string{"0.7679", "0.7679", "0.7687", "0.7679", "0.7701"}, false},
		{"20news", "sklearn", [5]string{"0.7728", "0.8267", "0.8080", "0.7938", "0.6308"}, true},
		{"nsmc", "sklearn", [5]string{"0.8319", "0.8268", "0.8262", "0.8319", "0.8307"}, true},
		{"livedoor", "sklearn", [5]string{"0.9213", "0.9152", "0.9166", "0.9199", "0.4769"}, true},
		{"nsmc", "default", [5]string{"0.8509", "0.8510", "0.8491", "0.8509", "0.8490"}, true},
		{"livedoor", "default", [5]string{"0.8853", "0.8738", "0.8575", "0.8874", "0.8426"}, true},
	} {
		t.Run(tc.folder+"/"+tc.analyzer, func(t *testing.T) {
			if tc.long {
				long.Test(t, "accuracies of docs/accuracy.md on a large corpus")
			}
			dir := testdata.Path(t, tc.folder)
			train, test := filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv")
			counted := trained(t, train, "--analyzer", tc.analyzer)
			for i, m := range models {
				model := fittedAs(t, counted, m.em)
				if got := tested(t, model, test); got != tc.want[i] {
					t.Errorf("%v: %s, want %s", m.em, got, tc.want[i])
				}
				if tc.folder != "ucinews" {
					continue
				}
				// Counted with the flags of the event model the file is the same.
				flags := append([]string{"--analyzer", tc.analyzer}, m.flags...)
				if want, got := read(t, trained(t, train, flags...)), read(t, model); !bytes.Equal(got, want) {
					t.Errorf("%v: the file is not that of the same counts", flags)
				}
			}
		})
	}
}

// What train --auto finds has the accuracy that docs/accuracy.md states.
func TestFound(t *testing.T) {
	for folder, found := range map[string]struct {
		flags, want string
		long        bool
	}{
		"agnews":  {"--ngrams 1-2 --subwords 2-5 --correct --trust 0.5 --strength 0.3 --calibrate temperature", "0.8941", true},
		"mr":      {"--ngrams 1-2 --negation --stem en --subwords 3-5 --correct --trust 0.5 --strength 0.3 --calibrate temperature", "0.8019", true},
		"trec":    {"--ngrams 1-2 --negation --stem en --correct --strength 10 --calibrate isotonic", "0.9040", false},
		"ucinews": {"--ngrams 1-2 --negation --stem en --subwords 3-5 --correct --spread --trust 0.5 --strength 0.3 --calibrate temperature", "0.9749", false},
	} {
		t.Run(folder, func(t *testing.T) {
			if found.long {
				long.Test(t, "what train --auto finds for a large corpus")
			}
			dir := testdata.Path(t, folder)
			got := accuracy(t, filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv"), strings.Fields(found.flags)...)
			if got != found.want {
				t.Errorf("%s: %s, want %s", found.flags, got, found.want)
			}
		})
	}
}

// The SMS collection, on the very rows that scikit-learn picks.
func TestSMS(t *testing.T) {
	out := filepath.Join(t.TempDir(), "sms")
	bayesOutput(t, "split", testdata.Path(t, "sms/spam.csv"), "--test", "0.2", "--seed", "1", "--sklearn", "-o", out)
	for model, want := range map[string]string{"multinomial": "0.9848", "bernoulli": "0.9848", "complement": "0.9767"} {
		got := accuracy(t, out+".train.csv", out+".test.csv", "--label", "v1", "--text", "v2", "--analyzer", "sklearn", "--model", model)
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
	for _, tc := range []struct {
		model, missing, empty string
		long                  bool
	}{
		{"gaussian", "0.8251", "0.8269", false}, {"kernel", "0.8525", "0.8521", true}, {"discrete", "0.8428", "0.8417", false},
	} {
		t.Run(tc.model, func(t *testing.T) {
			if tc.long {
				long.Test(t, "accuracies of docs/accuracy.md on census income")
			}
			flags := append([]string{"--numeric-model", tc.model}, columns...)
			if got := accuracy(t, filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv"), flags...); got != tc.missing {
				t.Errorf("%s, want %s", got, tc.missing)
			}
			if got := accuracy(t, filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv"), append(flags, "--empty-category")...); got != tc.empty {
				t.Errorf("empty cells a category: %s, want %s", got, tc.empty)
			}
		})
	}
}

// The same bytes from one worker and from eight,
// and from the files in either order.
func TestTrainingIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	corpora := map[string][]string{"20news": nil, "ucinews": nil, "mr": {"--subwords", "3-5"}}
	if long.Sample(t, "20news as well") {
		delete(corpora, "20news")
	}
	for data, flags := range corpora {
		train, test := testdata.Path(t, data+"/train.csv"), testdata.Path(t, data+"/test.csv")
		var first []byte
		for i, args := range [][]string{{train, test, "--workers", "1"}, {test, train, "--workers", "8"}} {
			name := filepath.Join(dir, fmt.Sprint(i))
			bayesOutput(t, slices.Concat([]string{"train", "-q", "-o", name}, args, flags)...)
			model := read(t, name)
			if i == 0 {
				first = model
			} else if !bytes.Equal(first, model) {
				t.Errorf("%s: the model files differ", data)
			}
		}
	}
}
