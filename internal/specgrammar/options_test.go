package specgrammar

import (
	"strings"
	"testing"
)

func TestOptions(t *testing.T) {
	o := NewOptions([]string{"spread", "rate=0.5", "terms=7", "rate=0.25", "more"})
	if rate, terms := o.Number("rate"), o.Count("terms"); rate != 0.25 || terms != 7 || !o.Flag("spread") || o.Flag("bias") || o.Err != nil {
		t.Errorf("rate %v, terms %d, %v", rate, terms, o.Err)
	}
	if word, ok := o.Unread(); !ok || word != "more" {
		t.Errorf("%q was not asked for, %v", word, ok)
	}
	o.Flag("more")
	if word, ok := o.Unread(); ok {
		t.Errorf("%q was asked for", word)
	}
	limit := -1.0
	o = NewOptions([]string{"limit=0.25", "set=3"})
	if o.UpTo("set", 3, func(v float64) { limit = v }); limit != 3 || o.Limit("limit") != .25 || o.Limit("none") != 0 || o.Err != nil {
		t.Errorf("%v, %v", limit, o.Err)
	}
	for _, word := range []string{"terms=-1", "terms=x", "rate=x", "limit=-1", "limit=NaN", "limit=1e30", "set=3.1", "set=x"} {
		o := NewOptions([]string{word})
		o.Count("terms")
		o.Number("rate")
		o.Limit("limit")
		o.UpTo("set", 3, func(float64) { t.Errorf("%s is taken", word) })
		if o.Err == nil || !strings.Contains(o.Err.Error(), "number") {
			t.Errorf("%s: %v", word, o.Err)
		}
	}
}
