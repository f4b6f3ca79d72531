package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"bayes/internal/connlimit"
)

// Serve answers requests on a listener until ctx is done. Then it says so at
// /readyz, goes on for Timeouts.Drain, so that a balancer can send requests
// elsewhere, accepts no more, waits for those that are being answered, for at most
// Timeouts.Shutdown, and returns nil. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	return s.serve(ctx, l, (*http.Server).Serve)
}

// ServeTLS is [Server.Serve] over TLS. A nil config is the zero value, which has
// no certificate.
func (s *Server) ServeTLS(ctx context.Context, l net.Listener, config *tls.Config) error {
	return s.serve(ctx, l, func(h *http.Server, l net.Listener) error {
		h.TLSConfig = config.Clone()
		return h.ServeTLS(l, "", "")
	})
}

func (s *Server) serve(ctx context.Context, l net.Listener, serve func(*http.Server, net.Listener) error) error {
	t := s.opts.Timeouts
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: t.Header, ReadTimeout: t.Body, WriteTimeout: t.Body + t.Write, IdleTimeout: t.Idle,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		ConnState: connlimit.ConnState, ConnContext: connlimit.ConnContext,
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: 100, MaxReceiveBufferPerStream: 256 << 10},
	}
	ended := make(chan error, 1)
	go func() { ended <- serve(h, connlimit.New(l, s.opts.Limits.Conns)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	s.log.Info("stopping", "drain", t.Drain)
	select {
	case err := <-ended:
		return err
	case <-time.After(t.Drain):
	}
	grace, cancel := context.WithTimeout(context.Background(), t.Shutdown)
	defer cancel()
	err := h.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests were cut off", "after", t.Shutdown)
		err = h.Close()
	}
	<-ended
	return err
}
