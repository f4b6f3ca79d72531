package page_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bayes"
	"bayes/internal/browser"
	"bayes/server"
	"bayes/server/page"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const hostile = `<img src=x onerror="document.title='hit'">`

// examples are what the models begin with.
var examples = map[string][]bayes.Example{
	"mail": {
		{Label: "spam", Text: "win a free prize now"},
		{Label: "spam", Text: "free money win"},
		{Label: "ham", Text: "see you at lunch"},
		{Label: "ham", Text: "the meeting is at noon"},
	},
	"reviews": {
		{Label: "긍정", Text: "정말 재미있는 영화"},
		{Label: "부정", Text: "지루한 영화 시간 낭비"},
		{Label: "とても良い", Text: "この映画はとても面白かった"},
		{Label: "جيد", Text: "هذا الفيلم رائع جدا"},
	},
	"strange": {
		{Label: hostile, Text: hostile},
		{Label: "a label of " + strings.Repeat("Donaudampfschifffahrtsgesellschaft", 5), Text: "one two " + strings.Repeat("unbroken", 30)},
		{Label: "short", Text: "three four"},
	},
	"one":      {{Label: "only", Text: "a single class"}},
	"untaught": nil,
}

// A site is a server with a page. Its handler can be swapped, and it can be away.
type site struct {
	t       *testing.T
	catalog *server.Catalog
	handler atomic.Pointer[http.Handler]
	port    string
	stop    func()
}

func open(t *testing.T, opts server.Options) *site {
	t.Helper()
	s := &site{t: t, catalog: server.NewCatalog(&server.CatalogOptions{Dir: t.TempDir(), Recent: 20})}
	for name, list := range examples {
		c := bayes.NewCounts(nil)
		for _, ex := range list {
			c.Learn(ex)
		}
		s.add(name, c, bayes.Multinomial{})
	}
	t.Cleanup(func() {
		if err := s.catalog.Close(); err != nil {
			t.Error(err)
		}
	})
	s.use(s.server(opts))
	s.listen()
	t.Cleanup(func() { s.stop() })
	return s
}

func (s *site) add(name string, c *bayes.Counts, em bayes.EventModel) {
	s.t.Helper()
	if _, err := s.catalog.Add(context.Background(), name, "", c, em); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) server(opts server.Options) *server.Server {
	s.t.Helper()
	opts.Log, opts.Page = slog.New(slog.DiscardHandler), page.Files()
	srv, err := server.New(s.catalog, &opts)
	if err != nil {
		s.t.Fatal(err)
	}
	return srv
}

func (s *site) use(h http.Handler) { s.handler.Store(&h) }

// listen begins to listen, on the port that it had before.
func (s *site) listen() {
	s.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:"+s.port)
	if err != nil {
		s.t.Fatal(err)
	}
	_, s.port, _ = net.SplitHostPort(l.Addr().String())
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*s.handler.Load()).ServeHTTP(w, r) })}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	s.stop = func() {
		srv.Close()
		if err := <-ended; err != http.ErrServerClosed {
			s.t.Error(err)
		}
	}
}

func (s *site) address() string { return "http://127.0.0.1:" + s.port + "/" }

// post sends a request that is not the page's.
func (s *site) post(path, body string) {
	s.t.Helper()
	resp, err := http.Post(s.address()+path, "application/json", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s %s", path, resp.Status, b)
	}
}

// A user drives the page.
type user struct {
	*browser.Browser
	t *testing.T
}

// visit opens the page of a site without tokens, in a wide window, at a model.
func visit(t *testing.T, model string) (user, *site) {
	t.Helper()
	u, s := user{browser.Open(t), t}, open(t, server.Options{})
	u.Visit(t, s.address(), 1280, "light")
	u.pick(model)
	return u, s
}

func (u user) do(actions ...chromedp.Action[chromedp.Void]) {
	u.t.Helper()
	if err := chromedp.Do(u.Ctx, actions...); err != nil {
		u.t.Fatal(err)
	}
}

// eval returns what a script returns, or what its promise comes to.
func eval[T any](u user, script string, args ...any) T {
	u.t.Helper()
	v, err := chromedp.Run(u.Ctx, chromedp.Evaluate[T](fmt.Sprintf(script, args...), chromedp.EvalAwaitPromise))
	if err != nil {
		u.t.Fatalf("%v: %s", err, fmt.Sprintf(script, args...))
	}
	return v
}

// text returns the text of the first element that a selector finds, empty if there
// is none or it is hidden.
func (u user) text(selector string) string {
	u.t.Helper()
	return eval[string](u, `(e => e && e.checkVisibility() ? e.innerText : '')(document.querySelector(%q))`, selector)
}

func (u user) count(selector string) int {
	u.t.Helper()
	return eval[int](u, `document.querySelectorAll(%q).length`, selector)
}

// wait waits until a script returns true, and fails with what is seen instead.
func (u user) wait(what string, script string, args ...any) {
	u.t.Helper()
	script = fmt.Sprintf(script, args...)
	for end := time.Now().Add(20 * time.Second); ; u.do(chromedp.Sleep(30 * time.Millisecond)) {
		// An error is that of a page which is left for another one, unless it stays.
		so, err := chromedp.Run(u.Ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
		if err == nil && so {
			return
		}
		if time.Now().After(end) {
			u.t.Fatalf("%s: not so (%v). The page says:\n%s", what, err, u.text("body"))
		}
	}
}

// sees waits until the text of an element holds want.
func (u user) sees(selector, want string) {
	u.t.Helper()
	u.wait(selector+" shows "+want, `(e => Boolean(e) && e.checkVisibility() && e.innerText.includes(%q))(document.querySelector(%q))`, want, selector)
}

// hidden waits until an element is not to be seen.
func (u user) hidden(selector string) {
	u.t.Helper()
	u.wait(selector+" is hidden", `(e => !e || !e.checkVisibility())(document.querySelector(%q))`, selector)
}

// tab presses Tab until an element has the focus.
func (u user) tab(selector string) {
	u.t.Helper()
	for range 80 {
		if eval[bool](u, `document.activeElement.matches(%q)`, selector) {
			return
		}
		u.do(chromedp.KeyEvent(kb.Tab))
	}
	u.t.Fatalf("Tab does not come to %s", selector)
}

func (u user) press(keys string) { u.t.Helper(); u.do(chromedp.KeyEvent(keys)) }

// pick chooses a model.
func (u user) pick(model string) {
	u.t.Helper()
	u.wait("there is "+model, `[...document.querySelector('#model').options].some(o => o.value === %q)`, model)
	if eval[bool](u, `document.querySelector('#main').dataset.model === %q`, model) {
		return // to choose it once more would build the views anew, some time later
	}
	eval[bool](u, `(s => { s.value = %q; return s.dispatchEvent(new Event('change')) })(document.querySelector('#model'))`, model)
	u.wait("model "+model, `document.querySelector('#main').dataset.model === %q`, model)
}

func (u user) speak(language string) {
	u.t.Helper()
	eval[bool](u, `(s => { s.value = %q; return s.dispatchEvent(new Event('change')) })(document.querySelector('#language'))`, language)
}

// write has a text in the field, as if it were pasted.
func (u user) write(text string) {
	u.t.Helper()
	eval[bool](u, `(e => { e.value = %q; return e.dispatchEvent(new Event('input')) })(document.querySelector('#field-text'))`, text)
}

// see shows a view.
func (u user) see(view string) {
	u.t.Helper()
	eval[bool](u, `location.hash = %q, true`, view)
	u.wait("view "+view, `document.querySelector(%q).checkVisibility()`, "#view-"+view)
}

// unfold opens the derivation.
func (u user) unfold() {
	u.t.Helper()
	u.wait("a derivation", `document.querySelector('.derivation').checkVisibility()`)
	eval[bool](u, `document.querySelector('.derivation').open = true`)
	u.wait("its steps", `document.querySelectorAll('.derive > li').length >= 4`)
}
