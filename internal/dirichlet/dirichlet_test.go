package dirichlet

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

func dataOf(rows [][]float64) *Data {
	d := &Data{Features: make([][]Count, len(rows[0]))}
	for _, row := range rows {
		var n float64
		for j, c := range row {
			n += c
			if c > 0 {
				d.Features[j] = append(d.Features[j], Count{c, 1})
			}
		}
		d.Lengths = append(d.Lengths, Count{n, 1})
	}
	return d
}

func relative(got, want float64) float64 { return math.Abs(got-want) / math.Abs(want) }

// The reference optima: the evidence to 1e-9, the parameters to 1e-4.
func TestReferenceOptima(t *testing.T) {
	b, err := os.ReadFile("testdata/evidence.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		X                    [][]float64
		SymmetricAlpha       float64 `json:"symmetric_alpha"`
		SymmetricLogEvidence float64 `json:"symmetric_log_evidence"`
		Alpha                []float64
		LogEvidence          float64 `json:"log_evidence"`
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	for i, tc := range cases {
		d := dataOf(tc.X)
		alpha, evidence := d.Symmetric()
		if relative(alpha, tc.SymmetricAlpha) > 1e-4 || relative(evidence, tc.SymmetricLogEvidence) > 1e-9 {
			t.Errorf("case %d: symmetric %v at %v, want %v at %v", i, evidence, alpha, tc.SymmetricLogEvidence, tc.SymmetricAlpha)
		}
		each, evidence := d.Maximize()
		if relative(evidence, tc.LogEvidence) > 1e-9 {
			t.Errorf("case %d: evidence %v, want %v", i, evidence, tc.LogEvidence)
		}
		for j := range each {
			if relative(each[j], tc.Alpha[j]) > 1e-4 {
				t.Errorf("case %d: alpha %v, want %v", i, each, tc.Alpha)
				break
			}
		}
	}
}

// Where there is no optimum, the parameters stay within bounds and are numbers.
func TestNoOptimum(t *testing.T) {
	for name, rows := range map[string][][]float64{
		"alike": {{5, 5}, {5, 5}}, "apart": {{9, 0}, {0, 9}}, "one row": {{3, 4, 0}}, "one feature": {{3}, {4}}, "nothing": {{0, 0}},
	} {
		d := dataOf(rows)
		symmetric, _ := d.Symmetric()
		each, evidence := d.Maximize()
		for _, a := range append(each, symmetric) {
			if !(a >= least/2 && a <= 2*most) || math.IsNaN(evidence) {
				t.Errorf("%s: symmetric %v, each %v, evidence %v", name, symmetric, each, evidence)
			}
		}
	}
}
