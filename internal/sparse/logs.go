package sparse

import (
	"math"
	"sync/atomic"
)

// Logs give ln(n + α) of counts n. They keep those of small whole n, as most counts are, for the α that
// was asked for first. They may be used by many goroutines at once.
type Logs struct {
	known atomic.Pointer[knownLogs]
}

// knownLogs are ln(n + α) for whole n.
type knownLogs struct {
	alpha float64
	list  [256]atomic.Uint64 // the inverted bits of the logarithms; 0 where one is not known
}

func (l *Logs) Of(n, alpha float64) float64 {
	known := l.known.Load()
	if known == nil {
		l.known.CompareAndSwap(nil, &knownLogs{alpha: alpha})
		known = l.known.Load()
	}
	i := uint64(n)
	if i >= uint64(len(known.list)) || float64(i) != n || alpha != known.alpha {
		return Log(n + alpha)
	}
	if bits := known.list[i].Load(); bits != 0 {
		return math.Float64frombits(^bits)
	}
	log := Log(n + alpha)
	known.list[i].Store(^math.Float64bits(log))
	return log
}

// Log returns ln v, and minus infinity where v is zero, or below it by a rounding error.
func Log(v float64) float64 {
	if !(v > 0) {
		return math.Inf(-1)
	}
	return math.Log(v)
}

// Finite returns v, and 0 if it is infinite.
func Finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return v
}
