package bayes

import "bayes/internal/specgrammar"

// options are the words after the name in the description of an event model. An event model asks
// for those that it has; what it has not asked for in the end is an error.
type options struct {
	specgrammar.Options
	parse func(s string) (EventModel, error)
}

func (o *options) smoothing() Smoothing {
	var s Smoothing = Additive(1)
	o.Each("smoothing", func(value string) (err error) { s, err = ParseSmoothing(value); return err })
	return s
}

func (o *options) prior() Prior {
	var p Prior = EmpiricalPrior{}
	o.Each("prior", func(value string) (err error) { p, err = ParsePrior(value); return err })
	return p
}

// model returns the event model in parentheses that is the value of key; nil if it is not given.
func (o *options) model(key string) (em EventModel) {
	o.EachInner(key, func(inner string) (err error) { em, err = o.parse(inner); return err })
	return em
}
