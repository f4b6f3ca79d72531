package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bayes/internal/cli"
	"bayes/server"
	"bayes/server/page"
	"bayes/store"

	"github.com/spf13/cobra"
)

// serveCommand returns bayes serve, and teaches bayes check what a server is.
func serveCommand(a *cli.App) *cobra.Command {
	a.CheckServers(func(ctx context.Context, address string) error { return checkServer(ctx, a, address) })
	var s serving
	cmd := &cobra.Command{
		Use:   "serve MODEL...",
		Short: "Predict and learn over HTTP",
		Long: `Serve models over HTTP: predict, explain, learn, unlearn. A model is called by its
file's base name. What is learned goes to a store, a folder beside the model, and
survives a power cut; the model's file is only what the store begins with.
GET /docs, or openapi.json, says what can be asked. SIGHUP reads the tokens and the
certificate anew.`,
		Example: `  bayes serve mail.nb
  curl -d '{"text":"win a free prize"}' -H 'Content-Type: application/json' \
    localhost:8080/v1/models/mail/predict
  curl -d '{"id":"7","label":"ham","text":"win"}' \
    -H 'Content-Type: application/json' localhost:8080/v1/models/mail/learn
  bayes serve *.nb --listen :8443 --tokens tokens.txt \
    --tls-cert cert.pem --tls-key key.pem
  bayes serve --store models`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check(cmd, args); err != nil {
				return err
			}
			if !cli.IsLoopback(s.listen) && !cmd.Flags().Changed("drain") {
				s.drain = 5 * time.Second
			}
			// A host name says that there is a proxy, and people behind it who do not know of each other.
			if cli.IsLoopback(s.listen) && s.tokens == "" && len(s.hosts) == 0 && !cmd.Flags().Changed("recent") {
				s.recent = 100
			}
			return serve(cmd, a, &s, args)
		},
	}
	s.addFlags(cmd)
	return cmd
}

// serve serves the models in files until the program is told to stop.
func serve(cmd *cobra.Command, a *cli.App, s *serving, files []string) (err error) {
	ctx, hangups, stop := s.signals(cmd.Context())
	defer stop()
	a.HandleSignals()
	logger, err := newLogger(a, s)
	if err != nil {
		return cli.WrongUsage(cmd, "%w", err)
	}
	s.stores = store.Options{Languages: cli.Languages(), Window: s.window, ClockJump: s.jump, AnyVersion: s.anyVersion, Disk: s.disk, Log: logger}
	if err := shareMemory(s.memory, &s.limits, &s.stores, logger); err != nil {
		return cli.WrongUsage(cmd, "%w", err)
	}
	opts := &server.Options{
		Rate: s.rate, Hosts: s.allowed(), Languages: cli.Languages(), Log: logger, Version: cli.Version(), Page: page.Files(), Search: searchTable,
		Limits: s.limits, Timeouts: server.Timeouts{Drain: s.drain, Shutdown: s.grace},
	}
	if opts.Tokens, err = readTokens(s.tokens); err != nil {
		return err
	}
	cert, err := openCertificate(s.cert, s.key)
	if err != nil {
		return err
	}
	catalog, err := openCatalog(ctx, a, s, files, logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, catalog.Close()) }()
	if len(catalog.Names()) == 0 {
		if err := s.awaitModel(opts.Tokens, logger); err != nil {
			return err
		}
	}
	warnOfAnalyzers(catalog, logger)
	srv, err := server.New(catalog, opts)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", s.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", s.listen, err)
	}
	logger.Info("listening", "address", l.Addr().String(), "models", strings.Join(catalog.Names(), " "), "tls", cert != nil)
	go func() {
		for range hangups {
			s.reload(srv, cert, logger)
		}
	}() // until stop closes hangups
	if cert != nil {
		return srv.ServeTLS(ctx, l, cert.config())
	}
	if !cli.IsLoopback(s.listen) {
		logger.Warn("tokens and documents travel unencrypted: give --tls-cert and --tls-key, or a proxy that does it")
	}
	return srv.Serve(ctx, l)
}

// awaitModel warns that there are no models yet. It is an error if no token allows to add
// the first.
func (s *serving) awaitModel(tokens []server.Token, logger *slog.Logger) error {
	if len(tokens) > 0 && !slices.ContainsFunc(tokens, func(t server.Token) bool { return t.Allows(server.Admin) }) {
		return fmt.Errorf("%s: there are no models, and no token of scope admin in %s to PUT one", s.home(), s.tokens)
	}
	logger.Warn("there are no models yet: PUT the first to /v1/models/NAME", "folder", s.home())
	return nil
}

// warnOfAnalyzers warns of models whose texts were cut by another version of the analyzer
// than this program has.
func warnOfAnalyzers(c *server.Catalog, logger *slog.Logger) {
	for _, name := range c.Names() {
		st := c.Store(name)
		if st == nil || st.Model() == nil { // broken, or empty
			continue
		}
		m := st.Model()
		if was, is := m.AnalyzerVersion(), m.Space().AnalyzerVersion(); was != "" && was != is {
			logger.Warn("another version of the analyzer cut the texts of the model: it should be trained anew", "model", name, "had", was, "has", is)
		}
	}
}

func newLogger(a *cli.App, s *serving) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.logLevel)); err != nil {
		return nil, fmt.Errorf("--log-level %s: want debug, info, warn or error", s.logLevel)
	}
	if a.Quiet() {
		level = max(level, slog.LevelWarn)
	}
	opts := &slog.HandlerOptions{Level: level}
	switch s.logFormat {
	case "text":
		return slog.New(slog.NewTextHandler(a.Stderr(), opts)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(a.Stderr(), opts)), nil
	}
	return nil, fmt.Errorf("--log-format %s: want text or json", s.logFormat)
}

// openCatalog opens the stores of the models.
func openCatalog(ctx context.Context, a *cli.App, s *serving, files []string, logger *slog.Logger) (_ *server.Catalog, err error) {
	opts := &server.CatalogOptions{Store: s.stores, Recent: s.recent}
	opts.Report = func(model string, err error) {
		message := "model is broken"
		if errors.Is(err, server.ErrLeft) {
			message = "files are left"
		}
		logger.Error(message, "model", model, "err", err)
	}
	opts.Dir = s.home()
	if isRedis(s.store) {
		address, err := s.redisAddress(logger)
		if err != nil {
			return nil, err
		}
		opts.Log = redisLog(address)
	}
	c := server.NewCatalog(opts)
	for _, file := range files {
		if err := addModel(ctx, a, c, s, file, logger); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	if opts.Dir != "" {
		if err = c.AddAll(ctx); err == nil && len(files) == 0 {
			_, err = os.Stat(opts.Dir) // a wrong name must not be a server without models
		}
	}
	if err == nil && len(c.Names()) == 0 && isRedis(s.store) {
		err = fmt.Errorf("%s: there are no models, and those of replicas cannot be PUT: name a MODEL", opts.Dir)
	}
	if err != nil {
		err = cli.Plain(err)
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// addModel opens the store of a model's file. Of replicas on one machine each
// has a folder of its own.
func addModel(ctx context.Context, a *cli.App, c *server.Catalog, s *serving, file string, logger *slog.Logger) error {
	counts, em, err := a.Load(file)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(file), ".nb")
	other, err := c.Add(ctx, name, s.folder(file, 1), counts, em)
	for n := 2; isRedis(s.store) && s.home() == "" && errors.Is(err, store.ErrInUse) && n <= 16; n++ {
		other, err = c.Add(ctx, name, s.folder(file, n), counts, em)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if other {
		logger.Warn("the file is not what the store began with; what counts is the store (PUT a model to replace it)", "file", file, "model", name)
	}
	return nil
}
