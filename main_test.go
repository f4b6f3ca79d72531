package bayes_test

import (
	"os"
	"testing"

	"bayes/internal/long"
)

func TestMain(m *testing.M) { os.Exit(long.Tests{M: m}.Run()) }
