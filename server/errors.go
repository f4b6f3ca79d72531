package server

import "errors"

// Errors of a [Catalog].
var (
	ErrName   = errors.New("server: a model's name is 1 to 100 letters, digits and other signs, without control characters, / and \\")
	ErrShared = errors.New("server: a model whose log is shared cannot be replaced or deleted by one of its replicas")
	ErrLeft   = errors.New("server: files of a model that is no more are left, for the next start to remove")
	ErrNoRoom = errors.New("server: there is no folder for further models")
)
