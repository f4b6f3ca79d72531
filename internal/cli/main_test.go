package cli

import (
	"flag"
	"path/filepath"
	"testing"

	"bayes/internal/long"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(long.Tests{M: m}, map[string]func(){
		"bayes": func() { Main() },
	})
}

var update = flag.Bool("update", false, "write what the command prints into the scripts")

// Each file of testdata/script is one behaviour of the command.
func TestScripts(t *testing.T) {
	sample, err := filepath.Abs("sample.csv")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update,
		Setup: func(e *testscript.Env) error { e.Setenv("SAMPLE", sample); return nil },
	})
}
