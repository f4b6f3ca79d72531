package correction

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bayes/internal/intern"
	"bayes/internal/svm"
)

// drawn is a source of examples whose values are drawn.
type drawn struct {
	values  [][]svm.Value
	classes int
}

func (d *drawn) Reader() Reader {
	return Reader{
		Values:  func(i int) []svm.Value { return d.values[i] },
		AddBase: func(joint []float64) { joint[0]++ },
	}
}

func (d *drawn) Scores(context.Context) ([]float32, error) {
	scores := make([]float32, len(d.values)*d.classes)
	for i := range d.values {
		scores[i*d.classes+i%d.classes] = 1
	}
	return scores, nil
}

func (d *drawn) Spread() []float32 { return []float32{1, 2, 0.5, 1, 3, 1, 1, 0} }

// What machines say of an example is what the data that they give says of it: of one or several machines, of
// features that one example has, or none, and whether corrections move alike or not, in any order.
func TestScoreIsData(t *testing.T) {
	for _, classes := range []int{2, 3, 9, 20} {
		random := rand.New(rand.NewPCG(1, uint64(classes)))
		d := &drawn{classes: classes}
		var names intern.Table
		l := &Learner{Examples: Examples{Source: d, Size: 8}}
		c := &Columns{Kind: 't', Names: &names}
		for f := range 8 {
			name := fmt.Appendf(nil, "f%d", f)
			c.Sorted = append(c.Sorted, names.Insert(intern.KeyOf(name), name))
		}
		l.Columns = append(l.Columns, c)
		for k := range classes {
			l.Labels = append(l.Labels, fmt.Sprintf("c%02d", k))
		}
		var tested []int
		for i := range 10 * classes {
			values := []svm.Value{{Feature: int32(i % 3), Value: random.Float64()}, {Feature: 3, Value: random.Float64()}, {Feature: 4, Value: random.Float64()}}
			if i == 1 {
				values = append(values, svm.Value{Feature: 5, Value: 2}) // that it alone has
			}
			if i%5 == 0 {
				tested, values = append(tested, i), append(values, svm.Value{Feature: 5, Value: 1}, svm.Value{Feature: 6, Value: 1})
			} else {
				l.Members, l.Class = append(l.Members, i), append(l.Class, int32(i%classes))
			}
			d.values = append(d.values, values)
		}
		for _, all := range [][]Options{
			{{Strength: 1, Spread: true}},
			{{Strength: 1}}, // after that with spread
			{{Strength: 3, Spread: true, Trust: 0.5}, {Strength: 3, Trust: 1}, {Strength: 1, Spread: true}, {Strength: 0.1}},
		} {
			read := l.ReadTested(tested, all)
			checked := make([]bool, len(all))
			err := l.Learn(t.Context(), all, func(i int, m *Machines) error {
				data := m.Data()
				prior := make([]float64, classes)
				for k := range prior {
					prior[k] = float64(k)
				}
				checked[i] = true
				m.Score(read, prior, func(example, _ int, scores []float64) {
					for k, got := range scores {
						want := prior[k]
						if k == 0 {
							want += data.Trust
						}
						for _, v := range d.values[example] {
							name := names.Bytes(int(v.Feature))
							row := data.Blocks[0].At(data.Blocks[0].Find(intern.KeyOf(name), name))
							switch {
							case row == nil:
							case classes == 2:
								want += float64(2*k-1) * v.Value * float64(row[0]) / 2
							default:
								want += v.Value * float64(row[k])
							}
						}
						if math.Abs(got-want) > 1e-12*math.Max(1, math.Abs(want)) {
							t.Errorf("%d classes, %+v: example %d has a score of %v in class %d, want %v", classes, all[i], example, got, k, want)
						}
					}
				})
				return nil
			})
			for i := range checked {
				if !checked[i] || err != nil {
					t.Errorf("%d classes: %+v was not learned: %v", classes, all[i], err)
				}
			}
		}
	}
}

// A cut leaves about as many values on either side, and never one of two that are the same.
func TestCut(t *testing.T) {
	if cuts := Cut([]float64{3, 1, 2, 1, 1}); fmt.Sprint(cuts) != "[1.5 2.5]" {
		t.Errorf("%v", cuts)
	}
	values := make([]float64, 1000)
	for i := range values {
		values[i] = float64(i)
	}
	if cuts := Cut(values); len(cuts) != mostIntervals-1 || cuts[0] != 24.5 {
		t.Errorf("%v", cuts)
	}
	if cuts := Cut(nil); cuts != nil {
		t.Errorf("%v", cuts)
	}
}
