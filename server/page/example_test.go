package page_test

import (
	"fmt"
	"io/fs"
	"log"

	"bayes/server"
	"bayes/server/page"
)

// The page is served beside the API.
func ExampleFiles() {
	catalog := server.NewCatalog(nil)
	defer catalog.Close()
	if _, err := server.New(catalog, &server.Options{Page: page.Files()}); err != nil {
		log.Fatal(err)
	}
	info, err := fs.Stat(page.Files(), "index.html")
	fmt.Println(info.Size() > 0, err)
	// Output: true <nil>
}
