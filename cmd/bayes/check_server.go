package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"bayes/internal/cli"
)

// checkServer asks a server whether it takes requests, or for what else an address names, such
// as /healthz, and prints what it answers. A server on this machine is believed whatever
// its certificate: nothing that is sent to it is a secret, and the certificate names another host.
func checkServer(ctx context.Context, a *cli.App, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%.200q: want the address of a server, such as http://127.0.0.1:8080", address)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/readyz"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return err
	}
	local := cli.IsLoopback(u.Hostname() + ":" + cmp.Or(u.Port(), "0"))
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: local}}
	resp, err := (&http.Client{Transport: transport, Timeout: 5 * time.Second}).Do(r)
	if err != nil {
		return fmt.Errorf("%s: it does not answer: %w", u.Redacted(), cause(err))
	}
	defer resp.Body.Close()
	var said struct {
		Status   any               `json:"status"` // of a problem its number
		Detail   string            `json:"detail"`
		Learning map[string]string `json:"learning"`
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err == nil {
		err = json.Unmarshal(body, &said)
	}
	switch {
	case resp.StatusCode != http.StatusOK && said.Detail != "":
		return fmt.Errorf("%s: %s: %s", u.Redacted(), resp.Status, said.Detail)
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%s: %s", u.Redacted(), resp.Status)
	case err != nil:
		return fmt.Errorf("%s: this is not the answer of bayes serve: %w", u.Redacted(), err)
	}
	if a.JSON() {
		return a.PrintJSON(map[string]any{"file": address, "ok": true, "status": said.Status, "learning": said.Learning})
	}
	_, err = fmt.Fprintf(a.Stdout(), "%s: %v\n", u.Redacted(), said.Status)
	return err
}

// cause returns an error of a request without what was asked, which is said already.
func cause(err error) error {
	var asked *url.Error
	if errors.As(err, &asked) {
		return asked.Err
	}
	return err
}
