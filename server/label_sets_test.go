package server_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"bayes"
	"bayes/answer"
	"bayes/server"
)

// Where documents may have several labels, they are sent as an array or as one string, in any order, and answered as a list.
func TestLabelSets(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	for _, ex := range []bayes.Example{{Label: "grain;oil", Text: "wheat crude"}, {Label: "oil", Text: "crude opec"}, {Label: ";", Text: "rain today"}} {
		c.Learn(ex)
	}
	s := newSite(t, c, nil, server.Options{})
	before := s.snapshot()
	for _, body := range []string{
		`{"id":"1","label":["oil","grain"],"text":"wheat opec"}`,
		`{"id":"1","label":"oil; grain","text":"wheat opec"}`,
		`{"id":"2","label":[],"text":"rain"}`,
		`{"id":"3","label":"","text":"rain"}`,
	} {
		s.change(learnPath, body)
	}
	learned, _, err := bayes.Load(bytes.NewReader(s.snapshot()))
	if err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]int64{"grain;oil": 2, "oil": 1, ";": 3} {
		if n, _ := learned.Class(set); n != want {
			t.Errorf("%d documents have %q, want %d", n, set, want)
		}
	}
	got := s.want(200, s.post(strings.Replace(learnPath, "learn", "predict", 1), `{"text":"wheat crude opec"}`))
	if !strings.Contains(got.Body, `"labels":["grain","oil"]`) {
		t.Errorf("predicted: %s", got.Body)
	}
	for _, bad := range []string{`{"label":["gold"],"text":"a"}`, `{"label":["a;b"],"text":"a"}`, `{"label":[1],"text":"a"}`} {
		s.want(422, s.post(learnPath, bad))
	}
	s.change(unlearnPath, `{"documents":[{"id":"1"},{"id":"2"},{"id":"3"}]}`)
	if string(s.snapshot()) != string(before) {
		t.Error("unlearning documents of several labels leaves something")
	}
}

// A table whose records have several labels is measured as bayes test does, and the labels of its least certain records are asked for.
func TestMeasureLabelSets(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	for _, ex := range []bayes.Example{
		{Label: "grain;oil", Text: "wheat crude"}, {Label: "oil", Text: "crude opec"}, {Label: "grain", Text: "wheat corn"},
		{Label: ";", Text: "rain today"}, {Label: ";", Text: "sun today"},
	} {
		c.Learn(ex)
	}
	s := newSite(t, c, nil, server.Options{})
	table := "label,text\noil ; grain,wheat crude\n;,rain\ngold;oil,opec\ngrain,crude crude\n"
	got := decode[struct {
		Documents      int
		MicroF1        float64    `json:"micro_f1"`
		Interval       [2]float64 `json:"micro_f1_interval"`
		SubsetAccuracy float64    `json:"subset_accuracy"`
		HammingLoss    float64    `json:"hamming_loss"`
		Labels         []string
		Confused       []struct {
			Label, Predicted string
			Documents        int
		}
		Unknown   []string `json:"unknown_labels"`
		Uncertain []struct {
			doubt
			Labels []string
		}
	}](t, s.want(200, s.table("POST", testPath, table)).Body)
	// Right are grain and oil of the first, and oil of the third; gold and grain are missed, and oil is given wrongly.
	if got.Documents != 4 || got.MicroF1 != 2*3./(2*3+3) || got.SubsetAccuracy != .5 || got.HammingLoss != 3./12 || got.Interval[0] > got.MicroF1 || got.Interval[1] < got.MicroF1 {
		t.Errorf("figures: %+v", got)
	}
	if fmt.Sprint(got.Labels, got.Unknown, got.Confused) != "[gold grain oil] [gold] [{grain oil 1}]" {
		t.Errorf("labels: %+v", got)
	}
	if len(got.Uncertain) != 4 || got.Uncertain[0].Margin > got.Uncertain[1].Margin {
		t.Fatalf("the least certain: %+v", got.Uncertain)
	}
	for _, d := range got.Uncertain {
		want := map[int]string{1: "[grain oil] grain;oil", 2: "[] ;", 3: "[oil] gold;oil", 4: "[oil] grain"}[d.Row]
		if fmt.Sprint(d.Labels, " ", d.Given) != want {
			t.Errorf("row %d: %v %s, want %s", d.Row, d.Labels, d.Given, want)
		}
	}
	page := s.want(200, s.table("POST", testPath+"?report=true", table))
	if !strings.HasPrefix(page.Body, "<!DOCTYPE html>") || !strings.Contains(page.Body, "Hamming") {
		t.Errorf("the report: %.200s", page.Body)
	}
	// What is learned of it is a set, too.
	d := got.Uncertain[0]
	s.want(200, s.post(learnPath+"?new_labels=true", encode(t, map[string]any{"id": d.ID, "label": []string{"gold", "oil"}, "text": d.Document["text"]})))
	info := decode[struct {
		Separator string `json:"label_separator"`
		Classes   []struct{ Label string }
	}](t, s.want(200, s.get(strings.TrimSuffix(learnPath, "/learn"))).Body)
	if info.Separator != ";" || fmt.Sprint(info.Classes) != "[{gold} {grain} {oil}]" {
		t.Errorf("%+v", info)
	}
}

// Where documents may have several labels, that is remembered whose least certain label is nearest to its cutoff, however few labels are asked for.
func TestUncertainLabelSets(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	for n, ex := range []bayes.Example{{Label: "p;q;r", Text: "alpha"}, {Label: "p;q;r;z", Text: "alpha"}, {Label: "s", Text: "gamma"}, {Label: ";", Text: "gamma"}, {Label: "n", Text: "beta"}} {
		for range []int{10, 9, 9, 2, 40}[n] {
			c.Learn(ex)
		}
	}
	m := fit(t, c, nil)
	least := func(text string) float64 {
		margin := math.Inf(1)
		for _, class := range m.Predict(bayes.Document{Text: text}).Classes {
			margin = min(margin, math.Abs(class.LogJoint))
		}
		return margin
	}
	const sure, unsure = "gamma", "alpha" // of which z is the unsure one, and less probable than p, q and r
	if classes := m.Predict(bayes.Document{Text: unsure}).Classes; classes[3].Class != "z" || !(least(unsure) < least(sure) && least(sure) < classes[1].LogJoint) {
		t.Fatalf("%v, and %v", least(sure), classes)
	}
	for _, query := range []string{"", "?top=1", "?top=2"} {
		catalog := server.NewCatalog(&server.CatalogOptions{Dir: t.TempDir(), Recent: 1})
		if _, err := catalog.Add(t.Context(), "mail", "", c, nil); err != nil {
			t.Fatal(err)
		}
		srv, err := server.New(catalog, &server.Options{Log: quiet})
		if err != nil {
			t.Fatal(err)
		}
		s := &site{t: t, catalog: catalog, server: srv}
		for _, text := range []string{sure, unsure} {
			s.want(200, s.post(predictPath+query, fmt.Sprintf(`{"text":%q}`, text)))
		}
		if got := s.doubts("").Documents; len(got) != 1 || got[0].Document["text"] != unsure {
			t.Errorf("%q: %+v is remembered", query, got)
		}
		catalog.Close()
	}
}

// Where documents may have several labels, each is explained against its rest.
func TestExplainLabelSets(t *testing.T) {
	c := bayes.NewCounts(&bayes.Space{LabelSeparator: ";"})
	for _, ex := range []bayes.Example{{Label: "grain;oil", Text: "wheat crude"}, {Label: "oil", Text: "crude opec"}, {Label: ";", Text: "rain today"}} {
		c.Learn(ex)
	}
	s := newSite(t, c, nil, server.Options{})
	path, m := strings.Replace(learnPath, "learn", "explain", 1), fit(t, c, nil)
	for of, class := range map[string]string{"": "oil", "?of=grain": "grain"} {
		got := decode[answer.Explanation](t, s.want(200, s.post(path+of, `{"text":"opec crude"}`)).Body)
		want := answer.NewExplanation(m.ExplainAgainst(bayes.Document{Text: "opec crude"}, class, ""), 0)
		if got.Highlights = nil; encode(t, got) != encode(t, want) {
			t.Errorf("%q: %s, want %s", of, encode(t, got), encode(t, want))
		}
	}
	s.want(422, s.post(path+"?of=gold", `{"text":"opec"}`))
	// The work is that of the label which is explained, and adds up.
	for of, class := range map[string]string{"": "oil", "&of=grain": "grain"} {
		work := decode[struct{ Work answer.Derivation }](t, s.want(200, s.post(path+"?work=true"+of, `{"text":"opec crude"}`)).Body).Work
		if len(work.Classes) != 1 || work.Classes[0].Label != class {
			t.Fatalf("%q: %+v", of, work)
		}
		c := work.Classes[0]
		sum := float64(*c.PriorScore)
		for _, f := range c.Factors {
			sum += f.Times * math.Log(f.Numerator/f.Denominator/(f.Rest.Numerator/f.Rest.Denominator))
		}
		if math.Abs(sum-float64(c.LogJoint)) > 1e-12 || c.Of != 3 || math.Abs(1/(1+math.Exp(-sum))-float64(c.P)) > 1e-12 {
			t.Errorf("%q: the parts come to %v: %+v", of, sum, c)
		}
	}
}

// A table whose records have several labels, or none, trains the model that bayes train makes of it.
func TestTrainLabelSets(t *testing.T) {
	s := newSite(t, counts(mail...), nil, server.Options{})
	s.want(201, s.table("PUT", "/v1/models/topics?space=default+label-separator%3D%22%3B%22&label=topics", "topics,text\noil ; grain,wheat crude\n,rain today\noil,crude opec\n"))
	got, _, err := bayes.Load(strings.NewReader(s.want(200, s.get("/v1/models/topics/snapshot")).Body))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%q", got.Classes()) != `[";" "grain;oil" "oil"]` || got.Examples() != 3 {
		t.Errorf("%d examples of %q", got.Examples(), got.Classes())
	}
	if answer := s.want(200, s.post("/v1/models/topics/predict", `{"text":"wheat crude"}`)).Body; !strings.HasPrefix(answer, `{"label":"`) || !strings.Contains(answer, `"labels":["grain","oil"]`) {
		t.Error(answer)
	}
}
