// Package page is the web page of bayes serve: plain HTML, CSS and ES modules, which
// ask nobody but the server that they came from.
package page

import (
	"embed"
	"io/fs"

	"bayes/internal/webpage"
)

//go:embed files
var files embed.FS

// Files are the files of the page, index.html among them.
func Files() fs.FS { return webpage.With(files) }
