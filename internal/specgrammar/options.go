package specgrammar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Options are words that are KEY or KEY=VALUE. A reader asks for the keys that it knows.
type Options struct {
	words []string
	read  []bool // of each word, whether it was asked for
	Err   error  // the first of a value
}

// NewOptions returns words as options.
func NewOptions(words []string) Options { return Options{words: words, read: make([]bool, len(words))} }

// Unread returns the first word that was not asked for, and whether there is one.
func (o *Options) Unread() (word string, ok bool) {
	if i := slices.Index(o.read, false); i >= 0 {
		return o.words[i], true
	}
	return "", false
}

// Each calls set with the value of each option called key.
func (o *Options) Each(key string, set func(value string) error) {
	for i, word := range o.words {
		name, value, _ := strings.Cut(word, "=")
		if name != key {
			continue
		}
		o.read[i] = true
		if err := set(value); err != nil && o.Err == nil {
			o.Err = err
		}
	}
}

// EachInner is Each, of values in parentheses. It calls set with what is in them.
func (o *Options) EachInner(key string, set func(inner string) error) {
	o.Each(key, func(value string) error {
		inner, ok := Inner(value)
		if !ok {
			return fmt.Errorf("bayes: %.100q: want an event model in parentheses", value)
		}
		return set(inner)
	})
}

// Flag reports whether there is an option called key.
func (o *Options) Flag(key string) (set bool) {
	o.Each(key, func(string) error { set = true; return nil })
	return set
}

// Count returns the value of key, a whole number from 0 up; zero if it is not given.
func (o *Options) Count(key string) (n int) {
	o.Each(key, func(value string) (err error) {
		if n, err = strconv.Atoi(value); err != nil || n < 0 {
			return fmt.Errorf("bayes: %q is not a whole number from 0 up", value)
		}
		return nil
	})
	return n
}

// Limit returns the value of key, a number or share of documents; zero if it is not given.
func (o *Options) Limit(key string) (v float64) {
	o.UpTo(key, 1<<53, func(limit float64) { v = limit })
	return v
}

// UpTo calls set with the value of key, a number from 0 up to most, if it is given.
func (o *Options) UpTo(key string, most float64, set func(v float64)) {
	o.Each(key, func(value string) error {
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v >= 0 && v <= most) {
			return fmt.Errorf("bayes: %s %.100q is not a number from 0 up to %g", key, value, most)
		}
		set(v)
		return nil
	})
}

// Number returns the value of key; zero if it is not given.
func (o *Options) Number(key string) (v float64) {
	o.Each(key, func(value string) (err error) {
		if v, err = strconv.ParseFloat(value, 64); err != nil {
			return fmt.Errorf("bayes: %s %.100q is no number", key, value)
		}
		return nil
	})
	return v
}
