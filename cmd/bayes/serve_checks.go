package main

import (
	"cmp"
	"net"
	"time"

	"bayes/internal/cli"

	"github.com/spf13/cobra"
)

// check returns an error if flags make no sense, by themselves or with one another.
func (s *serving) check(cmd *cobra.Command, models []string) error {
	if len(models) == 0 && s.home() == "" {
		return cli.WrongUsage(cmd, "want at least one MODEL, or --store with a folder of them")
	}
	if s.dir != "" && !isRedis(s.store) {
		return cli.WrongUsage(cmd, "--replica-dir goes with --store redis://…")
	}
	if (s.cert == "") != (s.key == "") {
		return cli.WrongUsage(cmd, "--tls-cert and --tls-key go together")
	}
	if s.passwordFile != "" && !isRedis(s.store) {
		return cli.WrongUsage(cmd, "--redis-password-file goes with --store redis://…")
	}
	if err := s.checkNumbers(cmd); err != nil {
		return err
	}
	if _, _, err := net.SplitHostPort(s.listen); err != nil {
		return cli.WrongUsage(cmd, "--listen %s: want an address and a port, such as 127.0.0.1:8080", s.listen)
	}
	if s.tokens == "" && !cli.IsLoopback(s.listen) {
		return cli.WrongUsage(cmd, "--listen %s is open to other machines: say with --tokens who may do what", s.listen)
	}
	return nil
}

// checkNumbers returns an error that names the first flag of a number or a time that
// makes no sense. All such flags of serve are here.
func (s *serving) checkNumbers(cmd *cobra.Command) error {
	const (
		tebi = 1 << 40
		day  = 24 * time.Hour
	)
	for _, f := range []struct {
		name string
		ok   bool
		want string
	}{
		{"rate", within(s.rate, 0, 1e9), "a number from 0 to 1000000000"},
		{"window-documents", within(s.window.Documents, 0, tebi), "a number from 0 to 1099511627776"},
		{"window-age", within(s.window.Age, 0, 36_500*day), "a time from 0s to 876000h"},
		{"max-body", within(s.limits.Body, 1, tebi), "a number from 1 to 1099511627776"},
		{"max-text", within(s.limits.Text, 1, tebi), "a number from 1 to 1099511627776"},
		{"max-batch", within(s.limits.Batch, 1, tebi), "a number from 1 to 1099511627776"},
		{"max-model", within(s.limits.Model, 1, tebi), "a number from 1 to 1099511627776"},
		{"max-connections", within(s.limits.Conns, 1, 1_000_000), "a number from 1 to 1000000"},
		{"memory", s.memory == 0 || within(s.memory, leastMemory, 1<<50), "0 or a number from 67108864 to 1125899906842624"},
		{"max-disk", within(s.disk, 0, 1<<60), "a number from 0 to 1152921504606846976"},
		{"recent", within(s.recent, 0, 10_000), "a number from 0 to 10000"},
		{"clock-jump", s.jump == -time.Second || within(s.jump, time.Second, 36_500*day), "a time from 1s to 876000h, or -1s"},
		{"drain", within(s.drain, 0, day), "a time from 0s to 24h"},
		{"grace", within(s.grace, time.Millisecond, day), "a time from 1ms to 24h"},
	} {
		if !f.ok {
			return cli.WrongUsage(cmd, "--%s %s: want %s", f.name, cmd.Flag(f.name).Value, f.want)
		}
	}
	return nil
}

// within reports whether v is from least to most. NaN is not.
func within[T cmp.Ordered](v, least, most T) bool { return v >= least && v <= most }
