package main

import (
	"os"
	"reflect"
	"testing"

	"bayes/internal/long"
	"bayes/internal/morph"
)

func TestMain(m *testing.M) { os.Exit(long.Tests{M: m}.Run()) }

// The dictionaries that the program has are what this makes of kagome's. They are compared by
// what they hold: another version of the compression may write other bytes.
func TestDictionariesAreCurrent(t *testing.T) {
	long.Test(t, "that text/japanese and text/korean have what kagome's dictionaries hold")
	for name, l := range languages {
		want, err := l.convert()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file, err := os.ReadFile(l.file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := morph.Read(string(file))
		if err != nil {
			t.Fatalf("%s: %v", l.file, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is not what kagome's dictionary is now: go generate ./text/japanese ./text/korean", l.file)
		}
	}
}
