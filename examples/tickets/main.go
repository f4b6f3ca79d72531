// Command tickets routes the tickets of a help desk: it learns from tickets.csv, which is part of
// the program, and answers over HTTP which queue a ticket belongs to, or that a person should look
// at it.
//
//	go run ./examples/tickets
//	curl -d '{"subject": "Charged twice", "body": "My card was charged two times"}' localhost:8080/route
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"time"

	"bayes"
	"bayes/dataset"
)

//go:embed tickets.csv
var tickets []byte

// sure is how probable a queue must be for a ticket to go there without a person.
const sure = 0.7

// A ticket has two texts: each is modelled apart, since a word in a subject says more.
type ticket struct {
	Subject string `json:"subject"`
	Body    string `json:"body"`
}

type route struct {
	Queue       string   `json:"queue"` // "person" where the model is not sure
	Probability float64  `json:"probability"`
	Because     []string `json:"because"` // the words that say most for the queue
}

func main() {
	addr := flag.String("addr", "localhost:8080", "where to listen")
	flag.Parse()
	model, err := train()
	if err != nil {
		log.Fatal(err)
	}
	s := &http.Server{Addr: *addr, Handler: handler(model), ReadTimeout: 10 * time.Second}
	log.Printf("listening on http://%s", *addr)
	log.Fatal(s.ListenAndServe())
}

func train() (*bayes.Model, error) {
	source, err := dataset.Open([]string{"-"}, bytes.NewReader(tickets), &dataset.Options{
		Format: "csv", Label: "queue", Text: []string{"subject", "body"},
	})
	if err != nil {
		return nil, err
	}
	counts, err := bayes.Count(context.Background(), nil, source.Examples(), nil)
	if err != nil {
		return nil, err
	}
	return bayes.Fit(counts, nil)
}

// handler answers requests; a Model is for any number of them at a time.
func handler(model *bayes.Model) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /route", func(w http.ResponseWriter, r *http.Request) {
		var t ticket
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&t); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(decide(model, t)); err != nil {
			log.Print(err)
		}
	})
	return mux
}

func decide(model *bayes.Model, t ticket) route {
	document := bayes.Document{Attrs: []bayes.Attr{bayes.Text("subject", t.Subject), bayes.Text("body", t.Body)}}
	p := model.Predict(document)
	best := p.Best()
	r := route{Queue: best.Class, Probability: best.P}
	if p.Known == 0 || best.P < sure {
		r.Queue = "person"
	}
	for _, f := range model.Explain(document).Features {
		if f.LogOdds > 0 && len(r.Because) < 3 {
			r.Because = append(r.Because, f.Name())
		}
	}
	return r
}
