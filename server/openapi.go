package server

import (
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// admission returns the statuses of requests that are not let in.
func admission(scopes []Scope) []int {
	if len(scopes) == 0 {
		return []int{http.StatusMisdirectedRequest}
	}
	return []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest, http.StatusTooManyRequests}
}

// security returns what a route asks for. An empty list, unlike none, says that it
// asks for nothing.
func security(scopes []Scope) []map[string][]string {
	if len(scopes) == 0 {
		return []map[string][]string{}
	}
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return []map[string][]string{{"token": names}}
}

// An operationBuilder describes a route of ours.
type operationBuilder struct {
	huma.Operation
	scopes []Scope
}

func operation(id, method, path string, scope Scope, summary string) *operationBuilder {
	scopes := []Scope{scope}
	return &operationBuilder{huma.Operation{
		OperationID: id, Method: method, Path: path, Summary: summary, Security: security(scopes),
		Parameters: []*huma.Param{{Name: "model", In: "path", Required: true, Description: "The name of a model", Schema: &huma.Schema{Type: "string"}}},
		Responses:  make(map[string]*huma.Response),
	}, scopes}
}

// also has the route ask for a further scope.
func (o *operationBuilder) also(scope Scope) *operationBuilder {
	o.scopes = append(o.scopes, scope)
	o.Security = security(o.scopes)
	return o
}

func (o *operationBuilder) param(name, doc string, schema *huma.Schema) *operationBuilder {
	o.Parameters = append(o.Parameters, &huma.Param{Name: name, In: "query", Description: doc, Schema: schema})
	return o
}

func (o *operationBuilder) body(mediaType string, schema *huma.Schema) *operationBuilder {
	if o.RequestBody == nil {
		o.RequestBody = &huma.RequestBody{Required: true, Content: make(map[string]*huma.MediaType)}
	}
	o.RequestBody.Content[mediaType] = &huma.MediaType{Schema: schema}
	return o
}

// example gives an example of the body and of the answer to it, both in JSON.
func (o *operationBuilder) example(body, answer string) *operationBuilder {
	o.RequestBody.Content["application/json"].Example = json.RawMessage(body)
	o.Responses["200"].Content["application/json"].Example = json.RawMessage(answer)
	return o
}

func (o *operationBuilder) answers(mediaType string, schema *huma.Schema) *operationBuilder {
	if o.Responses["200"] == nil {
		o.Responses["200"] = &huma.Response{Description: "OK", Content: make(map[string]*huma.MediaType)}
	}
	o.Responses["200"].Content[mediaType] = &huma.MediaType{Schema: schema}
	return o
}

// schema returns the schema of v's type.
func (s *Server) schema(v any) *huma.Schema {
	return s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(v), true, "")
}

// oneOrMany returns the schema of one document, or a list of them.
func (s *Server) oneOrMany(document *huma.Schema) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{document, {
		Type: "object", Required: []string{"documents"},
		Properties: map[string]*huma.Schema{"documents": {Type: "array", Items: document, MaxItems: &s.opts.Limits.Batch}},
	}}}
}

// documentSchema describes a document.
func documentSchema(labelled bool) *huma.Schema {
	text := &huma.Schema{Type: "string", Description: "The text, if the model has a single one. Other columns of the model are members by their names: strings or numbers."}
	d := &huma.Schema{Type: "object", AdditionalProperties: true, Properties: map[string]*huma.Schema{
		"id": idOf("A name for the document"), "text": text,
	}}
	if labelled {
		d.Properties["id"] = idOf("A name for the document, by which it can be corrected and unlearned. What is learned again under the same id replaces what was learned.")
		d.Properties["label"] = &huma.Schema{Type: "string", MinLength: ptr(1), Description: "The class. With an id, and nothing else, the document is moved to this class."}
		d.Required = []string{"label"}
	}
	return d
}

func idSchema() *huma.Schema {
	return &huma.Schema{Type: "object", Required: []string{"id"}, Properties: map[string]*huma.Schema{"id": idOf("The name that the document was learned under")}}
}

func idOf(doc string) *huma.Schema {
	return &huma.Schema{Type: "string", MinLength: ptr(1), Description: doc}
}

// realNumber is what answer.Real is in JSON.
type realNumber struct{}

// Schema implements [huma.SchemaProvider].
func (realNumber) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: "number"}, {Type: "string", Enum: []any{"inf", "-inf"}}}}
}

func ptr[T any](v T) *T { return &v }
