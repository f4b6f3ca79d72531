// Command lib is the part of the Python package that is written in Go: a library with functions of C, built by
//
//	go build -buildmode=c-shared ./lib
//
// Functions that may fail return nil, or a message that [bayes_free] frees. What they are given stays
// Python's.
package main

/*
#include <stdint.h>
#include <stdlib.h>

// Strings one after the other, and where each ends.
typedef struct {
	int64_t n; // -1 for none at all
	const char *all;
	const int64_t *ends;
} bayes_texts;

// Texts, or if cells is not NULL a matrix.
typedef struct {
	bayes_texts texts;
	const int64_t *row_ends;
	const int64_t *cells;
	const double *values;
	const int32_t *labels;  // NULL of documents to be classified
	const double *weights;  // NULL where all count once
	bayes_texts names;      // of the labels
} bayes_documents;
*/
import "C"

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"runtime/cgo"
	"runtime/debug"
	"strings"
	"unsafe"

	"bayes"
	"bayes/internal/oneline"
)

func main() {}

// message returns an error for Python, without what is for people at a command line.
func message(err error) *C.char {
	if err == nil {
		return nil
	}
	s, _, _ := strings.Cut(oneline.Of(err, "bayes"), " (see Classifier --help)")
	return C.CString(s)
}

// guard makes an error of a panic, which must not end the process of Python.
func guard(out **C.char) {
	if r := recover(); r != nil {
		*out = C.CString(fmt.Sprintf("internal error: %v\n%s", r, debug.Stack()))
	}
}

func ofC(t *C.bayes_texts) texts {
	n := int(t.n)
	if n <= 0 {
		return texts{}
	}
	ends := unsafe.Slice((*int64)(t.ends), n)
	return texts{unsafe.String((*byte)(unsafe.Pointer(t.all)), int(ends[n-1])), ends}
}

// listOf returns copies of strings, nil if there are none at all.
func listOf(t *C.bayes_texts) []string {
	if t == nil || t.n < 0 {
		return nil
	}
	return ofC(t).list()
}

func documentsOf(d *C.bayes_documents, columns []string) (documents, error) {
	if d.row_ends == nil {
		return ofC(&d.texts), nil
	}
	n := int(d.texts.n)
	m := matrix{names: columns, ends: unsafe.Slice((*int64)(d.row_ends), n)}
	if n > 0 {
		cells := int(m.ends[n-1])
		m.columns, m.values = unsafe.Slice((*int64)(d.cells), cells), unsafe.Slice((*float64)(d.values), cells)
	}
	if columns == nil {
		return nil, errors.New("the classifier has learned texts, and knows no columns of a matrix")
	}
	return m, nil
}

func examplesOf(d *C.bayes_documents, columns []string) (iter.Seq2[bayes.Example, error], int, error) {
	docs, err := documentsOf(d, columns)
	if err != nil {
		return nil, 0, err
	}
	n := docs.len()
	var weights []float64
	if d.weights != nil {
		weights = unsafe.Slice((*float64)(d.weights), n)
	}
	return examples(docs, unsafe.Slice((*int32)(d.labels), n), listOf(&d.names), weights), n, nil
}

func of(handle C.uintptr_t) *classifier { return cgo.Handle(handle).Value().(*classifier) }

func handleOf(k *classifier, err error, out *C.uintptr_t) *C.char {
	if err == nil {
		*out = C.uintptr_t(cgo.NewHandle(k))
	}
	return message(err)
}

// bytesOf gives Python bytes, which it frees.
func bytesOf(b []byte, err error, out *unsafe.Pointer, n *C.int64_t) *C.char {
	if err == nil {
		*out, *n = C.CBytes(b), C.int64_t(len(b))
	}
	return message(err)
}

//export bayes_new
func bayes_new(flags, vocabulary, labels, columns *C.bayes_texts, d *C.bayes_documents, out *C.uintptr_t) (msg *C.char) {
	defer guard(&msg)
	names := listOf(columns)
	var exs iter.Seq2[bayes.Example, error]
	if d != nil {
		var err error
		if exs, _, err = examplesOf(d, names); err != nil {
			return message(err)
		}
	}
	k, err := newClassifier(listOf(flags), listOf(vocabulary), listOf(labels), names, exs)
	return handleOf(k, err, out)
}

//export bayes_load
func bayes_load(file unsafe.Pointer, n C.int64_t, columns *C.bayes_texts, out *C.uintptr_t) (msg *C.char) {
	defer guard(&msg)
	k, err := loadClassifier(bytes.Clone(unsafe.Slice((*byte)(file), int(n))), listOf(columns))
	return handleOf(k, err, out)
}

//export bayes_import
func bayes_import(space, event *C.char, labels *C.bayes_texts, weights *C.double, terms *C.bayes_texts, matrix *C.double, out *C.uintptr_t) (msg *C.char) {
	defer guard(&msg)
	s := sums{space: C.GoString(space), event: C.GoString(event), labels: listOf(labels), terms: listOf(terms)}
	s.weights = unsafe.Slice((*float64)(weights), len(s.labels))
	s.matrix = unsafe.Slice((*float64)(matrix), len(s.labels)*len(s.terms))
	k, err := importSums(s)
	return handleOf(k, err, out)
}

//export bayes_delete
func bayes_delete(handle C.uintptr_t) { cgo.Handle(handle).Delete() }

//export bayes_free
func bayes_free(p unsafe.Pointer) { C.free(p) }

//export bayes_learn
func bayes_learn(handle C.uintptr_t, d *C.bayes_documents, unlearn C.int) (msg *C.char) {
	defer guard(&msg)
	k := of(handle)
	exs, n, err := examplesOf(d, k.columns)
	switch {
	case err != nil:
	case unlearn != 0:
		err = k.unlearn(exs)
	default:
		err = k.learn(exs, n)
	}
	return message(err)
}

//export bayes_predict_text
func bayes_predict_text(handle C.uintptr_t, s *C.char, n C.int64_t) C.int32_t {
	var msg *C.char
	defer guard(&msg)
	class, err := of(handle).predictText(unsafe.String((*byte)(unsafe.Pointer(s)), int(n)))
	if err != nil {
		return -1
	}
	return C.int32_t(class)
}

//export bayes_predict
func bayes_predict(handle C.uintptr_t, d *C.bayes_documents, out *C.int32_t) (msg *C.char) {
	defer guard(&msg)
	k := of(handle)
	docs, err := documentsOf(d, k.columns)
	if err == nil {
		err = k.predict(docs, unsafe.Slice((*int32)(out), docs.len()))
	}
	return message(err)
}

//export bayes_scores
func bayes_scores(handle C.uintptr_t, d *C.bayes_documents, kind C.int, out *C.double, n C.int64_t) (msg *C.char) {
	defer guard(&msg)
	k := of(handle)
	docs, err := documentsOf(d, k.columns)
	if err == nil {
		err = k.scores(docs, int(kind), unsafe.Slice((*float64)(out), int(n)))
	}
	return message(err)
}

//export bayes_scores_text
func bayes_scores_text(handle C.uintptr_t, s *C.char, length C.int64_t, kind C.int, out unsafe.Pointer, n C.int64_t) (msg *C.char) {
	defer guard(&msg)
	one := texts{unsafe.String((*byte)(unsafe.Pointer(s)), int(length)), []int64{int64(length)}}
	return message(of(handle).scores(one, int(kind), unsafe.Slice((*float64)(out), int(n))))
}

//export bayes_explain
func bayes_explain(handle C.uintptr_t, d *C.bayes_documents, i C.int64_t, out *unsafe.Pointer, n *C.int64_t) (msg *C.char) {
	defer guard(&msg)
	k := of(handle)
	docs, err := documentsOf(d, k.columns)
	if err != nil {
		return message(err)
	}
	b, err := k.explain(docs.document(int(i)))
	return bytesOf(b, err, out, n)
}

//export bayes_save
func bayes_save(handle C.uintptr_t, out *unsafe.Pointer, n *C.int64_t) (msg *C.char) {
	defer guard(&msg)
	b, err := of(handle).save()
	return bytesOf(b, err, out, n)
}

//export bayes_classes
func bayes_classes(handle C.uintptr_t, out *unsafe.Pointer, n *C.int64_t) (msg *C.char) {
	defer guard(&msg)
	return bytesOf(appendTexts(nil, of(handle).classes()), nil, out, n)
}

//export bayes_describe
func bayes_describe(handle C.uintptr_t, out *unsafe.Pointer, n *C.int64_t) (msg *C.char) {
	defer guard(&msg)
	d, err := of(handle).describe()
	if err != nil {
		return message(err)
	}
	b, err := json.Marshal(d)
	return bytesOf(b, err, out, n)
}

//export bayes_export
func bayes_export(handle C.uintptr_t, out *unsafe.Pointer, n *C.int64_t) (msg *C.char) {
	defer guard(&msg)
	b, err := of(handle).export()
	return bytesOf(b, err, out, n)
}

//export bayes_analyze
func bayes_analyze(handle C.uintptr_t, s *C.char, length C.int64_t, out *unsafe.Pointer, n *C.int64_t) (msg *C.char) {
	defer guard(&msg)
	terms, err := of(handle).analyze(unsafe.String((*byte)(unsafe.Pointer(s)), int(length)))
	if err != nil {
		return message(err)
	}
	return bytesOf(appendTexts(nil, terms), nil, out, n)
}
