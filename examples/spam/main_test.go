package main

import (
	"strings"
	"testing"
)

func TestSpam(t *testing.T) {
	const in = "win a free prize, claim your cash now\nare you free for lunch\nsee you at the meeting\ncall now\nzebra\n"
	const want = "spam\twin a free prize, claim your cash now\nham\tare you free for lunch\nham\tsee you at the meeting\nham\tcall now\n?\tzebra\n"
	var out strings.Builder
	if err := filter(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("%s\nnot\n%s", out.String(), want)
	}
}
