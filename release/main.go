// Command release makes all that is published of a version, from a checkout:
//
//	go run -C release .                          # everything, into the folder dist
//	go run -C release . -o /tmp/x -for linux/amd64
//
// For each system it builds bayes twice, with and without the Japanese and Korean dictionaries,
// as static programs whose bytes depend on the checkout and the version of Go alone, and packs
// archives, packages for Debian and by RPM, lists of what is inside (CycloneDX), what a container
// is made of, and SHA256SUMS. It reads nothing of the network but Go modules.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// targets are the systems for which there are programs.
var targets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}

func main() {
	log.SetFlags(0)
	log.SetPrefix("release: ")
	out := flag.String("o", filepath.Join("..", "dist"), "`FOLDER` to make, which must not exist yet or be empty")
	only := flag.String("for", "", "`SYSTEMS` to build for, such as linux/amd64,windows/arm64 (default all)")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run -C release . [-o FOLDER] [-for SYSTEMS]")
		flag.PrintDefaults()
	}
	flag.Parse()
	wanted, err := parseTargets(*only)
	if err == nil && flag.NArg() > 0 {
		err = fmt.Errorf("unexpected %q", flag.Arg(0))
	}
	if err == nil {
		err = release("..", *out, wanted)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// parseTargets reads systems as -for has them.
func parseTargets(list string) ([]target, error) {
	if list == "" {
		return targets, nil
	}
	var wanted []target
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("-for %s: want some of %v", name, targets)
		}
		wanted = append(wanted, targets[i])
	}
	return wanted, nil
}

// release makes everything of a checkout for some systems in a folder.
func release(root, out string, wanted []target) error {
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", out)
	}
	r, err := open(root)
	if err != nil {
		return err
	}
	if r.stage, err = os.MkdirTemp("", "bayes-release-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.stage)
	if r.out, err = filepath.Abs(out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	if err := r.document(); err != nil {
		return err
	}
	for _, t := range wanted {
		for _, v := range variants {
			if err := r.publish(t, v); err != nil {
				return fmt.Errorf("%s for %s: %w", v.name, t, err)
			}
		}
	}
	return r.sum()
}

// publish builds a variant for a system, and packs it.
func (r *maker) publish(t target, v variant) error {
	log.Printf("%s %s for %s", v.name, r.version, t)
	program, err := r.build(t, v)
	if err != nil {
		return err
	}
	steps := []func(target, variant, string) error{r.list, r.archive}
	if t.system == "linux" {
		steps = append(steps, r.packages)
		if v.tags == "" {
			steps = append(steps, r.container)
		}
	}
	for _, step := range steps {
		if err := step(t, v, program); err != nil {
			return err
		}
	}
	return os.Remove(program)
}
