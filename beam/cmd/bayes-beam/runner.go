package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"bayes/beam/part"
	"bayes/beam/pipeline"
	"bayes/dataset"
	"bayes/internal/cli"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx" // the runners, and the file systems of this machine and of Google's cloud
	"github.com/spf13/cobra"
)

// shown are Beam's own flags that the help shows. The others can be given too.
var shown = map[string]string{
	"runner":             "prism (on this machine), flink, spark, dataflow or universal",
	"endpoint":           "`HOST:PORT` of the runner's job server",
	"environment_type":   "where workers run: LOOPBACK (in this process), PROCESS, EXTERNAL or DOCKER",
	"environment_config": "the container image, or as JSON the command, of workers",
	"parallelism":        "how many workers Flink is to use",
	"project":            "the project (dataflow)",
	"region":             "the region (dataflow)",
	"staging_location":   "a folder for the program (dataflow)",
}

// addRunnerFlags defines the flags that say where to run.
func (a *app) addRunnerFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.AddGoFlagSet(flag.CommandLine)
	flag.VisitAll(func(g *flag.Flag) {
		defined := f.Lookup(g.Name)
		if usage, ok := shown[g.Name]; ok {
			defined.Usage = usage
		} else {
			defined.Hidden = true
		}
	})
	f.Int64Var(&a.partSize, "part-size", pipeline.DefaultPartSize, "cut files into parts of about `N` bytes")
	f.StringVar(&a.temp, "temp", "", "folder, seen by this machine and all workers, for what they exchange (default: beside the output)")
	f.BoolVar(&a.verbose, "verbose", false, "print what the runner reports")
}

// job returns the job that the flags describe. Its folder is beside out, and is
// to be removed by calling done.
func (a *app) job(ctx context.Context, cmd *cobra.Command, globs []string, opts dataset.Options, skipBad bool, out string) (j *pipeline.Job, done func(), err error) {
	if a.partSize < 1 {
		return nil, nil, cli.WrongUsage(cmd, "--part-size %d: want at least 1", a.partSize)
	}
	if err := checkRunner(cmd); err != nil {
		return nil, nil, err
	}
	files, err := part.List(ctx, globs, &opts)
	if err != nil {
		return nil, nil, err
	}
	dir, done, err := a.exchange(out)
	if err != nil {
		return nil, nil, err
	}
	a.setUp()
	chooseWorker(dir)
	return &pipeline.Job{
		Files: files, Options: opts, SkipBad: skipBad, PartSize: a.partSize, Workers: workerCount(), Dir: dir,
		Run: func(ctx context.Context, p *beam.Pipeline) error { return plain(beamx.Run(ctx, p)) },
	}, done, nil
}

// checkRunner returns an error if there is no runner of the name that the flags
// say, or if it cannot be reached.
func checkRunner(cmd *cobra.Command) error {
	name := strings.ToLower(*runners.Runner)
	if !slices.Contains([]string{"", "prism", "flink", "spark", "dataflow", "universal", "portable"}, name) {
		return cli.WrongUsage(cmd, "--runner %s: want prism, flink, spark, dataflow or universal", name)
	}
	if name != "" && name != "prism" && name != "dataflow" && *jobopts.Endpoint == "" {
		return cli.WrongUsage(cmd, "--runner %s: --endpoint HOST:PORT is missing", name)
	}
	return nil
}

// workerCount returns how many workers there will be, or 0 if that is up to the runner.
func workerCount() int {
	if n := *jobopts.Parallelism; n > 0 {
		return int(n)
	}
	if isHere() {
		return runtime.GOMAXPROCS(0)
	}
	return 0
}

// isHere reports whether workers run in this process, on the runner that Beam brings along.
func isHere() bool {
	name := strings.ToLower(*runners.Runner)
	return (name == "" || name == "prism") && *jobopts.Endpoint == "" && *jobopts.EnvironmentType == ""
}

// chooseWorker says which program workers elsewhere are to run, unless the flags
// do: this very one. Workers in this process need none, and are given an empty
// file.
func chooseWorker(dir string) {
	self, err := os.Executable()
	here := jobopts.IsLoopback() || isHere()
	switch empty := dir + "/worker"; {
	case *jobopts.WorkerBinary != "":
	case here && os.WriteFile(empty, nil, 0o600) == nil:
		*jobopts.WorkerBinary = empty
	case err == nil && runtime.GOOS == "linux":
		*jobopts.WorkerBinary = self
	}
}

// exchange returns a new folder beside out.
func (a *app) exchange(out string) (dir string, done func(), err error) {
	parent := a.temp
	if parent == "" {
		if parent = "."; strings.Contains(out, "/") {
			parent = out[:strings.LastIndex(out, "/")+1]
		}
	}
	if strings.Contains(parent, "://") {
		dir = fmt.Sprintf("%s/.bayes-beam-%016x", strings.TrimRight(parent, "/"), rand.Uint64())
	} else if dir, err = newFolder(parent); err != nil {
		return "", nil, err
	}
	return dir, func() { part.RemoveAll(context.Background(), dir) }, nil
}

// newFolder makes a folder of this machine. Its name is absolute, since workers
// may have another working directory.
func newFolder(parent string) (string, error) {
	parent, err := filepath.Abs(parent)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(parent, ".bayes-beam-")
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = fmt.Errorf("%s: no folder can be made in it: %w", parent, pe.Err)
	}
	return dir, err
}

var initialize = sync.OnceFunc(beam.Init)

// setUp makes Beam ready, and quiet.
func (a *app) setUp() {
	initialize()
	level := slog.LevelError + 1
	if a.verbose {
		level = slog.LevelInfo
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level})))
}

// ours finds what a function of this program said, in what a runner reports of
// its failure.
var ours = regexp.MustCompile(`(?:DoFn|CombineFn)\[[^\]]*\] failed:\s*([^\n]+)`)

// plain returns what went wrong in a pipeline, without where in it.
func plain(err error) error {
	if err == nil {
		return nil
	}
	if m := ours.FindStringSubmatch(err.Error()); m != nil {
		return errors.New(m[1])
	}
	return err
}
