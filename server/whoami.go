package server

import "context"

// tokenKey is the key of the name of the token that a request was let in with, in its context.
type tokenKey struct{}

// A tokenInfo says what a request may do.
type tokenInfo struct {
	Name   string  `json:"name" doc:"The name of the token; empty where the server asks for none"`
	Scopes []Scope `json:"scopes" enum:"predict,read,learn,admin" doc:"What it allows"`
}

type tokenOutput struct{ Body tokenInfo }

// describeToken answers with what the token of the request allows, so that a page need not
// offer what would be refused. Without tokens everyone may do everything.
func (s *Server) describeToken(ctx context.Context, _ *struct{}) (*tokenOutput, error) {
	name, _ := ctx.Value(tokenKey{}).(string)
	if name == "" {
		return &tokenOutput{tokenInfo{"", scopes}}, nil
	}
	allowed := []Scope{} // what is left of a token that has just been taken out of the list
	for _, t := range *s.tokens.Load() {
		for _, scope := range scopes {
			if t.Name == name && t.Allows(scope) {
				allowed = append(allowed, scope)
			}
		}
	}
	return &tokenOutput{tokenInfo{name, allowed}}, nil
}
