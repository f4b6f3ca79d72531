package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"bayes/internal/cli"
	"bayes/server"
)

// signals returns a context that ends when the server is told to stop, and a channel
// of the times that it is told to read its files anew, which stop closes. SIGHUP
// does the latter where there are such files. Where there are none it stops the
// server, which is what the end of a terminal is to a program that was started there.
func (s *serving) signals(parent context.Context) (ctx context.Context, hangups chan os.Signal, stop func()) {
	hangups = make(chan os.Signal, 1)
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	switch {
	case s.tokens != "" || s.cert != "":
		signal.Notify(hangups, syscall.SIGHUP)
	case !signal.Ignored(syscall.SIGHUP): // as nohup has it
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, cancel := signal.NotifyContext(context.WithoutCancel(parent), ends...) // whatever parent ends by
	return ctx, hangups, func() {
		cancel()
		signal.Stop(hangups)
		close(hangups)
	}
}

// reload reads the tokens and the certificate anew. What cannot be read stays as it
// was.
func (s *serving) reload(srv *server.Server, cert *certificate, logger *slog.Logger) {
	if s.tokens != "" {
		if list, err := readTokens(s.tokens); err != nil {
			logger.Error("the tokens are not reloaded, the old ones stay", "err", err)
		} else {
			srv.SetTokens(list)
			logger.Info("reloaded", "tokens", len(list))
		}
	}
	if cert != nil {
		if err := cert.load(); err != nil {
			logger.Error("the certificate is not reloaded, the old one stays", "err", err)
		} else {
			logger.Info("reloaded", "certificate", cert.certFile)
		}
	}
}

func readTokens(file string) ([]server.Token, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, cli.Plain(err)
	}
	defer f.Close()
	list, err := server.ParseTokens(f)
	if err == nil && len(list) == 0 {
		err = errors.New("there are no tokens in it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return list, nil
}

// A certificate is that of TLS and its key, which can be read anew.
type certificate struct {
	certFile, keyFile string
	pair              atomic.Pointer[tls.Certificate]
}

// openCertificate reads a certificate and its key; without files it is nil.
func openCertificate(certFile, keyFile string) (*certificate, error) {
	if certFile == "" {
		return nil, nil
	}
	c := &certificate{certFile: certFile, keyFile: keyFile}
	if err := c.load(); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *certificate) load() error {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fmt.Errorf("--tls-cert %s, --tls-key %s: %w", c.certFile, c.keyFile, cli.Plain(err))
	}
	c.pair.Store(&pair)
	return nil
}

func (c *certificate) config() *tls.Config {
	return &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.pair.Load(), nil }}
}
