package main

import (
	"os"
	"path/filepath"
)

// container puts into a folder what Dockerfile copies: the program for each architecture.
func (r *maker) container(t target, _ variant, program string) error {
	folder, files := filepath.Join(r.out, "container"), t.system+"-"+t.arch
	for to, from := range map[string]string{
		"Dockerfile": "Dockerfile",
		filepath.Join(files, "usr/share/doc/bayes/LICENSE"): filepath.Join(r.root, "LICENSE"),
		filepath.Join(files, "usr/share/doc/bayes/NOTICE"):  filepath.Join(r.root, "NOTICE"),
		filepath.Join(files, "usr/bin/bayes"):               program,
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if from == program {
			mode = 0o755
		}
		if err := writeFile(filepath.Join(folder, to), data, mode); err != nil {
			return err
		}
	}
	return os.MkdirAll(filepath.Join(folder, "state"), 0o755) // a folder to begin with, which the container's user owns
}
