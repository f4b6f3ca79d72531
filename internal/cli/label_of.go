package cli

import (
	"errors"
	"strings"
)

// labelOf is the value of --label-of, given once for each folder.
type labelOf map[string]string

func (l *labelOf) Type() string { return "FOLDER=LABEL" }

func (l *labelOf) String() string { return "" }

func (l *labelOf) Set(s string) error {
	i := strings.LastIndexByte(s, '=')
	if i <= 0 || i == len(s)-1 {
		return errors.New("want FOLDER=LABEL, such as Junk=spam")
	}
	if *l == nil {
		*l = make(labelOf)
	}
	(*l)[s[:i]] = s[i+1:]
	return nil
}
