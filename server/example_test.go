package server_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"bayes"
	"bayes/server"
)

func ExampleNew() {
	dir, err := os.MkdirTemp("", "models")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	counts := bayes.NewCounts(nil)
	counts.Learn(bayes.Example{Label: "spam", Text: "win a free prize"})
	counts.Learn(bayes.Example{Label: "ham", Text: "see you at lunch"})
	catalog := server.NewCatalog(&server.CatalogOptions{Dir: dir})
	if _, err := catalog.Add(context.Background(), "mail", "", counts, bayes.Multinomial{}); err != nil {
		log.Fatal(err)
	}
	defer catalog.Close()
	s, err := server.New(catalog, nil)
	if err != nil {
		log.Fatal(err)
	}
	site := httptest.NewServer(s) // or s.Serve(ctx, listener)
	defer site.Close()

	ask := func(path, body string) {
		resp, err := http.Post(site.URL+"/v1/models/mail"+path, "application/json", strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.60s\n", bytes.TrimSpace(answer))
	}
	ask("/predict", `{"text":"free lunch"}`)
	ask("/learn", `{"id":"17","label":"ham","text":"a free lunch for all"}`)
	ask("/learn", `{"id":"17","label":"spam"}`)
	ask("/unlearn", `{"id":"17"}`)
	// Output:
	// {"label":"ham","probability":0.5,"probabilities":{"ham":0.5,
	// {"sequence":2,"applied":1}
	// {"sequence":3,"applied":1}
	// {"sequence":4,"applied":1}
}

func ExampleNewToken() {
	token, secret := server.NewToken("laptop", server.Read)
	list, err := server.ParseTokens(strings.NewReader(token.String()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list[0].Name, list[0].Scopes, len(secret))
	// Output:
	// laptop [read] 26
}
