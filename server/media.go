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
	if header == "application/json" || header == ndjson || header == message {
		return header
	}
	name, params, err := mime.ParseMediaType(header)
	if cs := params["charset"]; err != nil || cs != "" && !strings.EqualFold(cs, "utf-8") {
		return header
	}
	return name
}

const ndjson = "application/x-ndjson"

// message is the media type of a mail as it stands.
const message = "message/rfc822"

const octets = "application/octet-stream"

var jsonType = []string{"application/json"}
