package cli

import (
	"encoding/json"
	"io"
)

// writeJSON writes v as one line of JSON.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
