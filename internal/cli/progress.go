package cli

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress runs work. If stderr is a terminal, it shows there how much of src has been
// read: work calls its argument, unless that is nil, with the number of documents so far.
func (a *App) progress(src *source, work func(progress func(n int64)) error) error {
	if a.quiet || !isTerminal(a.stderr) {
		return work(nil)
	}
	bar := progressbar.NewOptions64(src.Size(),
		progressbar.OptionSetWriter(a.stderr.file),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
	start := time.Now()
	err := work(func(n int64) {
		bar.Describe(fmt.Sprintf("%s documents, %s/s", Count(n), Count(int64(float64(n)/time.Since(start).Seconds()))))
		bar.Set64(src.BytesRead())
	})
	bar.Finish()
	return err
}

// searchProgress shows on stderr how far a search is, if stderr is a terminal, and
// returns what ends that.
func (a *App) searchProgress() (progress func(examples, done, all int), finish func()) {
	if a.quiet || !isTerminal(a.stderr) {
		return func(int, int, int) {}, func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(a.stderr.file), progressbar.OptionClearOnFinish(), progressbar.OptionShowCount())
	return func(examples, done, all int) {
		bar.Describe(fmt.Sprintf("settings, on %s documents", Count(examples)))
		bar.ChangeMax(all)
		bar.Set(done)
	}, func() { bar.Finish() }
}

// waitFor shows on stderr, if it is a terminal, what is being done and for how long, and returns what ends that.
func (a *App) waitFor(what string) (finish func()) {
	if a.quiet || !isTerminal(a.stderr) {
		return func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(a.stderr.file), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription(what), progressbar.OptionSetRenderBlankState(true))
	return func() { bar.Finish() }
}
