package page_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"bayes/internal/browser"
	"bayes/server"

	"github.com/chromedp/chromedp/kb"
)

// behind returns the address of a proxy that strips a prefix, which it ends with.
func behind(t *testing.T, s *site, prefix string) string {
	t.Helper()
	target, err := url.Parse(strings.TrimSuffix(s.address(), "/"))
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
	}
	mux := http.NewServeMux()
	mux.Handle(prefix, http.StripPrefix(strings.TrimSuffix(prefix, "/"), proxy))
	front := httptest.NewServer(mux)
	t.Cleanup(front.Close)
	return front.URL + prefix
}

// Behind a proxy that strips a prefix, the page and the reference ask for nothing outside of it.
func TestPrefix(t *testing.T) {
	u := user{browser.Open(t), t}
	reader, secret := server.NewToken("reader", server.Read, server.Learn)
	s := open(t, server.Options{Tokens: []server.Token{reader}})
	address := behind(t, s, "/some/prefix/")
	u.Visit(t, address, 1280, "light")
	u.sees("#token", "wants a token")
	u.press(secret + kb.Enter)
	u.sees("#views", "Text")
	u.pick("mail")
	u.write("lunch")
	u.sees(".verdict", "ham")
	eval[bool](u, `document.querySelector('.bars li:nth-child(2) button').click(), true`)
	u.sees("#count-documents", "5")
	u.see("file")
	u.upload("mails.csv", "text\nlunch\n")
	u.wait("it came back", `document.querySelector('a[download]') !== null`)
	eval[bool](u, `document.querySelector('footer a').click(), true`)
	u.wait("the reference", `location.pathname === '/some/prefix/docs' && document.querySelectorAll('main section').length > 9`)
	u.wait("its style", `getComputedStyle(document.querySelector('table')).borderCollapse === 'collapse'`)
	if got := eval[int](u, `fetch(document.querySelector('a[href*=openapi]').href).then(r => r.status)`); got != http.StatusOK {
		t.Errorf("openapi.json: %d", got)
	}
	for _, request := range u.Requests() {
		if !strings.HasPrefix(request, address) && !strings.HasPrefix(request, "blob:") {
			t.Errorf("asked for %s", request)
		}
	}
	if kept := eval[string](u, `Object.keys(sessionStorage).filter(k => k.startsWith('bayes-token')).join()`); kept != "bayes-token/some/prefix/" {
		t.Errorf("the token is kept as %s, for any prefix", kept)
	}
}
