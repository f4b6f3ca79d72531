package main

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	_ "bayes/dataset"
)

func main() {
	beam.Init()
	p := beam.NewPipeline()
	s := p.Root()
	beam.Create(s, 1, 2, 3)
	if err := beamx.Run(context.Background(), p); err != nil {
		panic(err)
	}
}
