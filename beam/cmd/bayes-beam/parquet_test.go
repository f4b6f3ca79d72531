package main

import (
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/rogpeppe/go-internal/testscript"
)

type row struct {
	Label string `parquet:"label"`
	Text  string `parquet:"text"`
}

// writeParquet is a command of scripts: it writes a Parquet file of three row
// groups.
func writeParquet(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	w := parquet.NewGenericWriter[row](f)
	for _, r := range []row{{"spam", "win a prize"}, {"ham", "lunch at noon"}, {"spam", "a prize, \"now\"\nor never"}} {
		_, err := w.Write([]row{r})
		ts.Check(err)
		ts.Check(w.Flush())
	}
	ts.Check(w.Close())
	ts.Check(f.Close())
}
