package cli

import (
	"fmt"
	"io"
	"strings"
)

// table writes rows in columns. The first column is flush left, the others are
// flush right.
func table(w io.Writer, rows [][]string) {
	inLines(w, rows)
	widths := widthsOf(rows)
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-width(cell))
			if i == 0 {
				b.WriteString(cell + pad)
			} else {
				b.WriteString("  " + pad + cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// explanationTable writes rows with the second column flush left and the others
// flush right. A row of one or two cells is prose: its second cell, which may be
// long, does not widen the column.
func explanationTable(w io.Writer, rows [][]string) {
	inLines(w, rows)
	widths := [7]int{}
	for _, row := range rows {
		if len(row) < 3 {
			widths[0] = max(widths[0], width(row[0]))
			continue
		}
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", max(0, widths[i]-width(cell)))
			switch i {
			case 0:
				b.WriteString(pad + cell)
			case 1:
				b.WriteString("  " + cell + pad)
			default:
				b.WriteString("  " + pad + cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// derivationTable writes rows of name, count, value, operation and logarithm. The
// last two columns are flush right, the others flush left.
func derivationTable(w io.Writer, rows [][]string) {
	inLines(w, rows)
	var widths [5]int
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-width(cell))
			if i >= 3 {
				cell, pad = pad, cell
			}
			line += "  " + cell + pad
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// listing writes rows in columns, all flush left.
func listing(w io.Writer, rows [][]string) {
	inLines(w, rows)
	widths := widthsOf(rows)
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell + strings.Repeat(" ", widths[i]-width(cell)+2))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// inLines makes each cell of rows, which are for w, fit into a line.
func inLines(w io.Writer, rows [][]string) {
	screen := screenOf(w)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = screen.Line(cell)
		}
	}
}

// width returns how many terminal cells s takes: two for a Chinese, Japanese or
// Korean character, none for an escape code.
func width(s string) int {
	n, escape := 0, false
	for _, r := range s {
		switch {
		case r == '\x1b':
			escape = true
		case escape:
			escape = r != 'm'
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// isWide reports whether a terminal shows r in two cells.
func isWide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, // Hangul Jamo
		r >= 0x2e80 && r <= 0xa4cf, // radicals, kana, ideographs, Yi
		r >= 0xac00 && r <= 0xd7a3, // Hangul syllables
		r >= 0xf900 && r <= 0xfaff, // compatibility ideographs
		r >= 0xfe30 && r <= 0xfe6f, // compatibility forms
		r >= 0xff00 && r <= 0xff60, // full width letters
		r >= 0xffe0 && r <= 0xffe6: // full width signs
		return true
	}
	return false
}

// widthsOf returns how wide each column is.
func widthsOf(rows [][]string) (widths []int) {
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(cell))
		}
	}
	return widths
}
