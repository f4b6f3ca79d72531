// Package generate writes labelled text of any size, the same for the same seed,
// to measure and to test with.
package generate

import (
	"bufio"
	"io"
	"math/rand/v2"
	"strconv"
)

// words is how many words there are. By Zipf's law most of them are rare.
const words = 2_000_000

// labels is how many classes there are.
const labels = 4

// CSV writes a table of about size bytes with the columns label and text: texts
// of 20 to 200 words, which are drawn by Zipf's law, each class with favourites of
// its own. A text in eight has quotes, commas and a line end in it.
func CSV(w io.Writer, size int64, seed uint64) error {
	b := bufio.NewWriterSize(w, 1<<20)
	b.WriteString("label,text\n")
	g := newGenerator(seed)
	for n := int64(0); n < size; {
		g.line = g.line[:0]
		label := g.rng.IntN(labels)
		g.line = append(g.line, 'c', byte('0'+label), ',')
		quoted := g.rng.IntN(8) == 0
		if quoted {
			g.line = append(g.line, "\"He said \"\"no\"\",\n"...)
		}
		g.text(label)
		if quoted {
			g.line = append(g.line, '"')
		}
		g.line = append(g.line, '\n')
		b.Write(g.line)
		n += int64(len(g.line))
	}
	return b.Flush()
}

type generator struct {
	rng  *rand.Rand
	zipf *rand.Zipf
	line []byte
}

func newGenerator(seed uint64) *generator {
	rng := rand.New(rand.NewPCG(seed, 1))
	return &generator{rng: rng, zipf: rand.NewZipf(rng, 1.1, 10, words-1)}
}

// text appends a text of a class.
func (g *generator) text(label int) {
	for i := range 20 + g.rng.IntN(181) {
		if i > 0 {
			g.line = append(g.line, ' ')
		}
		word := g.zipf.Uint64()
		if word > 100 && g.rng.IntN(4) == 0 {
			word = word - word%labels + uint64(label)
		}
		g.line = strconv.AppendUint(append(g.line, 'w'), word*2654435761%(words*16), 36)
	}
}
