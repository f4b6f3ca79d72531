// Package pipeline counts, predicts and tests on Apache Beam.
//
// The counts are those of one machine, since Counts add: each worker counts the
// parts that it is given with the same code as bayes.Count, by the byte and not
// by the element, and the Counts of all are added up. Files are cut into parts by
// package part.
package pipeline

import (
	"context"
	"fmt"
	"reflect"

	"bayes"
	"bayes/beam/part"
	"bayes/dataset"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func init() {
	beam.RegisterType(reflect.TypeFor[nothingFn]())
}

// A Job is what all pipelines of this package need.
type Job struct {
	Files    []part.File
	Options  dataset.Options
	SkipBad  bool
	PartSize int64  // in bytes, about
	Workers  int    // how many there are; 0 if that is not known
	Dir      string // where workers and the caller exchange files; both must reach it
	Run      func(context.Context, *beam.Pipeline) error
}

// DefaultPartSize makes a part a second of work or two.
const DefaultPartSize = 32 << 20

// Count returns the Counts of the files over space. The features are added up in
// shards, each on a worker of its own. What is wrong with the data is in the
// report, and then no error.
func (j *Job) Count(ctx context.Context, space *bayes.Space, shards int) (*bayes.Counts, Report, error) {
	fn := &countFn{Dir: j.Dir, Options: j.Options, SkipBad: j.SkipBad, Shards: shards}
	var err error
	if fn.Space, err = appendCounts(nil, bayes.NewCounts(space)); err != nil {
		return nil, Report{}, err
	}
	if space.IDF != nil {
		fn.IDF = j.Dir + "/space"
		if err := part.WriteFile(ctx, fn.IDF, fn.Space); err != nil {
			return nil, Report{}, err
		}
		fn.Space = nil
	}
	s, err := j.run(ctx, fn, shards, j.groupSize())
	if err != nil {
		return nil, Report{}, err
	}
	if s.Counts == nil {
		s.Counts = bayes.NewCounts(space)
	}
	return s.Counts, s.Report, nil
}

func sumFile(dir string, i int) string { return fmt.Sprintf("%s/sum-%05d", dir, i) }

// run does the work of fn on all parts, and adds up what it emits for each shard,
// each into a file; and then these files.
func (j *Job) run(ctx context.Context, fn any, shards int, group int64) (total Sum, err error) {
	p, s := beam.NewPipelineWithRoot()
	sums := beam.ParDo(s, fn, parts(s, j.Files, j.partSize(), group))
	sums = beam.Flatten(s, sums, beam.ParDo(s, &nothingFn{shards}, beam.Impulse(s)))
	written := beam.ParDo(s, &sumFn{j.Dir}, beam.GroupByKey(s, sums))
	beam.ParDo0(s, doneFn, beam.Reshuffle(s, written))
	if err := j.Run(ctx, p); err != nil {
		return Sum{}, err
	}
	for i := range shards {
		s, err := readSum(ctx, sumFile(j.Dir, i))
		if err != nil {
			return Sum{}, err
		}
		if total, err = add(total, s); err != nil {
			return Sum{}, err
		}
	}
	return total, nil
}

// maxParts bounds the number of parts, as far as files are cut at all.
const maxParts = 1 << 15

// partSize returns how large to make parts: larger than was asked for if there
// would be too many.
func (j *Job) partSize() int64 { return max(j.PartSize, j.size()/maxParts) }

// size returns how many bytes the files have.
func (j *Job) size() (n int64) {
	for _, f := range j.Files {
		n += sizeOf(f)
	}
	return n
}

// groupSize returns how many bytes to count together: what each worker has to do, but not so much that
// it would be lost with a worker, or that the last worker has long to go.
func (j *Job) groupSize() int64 {
	const usual, most = 256 << 20, 1 << 30
	if j.Workers == 0 {
		return usual
	}
	return min(j.size()/int64(j.Workers)+1, most)
}

// DefaultShards returns how many workers are to add up the counts: one for each 2 GiB.
func (j *Job) DefaultShards() int {
	const each, most = 2 << 30, 256
	return int(min(1+j.size()/each, most))
}

// A nothingFn emits an empty Sum for each shard, so that each has one even if
// there is nothing to count.
type nothingFn struct{ Shards int }

// ProcessElement emits the empty Sums.
func (fn *nothingFn) ProcessElement(_ []byte, emit func(int, []byte)) error {
	for i := range fn.Shards {
		b, err := encodeSum(Sum{})
		if err != nil {
			return err
		}
		emit(i, b)
	}
	return nil
}
