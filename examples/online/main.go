// Command online learns while it answers: what is posted to /learn is on disk before it is
// acknowledged, in a folder that the next start goes on with, and shows in the answers that follow.
// It knows what is in first.tsv, which is part of the program, when it starts for the first time.
//
//	go run ./examples/online -store mood
//	curl -d 'what a lovely day' localhost:8080/predict
//	curl -d 'the soup was cold' 'localhost:8080/learn?id=17&label=sad'
//	curl -X DELETE 'localhost:8080/learn?id=17'
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"bayes"
	"bayes/store"
)

//go:embed first.tsv
var first string

func main() {
	addr := flag.String("addr", "localhost:8080", "where to listen")
	dir := flag.String("store", "store", "the folder of what is learned")
	flag.Parse()
	if err := serve(*addr, *dir); err != nil {
		log.Fatal(err)
	}
}

// serve answers until it is interrupted, and then lets requests end before it closes the store.
func serve(addr, dir string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s, err := open(ctx, dir)
	if err != nil {
		return err
	}
	h := &http.Server{Addr: addr, Handler: handler(s), ReadTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		if err := h.Shutdown(context.Background()); err != nil {
			log.Print(err)
		}
	}()
	log.Printf("listening on http://%s", addr)
	if err := h.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return errors.Join(err, s.Close())
	}
	return s.Close()
}

// open opens the store; one that is new begins with what is in first.tsv.
func open(ctx context.Context, dir string) (*store.Store, error) {
	counts := bayes.NewCounts(nil)
	for line := range strings.Lines(first) {
		label, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		counts.Learn(bayes.Example{Label: label, Text: text})
	}
	return store.Open(ctx, dir, nil, &store.Options{Counts: counts, Model: bayes.Multinomial{}})
}

// handler answers requests; a Store is for any number of them at a time.
func handler(s *store.Store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /predict", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		best := s.Model().Predict(bayes.Document{Text: string(text)}).Best()
		fmt.Fprintf(w, "%s %.3f\n", best.Class, best.P)
	})
	mux.HandleFunc("POST /learn", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		e := store.Entry{ID: r.URL.Query().Get("id"), Example: bayes.Example{Label: r.URL.Query().Get("label"), Text: string(text)}}
		_, err = s.Learn(r.Context(), e)
		done(w, err)
	})
	mux.HandleFunc("DELETE /learn", func(w http.ResponseWriter, r *http.Request) {
		_, err := s.Unlearn(r.Context(), r.URL.Query().Get("id"))
		done(w, err)
	})
	return mux
}

func done(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, store.ErrInvalid):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case err != nil:
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}
