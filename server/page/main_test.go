package page_test

import (
	"os"
	"testing"

	"bayes/internal/browser"
	"bayes/internal/long"
)

func TestMain(m *testing.M) { os.Exit(long.Tests{M: browser.Tests{M: m}}.Run()) }
