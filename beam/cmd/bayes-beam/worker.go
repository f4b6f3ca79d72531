package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// isWorker reports whether a runner started this program as one of its workers:
// with --worker where Beam's container starts it, with --id and
// --provision_endpoint where a runner starts it as a process.
func isWorker(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		arg = "-" + strings.TrimLeft(arg, "-")
		return arg == "-worker" || arg == "-worker=true" || strings.HasPrefix(arg, "-provision_endpoint=")
	})
}

// work runs as a worker until its runner has no more use for it. It returns the
// exit code, if it returns.
func work(args []string, stderr io.Writer) int {
	provision := flag.String("provision_endpoint", "", "where a runner tells the other endpoints")
	if err := flag.CommandLine.Parse(args); err != nil {
		fmt.Fprintln(stderr, "bayes-beam:", err)
		return 2
	}
	if *provision != "" {
		if err := provide(*provision); err != nil {
			fmt.Fprintln(stderr, "bayes-beam:", err)
			return 1
		}
	}
	beam.Init() // does not return in a worker
	return 0
}

// provide asks a runner for what a worker has to know.
func provide(endpoint string) error {
	id := flag.Lookup("id").Value.String()
	info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(context.Background(), id), endpoint)
	if err != nil {
		return err
	}
	os.Setenv("RUNNER_CAPABILITIES", strings.Join(info.GetRunnerCapabilities(), " "))
	for name, value := range map[string]string{
		"worker":           "true",
		"control_endpoint": info.GetControlEndpoint().GetUrl(),
		"logging_endpoint": info.GetLoggingEndpoint().GetUrl(),
	} {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}
