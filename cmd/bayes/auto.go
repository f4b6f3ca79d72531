package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"bayes/internal/cli"
	"bayes/server"
)

// searchTable trains the model of a table as bayes train --auto does.
func searchTable(ctx context.Context, t server.TableSearch) (*server.FoundModel, error) {
	flags := []string{fmt.Sprintf("--budget=%g", t.Budget.Seconds()), "--label=" + t.Columns.Label}
	for name, list := range map[string][]string{"text": t.Columns.Text, "numeric": t.Columns.Numeric, "categorical": t.Columns.Categorical} {
		if len(list) > 0 {
			flags = append(flags, "--"+name+"="+strings.Join(list, ","))
		}
	}
	if t.Columns.NoHeader {
		flags = append(flags, "--no-header")
	}
	if t.Space != "" {
		flags = append(flags, "--analyzer="+t.Space)
	}
	found, err := cli.NewApp(io.Discard, io.Discard).TrainAuto(ctx, flags, t.Examples, t.Tried)
	if err != nil {
		return nil, err
	}
	return &server.FoundModel{Counts: found.Counts, Model: found.Model, Flags: found.Flags, Accuracy: found.Accuracy, Documents: found.Documents}, nil
}
