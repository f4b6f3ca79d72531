// Command profile measures where the command bayes spends its time, and writes it to
// cmd/bayes/default.pgo, by which the compiler inlines what is called most.
//
//	go run -C compare/profile .
//
// The corpora are found as in the tests, by BAYES_DATA.
package main

import (
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/google/pprof/profile"
)

func main() {
	log.SetFlags(0)
	if err := write(filepath.Join("..", "..")); err != nil {
		log.Fatal("profile: ", err)
	}
}

func write(root string) error {
	dir, err := os.MkdirTemp("", "profile")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	measured := filepath.Join(dir, "cpu.out")
	cmd := exec.Command("go", "test", "-trimpath", "-run", "^$", "-bench", "^BenchmarkRun$", "-benchtime", "10x",
		"-cpuprofile", measured, "-o", filepath.Join(dir, "cli.test"), "./internal/cli")
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	f, err := os.Open(measured)
	if err != nil {
		return err
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		return err
	}
	// The compiler asks for functions and lines. Nothing is left that is of one machine or day.
	if err := p.Aggregate(true, true, true, true, false, false); err != nil {
		return err
	}
	p = p.Compact()
	for _, m := range p.Mapping {
		m.File, m.BuildID = "", ""
	}
	p.TimeNanos, p.DurationNanos, p.Comments = 0, 0, nil
	out, err := os.Create(filepath.Join(root, "cmd", "bayes", "default.pgo"))
	if err != nil {
		return err
	}
	defer out.Close()
	if err := p.Write(out); err != nil {
		return err
	}
	return out.Close()
}
