package server

import (
	"strings"

	"bayes"
)

// remembering lets the label and the one text also be called what they were in the table that
// the model was trained from. What is a column of the model already stays that.
func (c *columns) remembering(v bayes.Columns) *columns {
	c.trained = v
	also := func(name string, r role) {
		if _, taken := c.byName[name]; taken || name == "" || strings.HasPrefix(name, "#") {
			return
		}
		for i := range c.names {
			if c.roles[i] == r {
				c.byName[name] = i
			}
		}
	}
	also(v.Label, labelRole)
	if len(v.Text) == 1 {
		also(v.Text[0], mainRole)
	}
	c.compare()
	return c
}

// remembered returns the columns that the model was trained from, nil if it does not say.
func (c *columns) remembered() *bayes.Columns {
	if c.trained.Label == "" && len(c.trained.Text)+len(c.trained.Numeric)+len(c.trained.Categorical) == 0 {
		return nil
	}
	return &c.trained
}
