package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"bayes/internal/terminal"

	"github.com/schollz/progressbar/v3"
)

// A paint writes text in a terminal's colours. The zero paint leaves text as it is.
type paint struct{ screen *terminal.Writer }

// paintFor returns what colours text for w, if colour may be written to w.
func paintFor(w io.Writer) paint {
	if os.Getenv("NO_COLOR") != "" {
		return paint{}
	}
	return paint{screenOf(w)}
}

// on reports whether there are colours.
func (p paint) on() bool { return p.screen != nil }

func (p paint) in(code, s string) string {
	if !p.on() || s == "" {
		return s
	}
	return p.screen.Style(code, s)
}

func (p paint) bold(s string) string { return p.in("1", s) }
func (p paint) dim(s string) string  { return p.in("2", s) }

// share colours s by its share of the log-odds: green speaks for, red against,
// and the strength is that of the colour.
func (p paint) share(s string, logOdds float64) string {
	switch a := math.Abs(logOdds); {
	case a < 0.1:
		return s
	case logOdds > 0 && a < 1:
		return p.in("32", s)
	case logOdds > 0:
		return p.in("1;32", s)
	case a < 1:
		return p.in("31", s)
	}
	return p.in("1;31", s)
}

// progress shows on stderr how much of src has been read while work runs, if
// stderr is a terminal.
func (a *app) progress(src *source, work func(progress func(n int64)) error) error {
	if a.quiet || !isTerminal(a.stderr) {
		return work(nil)
	}
	bar := progressbar.NewOptions64(src.Size(),
		progressbar.OptionSetWriter(a.stderr.file),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
	start := time.Now()
	err := work(func(n int64) {
		bar.Describe(fmt.Sprintf("%s documents, %s/s", count(n), count(int64(float64(n)/time.Since(start).Seconds()))))
		bar.Set64(src.BytesRead())
	})
	bar.Finish()
	return err
}

// count returns n with its thousands marked off.
func count[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// probability returns p as people and programs both read it.
func probability(p float64) string { return strconv.FormatFloat(p, 'g', 6, 64) }

// table writes rows in columns. The first column is flush left, the others are
// flush right.
func table(w io.Writer, rows [][]string) {
	inLines(w, rows)
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(cell))
		}
	}
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

// inLines makes each cell of rows, which are for w, fit into a line.
func inLines(w io.Writer, rows [][]string) {
	screen := screenOf(w)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = screen.Line(cell)
		}
	}
}

// width returns how many terminal cells s takes: wide for Chinese, Japanese and
// Korean characters, nothing for escape codes.
func width(s string) int {
	n, escape := 0, false
	for _, r := range s {
		switch {
		case r == '\x1b':
			escape = true
		case escape:
			escape = r != 'm'
		case r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6):
			n += 2
		default:
			n++
		}
	}
	return n
}
