package wire

import "sync"

// PartRows is how many rows are encoded at a time. Tests lower it.
var PartRows = 1 << 15

// An Encoding is a section that is being made.
type Encoding struct {
	tag     string
	parts   [][]byte
	running sync.WaitGroup
}

// Encode begins to make a section of what f appends of n rows, some at a time on each core.
func Encode(tag string, n int, f func(b []byte, from, to int) []byte) *Encoding {
	rows := PartRows
	e := &Encoding{tag: tag, parts: make([][]byte, (n+rows-1)/rows)}
	for j := range e.parts {
		e.running.Go(func() { e.parts[j] = f(nil, j*rows, min((j+1)*rows, n)) })
	}
	return e
}

// Wait waits for the section.
func (e *Encoding) Wait() { e.running.Wait() }

// Pieces waits for the section and returns it.
func (e *Encoding) Pieces() [][]byte {
	e.running.Wait()
	return SectionPieces(e.tag, e.parts)
}
