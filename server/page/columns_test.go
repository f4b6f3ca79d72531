package page_test

import (
	"strings"
	"testing"

	"bayes"
	"bayes/internal/browser"
	"bayes/server"
)

// The column of the texts is found by the name that it had when the model was trained.
func TestTrainedColumn(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	c := bayes.NewCounts(nil)
	for _, ex := range examples["mail"] {
		c.Learn(ex)
	}
	c.SetColumns(bayes.Columns{Label: "v1", Text: []string{"V2"}})
	s.add("sms", c, bayes.Multinomial{})
	u.Visit(t, s.address(), 1280, "light")
	u.pick("sms")
	u.see("file")
	u.upload("sms.csv", "body,v2\na long text about nothing that is longer than all the others there are,free money\nanother one of these long ones,lunch at noon\n")
	rows := strings.Split(strings.TrimSpace(u.labelled()), "\n")
	if len(rows) != 3 || !strings.Contains(rows[1], ",spam,") || !strings.Contains(rows[2], ",ham,") {
		t.Errorf("%q", rows)
	}
	u.clean(s)
}
