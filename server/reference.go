package server

import (
	"bytes"
	_ "embed" // the page's template
	"encoding/json"
	"html/template"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed reference.html
var referenceSource string

// It is parsed when it is first needed, not at each start.
var referenceTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("reference").Parse(referenceSource))
})

// A reference is an OpenAPI document as its page shows it.
type reference struct {
	Title, Version, Description string
	Operations                  []operationView
	Schemas                     []schemaView
}

type operationView struct {
	Method, Path, ID, Summary, Scope string
	Parameters                       []memberView
	Bodies                           []contentView
	Answers                          []answerView
}

type contentView struct{ Type, Schema string }

type answerView struct {
	Status, Description string
	Contents            []contentView
}

type schemaView struct {
	Name    string
	Members []memberView
}

type memberView struct{ Name, Type, Doc string }

// An apiDocument is the part of an OpenAPI document that the page shows.
type apiDocument struct {
	Info       struct{ Title, Version, Description string }
	Paths      map[string]map[string]apiOperation
	Components struct{ Schemas map[string]jsonSchema }
}

type apiOperation struct {
	OperationID, Summary string
	Security             []map[string][]string
	Parameters           []struct {
		Name, In, Description string
		Schema                jsonSchema
	}
	RequestBody struct {
		Content map[string]apiContent
	}
	Responses map[string]struct {
		Description string
		Content     map[string]apiContent
	}
}

type apiContent struct{ Schema jsonSchema }

// referencePage returns a page that says what an OpenAPI document says.
func referencePage(document []byte) ([]byte, error) {
	var doc apiDocument
	if err := json.Unmarshal(document, &doc); err != nil {
		return nil, err
	}
	view := reference{Title: doc.Info.Title, Version: doc.Info.Version, Description: doc.Info.Description}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			op := doc.Paths[path][method]
			view.Operations = append(view.Operations, op.view(method, path))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		view.Schemas = append(view.Schemas, schemaView{name, doc.Components.Schemas[name].members()})
	}
	var b bytes.Buffer
	if err := referenceTemplate().Execute(&b, view); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// view returns an operation as the page shows it.
func (op *apiOperation) view(method, path string) operationView {
	v := operationView{Method: strings.ToUpper(method), Path: path, ID: op.OperationID, Summary: op.Summary}
	for _, s := range op.Security {
		v.Scope = strings.Join(s["token"], ", ")
	}
	for _, p := range op.Parameters {
		v.Parameters = append(v.Parameters, memberView{p.Name + " (" + p.In + ")", p.Schema.String(), p.Description})
	}
	v.Bodies = contents(op.RequestBody.Content)
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		v.Answers = append(v.Answers, answerView{status, op.Responses[status].Description, contents(op.Responses[status].Content)})
	}
	return v
}

func contents(m map[string]apiContent) (list []contentView) {
	for _, t := range slices.Sorted(maps.Keys(m)) {
		list = append(list, contentView{t, m[t].Schema.String()})
	}
	return list
}

// A jsonSchema is the part of a JSON Schema that the page shows.
type jsonSchema struct {
	Ref                  string `json:"$ref"`
	Type                 any
	Format               string
	Description          string
	Enum                 []any
	OneOf                []jsonSchema
	Items                *jsonSchema
	Properties           map[string]jsonSchema
	AdditionalProperties any
	Required             []string
}

// String returns a schema in a few words.
func (s jsonSchema) String() string {
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	case len(s.OneOf) > 0:
		var list []string
		for _, o := range s.OneOf {
			list = append(list, o.String())
		}
		return strings.Join(list, " or ")
	case s.Items != nil:
		return "[" + s.Items.String() + ", …]"
	case len(s.Properties) > 0:
		var list []string
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			list = append(list, `"`+name+`": `+s.Properties[name].String())
		}
		return "{" + strings.Join(list, ", ") + "}"
	case len(s.Enum) > 0:
		b, _ := json.Marshal(s.Enum) // it was JSON
		return strings.Trim(string(b), "[]")
	}
	switch t := s.Type.(type) {
	case string:
		return t
	case []any:
		b, _ := json.Marshal(t)
		return strings.Trim(strings.NewReplacer(`"`, "", ",", " or ").Replace(string(b)), "[]")
	}
	return "anything"
}

func (s jsonSchema) members() (list []memberView) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		list = append(list, memberView{name, p.String(), p.Description})
	}
	return list
}
