package server

import (
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// A problem is an error as RFC 9457 has it, and as huma writes it.
type problem = huma.ErrorModel

// fail returns a problem that a client is to read.
func fail(status int, format string, args ...any) *problem {
	return &problem{Status: status, Title: http.StatusText(status), Detail: fmt.Sprintf(format, args...)}
}
