package cli

import "errors"

// A delimiter is the value of --delimiter: one character, or tab.
type delimiter byte

func (d *delimiter) String() string {
	switch *d {
	case 0:
		return ""
	case '\t':
		return "tab"
	}
	return string(rune(*d))
}

func (d *delimiter) Set(s string) error {
	switch {
	case s == "tab" || s == `\t`:
		*d = '\t'
	case len(s) == 1 && s[0] < 0x80 && s[0] != '"' && s[0] != '\n' && s[0] != '\r':
		*d = delimiter(s[0])
	default:
		return errors.New("want one ASCII character, such as ; or tab")
	}
	return nil
}

func (d *delimiter) Type() string { return "CHAR" }
