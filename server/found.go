package server

import (
	"time"

	"bayes"
)

// A TableSearch is a table whose best model is to be found.
type TableSearch struct {
	Examples []bayes.Example
	Columns  bayes.Columns                 // of the table
	Space    string                        // the name of an analyzer; empty means that of any language
	Budget   time.Duration                 // to search and to train in
	Tried    func(examples, tried, of int) // to be called as the search goes on, by one goroutine
}

// A FoundModel is the best model of a table.
type FoundModel struct {
	Counts    *bayes.Counts
	Model     bayes.EventModel
	Flags     string  // of bayes train, that were chosen
	Accuracy  float64 // in [0,1], of examples held out
	Documents int     // on how many the settings were tried
}

// A searchResult is what a client is told of a FoundModel.
type searchResult struct {
	Accuracy  float64 `json:"accuracy" doc:"The share of documents held out, in cross-validation, that are predicted as they are labelled; as the best of several it looks a little better than it is"`
	Documents int     `json:"documents" doc:"On how many documents it was tried: fewer than all where the budget was used up"`
	Flags     string  `json:"flags" doc:"What was chosen, as flags of bayes train"`
}
