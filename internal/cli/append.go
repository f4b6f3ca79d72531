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
	// What is on standard input is there once, and is kept to be read twice.
	stdin := func() io.Reader { return a.stdin }
	if name == "-" {
		data, err := io.ReadAll(a.stdin)
		if err != nil {
			return fmt.Errorf("stdin: %w", err)
		}
		stdin = func() io.Reader { return bytes.NewReader(data) }
	}
	open := func() (*source, error) {
		return (&App{stdin: stdin(), stdout: a.stdout, stderr: a.stderr, quiet: a.quiet}).openFor(&p.Input, []string{name}, m.EventModel(), m)
	}
	rows, err := open()
	if err != nil {
		return err
	}
	src, err := open()
	if err != nil {
		return err
	}
	if formats, err := rows.Formats(); err != nil {
		return err
	} else if formats[0] != "csv" && formats[0] != "tsv" {
		return fmt.Errorf("%s: --append is for csv and tsv, not %s", name, formats[0])
	}
	if err := p.appendColumns(w, rows, name, m.PredictAll(src.examples(), p.workers), first); err != nil {
		return err
	}
	src.finish()
	return nil
}

// appendColumns copies the rows of a file called name, and adds to each the next of
// predictions.
func (p *Predictor) appendColumns(w *bufio.Writer, rows *source, name string, predictions iter.Seq2[bayes.Result, error], first bool) error {
	next, stop := iter.Pull2(predictions)
	defer stop()
	for row, err := range rows.Rows() {
		if err != nil {
			return err
		}
		// The two columns of the header, or of the next document.
		comma := string(rune(row.Delimiter))
		columns := "predicted" + comma + "probability"
		if !row.Header {
			s, err, ok := next()
			if err != nil || !ok {
				return cmp.Or(err, fmt.Errorf("%s: a row has no prediction", name))
			}
			columns = quoteField(answer.Decide(s.Prediction, p.printer.Threshold), comma) + comma + probability(s.Best().P)
		}
		if !row.Header || first {
			w.Write(bytes.TrimRight(row.Raw, "\r\n"))
			fmt.Fprintf(w, "%s%s\n", comma, columns)
		}
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
