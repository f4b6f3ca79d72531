package cli

import (
	"fmt"
	"iter"
	"strconv"

	"bayes"

	"github.com/spf13/cobra"
)

// workersFlag defines --workers on cmd.
func workersFlag(cmd *cobra.Command, n *int) {
	cmd.Flags().Var((*workers)(n), "workers", "cores to use (default all)")
}

// workers is the value of --workers. Each has memory of its own, so there are not any number of them.
type workers int

const mostWorkers = 1024

func (w *workers) Type() string { return "int" }

func (w *workers) String() string { return strconv.Itoa(int(*w)) }

func (w *workers) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > mostWorkers {
		return fmt.Errorf("want a number of cores from 1 to %d, or 0 for all", mostWorkers)
	}
	*w = workers(n)
	return nil
}

// count counts the examples of src on all cores.
func (a *App) count(cmd *cobra.Command, src *source, space *bayes.Space, workers int) (c *bayes.Counts, err error) {
	err = a.progress(src, func(progress func(int64)) error {
		c, err = bayes.Count(cmd.Context(), space, src.examples(), &bayes.CountOptions{Workers: workers, Progress: progress})
		return err
	})
	src.finish()
	return c, err
}

// readCorpus analyzes the examples of src on all cores, and keeps them.
func (a *App) readCorpus(cmd *cobra.Command, src *source, space *bayes.Space, workers int) (c *bayes.Corpus, err error) {
	err = a.progress(src, func(progress func(int64)) error {
		c, err = bayes.ReadCorpus(cmd.Context(), space, src.examples(), &bayes.CountOptions{Workers: workers, Progress: progress})
		return err
	})
	src.finish()
	return c, err
}

// readExamples returns the examples of src.
func (a *App) readExamples(cmd *cobra.Command, src *source) (examples []bayes.Example, err error) {
	err = a.progress(src, func(progress func(int64)) error {
		for ex, err := range src.examples() {
			if err != nil {
				return err
			}
			if examples = append(examples, ex); progress != nil && len(examples)%1000 == 0 {
				progress(int64(len(examples)))
			}
		}
		return cmd.Context().Err()
	})
	src.finish()
	return examples, err
}

// keepExamples returns a source of the examples of src, which are then in memory.
func (a *App) keepExamples(cmd *cobra.Command, src *source) (*source, error) {
	examples, err := a.readExamples(cmd, src)
	return &source{Source: src.Source, app: a, vectors: src.vectors, memory: streamOf(examples)}, err
}

// streamOf returns examples as a stream.
func streamOf(examples []bayes.Example) iter.Seq2[bayes.Example, error] {
	return func(yield func(bayes.Example, error) bool) {
		for _, ex := range examples {
			if !yield(ex, nil) {
				return
			}
		}
	}
}
