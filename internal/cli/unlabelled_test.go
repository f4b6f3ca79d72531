package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Probabilities come true by answers that were drawn, if these are fifty or more: what is asked for is harder, whoever says so. Words of classes do not count.
func TestCalibrateByDrawn(t *testing.T) {
	for drawn, held := range map[int]int{49: 149, 50: 50} {
		dir := t.TempDir()
		answers, pile := filepath.Join(dir, "answers.csv"), filepath.Join(dir, "pile.txt")
		var table, lines strings.Builder
		fmt.Fprintln(&table, "label,text,row,who,when,random")
		fmt.Fprintln(&table, "sport,s1 s2 s3,words,ann,2026-05-04T09:30:00.000Z,no")
		for i := range 100 + drawn {
			label, topic, random := []string{"sport", "money"}[i%2], "sm"[i%2], "no"
			if i < drawn {
				random = "yes"
			}
			text := fmt.Sprintf("%c%d %c%d u%d", topic, i%9, topic, i%7, i)
			fmt.Fprintf(&table, "%s,%s,%d,ann,2026-05-04T09:30:00.000Z,%s\n", label, text, i+1, random)
			fmt.Fprintf(&lines, "%c%d %c%d w%d\n", topic, i%9, topic, i%5, i%20)
		}
		for name, text := range map[string]string{answers: table.String(), pile: lines.String()} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, asked := range [][]string{nil, {"--asked"}} {
			_, notes := runs(t, append([]string{"train", answers, "--unlabelled", pile, "--calibrate", "temperature", "-o", filepath.Join(dir, "m.nb")}, asked...)...)
			if want := fmt.Sprintf("of %d examples held out", held); !strings.Contains(notes, want) {
				t.Errorf("%d drawn, %q: want %q:\n%s", drawn, asked, want, notes)
			}
		}
	}
}
