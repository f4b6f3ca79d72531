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
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bayes/internal/long"

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

// A Browser is a window of a headless Chromium, and what it complained of since the last
// page was opened.
type Browser struct {
	Ctx      context.Context // for chromedp
	mu       sync.Mutex
	errors   []string
	requests []string
}

// chrome is the Chromium that the tests of a package share: to start one takes more than most
// tests do.
var chrome struct {
	sync.Mutex
	ctx context.Context // nil until there is one
}

// Tests are those of a package that opens pages.
type Tests struct{ M interface{ Run() int } }

// Run runs them, and ends the Chromium that they shared.
func (p Tests) Run() int {
	defer func() {
		chrome.Lock()
		defer chrome.Unlock()
		if chrome.ctx != nil {
			chromedp.Cancel(chrome.ctx) // what it says of a program that is about to end helps nobody
		}
	}()
	return p.M.Run()
}

// start returns the context of the Chromium that runs, and starts one if none does.
func start(t *testing.T) context.Context {
	t.Helper()
	path := chromium(t)
	chrome.Lock()
	defer chrome.Unlock()
	if chrome.ctx != nil && chrome.ctx.Err() == nil {
		return chrome.ctx
	}
	ctx, _ := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true),
	)
	ctx, _ = chromedp.NewContext(ctx)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	chrome.ctx = ctx
	return ctx
}

// Open opens a window in the Chromium of the package, with cookies, storage and cache of its
// own, which is closed with the test. The package's TestMain runs [Tests].
func Open(t *testing.T) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("long: not with -short")
	}
	ctx, cancel := context.WithTimeout(start(t), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
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

// A Window is what a page is shown in.
type Window struct {
	Width  int64
	Scheme string // light or dark
}

// Windows are those in which a page is looked at: a screen and a phone, light and dark. Where
// long tests are not wanted, each width and each scheme comes once.
func Windows(t *testing.T) []Window {
	t.Helper()
	if long.Sample(t, "the looks on a screen in the dark, and on a phone in the light") {
		return []Window{{1280, "light"}, {390, "dark"}}
	}
	return []Window{{1280, "light"}, {1280, "dark"}, {390, "light"}, {390, "dark"}}
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
// knows every notation, each once, as that is slow; translucent backgrounds are laid over
// those below.
const measure = `(() => {
	const pixel = document.createElement('canvas').getContext('2d', {willReadFrequently: true})
	const once = (map, f) => key => map.has(key) ? map.get(key) : map.set(key, f(key)).get(key)
	const rgba = once(new Map(), colour => {
		pixel.clearRect(0, 0, 1, 1); pixel.fillStyle = colour; pixel.fillRect(0, 0, 1, 1)
		const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data
		return [r / 255, g / 255, b / 255, a / 255]
	})
	const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1)
	const background = once(new Map(), e => {
		if (!e) return [1, 1, 1, 1]
		const c = rgba(getComputedStyle(e).backgroundColor)
		return c[3] === 1 ? c : over(c, background(e.parentElement))
	})
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

// Clean fails t if the browser complained since the last visit, or a request went elsewhere than to a site: its address,
// and what the page itself has made.
func (b *Browser) Clean(t *testing.T, address string) {
	t.Helper()
	for _, complaint := range b.Errors() {
		t.Error(complaint)
	}
	for _, request := range b.Requests() {
		if !strings.HasPrefix(strings.TrimPrefix(request, "blob:"), address) {
			t.Errorf("asked for %s", request)
		}
	}
}

// Picture writes a picture of the page into the folder that BAYES_PICTURES names, if it does.
func (b *Browser) Picture(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("BAYES_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.Ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
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
