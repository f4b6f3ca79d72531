package dataset_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"bayes"
	"bayes/dataset"
	"bayes/internal/testdata"
)

// A streamReader is CSV or another function like it.
type streamReader func(r io.Reader, name string, opts *dataset.Options) iter.Seq2[bayes.Example, error]

func benchmark(b *testing.B, read streamReader, data []byte, opts *dataset.Options) {
	b.Helper()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range read(bytes.NewReader(data), "data", opts) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// generated returns about a megabyte of rows of a label and a text.
func generated() [][]string {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(`the of and "quoted" to a, in is for naïve 베이즈 classifier counts words`)
	var rows [][]string
	for range 8000 {
		var text []string
		for range 5 + r.IntN(30) {
			text = append(text, words[r.IntN(len(words))])
		}
		rows = append(rows, []string{fmt.Sprint("class", r.IntN(10)), strings.Join(text, " ")})
	}
	return rows
}

func generatedCSV(comma rune) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = comma
	w.Write([]string{"label", "text"})
	w.WriteAll(generated())
	return b.Bytes()
}

func generatedJSONL() []byte {
	var b bytes.Buffer
	for _, row := range generated() {
		line, _ := json.Marshal(map[string]string{"label": row[0], "text": row[1]})
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

func generatedLines(prefix string) []byte {
	var b bytes.Buffer
	for _, row := range generated() {
		fmt.Fprintf(&b, "%s%s %s\n", prefix, row[0], row[1])
	}
	return b.Bytes()
}

func generatedSVM() []byte {
	var b bytes.Buffer
	for i := range 8000 {
		fmt.Fprintf(&b, "%d", i%10)
		for j := range 20 {
			fmt.Fprintf(&b, " %d:%d", 1+j*37+i%37, 1+(i+j)%9)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) {
	for _, bm := range []struct {
		format string
		read   streamReader
		data   []byte
	}{
		{"csv", dataset.CSV, generatedCSV(',')},
		{"tsv", dataset.TSV, generatedCSV('\t')},
		{"jsonl", dataset.JSONL, generatedJSONL()},
		{"fasttext", dataset.FastText, generatedLines("__label__")},
		{"svmlight", dataset.SVMLight, generatedSVM()},
		{"lines", dataset.Lines, generatedLines("")},
	} {
		b.Run("format="+bm.format, func(b *testing.B) { benchmark(b, bm.read, bm.data, nil) })
	}
}

func BenchmarkCorpus(b *testing.B) {
	adult := &dataset.Options{
		Label:       "income",
		Numeric:     []string{"age", "fnlwgt", "education_num", "capital_gain", "capital_loss", "hours_per_week"},
		Categorical: []string{"workclass", "education", "marital_status", "occupation", "relationship", "race", "sex", "native_country"},
	}
	for _, bm := range []struct {
		name string
		opts *dataset.Options
	}{{"20news", nil}, {"nsmc", nil}, {"langid", nil}, {"livedoor", nil}, {"adult", adult}} {
		b.Run("name="+bm.name, func(b *testing.B) {
			benchmark(b, dataset.CSV, testdata.Read(b, bm.name+"/train.csv"), bm.opts)
		})
	}
}

// BenchmarkRecords measures what Records replaces, encoding/csv, which reads the same
// files with ReuseRecord, the cheapest way it has.
func BenchmarkRecords(b *testing.B) {
	b.Run("data=generated", func(b *testing.B) { benchmarkRecords(b, generatedCSV(',')) })
	for _, name := range []string{"20news", "nsmc", "adult"} {
		b.Run("data="+name, func(b *testing.B) { benchmarkRecords(b, testdata.Read(b, name+"/train.csv")) })
	}
}

func benchmarkRecords(b *testing.B, data []byte) {
	for _, way := range []struct {
		name string
		read func(io.Reader) error
	}{{"encoding-csv", readStandard}, {"records", readRecords}} {
		b.Run("way="+way.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := way.read(bytes.NewReader(data)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func readStandard(r io.Reader) error {
	c := csv.NewReader(r)
	c.ReuseRecord, c.LazyQuotes = true, true
	for {
		if _, err := c.Read(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func readRecords(r io.Reader) error {
	for _, err := range dataset.Records(r, "data", ',') {
		if err != nil {
			return err
		}
	}
	return nil
}
