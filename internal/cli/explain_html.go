package cli

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"

	"bayes"
)

//go:embed explain.html
var explainHTML string

var explainTemplate = template.Must(template.New("explain").Funcs(template.FuncMap{
	"signed": signed, "number": number, "probability": probability,
	"colour": func(logOdds float64) template.CSS {
		strength := math.Min(1, math.Abs(logOdds)/3)
		name := "for"
		if logOdds < 0 {
			name = "against"
		}
		return template.CSS(fmt.Sprintf("background:rgb(var(--%s)/%.2f)", name, strength*0.6))
	},
}).Parse(explainHTML))

// explanationPage writes a page that needs nothing but itself.
func explanationPage(w io.Writer, text string, ex *bayes.Explanation) error {
	return explainTemplate.Execute(w, struct {
		*bayes.Explanation
		Stretches []stretch
	}{ex, stretches(text, ex)})
}
