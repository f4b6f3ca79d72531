module bayes/internal/site

go 1.26.0

require github.com/yuin/goldmark v1.8.7

require bayes v0.0.0

require (
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace bayes => ../..
