package server

import "net/http"

// audit logs who changed or took what: the token's name and not its secret, how many
// documents and none of their texts. The remote address is that of the connection,
// and so a proxy's where there is one.
func (s *Server) audit(w http.ResponseWriter, r *http.Request, action, model string, attrs ...any) {
	s.log.Info("audit", append([]any{"action", action, "token", tokenOf(w), "model", model, "remote", r.RemoteAddr}, attrs...)...)
}

// tokenOf returns the name of the token that a request was let in with, empty where
// none is asked for.
func tokenOf(w http.ResponseWriter) string {
	if rec, ok := w.(*recorder); ok {
		return rec.token
	}
	return ""
}
