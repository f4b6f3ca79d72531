package main

import (
	"fmt"
	"net"
	"strings"
	"time"

	"bayes/internal/cli"
	"bayes/server"
	"bayes/store"

	"github.com/spf13/cobra"
)

// passwordVariable is the environment variable that may hold the password of Redis.
const passwordVariable = "BAYES_REDIS_PASSWORD"

// serving holds the flags of serve.
type serving struct {
	listen       string
	store        string
	dir          string
	passwordFile string
	tokens       string
	cert, key    string
	hosts        []string
	rate         float64
	window       store.Window
	jump         time.Duration
	limits       server.Limits
	memory, disk int64
	stores       store.Options
	anyVersion   bool
	recent       int
	drain, grace time.Duration
	logLevel     string
	logFormat    string
}

func (s *serving) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.listen, "listen", "127.0.0.1:8080", "`ADDRESS` to listen on")
	f.StringVar(&s.cert, "tls-cert", "", "certificate, in PEM")
	f.StringVar(&s.key, "tls-key", "", "its key, in PEM")
	f.StringSliceVar(&s.hosts, "host", nil, "answer to this host name only; repeatable (default any with --tokens, else localhost)")
	cli.Group(cmd, "Address")
	f.StringVar(&s.tokens, "tokens", "", "`FILE` of bearer tokens, made by bayes token; needed unless only this machine can connect")
	f.Float64Var(&s.rate, "rate", 0, "requests a second, by token; 0 means no limit")
	cli.Group(cmd, "Access")
	f.StringVar(&s.store, "store", "", "folder for what is learned, or redis://… for a log that replicas share (default a folder beside the model)")
	f.StringVar(&s.dir, "replica-dir", "", "with Redis: folder for this replica's snapshots (default a folder beside the model, numbered if another replica has it)")
	f.StringVar(&s.passwordFile, "redis-password-file", "", "`FILE` with the password of Redis, which is then not in the list of processes (or the variable "+passwordVariable+")")
	f.Int64Var(&s.disk, "max-disk", 0, "bytes of a model's store on disk with which it learns no more; 0 means no limit")
	cli.Group(cmd, "Store")
	f.IntVar(&s.window.Documents, "window-documents", 0, "let only the latest `N` learned documents count")
	f.DurationVar(&s.window.Age, "window-age", 0, "let only documents learned within this time count, such as 720h")
	f.DurationVar(&s.jump, "clock-jump", 24*time.Hour, "with --window-age: learn nothing once the machine's clock is set ahead by more; -1s believes any clock")
	f.BoolVar(&s.anyVersion, "any-version", false, "unlearn even if another version of the analyzer cut a model's texts")
	f.IntVar(&s.recent, "recent", 0, "remember the `N` least certain predictions of the last hour with their texts, in memory, for who may learn to correct; 0 for none (default 100 where only this machine can connect and there are no --tokens, else 0)")
	cli.Group(cmd, "Learning")
	f.Int64Var(&s.limits.Body, "max-body", 16<<20, "bytes of a request")
	f.IntVar(&s.limits.Text, "max-text", 1<<20, "bytes of a text")
	f.IntVar(&s.limits.Batch, "max-batch", 10_000, "documents in a request that is no stream")
	f.Int64Var(&s.limits.Model, "max-model", 256<<20, "bytes of an uploaded model")
	f.IntVar(&s.limits.Conns, "max-connections", 1024, "connections at once")
	f.Int64Var(&s.memory, "memory", 0, "bytes of memory to make do with (default the limit of the cgroup, or what the machine has)")
	cli.Group(cmd, "Limits")
	f.DurationVar(&s.drain, "drain", 0, "when told to stop, time to answer on while /readyz says 503 (default 5s where other machines can connect, else 0s)")
	f.DurationVar(&s.grace, "grace", 10*time.Second, "time for requests to end after that")
	cli.Group(cmd, "Stopping")
	f.StringVar(&s.logLevel, "log-level", "info", "debug, info, warn or error; debug has a line for each request")
	f.StringVar(&s.logFormat, "log-format", "text", "text or json")
	cli.Group(cmd, "Log")
	cli.Choices(cmd, "log-level", "debug", "info", "warn", "error")
	cli.Choices(cmd, "log-format", "text", "json")
}

// home returns the folder that all models are kept in, if there is one.
func (s *serving) home() string {
	if isRedis(s.store) {
		return s.dir
	}
	return s.store
}

// folder returns where the n-th replica of a model is kept; empty means in home.
func (s *serving) folder(file string, n int) string {
	if s.home() != "" {
		return ""
	}
	folder := strings.TrimSuffix(file, ".nb") + ".store"
	if n > 1 {
		folder += fmt.Sprintf("-%d", n)
	}
	return folder
}

// allowed returns the host names to answer to. A page of any site can have its
// own name stand for this machine, and so, where there are no tokens, the name
// must be one that is always this machine's.
func (s *serving) allowed() []string {
	if len(s.hosts) > 0 || s.tokens != "" {
		return s.hosts
	}
	list := []string{"localhost", "127.0.0.1", "::1"}
	if host, _, err := net.SplitHostPort(s.listen); err == nil {
		list = append(list, host)
	}
	return list
}

// isRedis reports whether --store names a log in Redis, and not a folder.
func isRedis(s string) bool {
	return strings.HasPrefix(s, "redis://") || strings.HasPrefix(s, "rediss://") || strings.HasPrefix(s, "unix://")
}
