//go:build unix

package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// The help of every command fits 80 columns, and each flag is in a group that says what it is
// about: a flag that is in none is listed under Flags, where cobra would put all of them.
func TestHelp(t *testing.T) {
	dir := t.TempDir()
	commands := append(commandsBelow(t, dir), "")
	if len(commands) < 25 {
		t.Fatalf("only %d commands: %q", len(commands), commands)
	}
	for _, command := range commands {
		help := mustBayes(t, dir, append(strings.Fields(command), "--help")...)
		for line := range strings.Lines(help) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "        ")) > 80 {
				t.Errorf("bayes %s --help: longer than 80 columns: %s", command, line)
			}
			if line == "Flags:" || line == "Commands:" && command == "" {
				t.Errorf("bayes %s --help: some %s are in no group:\n%s", command, strings.TrimSuffix(line, ":"), help)
			}
		}
		if !strings.Contains(help, "\nGeneral:\n") || !strings.Contains(help, "\nUsage:\n  bayes") {
			t.Errorf("bayes %s --help: no usage, or no flags:\n%s", command, help)
		}
	}
	for _, command := range []string{"train", "serve"} {
		help := mustBayes(t, dir, command, "--help")
		if groups := regexp.MustCompile(`(?m)^\w+:$`).FindAllString(help, -1); len(groups) < 8 {
			t.Errorf("bayes %s --help has the groups %q", command, groups)
		}
	}
}

// commandsBelow returns the words of all commands that shell completion knows.
func commandsBelow(t *testing.T, dir string, words ...string) (list []string) {
	t.Helper()
	completed, _, _ := strings.Cut(mustBayes(t, dir, append(append([]string{"__complete"}, words...), "")...), "\n:")
	for line := range strings.Lines(completed) {
		name, _, isCommand := strings.Cut(line, "\t")
		if !isCommand || len(words) > 0 && (words[0] == "help" || words[0] == "man") {
			continue
		}
		below := append(words[:len(words):len(words)], name)
		list = append(append(list, strings.Join(below, " ")), commandsBelow(t, dir, below...)...)
	}
	return list
}
