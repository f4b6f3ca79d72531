package javascript_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"bayes"
	"bayes/answer"
	"bayes/internal/browser"
	"bayes/internal/cli"
	"bayes/internal/long"
	"bayes/internal/testdata"
	"bayes/mail"
	"bayes/text/snowball"
	"bayes/text/stopwords"
)

// TestMain makes the test binary the command, if it is told to.
func TestMain(m *testing.M) {
	if os.Getenv("JAVASCRIPT_COMMAND") != "" {
		cli.Main()
		return
	}
	os.Exit(long.Tests{M: browser.Tests{M: m}}.Run())
}

// command runs bayes, and returns what it prints.
func command(t *testing.T, args ...string) []byte {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(self, args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "JAVASCRIPT_COMMAND=1"), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bayes %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return out
}

// node runs a file of tests by Node. Without Node the test is skipped, and fails if CI=true.
func node(t *testing.T, file string, env ...string) {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("no Node is installed")
		}
		t.Skip("no Node is installed")
	}
	cmd := exec.Command(path, "--test", "--test-reporter=spec", file)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("node --test %s: %v\n%s", file, err, out)
	}
}

// A model is one that is trained, frozen, and asked by the program and by the package.
type model struct {
	name  string
	train string // a file of the corpora
	test  string
	flags string // of train
	bits  string
	most  int // texts that are asked about, each n-th; 0 means 400
}

var models = []model{
	{name: "20news", train: "20news/train.csv", test: "20news/test.csv", flags: "--analyzer sklearn"},
	{name: "20news-correct", train: "20news/train.csv", test: "20news/test.csv", flags: "--correct --min-df 3", most: 200},
	{name: "agnews", train: "agnews/train.csv", test: "agnews/test.csv", flags: "--model one-versus-rest --stopwords en --min-length 3 --calibrate isotonic", most: 2000},
	{name: "agnews-correct", train: "agnews/train.csv", test: "agnews/test.csv", flags: "--correct --ngrams 1-2 --calibrate temperature", bits: "8", most: 2000},
	{name: "chnsenticorp", train: "chnsenticorp/train.csv", test: "chnsenticorp/test.csv", flags: "--model complement --complement-norm", most: 2000},
	{name: "chnsenticorp-chars", train: "chnsenticorp/train.csv", test: "chnsenticorp/test.csv", flags: "--analyzer chars --chars 1-2 --form nfkc", most: 500},
	{name: "imdb", train: "imdb/test.csv", test: "imdb/train.csv", flags: "--model bernoulli --negation --min-df 5", most: 200},
	{name: "langid", train: "langid/train.csv", test: "langid/test.csv", flags: "--accents fold", bits: "8", most: 3000},
	{name: "langid-chars", train: "langid/test.csv", test: "langid/train.csv", flags: "--analyzer chars --chars 1-3 --char-words --model complement", most: 1500},
	{name: "langid-whitespace", train: "langid/test.csv", test: "langid/train.csv", flags: "--analyzer whitespace --lowercase=false --accents ascii --idf --norm l1", most: 1500},
	{name: "livedoor", train: "livedoor/test.csv", test: "livedoor/train.csv", flags: "--form nfc --weighting log --idf --norm l2", most: 200},
	{name: "mr", train: "mr/train.csv", test: "mr/test.csv", flags: "--correct --subwords 3-5 --trust 0.4 --negation --calibrate isotonic", most: 4000},
	{name: "mr-bernoulli", train: "mr/train.csv", test: "mr/test.csv", flags: "--model bernoulli --subwords 4 --prior uniform", most: 2000},
	{name: "nsmc", train: "nsmc/test.csv", test: "nsmc/train.csv", flags: "--subwords 2-3 --weighting presence --min-df 2", most: 1500},
	{name: "reuters", train: "reuters/train.csv", test: "reuters/test.csv", flags: "--label labels --stopwords en --ngrams 2-3"},
	{name: "reuters-labels", train: "reuters/train.csv", test: "reuters/test.csv", flags: "--label labels --label-separator SPACE --label-cutoffs f1 --correct=false --ngrams 1-2", bits: "8"},
	{name: "reuters-labels-correct", train: "reuters/train.csv", test: "reuters/test.csv", flags: "--label labels --label-separator SPACE --correct --subwords 4"},
	{name: "sms", train: "sms/spam.csv", test: "sms/spam.csv", flags: "--label v1 --text v2 --max-fpr spam=0.001", most: 6000},
	{name: "sms-costs", train: "sms/spam.csv", test: "sms/spam.csv", flags: "--label v1 --text v2 --costs COSTS", most: 1000},
	{name: "sms-hash", train: "sms/spam.csv", test: "sms/spam.csv", flags: "--label v1 --text v2 --hash 16 --subwords 3", most: 2000},
	{name: "spamassassin", train: "spamassassin", test: "spamassassin"},
	{name: "trec", train: "trec/train.csv", test: "trec/test.csv", flags: "--correct --spread --stem en --stopwords en --negation --ngrams 1-3", most: 500},
	{name: "trec-prune", train: "trec/train.csv", test: "trec/test.csv", flags: "--select chi2:2000 --model one-versus-rest --prior uniform", most: 500},
	{name: "ucinews", train: "ucinews/train.csv", test: "ucinews/test.csv", flags: "--model complement --alpha 0.1 --min-recall m=0.95,t=0.9 --max-fpr b=0.1", most: 1300},
}

// TestAgreement trains and freezes models of all corpora that have texts, and compares what the program says with
// what the package says in Node: labels, scores to 1e-12, and explanations.
func TestAgreement(t *testing.T) {
	if testing.Short() {
		t.Skip("models of all corpora")
	}
	dir := t.TempDir()
	var names []string
	costs := filepath.Join(dir, "costs.csv")
	write(t, costs, []byte(",ham,spam,unsure\nham,0,100,1\nspam,1,,0.4\n"))
	some := long.Sample(t, "models of large corpora too, and texts of all characters")
	for _, m := range models {
		if some && !strings.HasPrefix(m.name, "sms") && !strings.HasPrefix(m.name, "trec") && m.name != "ucinews" {
			continue
		}
		texts := m.texts(t)
		flags := strings.Fields(m.flags)
		for i, flag := range flags {
			flags[i] = strings.NewReplacer("COSTS", costs, "SPACE", " ").Replace(flag)
		}
		freeze(t, dir, m.name, append([]string{corpus(t, dir, m.train)}, flags...), m.bits)
		ask(t, dir, m.name, texts, "--text", "text")
		names = append(names, m.name)
	}
	names = append(names, furtherTexts(t, dir))
	names = append(names, severalLabels(t, dir)...)
	if !some {
		names = append(names, allCharacters(t, dir)...)
	}
	node(t, "test/agreement.test.js", "JAVASCRIPT_MODELS="+strings.Join(names, " "), "JAVASCRIPT_FOLDER="+dir)
}

// corpus returns the path of what is trained on: of a folder of mail some of it, since all takes minutes.
func corpus(t *testing.T, dir, name string) string {
	t.Helper()
	if name != "spamassassin" {
		return testdata.Path(t, name)
	}
	some := filepath.Join(dir, "mail")
	for _, label := range []string{"ham", "spam"} {
		if err := os.MkdirAll(filepath.Join(some, label), 0o755); err != nil {
			t.Fatal(err)
		}
		for i, path := range mails(t, label) {
			if i%8 == 0 {
				if err := os.Symlink(path, filepath.Join(some, label, filepath.Base(path))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return some
}

func mails(t *testing.T, label string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(testdata.Path(t, "spamassassin/"+label), "*.eml"))
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d mails: %v", len(paths), err)
	}
	return paths
}

// freeze trains and freezes a model.
func freeze(t *testing.T, dir, name string, flags []string, bits string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if bits == "" {
		bits = "32"
	}
	command(t, append([]string{"train", "-o", path + ".nb"}, flags...)...)
	command(t, "freeze", "--bits", bits, "-o", path+".frozen", path+".nb")
}

// explained is how many texts of a model are explained, or a few less.
const explained = 60

// ask writes texts, what the program says of them, and explanations of some.
func ask(t *testing.T, dir, name string, texts []map[string]string, flags ...string) {
	t.Helper()
	path := filepath.Join(dir, name)
	var b bytes.Buffer
	for _, text := range texts {
		json.NewEncoder(&b).Encode(text)
	}
	write(t, path+".jsonl", b.Bytes())
	write(t, path+".want.jsonl", command(t, append([]string{"predict", "--json", "--top", "1000", path + ".frozen", path + ".jsonl"}, flags...)...))
	b.Reset()
	model, err := bayes.OpenModel(path+".frozen", stopwords.Language(), snowball.Language())
	if err != nil {
		t.Fatal(err)
	}
	for row := 0; row < len(texts); row += 1 + len(texts)/explained {
		text := texts[row]
		d := bayes.Document{Text: text["text"]}
		for name, s := range text {
			if name != "text" {
				d.Attrs = append(d.Attrs, bayes.Text(name, s))
			}
		}
		// What bayes explain --json prints, and the pieces of the text, as the server has them.
		say := func(ex *bayes.Explanation, of string) {
			said := answer.NewExplanation(ex, 1000)
			said.Cut(ex, d.Text)
			json.NewEncoder(&b).Encode(map[string]any{"row": row, "of": of, "says": said})
		}
		say(model.Explain(d), "")
		if model.Space().LabelSeparator != "" { // one label after the other
			of := model.Classes()[row%len(model.Classes())]
			say(model.ExplainAgainst(d, of, ""), of)
		}
	}
	write(t, path+".explained.jsonl", b.Bytes())
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// texts returns some of the texts of the file that m is tested on, and all of a short one.
func (m model) texts(t *testing.T) (list []map[string]string) {
	t.Helper()
	var all []string
	if m.test == "spamassassin" {
		for _, label := range []string{"ham", "spam"} {
			for _, path := range mails(t, label) {
				raw, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, mail.DocumentFor(new(bayes.Space), nil, raw).Text)
			}
		}
	} else {
		all = column(t, m.test)
	}
	most := m.most
	if most == 0 {
		most = 400
	}
	for i := 0; i < len(all); i += (len(all) + most - 1) / most {
		list = append(list, map[string]string{"text": strings.ToValidUTF8(all[i], "\ufffd")})
	}
	return list
}

// column returns the texts of a table.
func column(t *testing.T, name string) (list []string) {
	t.Helper()
	r := csv.NewReader(testdata.Open(t, name))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	for {
		row, err := r.Read()
		if err == io.EOF {
			return list[1:]
		}
		if err != nil || len(row) < 2 {
			t.Fatalf("%s: %v: %q", name, err, row)
		}
		list = append(list, row[1])
	}
}

// furtherTexts makes a model of several texts.
func furtherTexts(t *testing.T, dir string) string {
	t.Helper()
	var train bytes.Buffer
	var ask2 []map[string]string
	for i, text := range column(t, "trec/train.csv") {
		words := strings.SplitN(text, " ", 3)
		row := map[string]string{"subject": strings.Join(words[:len(words)-1], " "), "body": words[len(words)-1]}
		if i%7 == 0 {
			ask2 = append(ask2, row)
		}
		row = map[string]string{"label": "abc"[len(text)%3:][:1], "subject": row["subject"], "body": row["body"]}
		json.NewEncoder(&train).Encode(row)
	}
	write(t, filepath.Join(dir, "texts.train.jsonl"), train.Bytes())
	freeze(t, dir, "texts", []string{filepath.Join(dir, "texts.train.jsonl"), "--text", "subject,body", "--correct"}, "32")
	ask(t, dir, "texts", ask2, "--text", "subject,body")
	return "texts"
}

// severalLabels makes models of documents that have several labels, whose names and separators are quoted in the description of
// a model.
func severalLabels(t *testing.T, dir string) (names []string) {
	t.Helper()
	labels := []string{"crude oil", `"quoted"`, "x=1,y>2", "größe", `back\slash`}
	var train bytes.Buffer
	var texts []map[string]string
	for i := range 60 {
		set := []string{}
		text := ""
		for k, label := range labels {
			if i>>k&1 == 1 {
				set = append(set, label)
				text += fmt.Sprintf("word%d other%d ", k, (i+k)%7)
			}
		}
		text += fmt.Sprintf("and %d", i%4)
		json.NewEncoder(&train).Encode(map[string]any{"label": set, "text": text})
		texts = append(texts, map[string]string{"text": text + " word0 unknown"})
	}
	path := filepath.Join(dir, "labels.train.jsonl")
	write(t, path, train.Bytes())
	for name, flags := range map[string][]string{
		"labels": {"--label-separator", "; ", "--correct=false"}, "labels-cutoffs": {"--label-separator", "\u00a0", "--label-cutoffs", "f1", "--model", "one-versus-rest"},
		"labels-correct": {"--label-separator", `"\\`, "--correct", "--negation"}, "labels-none": {"--label-separator", "\U0001f600", "--correct", "--calibrate", "none"},
	} {
		freeze(t, dir, name, append([]string{path}, flags...), "32")
		ask(t, dir, name, texts)
		names = append(names, name)
	}
	// A model of one label alone, which documents have or have not.
	write(t, filepath.Join(dir, "label.train.csv"), []byte("label,text\nx,a b\n;,c d\nx,b c\n;,d\n;,d d\n"))
	freeze(t, dir, "label", []string{filepath.Join(dir, "label.train.csv"), "--label-separator", ";", "--correct=false"}, "32")
	ask(t, dir, "label", []map[string]string{{"text": ""}, {"text": "a b"}, {"text": "d e"}, {"text": "c"}})
	return append(names, "label")
}

// allCharacters makes a model of texts that have each character of Unicode between others, assigned or not, so that
// a single word that is cut in another place shows, and a single character that is spelled in another way.
func allCharacters(t *testing.T, dir string) (names []string) {
	t.Helper()
	var texts []map[string]string
	around := []string{"a%sb 1%s2", "א%s\"ב", "ア%sΣ", "一%s二 カ%sキ", "A%s' %s.9"}
	var b strings.Builder
	var train bytes.Buffer
	n := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		// All of the first two planes, and some of the others, which are alike.
		if r >= 0xd800 && r <= 0xdfff || r > 0x323ff && r%64 != 0 || r > 0x20000 && r%8 != 0 {
			continue
		}
		for _, part := range strings.Split(around[n%len(around)], "%s") {
			b.WriteString(part)
			b.WriteRune(r)
		}
		b.WriteByte(' ')
		if n++; n%64 == 0 {
			text := map[string]string{"text": b.String(), "label": "xyz"[n/64%3:][:1]}
			json.NewEncoder(&train).Encode(text)
			texts = append(texts, map[string]string{"text": b.String()})
			b.Reset()
		}
	}
	write(t, filepath.Join(dir, "characters.train.jsonl"), train.Bytes())
	for name, flags := range map[string]string{
		"characters": "", "characters-nfkc": "--form nfkc --subwords 3", "characters-fold": "--accents fold --negation",
		"characters-sklearn": "--form nfc --analyzer sklearn --accents ascii", "characters-case": "--lowercase=false --form nfc --analyzer chars --chars 2",
	} {
		freeze(t, dir, name, append([]string{filepath.Join(dir, "characters.train.jsonl")}, strings.Fields(flags)...), "32")
		ask(t, dir, name, texts)
		names = append(names, name)
	}
	return names
}

// TestTypes has TypeScript check the source, and a program that uses the package. Without it the test is skipped, and
// fails if CI=true.
func TestTypes(t *testing.T) {
	long.Test(t, "the types of the source")
	path, err := exec.LookPath("tsc")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("no TypeScript is installed")
		}
		t.Skip("no TypeScript is installed")
	}
	if out, err := exec.Command(path, "-p", ".").CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%s", err, out)
	}
}
