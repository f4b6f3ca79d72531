package dataset

import (
	"bytes"
	"io"
)

// delimiters are what may stand between the fields of a .csv: spreadsheets write semicolons
// where the comma is that of decimals.
var delimiters = []byte{',', ';', '\t'}

// Delimiter returns what stands between the fields of a table, whose format is csv or tsv, by
// the rule of [Options]. It reads no more of r than its first line.
func Delimiter(r io.Reader, format string, opts *Options) (byte, error) {
	z, err := Decompress(r)
	if err != nil {
		return 0, err
	}
	defer z.Close()
	in, err := newInput(newWindow(z), "", opts, new(stats))
	if err != nil {
		return 0, err
	}
	if format == "tsv" {
		return in.findDelimiter('\t'), nil
	}
	return in.findDelimiter(','), nil
}

// findDelimiter returns what stands between the fields of a table. Whatever the options say
// goes first; usual is that of the format. A comma is usual only for want of something
// better: then it is the one that is most often in the first line, outside quotes. Without
// a header that line is data, in which a comma is a comma.
func (in *input) findDelimiter(usual byte) byte {
	if in.opts.Delimiter != 0 {
		return in.opts.Delimiter
	}
	if usual != ',' {
		return usual
	}
	line := outsideQuotes(tableLine(in.w))
	if in.opts.NoHeader && bytes.IndexByte(line, ',') >= 0 {
		return ','
	}
	return mostFrequent(line)
}

// mostFrequent returns the delimiter that is most often in a line without quoted fields; of
// equal ones the first.
func mostFrequent(line []byte) byte {
	best, most := delimiters[0], 0
	for _, c := range delimiters {
		if n := bytes.Count(line, []byte{c}); n > most {
			best, most = c, n
		}
	}
	return best
}

// outsideQuotes returns a line without its quoted parts.
func outsideQuotes(line []byte) []byte {
	var out []byte
	for i, part := range bytes.Split(line, []byte{'"'}) {
		if i%2 == 0 {
			out = append(out, part...)
		}
	}
	return out
}

// tableLine returns the first line of w that is not blank, or as much of it as a name in a
// header may take.
func tableLine(w *window) []byte {
	for from := 0; ; {
		line, next := lineFrom(w, from)
		if len(bytes.TrimSpace(line)) > 0 || next < 0 {
			return line
		}
		from = next
	}
}
