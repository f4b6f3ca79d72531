package main

import (
	"strings"
	"testing"
)

func TestLanguage(t *testing.T) {
	var in strings.Builder
	want := map[string]string{
		"Wo ist der Bahnhof, bitte?":            "de",
		"Where is the station, please?":         "en",
		"¿Dónde está la estación, por favor?":   "es",
		"Où est la gare, s'il vous plaît ?":     "fr",
		"Dov'è la stazione, per favore?":        "it",
		"駅はどこですか。":                              "ja",
		"역이 어디에 있습니까?":                          "ko",
		"Waar is het station, als het u blief?": "nl",
	}
	for line := range want {
		in.WriteString(line + "\n")
	}
	var out strings.Builder
	if err := detect(strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		if len(cells) != 3 || cells[0] != want[cells[2]] {
			t.Error(line)
		}
		delete(want, cells[len(cells)-1])
	}
	if len(want) > 0 {
		t.Errorf("no answer to %v", want)
	}
}
