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

// appendFile copies one CSV file. It is read twice, in step: as documents, and as rows, which
// are copied byte for byte. The header is written once.
func (a *App) appendFile(w *bufio.Writer, p *Predictor, m *bayes.Model, name string, first bool) error {
	if p.skipBad {
		return errors.New("--append and --skip-bad: a row that is skipped has no prediction")
	}
	once, again := forked(a.stdin) // what is on standard input is there once
	open := func(stdin io.Reader) (*source, error) {
		return (&App{stdin: stdin, stdout: a.stdout, stderr: a.stderr, quiet: a.quiet}).openFor(&p.Input, []string{name}, m.EventModel(), m)
	}
	rows, err := open(once)
	if err != nil {
		return err
	}
	src, err := open(again)
	if err != nil {
		return err
	}
	if formats, err := rows.Formats(); err != nil {
		return err
	} else if formats[0] != "csv" && formats[0] != "tsv" {
		return fmt.Errorf("%s: --append is for csv and tsv, not %s", name, formats[0])
	}
	if err := p.appendColumns(w, rows, src, name, m, first); err != nil {
		return err
	}
	src.finish()
	return nil
}

// appendColumns copies the rows of a file called name, and adds to each what m says of the next
// document of src. A row is not kept back while the next one is waited for.
func (p *Predictor) appendColumns(w *bufio.Writer, rows, src *source, name string, m *bayes.Model, first bool) error {
	next, stop := iter.Pull2(rows.Rows())
	defer stop()
	// after returns the next row that is no header. A header is written on the way.
	after := func() (row dataset.Row, err error, ok bool) {
		row, err, ok = next()
		if ok && err == nil && row.Header {
			if first {
				copyRow(w, row, "predicted", "probability")
			}
			return next()
		}
		return row, err, ok
	}
	for batch := range src.responses(m, p.most(m), p.workers) {
		for i := range batch {
			r := &batch[i]
			if r.err != nil {
				return r.err
			}
			row, err, ok := after()
			if err != nil || !ok {
				return cmp.Or(err, fmt.Errorf("%s: a prediction has no row", name))
			}
			decided, probability := p.printer.decide(m, &r.Prediction)
			copyRow(w, row, decided, probability)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if _, err, ok := after(); err != nil || ok { // a header may be all that there is
		return cmp.Or(err, fmt.Errorf("%s: a row has no prediction", name))
	}
	return nil
}

// copyRow writes a row with two more fields.
func copyRow(w *bufio.Writer, row dataset.Row, decided, probability string) {
	comma := string(rune(row.Delimiter))
	w.Write(bytes.TrimRight(row.Raw, "\r\n"))
	fmt.Fprintf(w, "%s%s%s%s\n", comma, quoteField(decided, comma), comma, probability)
}

// quoteField returns a field of CSV.
func quoteField(s, comma string) string {
	if strings.ContainsAny(s, comma+"\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
