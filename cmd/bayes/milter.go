package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/textproto"
	"os"
	"strings"
	"sync"

	"bayes"
	"bayes/internal/cli"
	"bayes/mail"

	"github.com/emersion/go-milter"
	"github.com/spf13/cobra"
)

// milterCommand returns bayes milter.
func milterCommand(a *cli.App) *cobra.Command {
	var (
		listen string
		v      cli.VerdictFlags
	)
	cmd := &cobra.Command{
		Use:   "milter MODEL --listen inet:HOST:PORT|unix:PATH",
		Short: "Mark mail for Postfix or Sendmail",
		Long: `Mark the mail that Postfix or Sendmail receives, as a milter: with the header fields
X-Bayes-Status, X-Bayes-Score and X-Bayes-Reason of bayes filter, in the place of any
that a message came with. Whatever fails, a message passes as it is, and the log says
why. A model that is written anew is read anew.`,
		Example: `  bayes milter mail.nb --listen inet:127.0.0.1:8892
  bayes milter mail.nb --listen unix:/run/bayes/milter.sock`,
		Args: cli.Args(1, 1, "one MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			network, address, err := milterAddress(listen)
			if err != nil {
				return cli.WrongUsage(cmd, "--listen %q: %w", listen, err)
			}
			return serveMilter(cmd, a, args[0], network, address, v.Cutoffs)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "inet:127.0.0.1:8892", "where to listen: inet:HOST:PORT or unix:PATH")
	cli.Group(cmd, "Network")
	v.AddFlags(cmd)
	return cmd
}

// milterAddress reads an address as Postfix and Sendmail write it.
func milterAddress(s string) (network, address string, err error) {
	kind, address, ok := strings.Cut(s, ":")
	switch {
	case !ok || address == "":
	case kind == "unix" || kind == "local":
		return "unix", address, nil
	case kind == "inet" || kind == "inet6":
		if port, host, swapped := strings.Cut(address, "@"); swapped { // Sendmail's inet:port@host
			address = net.JoinHostPort(host, port)
		}
		_, _, err = net.SplitHostPort(address)
		return "tcp", address, err
	}
	return "", "", errors.New("want inet:HOST:PORT or unix:PATH")
}

// serveMilter answers until the program is told to stop.
func serveMilter(cmd *cobra.Command, a *cli.App, name, network, address string, cutoffs mail.Cutoffs) error {
	ctx := cli.NotifyContext(cmd.Context())
	a.HandleSignals()
	log := slog.New(slog.NewTextHandler(a.Stderr(), nil))
	j := &judge{name: name, cutoffs: cutoffs, log: log}
	// What is wrong from the start is said at the start.
	if _, err := j.judge([]byte("Subject: a\n\nb\n")); err != nil {
		return err
	}
	if network == "unix" {
		removeSocket(address)
	}
	l, err := net.Listen(network, address)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", address, err)
	}
	s := milter.Server{
		NewMilter: func() milter.Milter { return &session{judge: j} },
		Actions:   milter.OptAddHeader | milter.OptChangeHeader,
		Protocol:  milter.OptNoConnect | milter.OptNoHelo | milter.OptNoRcptTo,
	}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	log.Info("listening", "network", network, "address", l.Addr().String(), "model", name)
	if err := s.Serve(l); !errors.Is(err, milter.ErrServerClosed) {
		return err
	}
	return nil
}

// removeSocket removes a socket that nobody listens on any more.
func removeSocket(name string) {
	info, err := os.Lstat(name)
	if err != nil || info.Mode()&os.ModeSocket == 0 {
		return
	}
	if c, err := net.Dial("unix", name); err == nil {
		c.Close()
		return
	}
	os.Remove(name)
}

// A judge judges mail by the model that a file holds at the time.
type judge struct {
	name    string
	cutoffs mail.Cutoffs
	log     *slog.Logger

	mu    sync.Mutex
	model *bayes.Model
	file  os.FileInfo
}

// judge returns what the model says of a mail.
func (j *judge) judge(raw []byte) (v mail.Verdict, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a fault in bayes: %v", p)
		}
	}()
	m, err := j.current()
	if err != nil {
		return v, err
	}
	if v, err = j.cutoffs.Judge(m, cli.MailDocument(m, raw)); err == nil {
		err = m.Err()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", j.name, err)
	}
	return v, err
}

// current returns the model, read anew if the file is another. A file that cannot be read leaves the
// model that there is.
func (j *judge) current() (*bayes.Model, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	info, err := os.Stat(j.name)
	if err == nil && j.model != nil && os.SameFile(info, j.file) && info.ModTime().Equal(j.file.ModTime()) && info.Size() == j.file.Size() {
		return j.model, nil
	}
	var m *bayes.Model
	if err == nil {
		m, err = bayes.OpenModel(j.name, cli.Languages()...)
	}
	switch {
	case err == nil:
		j.model, j.file = m, info
	case j.model == nil:
		return nil, fmt.Errorf("%s: %w", j.name, err)
	default:
		j.log.Warn("the model that was read before goes on", "model", j.name, "err", err)
	}
	return j.model, nil
}

// A session is a connection of a mail server.
type session struct {
	milter.NoOpMilter
	*judge
	raw    bytes.Buffer
	marked [3]int // how many fields there are of each that is marked with
}

// mostRead is how much of a message is looked at.
const mostRead = 64 << 20

func (s *session) reset() {
	s.raw.Reset()
	s.marked = [3]int{}
}

// MailFrom begins a message.
func (s *session) MailFrom(string, *milter.Modifier) (milter.Response, error) {
	s.reset()
	return milter.RespContinue, nil
}

// Header takes a field.
func (s *session) Header(name, value string, _ *milter.Modifier) (milter.Response, error) {
	for i, f := range markFields {
		if strings.EqualFold(strings.TrimSpace(name), f) {
			s.marked[i]++
			return milter.RespContinue, nil
		}
	}
	if s.raw.Len() < mostRead {
		fmt.Fprintf(&s.raw, "%s: %s\n", name, strings.ReplaceAll(value, "\r\n", "\n"))
	}
	return milter.RespContinue, nil
}

var markFields = [...]string{mail.StatusField, mail.ScoreField, mail.ReasonField}

// Headers ends the header.
func (s *session) Headers(textproto.MIMEHeader, *milter.Modifier) (milter.Response, error) {
	s.raw.WriteByte('\n')
	return milter.RespContinue, nil
}

// BodyChunk takes a part of the body.
func (s *session) BodyChunk(chunk []byte, _ *milter.Modifier) (milter.Response, error) {
	s.raw.Write(chunk[:min(len(chunk), max(0, mostRead-s.raw.Len()))])
	return milter.RespContinue, nil
}

// Body ends a message, and marks it.
func (s *session) Body(m *milter.Modifier) (milter.Response, error) {
	defer s.reset()
	v, err := s.judge.judge(s.raw.Bytes())
	if err != nil {
		s.log.Error("a message passes as it is", "err", err)
		return milter.RespAccept, nil
	}
	for i, n := range s.marked {
		for ; n > 0; n-- { // from the last, so that the numbers of those before stay
			if err := m.ChangeHeader(n, markFields[i], ""); err != nil {
				return nil, err
			}
		}
	}
	for i, f := range v.Fields() {
		if err := m.InsertHeader(1+i, f.Name, f.Value); err != nil {
			return nil, err
		}
	}
	s.log.Info("marked", "status", v.Status.String(), "score", v.Score, "id", mail.ID(s.raw.Bytes()))
	return milter.RespAccept, nil
}

// Abort forgets a message.
func (s *session) Abort(*milter.Modifier) error {
	s.reset()
	return nil
}
