package bayes

import (
	"fmt"
	"strconv"
	"strings"

	"bayes/internal/specgrammar"
)

// options are the words after the name in the description of an event model: KEY or
// KEY=VALUE. An event model asks for those that it has; what it has not asked for in the end
// is an error.
type options struct {
	words []string
	read  []bool // of each word, whether it was asked for
	err   error  // the first
	parse func(s string) (EventModel, error)
}

// each calls set with the value of each option called key.
func (o *options) each(key string, set func(value string) error) {
	for i, word := range o.words {
		name, value, _ := strings.Cut(word, "=")
		if name != key {
			continue
		}
		o.read[i] = true
		if err := set(value); err != nil && o.err == nil {
			o.err = err
		}
	}
}

// flag reports whether there is an option called key.
func (o *options) flag(key string) (set bool) {
	o.each(key, func(string) error { set = true; return nil })
	return set
}

// count returns the value of key, a whole number from 0 up; zero if it is not given.
func (o *options) count(key string) (n int) {
	o.each(key, func(value string) (err error) {
		if n, err = strconv.Atoi(value); err != nil || n < 0 {
			return fmt.Errorf("bayes: %q is not a whole number from 0 up", value)
		}
		return nil
	})
	return n
}

// number returns the value of key; zero if it is not given.
func (o *options) number(key string) (v float64) {
	o.each(key, func(value string) (err error) {
		if v, err = strconv.ParseFloat(value, 64); err != nil {
			return fmt.Errorf("bayes: %s %.100q is no number", key, value)
		}
		return nil
	})
	return v
}

func (o *options) smoothing() Smoothing {
	var s Smoothing = Additive(1)
	o.each("smoothing", func(value string) (err error) { s, err = ParseSmoothing(value); return err })
	return s
}

func (o *options) prior() Prior {
	var p Prior = EmpiricalPrior{}
	o.each("prior", func(value string) (err error) { p, err = ParsePrior(value); return err })
	return p
}

// model returns the event model in parentheses that is the value of key; nil if it is not
// given.
func (o *options) model(key string) (em EventModel) {
	o.each(key, func(value string) (err error) {
		inner, ok := specgrammar.Inner(value)
		if !ok {
			return fmt.Errorf("bayes: %.100q: want an event model in parentheses", value)
		}
		em, err = o.parse(inner)
		return err
	})
	return em
}
