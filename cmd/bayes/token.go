package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"bayes/internal/cli"
	"bayes/server"

	"github.com/spf13/cobra"
)

// tokenCommand returns bayes token.
func tokenCommand(a *cli.App) *cobra.Command {
	var name, scopes string
	cmd := &cobra.Command{
		Use:   "token FILE",
		Short: "Make a token for bayes serve",
		Long: `Make a bearer token, print it, and add its hash to a file for bayes serve --tokens.
The token is printed this once and kept nowhere. To withdraw it, take its line out
of the file and send the server SIGHUP. Scopes are predict (predict, explain), read
(these, and inspect, terms, metrics), learn (learn, unlearn) and admin (upload,
download and delete models).`,
		Example: `  bayes token tokens.txt --name laptop
  bayes token tokens.txt --name editor --scopes read,learn`,
		Args: cli.Args(1, 1, "one FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := server.ParseScopes(scopes)
			if err != nil {
				return cli.WrongUsage(cmd, "--scopes: %w", err)
			}
			if name == "" || strings.ContainsAny(name, " \t\r\n#") {
				return cli.WrongUsage(cmd, "--name: want a word")
			}
			return addToken(args[0], name, list, func(secret string) error {
				if a.JSON() {
					return a.PrintJSON(map[string]any{"name": name, "scopes": list, "token": secret})
				}
				_, err := fmt.Fprintln(a.Stdout(), secret)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "what the token is called in the file")
	cmd.Flags().StringVar(&scopes, "scopes", "read", "what it allows: predict, read, learn, admin, with commas between")
	cli.Group(cmd, "Token")
	return cmd
}

// addToken adds a new token to a file, which only its owner can read. It calls show
// with the secret first, and adds nothing if that fails: a token whose secret
// nobody has seen could only be an attacker's.
func addToken(file, name string, scopes []server.Scope, show func(secret string) error) (err error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return cli.Plain(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data, err := io.ReadAll(f)
	if err != nil {
		return cli.Plain(err)
	}
	list, err := server.ParseTokens(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, t := range list {
		if t.Name == name {
			return fmt.Errorf("%s: there is a token called %s", file, name)
		}
	}
	t, secret := server.NewToken(name, scopes...)
	if err := show(secret); err != nil {
		return err
	}
	line := t.String() + "\n"
	if len(data) > 0 && data[len(data)-1] != '\n' {
		line = "\n" + line
	}
	_, err = f.WriteString(line)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		// Half a line would keep the server from starting.
		return fmt.Errorf("%w; the token above is not valid", errors.Join(cli.Plain(err), f.Truncate(int64(len(data)))))
	}
	return nil
}
