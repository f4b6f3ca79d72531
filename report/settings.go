package report

import (
	"strconv"

	"bayes"
)

// A Setting is what a model is made of, for people.
type Setting struct{ Name, Value string }

// Settings returns how a model estimates, calibrates and counts, and its size.
func Settings(m *bayes.Model) []Setting {
	event, calibration := parts(m.EventModel())
	list := []Setting{{"event model", event.String()}}
	if calibration != "" {
		list = append(list, Setting{"calibration", calibration})
	}
	return append(list,
		Setting{"space", m.Space().String()},
		Setting{"classes", count(int64(len(m.Classes())))},
		Setting{"features", count(int64(m.Len()))})
}

// parts returns an event model without its calibration, and the kind of that, empty if the
// probabilities are the event model's own.
func parts(em bayes.EventModel) (inner bayes.EventModel, calibration string) {
	c, ok := em.(bayes.Calibrated)
	if !ok {
		return em, ""
	}
	if inner = c.Model; inner == nil {
		inner = bayes.Multinomial{}
	}
	switch {
	case len(c.Isotonic) > 0:
		return inner, "isotonic, " + plural(int64(len(c.Isotonic)), "point", "points")
	case c.Temperature != 0 && c.Temperature != 1:
		return inner, "temperature " + strconv.FormatFloat(c.Temperature, 'g', 4, 64)
	}
	return inner, ""
}
