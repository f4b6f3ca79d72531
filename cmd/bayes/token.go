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
			secret, err := addToken(args[0], name, list)
			if err != nil {
				return err
			}
			if a.JSON() {
				return a.PrintJSON(map[string]any{"name": name, "scopes": list, "token": secret})
			}
			fmt.Fprintln(a.Stdout(), secret)
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "what the token is called in the file")
	cmd.Flags().StringVar(&scopes, "scopes", "read", "what it allows: predict, read, learn, admin, with commas between")
	return cmd
}

// addToken adds a new token to a file, which only its owner can read.
func addToken(file, name string, scopes []server.Scope) (secret string, err error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return "", cli.Plain(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	old, err := io.ReadAll(f)
	if err != nil {
		return "", cli.Plain(err)
	}
	list, err := server.ParseTokens(bytes.NewReader(old))
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	for _, t := range list {
		if t.Name == name {
			return "", fmt.Errorf("%s: there is a token called %s", file, name)
		}
	}
	t, secret := server.NewToken(name, scopes...)
	line := t.String() + "\n"
	if len(old) > 0 && old[len(old)-1] != '\n' {
		line = "\n" + line
	}
	if _, err := f.WriteString(line); err != nil {
		return "", cli.Plain(err)
	}
	return secret, f.Sync()
}
