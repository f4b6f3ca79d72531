package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"bayes/dataset"
)

// No comma is read: it is that of decimals or of thousands, and the hint says what to write.
func TestCommasInNumbers(t *testing.T) {
	const decimals, thousands = "(hint: decimals have a point, and thousands nothing: write ", "(hint: thousands are not set apart: write "
	for s, want := range map[string]string{
		"3,14":                          decimals + "3.14)",
		"-0,5":                          decimals + "-0.5)",
		"1.234.567,8":                   decimals + "1234567.8)",
		"12345,678":                     decimals + "12345.678)",
		"2,5e3":                         decimals + "2.5e3)",
		"1,234":                         "(hint: write 1.234 if the comma is that of decimals, and 1234 if it is that of thousands)",
		"1,234,567":                     thousands + "1234567)",
		"1,234.5":                       thousands + "1234.5)",
		"3,14,15":                       "finite number",
		"a,b":                           "finite number",
		",":                             "finite number",
		"1,23.4":                        "finite number",
		strings.Repeat("1", 50) + ",10": "finite number",
	} {
		if v, err := dataset.ParseNumber(s); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, %v", s, v, err)
		}
	}
}

// A spreadsheet's file with semicolons and decimal commas is refused where a column of numbers is
// read, and its other columns are left alone.
func TestDecimalCommasInTable(t *testing.T) {
	const in = "label;text;x\na;one, two;3,14\nb;three;2.5\n"
	var got []string
	for ex, err := range dataset.CSV(strings.NewReader(in), "f.csv", &dataset.Options{Text: []string{"text"}, Numeric: []string{"x"}}) {
		got = append(got, fmt.Sprint(ex, err))
	}
	if want := `f.csv:2: column "x": "3,14" is not a finite number (hint: decimals have a point, and thousands nothing: write 3.14)`; len(got) != 2 || !strings.HasSuffix(got[0], want) {
		t.Errorf("%q", got)
	}
	for ex, err := range dataset.CSV(strings.NewReader("label;text\na;3,14\n"), "f.csv", nil) {
		if err != nil || ex.Text != "3,14" {
			t.Errorf("%v, %v", ex, err)
		}
	}
}

func ExampleParseNumber() {
	v, err := dataset.ParseNumber("3.14")
	fmt.Println(v, err)
	_, err = dataset.ParseNumber("3,14")
	fmt.Println(err)
	// Output:
	// 3.14 <nil>
	// "3,14" is not a finite number (hint: decimals have a point, and thousands nothing: write 3.14)
}
