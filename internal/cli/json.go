package cli

import (
	"encoding/json"
	"io"
	"math"
)

// real is a number in JSON. JSON has no infinities, so they are the strings
// "inf" and "-inf".
type real float64

func (r real) MarshalJSON() ([]byte, error) {
	switch v := float64(r); {
	case math.IsInf(v, 1):
		return []byte(`"inf"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-inf"`), nil
	default:
		return json.Marshal(v)
	}
}

func reals(list []float64) []real {
	out := make([]real, len(list))
	for i, v := range list {
		out[i] = real(v)
	}
	return out
}

// writeJSON writes v as one line of JSON.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
