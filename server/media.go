package server

import (
	"mime"
	"net/http"
	"strings"
)

// mediaType returns the media type of a request's body, without parameters but
// for a character set that is not UTF-8.
func mediaType(r *http.Request) string {
	header := r.Header.Get("Content-Type")
	if header == "application/json" || header == ndjson {
		return header
	}
	name, params, err := mime.ParseMediaType(header)
	if cs := params["charset"]; err != nil || cs != "" && !strings.EqualFold(cs, "utf-8") {
		return header
	}
	return name
}

const ndjson = "application/x-ndjson"

const octets = "application/octet-stream"

var jsonType = []string{"application/json"}
