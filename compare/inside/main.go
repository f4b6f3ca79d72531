// Command inside measures a model in its own process, without what starting a process and
// reading a table cost: how long the file takes to open, what memory its counts and its
// model keep, and how long a document takes on one core. It prints JSON.
//
//	go run ./compare/inside model.nb test.csv
package main

import (
	"encoding/json"
	"errors"
	"log"
	"os"
	"runtime"
	"time"

	"bayes"
	"bayes/dataset"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("inside: ")
	if len(os.Args) != 3 {
		log.Fatal("want a model and a table of documents")
	}
	m, err := measure(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(m); err != nil {
		log.Fatal(err)
	}
}

// measured is what is printed. Memory is what the heap holds after a collection.
type measured struct {
	Load       float64   `json:"load_seconds"`
	Fit        float64   `json:"fit_seconds"`
	First      float64   `json:"first_seconds"` // the first prediction
	Counts     uint64    `json:"counts_bytes"`
	Model      uint64    `json:"model_bytes"` // of a model that has predicted, and all that it keeps alive
	Documents  int       `json:"documents"`
	PerText    []float64 `json:"ns_per_document"` // of each round over the documents
	Allocation float64   `json:"bytes_per_document"`
}

// rounds is how often the documents are predicted, and enough how long that goes on at most.
const (
	rounds = 5
	enough = time.Minute
)

func measure(model, table string) (*measured, error) {
	documents, err := read(table)
	if err != nil {
		return nil, err
	}
	out := &measured{Documents: len(documents)}
	before, start := heap(), time.Now()
	f, err := os.Open(model)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	counts, event, err := bayes.Load(f)
	if err != nil {
		return nil, err
	}
	out.Load = time.Since(start).Seconds()
	out.Counts = heap() - before

	start = time.Now()
	m, err := bayes.Fit(counts, event)
	if err != nil {
		return nil, err
	}
	out.Fit = time.Since(start).Seconds()
	var p bayes.Prediction
	start = time.Now()
	m.PredictTop(&p, documents[0], 10)
	out.First = time.Since(start).Seconds()
	runtime.KeepAlive(counts)
	counts = nil
	out.Model = heap() - before

	var from, to runtime.MemStats
	runtime.ReadMemStats(&from)
	predicted := 0
	for begun := time.Now(); len(out.PerText) < rounds && time.Since(begun) < enough; {
		start, n := time.Now(), 0
		for _, d := range documents {
			m.PredictTop(&p, d, 10)
			if n++; time.Since(begun) > enough {
				break
			}
		}
		predicted += n
		out.PerText = append(out.PerText, float64(time.Since(start).Nanoseconds())/float64(n))
	}
	runtime.ReadMemStats(&to)
	out.Allocation = float64(to.TotalAlloc-from.TotalAlloc) / float64(predicted)
	return out, nil
}

// heap returns how many bytes are alive.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what pools hold goes with the second collection
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// read returns the documents of a table.
func read(table string) (list []bayes.Document, err error) {
	source, err := dataset.Open([]string{table}, nil, nil)
	if err != nil {
		return nil, err
	}
	for ex, err := range source.Examples() {
		if err != nil {
			return nil, err
		}
		list = append(list, ex.Document())
	}
	if len(list) == 0 {
		return nil, errors.New(table + ": no documents")
	}
	return list, nil
}
