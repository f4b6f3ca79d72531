package report_test

import (
	"bytes"
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

	"bayes"
	"bayes/report"

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

// A browser is a headless Chromium and what it complained of since the last page
// was opened.
type browser struct {
	ctx      context.Context
	mu       sync.Mutex
	errors   []string
	requests []string
}

func openBrowser(t *testing.T) *browser {
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
	b := &browser{ctx: ctx}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *browser) listen(ev any) {
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

// A layout is what a page looks like, as far as a program can tell.
type layout struct {
	Width    float64  // of the window
	Overflow float64  // of the page, beyond the window
	Outside  []string // elements that stick out of the window, and not in a box that scrolls
	Sections []string // their ids, of those that take room
	Scripts  int
	Light    float64  // luminance of the background, in [0,1]
	Pale     []string // texts whose contrast with their background is below 4.5
	Tiny     []string // texts in drawings that are smaller than 8.5 pixels
}

// measure is a script that returns a layout. Colours are read off a canvas, which
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

// open shows a file in a window, and returns what it looks like.
func (b *browser) open(t *testing.T, file string, width int64, scheme string) layout {
	t.Helper()
	b.mu.Lock()
	b.errors, b.requests = nil, nil
	b.mu.Unlock()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
		t.Fatal(err)
	}
	var mobile []chromedp.EmulateViewportOption
	if width < 600 {
		mobile = append(mobile, chromedp.EmulateMobile)
	}
	address := (&url.URL{Scheme: "file", Path: file}).String()
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 844, mobile...), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	l, err := chromedp.Run(b.ctx, chromedp.Evaluate[layout](measure))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// complaints returns what is wrong with a page, apart from its sections.
func (b *browser) complaints(l layout, width int64, scheme string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	wrong := slices.Clone(b.errors)
	if len(b.requests) != 1 {
		wrong = append(wrong, fmt.Sprintf("requests: %q", b.requests))
	}
	if l.Width != float64(width) || l.Overflow > 0 {
		wrong = append(wrong, fmt.Sprintf("overflow: the window is %v wide, and the page %v wider", l.Width, l.Overflow))
	}
	if l.Scripts > 0 {
		wrong = append(wrong, "scripts")
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

var sections = []string{"figures", "classes", "confusion", "curves", "reliability", "terms", "mistakes"}

// Reports are whole and readable in a browser, on a screen and on a phone, light
// and dark.
func TestBrowser(t *testing.T) {
	b := openBrowser(t)
	for name, page := range pages(t) {
		file := filepath.Join(t.TempDir(), "report.html")
		if err := os.WriteFile(file, page.html, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int64{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				l := b.open(t, file, width, scheme)
				for _, wrong := range b.complaints(l, width, scheme) {
					t.Errorf("%s, %d pixels, %s: %s", name, width, scheme, wrong)
				}
				if !slices.Equal(l.Sections, page.sections) {
					t.Errorf("%s: sections %q, want %q", name, l.Sections, page.sections)
				}
			}
		}
	}
}

// What TestBrowser looks for, it finds.
func TestBrowserComplains(t *testing.T) {
	b := openBrowser(t)
	file := filepath.Join(t.TempDir(), "bad.html")
	bad := `<!DOCTYPE html><meta name="viewport" content="width=device-width"><title>bad</title>
<body style="background:#888"><script>console.error("oh"); undefined.oh</script><img src="missing.png">
<div style="width:3000px">wide</div><p style="color:#999">pale</p>
<svg viewBox="0 0 1000 10" width="300"><text font-size="12">tiny</text></svg>`
	if err := os.WriteFile(file, []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(b.complaints(b.open(t, file, 390, "light"), 390, "light"), "\n")
	for _, want := range []string{"exception:", "console: error", "log:", "missing.png", "overflow:", "scripts", "scheme:", "outside:", "pale:", "tiny:"} {
		if !strings.Contains(got, want) {
			t.Errorf("no complaint %q in\n%s", want, got)
		}
	}
}

type testPage struct {
	html     []byte
	sections []string
}

// pages returns pages that differ in their looks.
func pages(t *testing.T) map[string]testPage {
	all, reports := make(map[string]testPage), reports(t)
	for _, name := range []string{"two classes", "20 classes", "130 classes", "strange labels", "impossible", "numbers", "empty"} {
		var b bytes.Buffer
		if err := reports[name].WriteHTML(&b); err != nil {
			t.Fatal(err)
		}
		want := sections
		if name == "empty" {
			want = []string{"terms"}
		}
		all[name] = testPage{b.Bytes(), want}
	}
	m := fit(t, bayes.Multinomial{}, nil, mail)
	text := "a free lunch and a prize " + strings.Repeat("unbroken", 40)
	var b bytes.Buffer
	if err := report.WriteExplanation(&b, text, m.Explain(bayes.Document{Text: text})); err != nil {
		t.Fatal(err)
	}
	all["explanation"] = testPage{b.Bytes(), []string{}}
	return all
}
