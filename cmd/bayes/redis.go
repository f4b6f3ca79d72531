package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"

	"bayes/internal/cli"
	"bayes/store"
)

// redisAddress returns the address of Redis with its password: that of
// --redis-password-file, of the address itself, or of the environment. No error
// shows it.
func (s *serving) redisAddress(logger *slog.Logger) (string, error) {
	u, err := url.Parse(s.store)
	if err != nil {
		return "", errors.New("--store: not an address of Redis") // err might show a password
	}
	_, inAddress := u.User.Password()
	password := os.Getenv(passwordVariable)
	switch {
	case s.passwordFile != "" && inAddress:
		return "", errors.New("--store has a password, and --redis-password-file too: leave out the one in the address")
	case s.passwordFile != "":
		data, err := os.ReadFile(s.passwordFile)
		if err != nil {
			return "", cli.Plain(err)
		}
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		password = string(bytes.TrimSuffix(line, []byte("\r")))
		if password == "" || len(rest) > 0 {
			return "", fmt.Errorf("%s: want one line, the password of Redis", s.passwordFile)
		}
	case inAddress:
		logger.Warn("the password of Redis is in the list of processes: give it by --redis-password-file or " + passwordVariable)
		return s.store, nil
	case password == "":
		return s.store, nil
	}
	u.User = url.UserPassword(u.User.Username(), password)
	return u.String(), nil
}

// redisLog returns a function that opens the log of a model in Redis: a stream
// called after the model.
func redisLog(address string) func(ctx context.Context, name string) (store.Log, error) {
	return func(_ context.Context, name string) (store.Log, error) {
		u, err := url.Parse(address)
		if err != nil {
			return nil, errors.New("--store: not an address of Redis") // err might show a password
		}
		q := u.Query()
		q.Set("stream", cmp.Or(q.Get("stream"), "bayes")+":"+name)
		u.RawQuery = q.Encode()
		return store.OpenRedis(u.String())
	}
}
