package cli

import (
	"bufio"
	"os"
	"strings"
)

// readLines returns the lines of a file that are not empty.
func readLines(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, Plain(err)
	}
	defer f.Close()
	var lines []string
	s := bufio.NewScanner(f)
	for s.Scan() {
		if line := strings.TrimSuffix(s.Text(), "\r"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, Plain(s.Err())
}
