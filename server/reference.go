package server

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

//go:generate go tool qtc -skipLineComments

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
	Example                          exampleView
}

// An exampleView is a request of an operation: as a command, and as a form, unless what is sent
// or answered is a file.
type exampleView struct {
	Command      string
	Body, Answer string // in JSON
	Form         bool
	Changes      bool // the model
	Inputs       []inputView
}

// An inputView is a field of the form, of a parameter.
type inputView struct{ Name, In, Value string }

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
		Required              bool
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

type apiContent struct {
	Schema  jsonSchema
	Example json.RawMessage
}

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
	return []byte(referenceHTML(&view)), nil
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
	v.Example = op.example(v.Method, path)
	return v
}

// example returns an example of a request, of a model called mail.
func (op *apiOperation) example(method, path string) exampleView {
	e := exampleView{Changes: op.OperationID == "learn" || op.OperationID == "unlearn"}
	e.Body = string(op.RequestBody.Content[jsonBody].Example)
	e.Answer = string(op.Responses["200"].Content[jsonBody].Example)
	_, sends := op.RequestBody.Content[octets]
	_, receives := op.Responses["200"].Content[octets]
	_, tables := op.RequestBody.Content[tableType]
	e.Form = !sends && !receives && !tables && method != "DELETE"
	// The address: what is in braces is the model, and what a query must have is the name of a term.
	address := "localhost:8080" + strings.ReplaceAll(path, "{model}", "mail")
	for _, p := range op.Parameters {
		in := inputView{Name: p.Name, In: p.In}
		switch {
		case p.In == "path":
			in.Value = "mail"
		case p.Required:
			in.Value = "free"
			address += "?" + p.Name + "=" + in.Value
		}
		e.Inputs = append(e.Inputs, in)
	}
	switch {
	case sends:
		e.Command = "curl -T mail.nb -H 'Content-Type: " + octets + "' " + address
	case tables:
		e.Command = "curl -T held-out.csv -X " + method + " -H 'Content-Type: " + tableType + "' " + address
	case receives:
		e.Command = "curl -o mail.nb " + address
	case method == "GET":
		e.Command = "curl '" + address + "'"
	case e.Body != "":
		e.Command = "curl -H 'Content-Type: " + jsonBody + "' -d '" + e.Body + "' " + address
	default:
		e.Command = "curl -X " + method + " " + address
	}
	return e
}

// jsonBody is the media type of bodies and answers that have examples.
const jsonBody = "application/json"

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
