package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"bayes/dataset"
)

// eachLine calls use for each line of a list that is not empty: of stop words, of terms, of
// what smooths each. The file is opened and decoded as files of examples are. An error of use
// is returned with the line that it is about.
func eachLine(name string, use func(line string) error) error {
	if info, err := os.Stat(name); err != nil {
		return Plain(err)
	} else if info.IsDir() {
		return fmt.Errorf("%s: a folder, where a file is wanted", name)
	}
	src, err := dataset.Open([]string{name}, nil, &dataset.Options{Format: "text", Unlabelled: true})
	if err != nil {
		return err
	}
	for ex, err := range src.Examples() {
		_, row := src.Place()
		var bad *dataset.SyntaxError
		switch {
		case errors.As(err, &bad), strings.ContainsRune(ex.Text, 0):
			return fmt.Errorf("%s:%d: not text (hint: save it as UTF-8, with one entry a line)", name, row)
		case err != nil:
			return err
		case ex.Text == "":
			continue
		}
		if err := use(ex.Text); err != nil {
			return fmt.Errorf("%s:%d: %w", name, row, err)
		}
	}
	return nil
}

// readLines returns the lines of a list that are not empty.
func readLines(name string) (lines []string, err error) {
	err = eachLine(name, func(line string) error {
		lines = append(lines, line)
		return nil
	})
	return lines, err
}

// neither returns the error of a flag whose value is one of other things, or a file that cannot
// be read.
func neither(flag, things string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: neither %s nor a file: %w", flag, things, err)
	}
	return fmt.Errorf("%s: %w", flag, err)
}
