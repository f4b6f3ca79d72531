package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/dataset"
)

// appendPredictions copies CSV and adds two columns.
func (a *App) appendPredictions(w *bufio.Writer, p *Predictor, m *bayes.Model, files []string) error {
	if len(files) == 0 {
		files = []string{"-"}
	}
	for i, name := range files {
		if err := a.appendFile(w, p, m, name, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// appendFile copies one CSV file. It is read twice, in step: as rows, which are
// copied byte for byte, and as documents. The header is written once.
func (a *App) appendFile(w *bufio.Writer, p *Predictor, m *bayes.Model, name string, first bool) error {
	if p.skipBad {
		return errors.New("--append and --skip-bad: a row that is skipped has no prediction")
	}
	data, err := a.readFile(name)
	if err != nil {
		return err
	}
	raw, err := dataset.Decompress(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer raw.Close()
	// For a name of "-", what documents are read from is what has been read already.
	src, err := (&App{stdin: bytes.NewReader(data), stdout: a.stdout, stderr: a.stderr, quiet: a.quiet}).openFor(&p.Input, []string{name}, m.EventModel(), m)
	if err != nil {
		return err
	}
	if formats, err := src.Formats(); err != nil {
		return err
	} else if formats[0] != "csv" && formats[0] != "tsv" {
		return fmt.Errorf("%s: --append is for csv and tsv, not %s", name, formats[0])
	}
	if err := p.appendColumns(w, raw, name, m.PredictAll(src.examples(), p.workers), first); err != nil {
		return err
	}
	src.finish()
	return nil
}

// appendColumns copies the rows of raw, a file called name, and adds to each the next of
// predictions.
func (p *Predictor) appendColumns(w *bufio.Writer, raw io.Reader, name string, predictions iter.Seq2[bayes.Result, error], first bool) error {
	comma := ","
	if p.Format == "tsv" || p.Format == "auto" && strings.HasSuffix(name, ".tsv") {
		comma = "\t"
	}
	next, stop := iter.Pull2(predictions)
	defer stop()
	header := !p.NoHeader
	for rec, err := range dataset.Records(raw, name, comma[0]) {
		if err != nil {
			return err
		}
		// The two columns of the header, or of the next document.
		columns := "predicted" + comma + "probability"
		if !header {
			s, err, ok := next()
			if err != nil || !ok {
				return cmp.Or(err, fmt.Errorf("%s:%d: no prediction for this row", name, rec.Line))
			}
			columns = quoteField(answer.Decide(s.Prediction, p.printer.Threshold), comma) + comma + probability(s.Best().P)
		}
		if !header || first {
			w.Write(bytes.TrimRight(rec.Raw, "\r\n"))
			fmt.Fprintf(w, "%s%s\n", comma, columns)
		}
		header = false
	}
	return nil
}

// quoteField returns a field of CSV.
func quoteField(s, comma string) string {
	if strings.ContainsAny(s, comma+"\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
