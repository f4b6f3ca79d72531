package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"bayes/internal/connlimit"
	"bayes/internal/labelling"
	"bayes/internal/webpage"
)

// labelOnPage serves the page until the program is told to stop.
func (a *App) labelOnPage(ctx context.Context, f *labelFlags, train func(bool) string, s *labelling.Session) error {
	ctx = NotifyContext(context.WithoutCancel(ctx))
	a.HandleSignals()
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", f.listen, err)
	}
	opts := labelling.HandlerOptions{Who: f.who, Order: f.order, Hosts: f.hosts, Train: train}
	address := url.URL{Scheme: "http", Host: reachable(listener.Addr()), Path: "/"}
	if !webpage.AnswersTo(f.hosts, address.Host) {
		address.Host = net.JoinHostPort(f.hosts[0], address.Port())
	}
	if IsLoopback(f.listen) {
		if len(opts.Hosts) == 0 {
			opts.Hosts = []string{"localhost", "127.0.0.1", "::1"}
		}
	} else {
		opts.Key = rand.Text()
		address.RawQuery = url.Values{"key": {opts.Key}}.Encode()
	}
	server := &http.Server{
		Handler: labelling.Handler(s, opts), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10, ConnState: connlimit.ConnState, ConnContext: connlimit.ConnContext,
	}
	if err := a.printAddress(address.String(), s); err != nil {
		listener.Close()
		return err
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go s.Watch(watching)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(connlimit.New(listener, 256)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	// What is being answered is written before the file is closed.
	grace, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); errors.Is(err, context.DeadlineExceeded) {
		server.Close()
	}
	return nil
}

// printAddress prints where the page is.
func (a *App) printAddress(address string, s *labelling.Session) error {
	if a.json {
		return a.PrintJSON(struct {
			URL     string `json:"url"`
			Answers string `json:"answers"`
			Texts   int    `json:"texts"`
		}{address, s.File(), s.Len()})
	}
	a.Note("%s; answers go to %s; Ctrl-C ends it", plural(s.Len(), "text"), s.File())
	_, err := fmt.Fprintln(a.stdout, address)
	return err
}
