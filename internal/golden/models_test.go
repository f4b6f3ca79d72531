package golden_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bayes"
	"bayes/feature"
	"bayes/internal/cli"
	"bayes/internal/golden"
	"bayes/internal/long"
	"bayes/text"
)

// A recipe is how a golden model was made.
type recipe struct {
	name     string
	space    bayes.Space
	model    bayes.EventModel // nil for counts alone
	examples []bayes.Example
	idf      bool // of the examples
	columns  bayes.Columns
}

// generation returns the one whose release first wrote such a file.
func (r recipe) generation() string {
	switch {
	case strings.HasPrefix(r.name, "texts"), r.name == "bogofilter":
		return "6"
	case strings.HasPrefix(r.name, "corrected"):
		return "5"
	case strings.HasPrefix(r.name, "classes"), r.name == "one-versus-rest":
		return "4"
	case !reflect.DeepEqual(r.columns, bayes.Columns{}):
		return "3"
	}
	return "2"
}

func analyzer(spec string) *text.Analyzer {
	a, err := text.Parse(spec, cli.Languages()...)
	if err != nil {
		panic(err)
	}
	return a
}

var (
	mails = []bayes.Example{
		{Label: "ham", Text: "Are we still on for lunch? I could not find the running shoes."},
		{Label: "spam", Text: "WIN a free prize now, win a free holiday! Call 09061701461"},
		{Label: "ham", Text: "Don't forget the meeting at noon, it wasn't cancelled"},
		{Label: "spam", Text: "Free entry: claim your prize, you won't regret it", Weight: 2},
		{Label: "work", Text: "The report is ready; running tests at 12:30 in the café"},
		{Label: "work", Text: "映画館で会いましょう 정말 재미있는 영화 e\u0301te\u0301"},
	}
	people = []bayes.Example{
		person("male", 6, 180, "short", ""), person("male", 5.92, 190, "short", "grey"), person("male", 5.58, 170, "long", "black"),
		person("female", 5, 100, "long", "black"), person("female", 5.5, 150, "long", "red"), person("female", 5.42, 130, "short", "grey"),
	}
	films = []bayes.Example{
		{Label: "긍정", Text: "정말 재미있는 영화였어요! 映画はとても面白かったです。"},
		{Label: "부정", Text: "지루하고 재미없었다. 寿司を食べませんでした。"},
		{Label: "긍정", Text: "다시 보고 싶은 영화, もう一度見たい"},
	}
	articles = []bayes.Example{
		{Label: "a", Text: "win win prize", Attrs: []bayes.Attr{bayes.Text("title", "Win now"), bayes.Number("size", 3), bayes.Category("from", "x")}},
		{Label: "b", Text: "lunch at noon", Attrs: []bayes.Attr{bayes.Text("title", "Lunch"), bayes.Number("size", 10.25), bayes.Category("from", "y=1")}},
		{Label: "b", Text: "noon", Attrs: []bayes.Attr{bayes.Number("size", math.NaN()), bayes.Category("from", "x"), bayes.Term("lunch", 2)}},
		{Label: "a", Weight: 0.5, Attrs: []bayes.Attr{bayes.Text("title", "prize"), bayes.Number("size", 1e9)}},
	}
)

// letters are of several texts.
var letters = []bayes.Example{
	{Label: "spam", Text: "win a free prize", Attrs: []bayes.Attr{bayes.Text("subject", "Win now"), bayes.Text("from", "pills.example")}},
	{Label: "ham", Text: "see you at lunch", Attrs: []bayes.Attr{bayes.Text("subject", "lunch"), bayes.Text("from", "café.example")}},
	{Label: "ham", Text: "the prize is lunch", Attrs: []bayes.Attr{bayes.Text("subject", "Re: win")}},
	{Label: "spam", Attrs: []bayes.Attr{bayes.Text("from", "pills.example")}, Weight: 2},
}

// wholeMails are mails as they stand.
var wholeMails = []bayes.Example{
	{Label: "spam", Text: "Received: from pills.example\nSubject: =?utf-8?q?caf=C3=A9?= pills\nContent-Type: text/html\n\n<b>che</b>ap $9.99<br>\n"},
	{Label: "ham", Text: "From: ann@a.example\nSubject: lunch\n\nsee you at noon, no cheap pills\n"},
}

func eventModel(spec string) bayes.EventModel {
	em, err := bayes.ParseEventModel(spec)
	if err != nil {
		panic(err)
	}
	return em
}

// tongues has classes of which each has words of its own.
func tongues() (list []bayes.Example) {
	for _, s := range []string{
		"da jeg er en mand og du er en kvinde", "de ich bin ein mann und du bist eine frau", "en i am a man and you are a woman",
		"es yo soy un hombre y tú eres una mujer", "fi minä olen mies ja sinä olet nainen", "fr je suis un homme et tu es une femme",
		"it io sono un uomo e tu sei una donna", "nl ik ben een man en jij bent een vrouw", "pl jestem mężczyzną a ty jesteś kobietą",
		"pt eu sou um homem e tu és uma mulher", "sv jag är en man och du är en kvinna", "tr ben bir erkeğim ve sen bir kadınsın",
	} {
		list = append(list, bayes.Example{Label: s[:2], Text: s[3:]})
	}
	return list
}

func person(label string, height, weight float64, hair, colour string) bayes.Example {
	ex := bayes.Example{Label: label, Attrs: []bayes.Attr{bayes.Number("height", height), bayes.Number("weight", weight), bayes.Category("hair", hair)}}
	if colour != "" {
		ex.Attrs = append(ex.Attrs, bayes.Category("colour", colour))
	}
	return ex
}

// recipes are those of the latest generation. A recipe that is added here has its file
// written by -update-new.
var recipes = []recipe{
	{name: "multinomial", model: bayes.Multinomial{}, examples: mails},
	{name: "labels", model: bayes.Multinomial{Prior: bayes.GivenPrior{"ham": .7, "spam": .2, "none of these": .1}, Smoothing: bayes.Additive(.25)}, examples: mails[:2],
		space: bayes.Space{Labels: []string{"none of these", "ham", "spam"}, Vocabulary: []string{"win", "lunch", "never"}}},
	{name: "complement", model: bayes.Complement{Normalize: true, Smoothing: bayes.Additive(.1)}, examples: mails,
		space: bayes.Space{Analyzer: analyzer("default stopwords=en stem=en ngrams=1-2")}},
	{name: "one-versus-rest", model: bayes.OneVersusRest{Smoothing: bayes.Additive(.5)}, examples: mails},
	{name: "bernoulli", model: bayes.Bernoulli{Prior: bayes.UniformPrior{}}, examples: mails,
		space: bayes.Space{Analyzer: analyzer("sklearn form=nfkc accents=fold"), Binary: true}},
	{name: "nltk", model: bayes.Multinomial{}, examples: mails, space: bayes.Space{Analyzer: analyzer("nltk negation=true min-length=2"), Threshold: 1}},
	{name: "whitespace-hash", model: bayes.Multinomial{}, examples: mails, space: bayes.Space{Analyzer: analyzer("whitespace lowercase=false"), HashBits: 8}},
	{name: "subwords-hash", model: bayes.Multinomial{}, examples: mails, space: bayes.Space{Analyzer: analyzer("default subwords=3-4"), HashBits: 6, SubwordWeight: .5}},
	{name: "subwords", model: bayes.Complement{}, examples: mails[:3], space: bayes.Space{Analyzer: analyzer("default subwords=3-3")}},
	{name: "chars", model: bayes.Multinomial{}, examples: mails[:4], space: bayes.Space{Analyzer: analyzer("chars=1-2")}},
	{name: "char-words", model: bayes.Multinomial{}, examples: mails[:4], space: bayes.Space{Analyzer: analyzer("char-words=3")}},
	{name: "own-stop-words", model: bayes.Multinomial{}, examples: mails, space: bayes.Space{Analyzer: analyzer("default stopwords=,a,the,caf%C3%A9")}},
	{name: "idf", model: bayes.Complement{}, examples: mails, idf: true, space: bayes.Space{Log: true, Norm: feature.L2}},
	{name: "norm", model: bayes.Multinomial{}, examples: mails, space: bayes.Space{Norm: feature.L1}},
	{name: "japanese", model: bayes.Multinomial{}, examples: films, space: bayes.Space{Analyzer: analyzer("ja:base,content")}},
	{name: "korean", model: bayes.Multinomial{}, examples: films, space: bayes.Space{Analyzer: analyzer("ko")}},
	{name: "evidence", model: bayes.Multinomial{Smoothing: bayes.Evidence{}}, examples: mails},
	{name: "evidence-documents", model: bayes.Multinomial{Smoothing: bayes.Evidence{Documents: true}}, examples: mails, space: bayes.Space{Histograms: true}},
	{name: "per-term", model: bayes.Multinomial{Smoothing: bayes.PerFeature{Else: 1, Alpha: map[string]float64{"win": 3, `a "term"`: .5}}}, examples: mails},
	{name: "selected", model: bayes.Selected{MinDocuments: 1, MaxDocuments: .9, Best: 12, Score: feature.ChiSquare{}, Model: bayes.Multinomial{}}, examples: mails},
	{name: "calibrated", model: bayes.Calibrated{Temperature: 2.5, Coverage: []bayes.Point{{X: -2, Y: .1}, {X: -.5, Y: .6}}}, examples: mails},
	{name: "isotonic", model: bayes.Calibrated{Isotonic: []bayes.Point{{X: 0, Y: .4}, {X: 3, Y: .8}}, Model: bayes.Bernoulli{}}, examples: mails},
	{name: "gaussian", model: bayes.Mixed{Number: bayes.Gaussian{Shared: true, VarSmoothing: 1e-6}}, examples: people},
	{name: "kernel", model: bayes.Mixed{Number: bayes.Kernel{}}, examples: people, space: bayes.Space{NumberValues: true}},
	{name: "discrete", model: bayes.Mixed{Number: bayes.Discrete{Smoothing: bayes.Additive(.5)}, Category: bayes.Categorical{MinValues: 4}},
		examples: people, space: bayes.Space{NumberValues: true, Values: map[string][]string{"hair": {"none", "short"}, "colour": {"blue"}}}},
	{name: "numbers", model: bayes.Gaussian{VarSmoothing: bayes.NoVarSmoothing}, examples: []bayes.Example{
		{Label: "1", Attrs: []bayes.Attr{bayes.Number("x", 1e9+.25)}}, {Label: "1", Attrs: []bayes.Attr{bayes.Number("x", 1e9+.75)}},
		{Label: "0", Attrs: []bayes.Attr{bayes.Number("x", 1e9-1)}}, {Label: "0", Attrs: []bayes.Attr{bayes.Number("x", 1e9-.1)}},
	}},
	{name: "mixed", model: bayes.Mixed{Text: bayes.Bernoulli{}}, examples: articles},
	{name: "unsmoothed", model: bayes.Multinomial{Smoothing: bayes.Additive(0)}, examples: mails},
	{name: "one-class", model: bayes.Complement{}, examples: mails[:1]},
	{name: "nothing", model: bayes.Multinomial{}},
	{name: "columns", model: bayes.Multinomial{}, examples: mails[:3], columns: bayes.Columns{Label: "v1", Text: []string{"größe <b>"}, Weight: "#3", NoHeader: true}},
	{name: "columns-mixed", model: bayes.Mixed{}, examples: articles, columns: bayes.Columns{Label: "class", Text: []string{"title"}, Numeric: []string{"size"}, Categorical: []string{"from"}, EmptyCategory: true}},
	{name: "classes", model: bayes.Multinomial{}, examples: tongues()},
	{name: "classes-complement", model: bayes.Complement{Normalize: true}, examples: tongues()},
	{name: "classes-bernoulli", model: bayes.Bernoulli{}, examples: tongues()},
	{name: "corrected", model: bayes.Corrected{Trust: .5, Spread: true}, examples: mails},
	{name: "corrected-subwords", model: bayes.Calibrated{Temperature: .5, Model: bayes.Corrected{Model: bayes.Complement{}, Strength: 10, Trust: 1}}, examples: mails[:4],
		space: bayes.Space{Analyzer: analyzer("default subwords=3-4")}},
	{name: "corrected-untrusted", model: bayes.Corrected{Model: bayes.Bernoulli{}}, examples: tongues()},
	{name: "corrected-mixed", model: bayes.Corrected{Model: bayes.Mixed{}, Trust: 1}, examples: people},
	{name: "texts", model: bayes.Calibrated{Temperature: 2, Cutoffs: map[string]float64{"spam": 1.5}}, examples: letters},
	{name: "points", examples: letters, model: bayes.Calibrated{
		Cutoffs: map[string]float64{"spam": 1.5}, Overrides: map[string]float64{"ham": -0.25}, Promises: map[string]float64{"spam": 0.01, "ham": 0.9},
	}},
	{name: "points-costs", examples: letters, model: bayes.Calibrated{
		Temperature: 2, Costs: map[[2]string]float64{{"ham", "spam"}: 10, {"spam", "ham"}: 2}, Reject: map[string]float64{"ham": 0.5, "spam": 1},
	}},
	{name: "texts-corrected", model: bayes.Corrected{Trust: .5}, examples: letters},
	{name: "bogofilter", model: eventModel("fisher robs=0.1 robx=0.4 min-dev=0"), examples: wholeMails, space: bayes.Space{Analyzer: analyzer("bogofilter lowercase=false"), Binary: true}},
	{name: "counts", examples: mails, space: bayes.Space{Analyzer: analyzer("default ngrams=2")}},
}

// fitted returns the event model of a recipe, with the correction that its examples teach if it wants one.
func (r recipe) fitted(t testing.TB) bayes.EventModel {
	t.Helper()
	if r.model == nil {
		return nil
	}
	c, err := bayes.ReadCorpus(t.Context(), &r.space, func(yield func(bayes.Example, error) bool) {
		for _, ex := range r.examples {
			if !yield(ex, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	em, err := c.Correct(t.Context(), r.model)
	if err != nil {
		t.Fatal(err)
	}
	return em
}

// counts returns what a recipe counts.
func (r recipe) counts() *bayes.Counts {
	if r.idf {
		first := bayes.NewCounts(&bayes.Space{Analyzer: r.space.Analyzer})
		for _, ex := range r.examples {
			first.Learn(ex)
		}
		r.space.IDF = first.IDF()
	}
	c := bayes.NewCounts(&r.space)
	for _, ex := range r.examples {
		c.Learn(ex)
	}
	c.SetColumns(r.columns)
	return c
}

// An answer is a document and what a model says of it: numbers as the shortest decimals
// that read back as they were.
type answer struct {
	Document string   `json:"document"` // as an example's encoding, in hexadecimal digits
	Known    int      `json:"known"`
	Unknown  int      `json:"unknown"`
	Classes  []string `json:"classes"` // of each its name, ln P and ln P(class, document)
}

func document(t testing.TB, hex string) bayes.Document {
	t.Helper()
	var ex bayes.Example
	if err := ex.UnmarshalBinary(fromHex(t, hex)); err != nil {
		t.Fatal(err)
	}
	return ex.Document()
}

func answerOf(t testing.TB, m *bayes.Model, hex string) answer {
	p := m.Predict(document(t, hex))
	a := answer{hex, p.Known, p.Unknown, nil}
	for _, c := range p.Classes {
		a.Classes = append(a.Classes, strings.Join([]string{c.Class, decimal(c.LogP), decimal(c.LogJoint)}, "\t"))
	}
	return a
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// questions are the documents that the answers of a new golden model are about.
func (r recipe) questions() []bayes.Example {
	list := []bayes.Example{{}, {Text: "win a free lunch, zebra"}, {Text: "재미있는 영화 映画 running"}}
	for _, ex := range r.examples {
		list = append(list, bayes.Example{Text: ex.Text, Attrs: ex.Attrs})
	}
	return list
}

// writeAnswers writes beside a file what its model answers.
func writeAnswers(t testing.TB, path string, m *bayes.Model, questions []bayes.Example) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, q := range questions {
		encoded, err := q.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Encode(answerOf(t, m, fmt.Sprintf("%x", encoded))); err != nil {
			t.Fatal(err)
		}
	}
	golden.Write(t, answersName(path), b.Bytes())
}

func answersName(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".answers"
}

// checkAnswers holds a model to what is recorded beside its file.
func checkAnswers(t *testing.T, path string, m *bayes.Model) {
	t.Helper()
	if a := m.Space().Analyzer; a != nil && hasDictionary(a.String()) && long.Sample(t, "the answers of a model of Japanese or Korean words") {
		return
	}
	n := 0
	for d := json.NewDecoder(bytes.NewReader(golden.Read(t, answersName(path)))); d.More(); n++ {
		var want answer
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		got := answerOf(t, m, want.Document)
		report := t.Errorf
		if v := m.AnalyzerVersion(); v != "" && v != m.Space().AnalyzerVersion() {
			report = t.Logf // other terms have other probabilities
		}
		if got.Known != want.Known || got.Unknown != want.Unknown || !sameClasses(got.Classes, want.Classes) {
			report("%+v\nis answered by %+v,\nnot %+v", document(t, want.Document), got, want)
		}
	}
	if n == 0 {
		t.Error("no answers are recorded")
	}
}

// sameClasses compares answers. The order in which the parts of a score are added up may differ from
// what it was when they were recorded.
func sameClasses(got, want []string) bool {
	return slices.EqualFunc(got, want, near)
}

func near(a, b string) bool {
	x, y := strings.Split(a, "\t"), strings.Split(b, "\t")
	for i := 1; i < len(x); i++ {
		v, _ := strconv.ParseFloat(x[i], 64)
		w, _ := strconv.ParseFloat(y[i], 64)
		if v != w && !(math.Abs(v-w) <= 1e-12*max(1, math.Abs(w))) {
			return false
		}
	}
	return x[0] == y[0]
}

func TestGoldenModels(t *testing.T) {
	for _, r := range recipes {
		golden.New(t, r.generation(), "models/"+r.name+".nb", func(path string) {
			c, em := r.counts(), r.fitted(t)
			if r.model == nil {
				b, err := c.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				golden.Write(t, path, b)
				return
			}
			golden.Write(t, path, saved(t, c, em))
			if m, err := bayes.Fit(c, em); err == nil {
				writeAnswers(t, path, m, r.questions())
			} else if r.name != "nothing" {
				t.Fatal(err)
			}
		})
	}
	golden.Each(t, "models/*.nb", func(t *testing.T, path string) {
		file := golden.Read(t, path)
		if bytes.HasPrefix(file, []byte("bayes counts")) {
			var c bayes.Counts
			if err := c.UnmarshalBinary(file); err != nil {
				t.Fatal(err)
			}
			if again, _ := c.MarshalBinary(); !bytes.Equal(again, file) {
				t.Error("saved again, the bytes differ")
			}
			return
		}
		c, em, err := bayes.Load(bytes.NewReader(file), cli.Languages()...)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(saved(t, c, em), file) {
			t.Error("saved again, the bytes differ")
		}
		if _, err := os.Stat(answersName(path)); err != nil && c.Examples() == 0 {
			return // of nothing no model is made
		}
		m, err := bayes.OpenModel(path, cli.Languages()...)
		if err != nil {
			t.Fatal(err)
		}
		checkAnswers(t, path, m)
		learnAndUnlearn(t, c, em, file)
	})
}

// learnAndUnlearn counts one more example and takes it out again, after which the file
// has its old bytes.
func learnAndUnlearn(t *testing.T, c *bayes.Counts, em bayes.EventModel, file []byte) {
	t.Helper()
	ex := bayes.Example{Label: c.Classes()[0], Text: "a further 映画 and 영화", Attrs: []bayes.Attr{bayes.Number("new", 3), bayes.Category("hair", "none")}}
	c.Learn(ex)
	if bytes.Equal(saved(t, c, em), file) {
		t.Error("an example that is learned changes nothing")
	}
	c.Unlearn(ex)
	if !bytes.Equal(saved(t, c, em), file) {
		t.Error("an example learned and unlearned leaves other bytes")
	}
}

func saved(t testing.TB, c *bayes.Counts, em bayes.EventModel) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := bayes.Save(&b, c, em); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// frozen says which of the models are also kept frozen, and how.
var frozen = map[string]bayes.FreezeOptions{
	"multinomial": {}, "columns": {}, "idf": {Bits: 8}, "bernoulli": {Bits: 8}, "complement": {Prune: .05}, "one-versus-rest": {}, "calibrated": {}, "japanese": {}, "subwords-hash": {Bits: 32},
	"classes": {}, "classes-complement": {Bits: 8}, "classes-bernoulli": {Bits: 8, Prune: .1},
	"corrected": {}, "corrected-subwords": {Bits: 8}, "corrected-untrusted": {Prune: .01},
	"texts": {}, "texts-corrected": {Bits: 8},
}

// oldest is the generation of the first frozen files that this release writes to the byte.
const oldest = "4"

func TestGoldenFrozen(t *testing.T) {
	for _, r := range recipes {
		opts, ok := frozen[r.name]
		if !ok {
			continue
		}
		golden.New(t, r.generation(), "frozen/"+r.name+".nb", func(path string) {
			m, err := bayes.Fit(r.counts(), r.fitted(t))
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := m.Freeze(&b, &opts); err != nil {
				t.Fatal(err)
			}
			golden.Write(t, path, b.Bytes())
			if m, err = bayes.OpenModel(path, cli.Languages()...); err != nil {
				t.Fatal(err)
			}
			writeAnswers(t, path, m, r.questions())
		})
	}
	golden.Each(t, "frozen/*.nb", func(t *testing.T, path string) {
		m, err := bayes.OpenModel(path, cli.Languages()...)
		if err != nil {
			t.Fatal(err)
		}
		checkAnswers(t, path, m)
		m, err = bayes.LoadModel(bytes.NewReader(golden.Read(t, path)), cli.Languages()...) // verifies all checksums
		if err != nil {
			t.Fatal(err)
		}
		checkAnswers(t, path, m)
		if filepath.Base(filepath.Dir(filepath.Dir(path))) < oldest {
			return // scores were added up in another order, which shows in the last digit
		}
		m, err = bayes.OpenModel(filepath.Join(filepath.Dir(filepath.Dir(path)), "models", filepath.Base(path)), cli.Languages()...)
		if err != nil {
			t.Fatal(err)
		}
		opts := frozen[strings.TrimSuffix(filepath.Base(path), ".nb")]
		var b bytes.Buffer
		if err := m.Freeze(&b, &opts); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), golden.Read(t, path)) {
			t.Error("frozen again, the model has other bytes")
		}
	})
}
