package bayes_test

import (
	"fmt"

	"bayes"
)

// people are of two heights and three countries.
func people() []bayes.Example {
	var list []bayes.Example
	add := func(label, country string, heights ...float64) {
		for _, h := range heights {
			list = append(list, bayes.Example{Label: label, Attrs: []bayes.Attr{bayes.Number("height", h), bayes.Category("country", country)}})
		}
	}
	add("child", "Korea", 101, 104, 108)
	add("child", "Peru", 99, 103)
	add("adult", "Korea", 168, 172, 176)
	add("adult", "Japan", 165, 171)
	return list
}

// Each block of a document is modelled by an event model of its own. A document may lack
// what others have.
func ExampleMixed() {
	m, err := bayes.Fit(learn(nil, people()...), bayes.Mixed{Number: bayes.Gaussian{Shared: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range []bayes.Document{
		{Attrs: []bayes.Attr{bayes.Number("height", 110)}},
		{Attrs: []bayes.Attr{bayes.Category("country", "Japan")}},
	} {
		best := m.Predict(d).Best()
		fmt.Printf("%s %.2f\n", best.Class, best.P)
	}
	// Output:
	// child 1.00
	// adult 0.75
}

// height returns the examples with nothing but the number.
func height() []bayes.Example {
	list := people()
	for i := range list {
		list[i].Attrs = list[i].Attrs[:1]
	}
	return list
}

func ExampleGaussian() {
	m, _ := bayes.Fit(learn(nil, height()...), bayes.Gaussian{})
	f := m.Derive(bayes.Document{Attrs: []bayes.Attr{bayes.Number("height", 110)}}).Classes[1].Factors[0]
	fmt.Printf("%s: mean %.1f, variance %.2f\n", f.Feature, f.Mean, f.Variance)
	// Output: height: mean 103.0, variance 9.20
}

// Kernel densities and intervals need the values themselves, which such a Space keeps.
func ExampleKernel() {
	space := &bayes.Space{NumberValues: true}
	for _, em := range []bayes.EventModel{bayes.Kernel{}, bayes.Discrete{}} {
		m, _ := bayes.Fit(learn(space, height()...), em)
		best := m.Predict(bayes.Document{Attrs: []bayes.Attr{bayes.Number("height", 110)}}).Best()
		fmt.Printf("%v: %s %.2f\n", em, best.Class, best.P)
	}
	_, err := bayes.Fit(learn(nil, height()...), bayes.Kernel{})
	fmt.Println(err)
	// Output:
	// kernel prior=empirical: child 1.00
	// discrete smoothing=1 prior=empirical: child 0.86
	// bayes: kernel needs every value of the number "height", but only its moments were counted
}

func ExampleCategorical() {
	list := people()
	for i := range list {
		list[i].Attrs = list[i].Attrs[1:]
	}
	m, _ := bayes.Fit(learn(nil, list...), bayes.Categorical{})
	for _, p := range m.Predict(bayes.Document{Attrs: []bayes.Attr{bayes.Category("country", "Peru")}}).Classes {
		fmt.Printf("%s %.2f\n", p.Class, p.P) // (2+1)/(5+3) against (0+1)/(5+3)
	}
	fmt.Println(m.Values("country")["Peru"], m.Values("no such"))
	// Output:
	// child 0.75
	// adult 0.25
	// 2 map[]
}

// What a model can make of a document is known before it is learned.
func ExampleAccepts() {
	ex := bayes.Example{Label: "adult", Text: "tall", Attrs: []bayes.Attr{bayes.Number("height", 171)}}
	fmt.Println(bayes.Accepts(bayes.Multinomial{}, ex))
	fmt.Println(bayes.Accepts(bayes.Mixed{}, ex))
	// Output:
	// bayes: multinomial does not model the number "height": mixed does
	// <nil>
}

func ExampleAttr_Words() {
	for _, a := range []bayes.Attr{bayes.Text("title", "Good news"), bayes.Category("country", "Peru"), bayes.Number("height", 110)} {
		words, ok := a.Words()
		fmt.Printf("%s: %q %v\n", a.Name, words, ok)
	}
	// Output:
	// title: "Good news" true
	// country: "Peru" true
	// height: "" false
}

// Which blocks counts have, and so which a document may have that is predicted.
func ExampleCounts_Attributes() {
	c := learn(nil, people()...)
	fmt.Println(c.Attributes())
	fmt.Println(c.ReadsText())
	// Output:
	// [] [height] [country]
	// false
}
