package main

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"bayes"
)

// documents are texts or the rows of a matrix. What they hold is memory of Python, valid while
// Python waits for the answer; nothing that is learned keeps any of it.
type documents interface {
	len() int
	document(i int) bayes.Document
}

// texts are documents one after the other.
type texts struct {
	all  string
	ends []int64
}

func (t texts) len() int { return len(t.ends) }

func (t texts) document(i int) bayes.Document { return bayes.Document{Text: t.at(i)} }

func (t texts) at(i int) string {
	start := int64(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.all[start:t.ends[i]]
}

// list returns copies of the texts.
func (t texts) list() []string {
	list := make([]string, t.len())
	for i := range list {
		list[i] = string([]byte(t.at(i)))
	}
	return list
}

// A matrix has how often each feature is in each document, row by row.
type matrix struct {
	ends    []int64 // of the rows among the cells
	columns []int64 // by cell
	values  []float64
	names   []string // of the columns
}

func (m matrix) len() int { return len(m.ends) }

func (m matrix) document(i int) bayes.Document {
	start := int64(0)
	if i > 0 {
		start = m.ends[i-1]
	}
	attrs := make([]bayes.Attr, 0, m.ends[i]-start)
	for cell := start; cell < m.ends[i]; cell++ {
		if v := m.values[cell]; v != 0 {
			attrs = append(attrs, bayes.Term(m.names[m.columns[cell]], v))
		}
	}
	return bayes.Document{Attrs: attrs}
}

// examples returns documents with labels, each a number of one of names, and weights if there are any. Those
// of weight zero are left out.
func examples(d documents, labels []int32, names []string, weights []float64) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for i := range d.len() {
			ex := bayes.Example{Label: names[labels[i]]}
			if weights != nil {
				if ex.Weight = weights[i]; ex.Weight == 0 {
					continue
				}
			}
			doc := d.document(i)
			ex.Text, ex.Attrs = doc.Text, doc.Attrs
			if !yield(ex, nil) {
				return
			}
		}
	}
}

// each calls visit for all documents of d, on several cores if there are many of them.
func each(d documents, visit func(p *bayes.Prediction, i int, doc bayes.Document)) {
	const run = 16
	var next atomic.Int64
	work := func() {
		p := predictions.Get().(*bayes.Prediction)
		defer predictions.Put(p)
		for {
			from := int(next.Add(run)) - run
			if from >= d.len() {
				return
			}
			for i := from; i < min(from+run, d.len()); i++ {
				visit(p, i, d.document(i))
			}
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (d.len()+run-1)/run) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}
