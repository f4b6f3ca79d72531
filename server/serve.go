package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
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
	}
	watching, unwatch := context.WithCancel(context.WithoutCancel(ctx))
	var watcher sync.WaitGroup
	watcher.Go(func() { s.watch(watching) })
	defer watcher.Wait()
	defer unwatch()
	ended := make(chan error, 1)
	go func() { ended <- serve(h, limit(l, s.opts.Limits.Conns)) }()
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

// A limitListener has at most so many connections at once.
type limitListener struct {
	net.Listener
	free   chan struct{} // holds one for each connection that may be accepted
	closed chan struct{}
	once   sync.Once
}

func limit(l net.Listener, n int) *limitListener {
	ll := &limitListener{Listener: l, free: make(chan struct{}, n), closed: make(chan struct{})}
	for range n {
		ll.free <- struct{}{}
	}
	return ll
}

func (l *limitListener) Accept() (net.Conn, error) {
	select {
	case <-l.free:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		l.free <- struct{}{}
		return nil, err
	}
	return &limitConn{Conn: c, release: func() { l.free <- struct{}{} }}, nil
}

func (l *limitListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitConn struct {
	net.Conn
	once    sync.Once
	release func()
}

func (c *limitConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.release)
	return err
}
