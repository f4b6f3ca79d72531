package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A maker makes a release.
type maker struct {
	root    string    // of the checkout
	module  string    // its path, which is another one where it is published
	version string    // such as 0.1.0
	day     time.Time // of the version; every file has it
	stage   string    // folder for what is made on the way
	out     string    // folder for what is published
}

// open returns a maker for a checkout. The version is the newest one of CHANGELOG.md, with
// +unreleased if there are changes since; a tag must say the same.
func open(root string) (*maker, error) {
	changes, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	r := &maker{root: root}
	if r.version, r.day, err = newest(string(changes)); err != nil {
		return nil, fmt.Errorf("CHANGELOG.md: %w", err)
	}
	module, err := exec.Command("go", "list", "-C", root, "-m").Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m: %w", err)
	}
	r.module = strings.TrimSpace(string(module))
	tags, err := exec.Command("git", "-C", root, "tag", "--points-at", "HEAD", "v[0-9]*").Output()
	if err != nil {
		return r, nil // not a checkout of git, such as an archive of the source
	}
	if list := strings.Fields(string(tags)); len(list) > 0 && !slices.Contains(list, "v"+r.version) {
		return nil, fmt.Errorf("the tag is %s, and CHANGELOG.md says %s", strings.Join(list, " "), r.version)
	}
	return r, nil
}

// newest returns the newest version of a changelog, and its day.
func newest(changes string) (version string, day time.Time, err error) {
	m := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d)$`).FindStringSubmatchIndex(changes)
	if m == nil {
		return "", day, errors.New("there is no heading such as: ## 0.1.0, 2026-11-23")
	}
	version = changes[m[2]:m[3]]
	if _, since, ok := strings.Cut(changes[:m[0]], "## Unreleased\n"); ok && strings.TrimSpace(since) != "" {
		version += "+unreleased"
	}
	day, err = time.Parse(time.DateOnly, changes[m[4]:m[5]])
	return version, day, err
}
