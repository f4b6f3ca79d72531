package server_test

import (
	"strings"
	"testing"

	"bayes"
	"bayes/server"
)

// The members of a document may be spelled in any case and with any surrounding space, as the
// columns of a file may, if only one is called so.
func TestSpelledMembers(t *testing.T) {
	c := bayes.NewCounts(nil)
	for _, ex := range []bayes.Example{
		{Label: "child", Attrs: []bayes.Attr{bayes.Number("age", 7), bayes.Category("sex", "f")}},
		{Label: "child", Attrs: []bayes.Attr{bayes.Number("age", 9), bayes.Category("sex", "m")}},
		{Label: "adult", Attrs: []bayes.Attr{bayes.Number("age", 40), bayes.Category("sex", "f")}},
		{Label: "adult", Attrs: []bayes.Attr{bayes.Number("age", 30), bayes.Category("sex", "m")}},
	} {
		c.Learn(ex)
	}
	c.SetColumns(bayes.Columns{Label: "Group", Numeric: []string{"age"}, Categorical: []string{"sex"}})
	s := newSite(t, c, bayes.Mixed{}, server.Options{})
	predict := func(status int, body string) string {
		return s.want(status, s.post("/v1/models/mail/predict", body)).Body
	}
	want := predict(200, `{"age":8,"sex":"m"}`)
	for _, body := range []string{`{"Age":8,"SEX":"m"}`, `{" age ":8,"sex":"m"}`, `{"Age":50,"age":8,"AGE":60,"sex":"m"}`} {
		if got := predict(200, body); got != want {
			t.Errorf("%s: %s, not %s", body, got, want)
		}
	}
	if got := predict(422, `{"Age":8,"AGE":9,"sex":"m"}`); !strings.Contains(got, "age: several members") {
		t.Errorf("two that could be it: %s", got)
	}
	if got := predict(422, `{"numbers":{"age":8}}`); !strings.Contains(got, `none of the model's columns, which are \"age\" and \"sex\"`) {
		t.Errorf("none: %s", got)
	}
	if got := predict(422, `{"age":"8,5","sex":"m"}`); !strings.Contains(got, "decimals have a point, and thousands nothing: write 8.5") {
		t.Errorf("a decimal comma: %s", got)
	}
	for _, body := range []string{`{"id":"1","group":"child","age":8,"sex":"m"}`, `{"id":"2","LABEL":"child","age":8,"sex":"m"}`} {
		s.want(200, s.post("/v1/models/mail/learn", body))
	}
	// An ID is called so.
	s.want(200, s.post("/v1/models/mail/learn", `{"id":"3","ID":4,"label":"child","age":8,"sex":"m"}`))
}
