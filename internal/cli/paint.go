package cli

import (
	"io"
	"math"
	"os"

	"bayes/internal/terminal"
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

// share colours s by what it adds to the log-odds: green for the class, red against
// it, and bold for much.
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
