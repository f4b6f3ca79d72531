package server

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"bayes"
	"bayes/answer"
)

// A modelInfo describes a model.
type modelInfo struct {
	Name       string             `json:"name"`
	Event      string             `json:"event" doc:"The event model, as bayes train --model has it"`
	Space      string             `json:"space" doc:"How a document becomes features"`
	Separator  string             `json:"label_separator,omitempty" doc:"Where documents may have several labels: what stands between them in one string"`
	Documents  int64              `json:"documents" doc:"How many examples have been learned"`
	Terms      int                `json:"terms" doc:"How many features are known: the size of the vocabulary"`
	Classes    []classInfo        `json:"classes"`
	Columns    columnInfo         `json:"columns" doc:"What members of a document's object are read"`
	Correction *answer.Correction `json:"correction,omitempty" doc:"Of a corrected model: what the correction was learned from, and how many examples were learned since"`
	Sequence   uint64             `json:"sequence" doc:"The number of the last learning event in the counts"`
	Visible    uint64             `json:"visible" doc:"The number of the last one in the model that predicts"`
	Snapshot   uint64             `json:"snapshot" doc:"The number of the last one in the snapshot on disk"`
	Erased     uint64             `json:"erased" doc:"The number of the last one up to which nothing that was unlearned or replaced is still readable on disk"`
	Stored     int                `json:"stored" doc:"How many documents can be unlearned"`
	Learning   string             `json:"learning" enum:"ok,stale,unavailable" doc:"Whether learning works; stale: what is learned is counted, but predictions are made without it"`
	Status     string             `json:"status" enum:"ok,broken" doc:"Whether the model can be used; one that is broken can be replaced or deleted"`
	Reason     string             `json:"reason,omitempty" doc:"Why learning or status is not ok"`
	Skipped    int64              `json:"skipped,omitempty" doc:"Of a model that was just trained from a table: how many records could not be read, with skip_bad"`
	Why        string             `json:"skipped_why,omitempty" doc:"What was wrong with the first of them"`
	Search     *searchResult      `json:"search,omitempty" doc:"Of a model that was just found by a search: what was chosen"`
}

type classInfo struct {
	Label    string  `json:"label"`
	Examples int64   `json:"examples" doc:"How many examples of the class have been learned with their label"`
	Weight   float64 `json:"weight" doc:"Their weight, and that of the shares of documents without a label"`
}

type columnInfo struct {
	Text        []string `json:"text"`
	Numeric     []string `json:"numeric"`
	Categorical []string `json:"categorical"`

	Trained *bayes.Columns `json:"trained,omitempty" doc:"The columns of the table that the model was trained from, where they have other names than label and those above; the label and the text of a document may be called by them too"`
}

// info describes a model as it is now.
func (e *entry) info() modelInfo {
	if e.broken != nil {
		return modelInfo{
			Name: e.name, Classes: []classInfo{}, Columns: columnInfo{Text: []string{}, Numeric: []string{}, Categorical: []string{}},
			Learning: unavailable, Status: broken, Reason: whyBroken(e.broken),
		}
	}
	l := e.live.Load()
	status := l.store.Status()
	info := modelInfo{
		Name: e.name, Classes: []classInfo{}, Learning: learning(status), Status: ok, Reason: whyNotLearning(status),
		Columns:  columnInfo{l.columns.of(mainRole, textRole), l.columns.of(numberRole), l.columns.of(categoryRole), l.columns.remembered()},
		Sequence: status.Applied, Visible: status.Visible, Snapshot: status.Snapshot, Erased: status.Erased, Stored: status.Documents,
	}
	info.Separator = l.columns.space.LabelSeparator
	m := l.store.Model()
	if m == nil {
		info.Space = l.store.Counts().Space().String()
		return info
	}
	info.Event, info.Space, info.Documents, info.Terms = m.EventModel().String(), m.Space().String(), m.Examples(), m.Len()
	info.Classes = l.classes(m)
	if info.Separator == "" { // or else an example is in several classes
		info.Documents = 0
		for _, c := range info.Classes {
			info.Documents += c.Examples
		}
	}
	info.Correction = answer.NewCorrection(m.EventModel(), info.Documents)
	return info
}

// classes describes the classes of m, a model of l: how many examples with the label have been learned, and the weight of these and of the shares that
// others have in the class.
func (l *liveModel) classes(m *bayes.Model) []classInfo {
	labels := m.Classes()
	list, learned := make([]classInfo, len(labels)), l.store.ClassExamples(labels)
	for i, label := range labels {
		n, w := m.Class(label)
		if l.columns.space.LabelSeparator == "" { // or else the store counts sets of labels
			n = learned[i]
		}
		list[i] = classInfo{label, n, w}
	}
	return list
}

type modelList struct {
	Body struct {
		Models []modelInfo `json:"models"`
	}
}

func (s *Server) listModels(context.Context, *struct{}) (*modelList, error) {
	out := new(modelList)
	out.Body.Models = []modelInfo{}
	entries := *s.catalog.entries.Load()
	for _, name := range s.catalog.Names() {
		if e := entries[name]; e != nil {
			out.Body.Models = append(out.Body.Models, e.info())
		}
	}
	return out, nil
}

// A ModelInput names a model. It is exported for huma to see it where it is
// embedded.
type ModelInput struct {
	Model string `path:"model" doc:"The name of a model"`
}

type modelOutput struct{ Body modelInfo }

func (s *Server) describeModel(_ context.Context, in *ModelInput) (*modelOutput, error) {
	e, err := s.entryNamed(in.Model)
	if err != nil {
		return nil, err
	}
	return &modelOutput{e.info()}, nil
}

type tellingInput struct {
	ModelInput
	N     int    `query:"n" minimum:"1" maximum:"1000" default:"20" doc:"How many of each class"`
	Class string `query:"class" doc:"Of this class only"`
}

type tellingOutput struct {
	Body map[string][]answer.TopTerm
}

// terms answers with the terms that tell most of each class.
func (s *Server) terms(_ context.Context, in *tellingInput) (*tellingOutput, error) {
	m, err := s.modelNamed(in.Model)
	if err != nil {
		return nil, err
	}
	out := &tellingOutput{make(map[string][]answer.TopTerm)}
	for _, class := range m.Classes() {
		if in.Class == "" || in.Class == class {
			out.Body[class] = answer.NewTopTerms(m, class, in.N)
		}
	}
	if len(out.Body) == 0 {
		return nil, fail(http.StatusNotFound, "the model has no class %.100q", in.Class)
	}
	return out, nil
}

type columnsInput struct {
	ModelInput
	N int `query:"n" minimum:"1" maximum:"1000" default:"100" doc:"How many values of each category"`
}

type columnsOutput struct{ Body answer.ColumnFacts }

// columns answers with what is known of the numbers and categories.
func (s *Server) columns(_ context.Context, in *columnsInput) (*columnsOutput, error) {
	m, err := s.modelNamed(in.Model)
	if err != nil {
		return nil, err
	}
	return &columnsOutput{answer.NewColumnFacts(m, in.N)}, nil
}

type termInput struct {
	ModelInput
	Name string `query:"name" required:"true" minLength:"1" maxLength:"10000" doc:"A term, as the analyzer makes them; of another text NAME:term, of a category NAME=value"`
}

type termOutput struct{ Body answer.Term }

func (s *Server) term(_ context.Context, in *termInput) (*termOutput, error) {
	m, err := s.modelNamed(in.Model)
	if err != nil {
		return nil, err
	}
	t, ok := answer.NewTerm(m, in.Name)
	if !ok {
		return nil, fail(http.StatusNotFound, "the model does not know the term %.100q", in.Name)
	}
	return &termOutput{t}, nil
}

// holdList has a request hold the memory to list what is known of a model's classes, or of
// those of all models, and of some terms of each.
func (s *Server) holdList(w http.ResponseWriter, r *http.Request) error {
	entries := *s.catalog.entries.Load()
	if e := entries[r.PathValue("model")]; e != nil {
		entries = map[string]*entry{e.name: e}
	}
	var bytes int64
	for _, e := range entries {
		if e.broken != nil {
			continue
		}
		if m := e.live.Load().store.Model(); m != nil {
			bytes += listWork(m, r)
		}
	}
	if bytes <= smallWork {
		return nil
	}
	if p := shareOf(w).take(bytes); p != nil {
		return p
	}
	return nil
}

// listWork returns how much memory it takes to list what a request asks of a model: a number for
// each class, and as many of its terms as are listed. Sorting takes memory for each term of
// the model.
func listWork(m *bayes.Model, r *http.Request) int64 {
	classes, features := int64(len(m.Classes())), int64(m.Len())
	listed := func(unless, most int) int64 {
		n, err := strconv.Atoi(r.URL.Query().Get("n"))
		if err != nil {
			n = unless
		}
		return int64(max(1, min(n, m.Len(), most)))
	}
	switch {
	case strings.HasSuffix(r.Pattern, "/terms"):
		return classes*listed(20, 1000)*listedWork + features*sortedWork
	case strings.HasSuffix(r.Pattern, "/columns"):
		_, numbers, categories := m.Attributes()
		bytes := (classes*int64(len(numbers)) + int64(len(categories))*listed(100, 1000)) * listedWork
		if len(categories) > 0 {
			bytes += 2 * features * sortedWork // and once more to gather the values
		}
		return bytes
	}
	return classes * listedWork
}
