// Command machines is what compare/svm measures: it writes the tf-idf matrix of a table, and
// fits support vector machines to one.
//
//	go run ./compare/machines write train.csv "default ngrams=1-2" MATRIX
//	go run ./compare/machines fit MATRIX WEIGHTS
//
// A matrix is a file of little-endian numbers: how many rows, values, features and classes it
// has, where the rows start, one more than there are, and the classes of the rows, all of eight
// bytes; then the features, int32, and the values, float32. WEIGHTS has the machines one after
// the other: the weights of its features and its bias, float64.
package main

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"slices"
	"time"

	"bayes/dataset"
	"bayes/internal/parallel"
	"bayes/internal/svm"
	"bayes/text"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("machines: ")
	var o svm.Options
	flag.Float64Var(&o.Strength, "strength", 1, "C")
	flag.Float64Var(&o.Tolerance, "tolerance", 1e-4, "by how much a margin may be off")
	flag.IntVar(&o.Passes, "passes", 1000, "at most")
	flag.Parse()
	var err error
	switch args := flag.Args(); {
	case len(args) == 4 && args[0] == "write":
		err = write(args[1], args[2], args[3])
	case len(args) == 3 && args[0] == "fit":
		err = fit(args[1], args[2], o)
	default:
		err = fmt.Errorf("want write TABLE ANALYZER MATRIX, or fit MATRIX WEIGHTS")
	}
	if err != nil {
		log.Fatal(err)
	}
}

// write writes the matrix of a table: 1 + ln n for a term that a text has n times, times
// 1 + ln((1+N)/(1+n)) for one that n of N texts have, and rows of length one.
func write(table, analyzer, file string) error {
	a, err := text.Parse(analyzer)
	if err != nil {
		return err
	}
	source, err := dataset.Open([]string{table}, nil, nil)
	if err != nil {
		return err
	}
	m := &matrix{Start: []int{0}}
	terms, labels := make(map[string]int32), make(map[string]int32)
	var texts []float64 // by term: how many have it
	var buffer text.Buffer
	for ex, err := range source.Examples() {
		if err != nil {
			return err
		}
		a.Analyze(&buffer, ex.Text)
		counts := make(map[int32]int)
		for i := range buffer.Len() {
			counts[number(terms, string(buffer.Term(i)))]++
		}
		for f, n := range counts {
			m.Feature = append(m.Feature, f)
			for int(f) >= len(texts) {
				texts = append(texts, 0)
			}
			texts[f]++
			m.Value = append(m.Value, float32(1+math.Log(float64(n))))
		}
		m.Start = append(m.Start, len(m.Feature))
		m.Class = append(m.Class, number(labels, ex.Label))
	}
	m.Features, m.Classes = len(terms), len(labels)
	m.weigh(texts)
	return m.save(file)
}

// number returns the number of a name, which is a new one if it has none.
func number(names map[string]int32, name string) int32 {
	n, ok := names[name]
	if !ok {
		n = int32(len(names))
		names[name] = n
	}
	return n
}

// A matrix has rows one after the other: row i reaches from Start[i] up to Start[i+1].
type matrix struct {
	Start    []int
	Feature  []int32
	Value    []float32
	Features int
	Class    []int32
	Classes  int
}

func (m *matrix) Len() int { return len(m.Start) - 1 }

func (m *matrix) Row(i int) (features []int32, values []float32) {
	return m.Feature[m.Start[i]:m.Start[i+1]], m.Value[m.Start[i]:m.Start[i+1]]
}

// rows returns a copy of the rows, as machines want them.
func (m *matrix) rows() *svm.Rows {
	x := &svm.Rows{Features: m.Features, Row: make([][]svm.Cell, m.Len())}
	cells := make([]svm.Cell, len(m.Value))
	parallel.For(m.Len(), 256, func(from, to int) {
		for i := from; i < to; i++ {
			features, values := m.Row(i)
			row := cells[m.Start[i]:m.Start[i+1]]
			for j, f := range features {
				row[j] = svm.Cell{Feature: f, Value: values[j]}
			}
			x.Row[i] = row
		}
	})
	return x
}

// weigh sorts each row by feature, multiplies it by the inverse document frequencies and makes
// its length one.
func (m *matrix) weigh(texts []float64) {
	type cell struct {
		feature int32
		value   float64
	}
	var row []cell
	for i := range m.Len() {
		features, values := m.Row(i)
		row = row[:0]
		square := 0.0
		for j, f := range features {
			v := float64(values[j]) * (1 + math.Log((1+float64(m.Len()))/(1+texts[f])))
			row = append(row, cell{f, v})
		}
		slices.SortFunc(row, func(a, b cell) int { return cmp.Compare(a.feature, b.feature) })
		for _, c := range row {
			square += c.value * c.value
		}
		for j, c := range row {
			features[j], values[j] = c.feature, float32(c.value/math.Sqrt(square))
		}
	}
}

func (m *matrix) save(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	head := []int64{int64(m.Len()), int64(len(m.Value)), int64(m.Features), int64(m.Classes)}
	for _, s := range m.Start {
		head = append(head, int64(s))
	}
	for _, c := range m.Class {
		head = append(head, int64(c))
	}
	for _, list := range []any{head, m.Feature, m.Value} {
		if err := binary.Write(w, binary.LittleEndian, list); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func load(file string) (*matrix, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	var size [4]int64
	if err := binary.Read(r, binary.LittleEndian, &size); err != nil {
		return nil, err
	}
	start, class := make([]int64, size[0]+1), make([]int64, size[0])
	m := &matrix{Classes: int(size[3])}
	m.Features, m.Feature, m.Value = int(size[2]), make([]int32, size[1]), make([]float32, size[1])
	for _, list := range []any{start, class, m.Feature, m.Value} {
		if err := binary.Read(r, binary.LittleEndian, list); err != nil {
			return nil, err
		}
	}
	for _, s := range start {
		m.Start = append(m.Start, int(s))
	}
	for _, c := range class {
		m.Class = append(m.Class, int32(c))
	}
	return m, nil
}

// fit writes the machines that are fitted to a matrix, and prints how long that took.
func fit(file, weights string, o svm.Options) error {
	m, err := load(file)
	if err != nil {
		return err
	}
	start := time.Now()
	s := svm.New(&svm.Problem{Rows: m.rows(), Class: m.Class, Classes: m.Classes})
	passes := s.Fit(o)
	seconds := time.Since(start).Seconds()
	f, err := os.Create(weights)
	if err != nil {
		return err
	}
	defer f.Close()
	machines := svm.Machines(m.Classes)
	all, row := make([]float64, machines*(m.Features+1)), make([]float32, machines)
	for f := range m.Features {
		s.Weights(row, f)
		for k, w := range row {
			all[k*(m.Features+1)+f] = float64(w)
		}
	}
	for k := range machines {
		all[k*(m.Features+1)+m.Features] = s.Bias(k)
	}
	if err := binary.Write(f, binary.LittleEndian, all); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"seconds": seconds, "passes": passes})
}
