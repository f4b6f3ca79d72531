package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"runtime/debug"

	"bayes/server"
	"bayes/store"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const leastMemory = 64 << 20 // bytes; what a server with a small model can do something with

// shareMemory says how much of the memory there is requests may take, and how much counts
// and models. A limit of the cgroup or else of the machine is what there is where given is
// zero. An eighth is left to the program, its dictionaries and the system's buffers.
func shareMemory(given int64, limits *server.Limits, stores *store.Options, logger *slog.Logger) error {
	bytes, from := given, "--memory"
	if given == 0 {
		bytes, from = systemMemory()
	}
	if bytes < leastMemory {
		return fmt.Errorf("%s: %d bytes of memory, of at least %d", from, bytes, leastMemory)
	}
	limits.Memory = bytes / 16 * 7
	stores.Memory = store.NewMemory(bytes / 16 * 7)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes / 8 * 7)
	}
	logger.Info("memory", "bytes", bytes, "from", from, "requests", limits.Memory, "models", bytes/16*7)
	return nil
}

// systemMemory returns how many bytes the process may take, and who says so: the smallest of
// what the cgroup allows, of GOMEMLIMIT and of what the machine has.
func systemMemory() (bytes int64, from string) {
	least, from := uint64(math.MaxInt64), "a machine of unknown size"
	for _, p := range []struct {
		from  string
		limit memlimit.Provider
	}{{"machine", memlimit.FromSystem}, {"cgroup", memlimit.FromCgroup}, {"GOMEMLIMIT", goLimit}} {
		if n, err := p.limit(); err == nil && n > 0 && n < least {
			least, from = n, p.from
		}
	}
	if least == math.MaxInt64 {
		least = 2 << 30
	}
	return int64(least), from
}

// goLimit returns the limit that the environment sets.
func goLimit() (uint64, error) {
	if n := debug.SetMemoryLimit(-1); n < math.MaxInt64 {
		return uint64(n), nil
	}
	return 0, errors.New("no limit")
}
