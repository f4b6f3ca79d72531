package main

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"bayes/beam/part"
	"bayes/internal/cli"
	"bayes/internal/outfile"
)

// plan returns where to write the file called name, after a look at whether it may
// be written: it is none of the inputs, and holds what w writes, or nothing.
func plan(ctx context.Context, w *cli.Writing, name string, inputs []part.File) (cli.Destination, error) {
	var paths []string
	for _, f := range inputs {
		paths = append(paths, f.Path)
	}
	if !strings.Contains(name, "://") {
		return w.PlanAs(name, paths)
	}
	if !w.Force() {
		if slices.Contains(paths, name) {
			return nil, &outfile.Refusal{Name: name, Reason: outfile.IsInput}
		}
		head, exists, err := part.Head(ctx, name, outfile.HeadSize)
		if err != nil {
			return nil, err
		}
		if exists {
			if err := w.Kind().Permit(name, head); err != nil {
				return nil, err
			}
		}
	}
	return cloudFile{ctx, name}, nil
}

// A cloudFile is a destination that Beam's file systems reach.
type cloudFile struct {
	ctx  context.Context
	name string
}

func (f cloudFile) Name() string { return f.name }

func (f cloudFile) Write(write func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return part.WriteFile(f.ctx, f.name, b.Bytes())
}
