package dataset

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

var formatNames = []string{"csv", "tsv", "jsonl", "fasttext", "svmlight", "parquet", "dir", "mail", "text"}

// Formats returns the names that [Options] can give a format, apart from
// "auto".
func Formats() []string { return slices.Clone(formatNames) }

// checkFormatName returns an error if there is no format of that name.
func checkFormatName(format string) error {
	if slices.Contains(formatNames, format) {
		return nil
	}
	return fmt.Errorf("unknown format %q (formats: %s)", format, strings.Join(formatNames, ", "))
}

// formatByName returns the format that a file's name says, or "" if it says none. A
// .txt file may be plain text or fastText.
func formatByName(name string) string {
	ext := filepath.Ext(uncompressedName(name))
	switch ext {
	case ".csv":
		return "csv"
	case ".tsv", ".tab":
		return "tsv"
	case ".jsonl", ".ndjson", ".json":
		return "jsonl"
	case ".svm", ".libsvm", ".svmlight":
		return "svmlight"
	case ".ft", ".fasttext":
		return "fasttext"
	case ".parquet":
		return "parquet"
	case ".mbox", ".eml":
		return "mail"
	}
	return ""
}

// uncompressedName returns a name without the suffix of a compression.
func uncompressedName(name string) string {
	name = strings.ToLower(name)
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
}
