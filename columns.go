package bayes

import (
	"bytes"
	"encoding/json"
)

// Columns name the columns that examples were read from, as dataset.Options do, so that later
// files need not be described again. They have no part in what Counts mean.
type Columns struct {
	Label         string   `json:"label,omitempty"`
	Text          []string `json:"text,omitempty"`
	Numeric       []string `json:"numeric,omitempty"`
	Categorical   []string `json:"categorical,omitempty"`
	EmptyCategory bool     `json:"empty_category,omitempty"`
	Weight        string   `json:"weight,omitempty"`
	NoHeader      bool     `json:"no_header,omitempty"`
}

// An origin is what is known of examples beside what was counted.
type origin struct {
	cut     *string // what the file that was read says of its analyzer; nil if this program cut the texts
	columns string  // as in a file; empty if there are none
}

// Columns returns what [Counts.SetColumns] was given, before the Counts were saved or fitted.
func (o *origin) Columns() (v Columns) {
	json.Unmarshal([]byte(o.columns), &v) // what a damaged file says otherwise is left out
	return v
}

// SetColumns says which columns the examples of c are read from. [Counts.Add] keeps those of
// c, unless c has none and is empty.
func (c *Counts) SetColumns(v Columns) {
	b, _ := json.Marshal(v) // strings and truths alone
	c.columns = string(bytes.TrimPrefix(b, []byte("{}")))
}
