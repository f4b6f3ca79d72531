package server

import (
	"context"
	"maps"
	"net/http"
	"reflect"
	"strconv"

	"bayes/answer"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// describe sets up all routes, and the OpenAPI document that describes them. The
// routes that take documents are plain handlers: which members an object has is
// for the model to say, and no Go struct knows.
func (s *Server) describe() {
	// huma offers pages and files of its own, which are switched off: see static.
	config := huma.DefaultConfig("bayes", s.opts.Version)
	config.Info.Description = "Naive Bayes models that predict, explain, and go on learning. Errors are problems as RFC 9457 has them."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil
	config.Servers = []*huma.Server{{URL: ".", Description: "This server, whatever the prefix that a proxy puts before it"}}
	config.Info.License = &huma.License{Name: "MIT", Identifier: "MIT"}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "A token of the file that bayes serve --tokens names, where one is used. Each request needs the scope that it lists: predict, read (which includes predict), learn or admin."},
	}
	config.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[answer.Real](), reflect.TypeFor[realNumber]())
	s.api = humago.New(guardedMux{s}, config)

	get(s, "", "healthz", "/healthz", "Whether the process is alive", s.healthz)
	get(s, "", "readyz", "/readyz", "Whether requests should be sent here", s.readyz, http.StatusServiceUnavailable)
	get(s, Read, "list-models", "/v1/models", "List the models", s.listModels)
	get(s, Read, "describe-model", "/v1/models/{model}", "Describe a model", s.describeModel, http.StatusNotFound)
	get(s, Read, "telling-terms", "/v1/models/{model}/terms", "The terms that tell most of each class", s.terms, http.StatusNotFound, http.StatusConflict)
	get(s, Read, "term", "/v1/models/{model}/term", "What is known of one term", s.term, http.StatusNotFound, http.StatusConflict)
	get(s, Read, "columns", "/v1/models/{model}/columns", "What is known of the numbers and categories", s.columns, http.StatusNotFound, http.StatusConflict)
	get(s, Read, "token", "/v1/token", "What the token of the request allows", s.describeToken)

	s.documentRoutes()
	s.modelRoutes()
	metrics := s.metrics.handler()
	s.mux.Handle("GET /metrics", s.guard([]Scope{Read}, nil, func(w http.ResponseWriter, r *http.Request) error {
		if err := s.holdList(w, r); err != nil {
			return err
		}
		metrics.ServeHTTP(w, r)
		return nil
	}))
}

const topDoc = "How many of the most probable classes are answered: all, or 10 of more than 1,000, unless it is given"

// documentRoutes sets up the routes that take documents.
func (s *Server) documentRoutes() {
	s.handle(operation("predict", "POST", "/v1/models/{model}/predict", Predict, "Predict one document or many").
		param("threshold", "The label is ? where the best class is less probable", &huma.Schema{Type: "number", Minimum: new(float64), Maximum: ptr(1.0)}).
		param("certain", "Of a tree of labels, the label is the deepest that is as probable; ? where none is", &huma.Schema{Type: "number", Minimum: new(float64), Maximum: ptr(1.0)}).
		param("top", topDoc, &huma.Schema{Type: "integer", Minimum: ptr(1.0)}).
		body("application/json", s.oneOrMany(documentSchema(false))).body(ndjson, documentSchema(false)).body(message, mailSchema).
		answers("application/json", &huma.Schema{OneOf: []*huma.Schema{s.schema(answer.Prediction{}), {
			Type: "object", Required: []string{"predictions"},
			Properties: map[string]*huma.Schema{"predictions": {Type: "array", Items: s.schema(answer.Prediction{})}},
		}}}).answers(ndjson, &huma.Schema{OneOf: []*huma.Schema{s.schema(answer.Prediction{}), s.schema(problem{})}}).
		example(`{"text":"free lunch"}`, `{"label":"spam","probability":0.62,"probabilities":{"ham":0.38,"spam":0.62},"log_joint":{"ham":-6.27,"spam":-5.78},"known":2,"unknown":0}`),
		s.predict)
	s.handle(operation("explain", "POST", "/v1/models/{model}/explain", Predict, "Explain a prediction, term by term").
		param("work", "Whether to tell the whole calculation; where documents may have several labels, that of the label that is explained", &huma.Schema{Type: "boolean"}).
		param("of", "Where documents may have several labels: the label that is explained; the most probable unless it is given", &huma.Schema{Type: "string"}).
		param("top", topDoc, &huma.Schema{Type: "integer", Minimum: ptr(1.0)}).
		body("application/json", documentSchema(false)).answers("application/json", s.schema(explanation{})).
		example(`{"text":"free lunch"}`, `{"label":"spam","probability":0.62,"probabilities":{"ham":0.38,"spam":0.62},"log_joint":{"ham":-6.27,"spam":-5.78},"known":2,"unknown":0,"class":"spam","against":"ham","power":1,"prior":0,"absent":0,"terms":[{"term":"free","value":1,"log_odds":1.14,"sum_class":2,"sum_against":0},{"term":"lunch","value":1,"log_odds":-0.65,"sum_class":0,"sum_against":1}]}`),
		s.explain)
	s.handle(operation("learn", "POST", "/v1/models/{model}/learn", Learn, "Learn, correct or relabel documents").
		param("new_labels", "Whether labels may be new to the model", &huma.Schema{Type: "boolean"}).
		param("label", "The label of a mail, where that is the body", &huma.Schema{Type: "string"}).
		body("application/json", s.oneOrMany(documentSchema(true))).body(message, mailSchema).answers("application/json", s.schema(receipt{})).
		example(`{"id":"17","label":"spam","text":"a free lunch for all"}`, `{"sequence":2,"applied":1}`),
		s.learn, http.StatusInsufficientStorage, http.StatusServiceUnavailable)
	s.handle(operation("unlearn", "POST", "/v1/models/{model}/unlearn", Learn, "Unlearn documents by their ids").
		body("application/json", s.oneOrMany(idSchema())).body(message, mailSchema).answers("application/json", s.schema(receipt{})).
		example(`{"id":"17"}`, `{"sequence":3,"applied":1}`),
		s.unlearn, http.StatusInsufficientStorage, http.StatusServiceUnavailable)
	s.correctionRoutes()
}

// correctionRoutes sets up the routes of what people correct, and of what they have. Who asks for
// texts of others must be allowed both to look and to teach.
func (s *Server) correctionRoutes() {
	s.handle(operation("uncertain", "GET", "/v1/models/{model}/uncertain", Read, "What was predicted lately that the model is least certain of").also(Learn).
		param("n", "How many documents, at most 100", &huma.Schema{Type: "integer", Minimum: ptr(1.0), Maximum: ptr(100.0), Default: 20}).
		answers("application/json", s.schema(doubtList{})),
		s.uncertain, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusServiceUnavailable)
	s.handle(operation("documents", "GET", "/v1/models/{model}/documents", Read, "What has been learned under an id, the latest first").also(Learn).
		param("n", "How many documents, at most 200", &huma.Schema{Type: "integer", Minimum: ptr(1.0), Maximum: ptr(200.0), Default: 50}).
		param("before", "Only what was learned before the event of this number: the next of the answer before", &huma.Schema{Type: "integer", Minimum: ptr(1.0)}).
		answers("application/json", s.schema(learnedList{})),
		s.history, http.StatusUnprocessableEntity, http.StatusServiceUnavailable)
	measured := &huma.Schema{OneOf: []*huma.Schema{s.schema(measurement{}), s.schema(setMeasurement{})}}
	s.handle(tableParams(operation("test", "POST", "/v1/models/{model}/test", Read, "Measure a model on a table of labelled records").
		body(tableType, &huma.Schema{Type: "string"}).body(ndjson, documentSchema(true))).
		param("uncertain", "How many of the records that the model is least certain of are answered, at most 200", &huma.Schema{Type: "integer", Minimum: ptr(1.0), Maximum: ptr(200.0), Default: 20}).
		param("report", "Whether the answer is a page in one file, rather than JSON; of lines whether it is in the last line too", &huma.Schema{Type: "boolean"}).
		answers("application/json", measured).answers("text/html", &huma.Schema{Type: "string"}).
		answers(ndjson, &huma.Schema{OneOf: []*huma.Schema{s.schema(answer.Prediction{}), s.schema(problem{}), {
			Type: "object", Required: []string{"measurement"}, Description: "The last line",
			Properties: map[string]*huma.Schema{"measurement": measured, "report": {Type: "string"}},
		}}}),
		s.test, http.StatusConflict, http.StatusServiceUnavailable, http.StatusInsufficientStorage)
}

// modelRoutes sets up the routes that take or give whole models.
func (s *Server) modelRoutes() {
	s.handle(operation("snapshot", "GET", "/v1/models/{model}/snapshot", Admin, "Download the model's file, with all that has been acknowledged").
		answers(octets, &huma.Schema{Type: "string", Format: "binary"}),
		s.snapshot)
	upload := tableParams(operation("upload", "PUT", "/v1/models/{model}", Admin, "Upload a model, or train one from a table, and swap the one of this name").
		body(octets, &huma.Schema{Type: "string", Format: "binary"}).body(tableType, &huma.Schema{Type: "string"})).
		param("numeric", "Of a table: columns of numbers, with commas between", &huma.Schema{Type: "string"}).
		param("categorical", "Of a table: columns of categories", &huma.Schema{Type: "string"}).
		param("event", "Of a table: the event model, as describe-model has it; multinomial, or mixed of several columns, unless it is given", &huma.Schema{Type: "string"}).
		param("space", "Of a table: how a text becomes features, as describe-model has it, such as ja or default ngrams=1-2", &huma.Schema{Type: "string"}).
		param("auto", "Of a table: whether to choose the best settings by cross-validation, as bayes train --auto does; space is then an analyzer's name, and the answer a stream: how far the search is, and last the model, or the problem", &huma.Schema{Type: "boolean"}).
		param("budget", "Of auto: how many seconds it may search and train, at most 300", &huma.Schema{Type: "integer", Minimum: ptr(1.0), Maximum: ptr(300.0), Default: 60}).
		answers("application/json", s.schema(modelInfo{})).
		answers(ndjson, &huma.Schema{OneOf: []*huma.Schema{s.schema(searchProgress{}), s.schema(modelInfo{}), s.schema(problem{})}})
	upload.Responses["201"] = &huma.Response{Description: "Created", Content: upload.Responses["200"].Content}
	s.handle(upload, s.upload, http.StatusConflict, http.StatusInsufficientStorage, http.StatusServiceUnavailable)
	remove := operation("delete", "DELETE", "/v1/models/{model}", Admin, "Delete a model and all that it has learned")
	remove.Responses["204"] = &huma.Response{Description: "No Content"}
	s.handle(remove, s.remove, http.StatusConflict)
}

// guardedMux is where huma registers its routes. They are those that take no
// body; which scope they need is for get to say.
type guardedMux struct{ s *Server }

func (m guardedMux) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	m.s.mux.HandleFunc(pattern, h)
}

func (m guardedMux) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.s.mux.ServeHTTP(w, r) }

// get registers a route of huma's.
func get[I, O any](s *Server, scope Scope, id, path, summary string, h func(context.Context, *I) (*O, error), errors ...int) {
	scopes := []Scope{scope}
	if scope == "" {
		scopes = nil
	}
	op := huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary, Security: security(scopes), Errors: append(errors, admission(scopes)...)}
	op.Middlewares = huma.Middlewares{func(ctx huma.Context, next func(huma.Context)) {
		r, w := humago.Unwrap(ctx)
		err := s.admit(w, r, scopes)
		if err == nil && scopes != nil {
			err = s.holdList(w, r)
		}
		if err != nil {
			s.writeProblem(w, r, err)
			return
		}
		next(huma.WithValue(ctx, tokenKey{}, tokenOf(w)))
	}}
	huma.Register(s.api, op, h)
}

// handle registers a route and describes it.
func (s *Server) handle(o *operationBuilder, h handler, errors ...int) {
	var types []string
	if o.RequestBody != nil {
		for t := range maps.Keys(o.RequestBody.Content) {
			types = append(types, t)
		}
		errors = append(errors, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	}
	errors = append(append(errors, http.StatusNotFound), admission(o.scopes)...)
	for _, status := range errors {
		o.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: s.schema(problem{})}},
		}
	}
	s.mux.Handle(o.Method+" "+o.Path, s.guard(o.scopes, types, h))
	s.api.OpenAPI().AddOperation(&o.Operation)
}
