// Package browser opens pages in a real headless Chromium, for tests: what the page
// looks like, as far as a program can tell, and what the browser complained of.
//
// Without a Chromium a test is skipped, and fails if CI=true.
package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// chromium returns the path of a browser. Without one the test is skipped, and
// fails if CI=true.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("no Chromium is installed")
	}
	t.Skip("no Chromium is installed")
	return ""
}

// A Browser is a headless Chromium and what it complained of since the last page
// was opened.
type Browser struct {
	Ctx      context.Context // for chromedp
	mu       sync.Mutex
	errors   []string
	requests []string
}

// Open starts a browser, which ends with the test.
func Open(t *testing.T) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("long: not with -short")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(chromium(t)), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true),
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &Browser{Ctx: ctx}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *Browser) listen(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		b.errors = append(b.errors, "exception: "+ev.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.errors = append(b.errors, "console: "+string(ev.Type))
	case *log.EventEntryAdded:
		b.errors = append(b.errors, "log: "+ev.Entry.Text)
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(ev.Request.URL, "data:") {
			b.requests = append(b.requests, ev.Request.URL)
		}
	}
}

// A Layout is what a page looks like, as far as a program can tell.
type Layout struct {
	Width    float64  // of the window
	Overflow float64  // of the page, beyond the window
	Outside  []string // elements that stick out of the window, and not in a box that scrolls
	Sections []string // their ids, of those that take room
	Scripts  int
	Light    float64  // luminance of the background, in [0,1]
	Pale     []string // texts whose contrast with their background is below 4.5
	Tiny     []string // texts in drawings that are smaller than 8.5 pixels
}

// measure is a script that returns a Layout. Colours are read off a canvas, which
// knows every notation; translucent backgrounds are laid over those below.
const measure = `(() => {
	const pixel = document.createElement('canvas').getContext('2d', {willReadFrequently: true})
	const rgba = colour => {
		pixel.clearRect(0, 0, 1, 1); pixel.fillStyle = colour; pixel.fillRect(0, 0, 1, 1)
		const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data
		return [r / 255, g / 255, b / 255, a / 255]
	}
	const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1)
	const background = e => {
		if (!e) return [1, 1, 1, 1]
		const c = rgba(getComputedStyle(e).backgroundColor)
		return c[3] === 1 ? c : over(c, background(e.parentElement))
	}
	const luminance = c => {
		const [r, g, b] = c.map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
		return .2126 * r + .7152 * g + .0722 * b
	}
	const contrast = (a, b) => {
		const [x, y] = [luminance(a), luminance(b)].sort((x, y) => y - x)
		return (x + .05) / (y + .05)
	}
	const name = e => e.tagName.toLowerCase() + (e.className.baseVal ?? e.className) + ' ' + e.textContent.trim().slice(0, 30)
	const texts = [...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.closest('svg') &&
		[...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
	return {
		Width: innerWidth,
		Overflow: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth,
		Outside: [...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.closest('.scroll > *') && !e.closest('svg > *') &&
			(e.getBoundingClientRect().right > innerWidth + .5 || e.getBoundingClientRect().left < -.5)).map(name),
		Sections: [...document.querySelectorAll('section[id]')].filter(e => e.getBoundingClientRect().height > 40).map(e => e.id),
		Scripts: document.scripts.length,
		Light: luminance(background(document.body)),
		Pale: texts.filter(e => {
			const below = background(e), colour = rgba(getComputedStyle(e).color)
			return colour[3] > 0 && contrast(over(colour, below), below) < 4.5
		}).map(e => name(e) + ' ' + contrast(rgba(getComputedStyle(e).color), background(e)).toFixed(2)),
		Tiny: [...document.querySelectorAll('svg text')].filter(e => e.checkVisibility() &&
			parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a ** (e.getAttribute('transform') ? 0 : 1) < 8.5).map(name),
	}
})()`

// Visit shows a page in a window, and returns what it looks like. The scheme is light
// or dark.
func (b *Browser) Visit(t *testing.T, address string, width int64, scheme string) Layout {
	t.Helper()
	b.mu.Lock()
	b.errors, b.requests = nil, nil
	b.mu.Unlock()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	if _, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
		t.Fatal(err)
	}
	var mobile []chromedp.EmulateViewportOption
	if width < 600 {
		mobile = append(mobile, chromedp.EmulateMobile)
	}
	if err := chromedp.Do(b.Ctx, chromedp.EmulateViewport(width, 844, mobile...), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	return b.Measure(t)
}

// Measure returns what the page looks like now.
func (b *Browser) Measure(t *testing.T) Layout {
	t.Helper()
	l, err := chromedp.Run(b.Ctx, chromedp.Evaluate[Layout](measure))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// File returns the address of a file.
func File(name string) string { return (&url.URL{Scheme: "file", Path: name}).String() }

// Errors returns what the browser complained of since the last visit.
func (b *Browser) Errors() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.errors)
}

// Requests returns the addresses that were asked for since the last visit.
func (b *Browser) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
}

// Complaints returns what is wrong with the looks of a page.
func (l Layout) Complaints(width int64, scheme string) (wrong []string) {
	if l.Width != float64(width) || l.Overflow > 0 {
		wrong = append(wrong, fmt.Sprintf("overflow: the window is %v wide, and the page %v wider", l.Width, l.Overflow))
	}
	if scheme == "light" && l.Light < .8 || scheme == "dark" && l.Light > .05 {
		wrong = append(wrong, fmt.Sprintf("scheme: luminance %.2f", l.Light))
	}
	for _, list := range []struct {
		name  string
		items []string
	}{{"outside", l.Outside}, {"pale", l.Pale}, {"tiny", l.Tiny}} {
		if n := len(list.items); n > 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %d such as %q", list.name, n, list.items[:min(n, 8)]))
		}
	}
	return wrong
}
