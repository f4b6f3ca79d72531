package page_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/internal/browser"
	"bayes/server"
	"bayes/server/page"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// serve serves a model of mails, one of Korean reviews and one that has learned
// nothing, and returns the address.
func serve(t *testing.T, opts server.Options) string {
	t.Helper()
	mail, reviews := bayes.NewCounts(nil), bayes.NewCounts(nil)
	for _, ex := range []bayes.Example{
		{Label: "spam", Text: "win a free prize now"},
		{Label: "spam", Text: "free money win"},
		{Label: "ham", Text: "see you at lunch"},
		{Label: "ham", Text: "the meeting is at noon"},
	} {
		mail.Learn(ex)
	}
	for _, ex := range []bayes.Example{
		{Label: "긍정", Text: "정말 재미있는 영화"},
		{Label: "부정", Text: "지루한 영화 시간 낭비"},
		{Label: "とても良い", Text: "この映画はとても面白かった"},
	} {
		reviews.Learn(ex)
	}
	catalog := server.NewCatalog(&server.CatalogOptions{Dir: t.TempDir()})
	for name, c := range map[string]*bayes.Counts{"mail": mail, "reviews": reviews, "untaught": bayes.NewCounts(nil)} {
		if _, err := catalog.Add(t.Context(), name, "", c, bayes.Multinomial{}); err != nil {
			t.Fatal(err)
		}
	}
	opts.Log, opts.Page = slog.New(slog.DiscardHandler), page.Files()
	s, err := server.New(catalog, &opts)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := catalog.Close(); err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String() + "/"
}

// A user drives the page.
type user struct {
	*browser.Browser
	t *testing.T
}

func (u user) do(actions ...chromedp.Action[chromedp.Void]) {
	u.t.Helper()
	if err := chromedp.Do(u.Ctx, actions...); err != nil {
		u.t.Fatal(err)
	}
}

// text returns the text of the first element that a selector finds, empty if there
// is none or it is hidden.
func (u user) text(selector string) string {
	u.t.Helper()
	s, err := chromedp.Run(u.Ctx, chromedp.Evaluate[string](fmt.Sprintf(`(e => e && e.checkVisibility() ? e.innerText : '')(document.querySelector(%q))`, selector)))
	if err != nil {
		u.t.Fatal(err)
	}
	return s
}

// sees waits until the text of an element holds want.
func (u user) sees(selector, want string) {
	u.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; {
		got := u.text(selector)
		if strings.Contains(got, want) {
			return
		}
		if time.Now().After(end) {
			u.t.Fatalf("%s shows %q, want %q", selector, got, want)
		}
		u.do(chromedp.Sleep(50 * time.Millisecond))
	}
}

// run runs a script.
func (u user) run(script string) {
	u.t.Helper()
	if _, err := chromedp.Run(u.Ctx, chromedp.Evaluate[bool](script+"; true")); err != nil {
		u.t.Fatal(err)
	}
}

// pick chooses a model.
func (u user) pick(model string) {
	u.run(fmt.Sprintf(`document.querySelector('#model').value = %q; document.querySelector('#model').dispatchEvent(new Event('change'))`, model))
}

// write makes a text the one that is asked about.
func (u user) write(text string) {
	u.run(fmt.Sprintf(`document.querySelector('#text').value = %q; document.querySelector('#text').dispatchEvent(new Event('input'))`, text))
}

// From typing to correcting and taking that back, by keyboard; then Korean and
// Japanese, a model that has learned nothing, the terms, and a file.
func TestPage(t *testing.T) {
	u := user{browser.Open(t), t}
	address := serve(t, server.Options{})
	u.Visit(t, address, 1280, "light")
	u.sees("#counts", "4 documents, 14 terms")

	// The text is where the keyboard is; the buttons of labels follow by Tab.
	u.do(chromedp.KeyEvent("free lunch at noon"))
	u.sees("#answer strong", "ham")
	u.sees("#reading", "free lunch at noon")
	u.sees("#bars", "spam")
	u.run(`if (!document.querySelector('#reading .for-4') || !document.querySelector('#reading [class^=against]')) throw new Error('no colours')`)
	u.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	u.sees("#done", "Learned as spam")
	u.sees("#counts", "5 documents")
	u.sees("#answer strong", "spam")
	u.run(`document.querySelector('summary').focus()`)
	u.do(chromedp.KeyEvent(kb.Enter))
	u.sees("#work", "sum: ln P(class, text)")
	u.run(`document.querySelector('#done button').focus()`)
	u.do(chromedp.KeyEvent(kb.Enter))
	u.sees("#done", "Taken back")
	u.sees("#counts", "4 documents")
	u.sees("#answer strong", "ham")

	u.run(`document.querySelector('#term').focus()`)
	u.do(chromedp.KeyEvent("free"), chromedp.KeyEvent(kb.Enter))
	u.sees("#found", "P(term | class)")
	u.run(`document.querySelector('#term').value = 'zebra'; document.querySelector('#search').requestSubmit()`)
	u.sees("#found", "has not seen")

	u.pick("reviews")
	u.write("정말 재미있는")
	u.sees("#answer strong", "긍정")
	u.write("とても面白かった")
	u.sees("#answer strong", "とても良い")

	u.pick("untaught")
	u.sees("#telling", "Nothing yet")
	u.write("hello <b>world</b>")
	u.run(`document.querySelector('#other').focus()`)
	u.do(chromedp.KeyEvent("greeting"), chromedp.KeyEvent(kb.Enter))
	u.sees("#answer strong", "greeting")

	u.pick("mail")
	u.file()
	if errors := u.Errors(); len(errors) != 1 || !strings.Contains(errors[0], "404") { // the browser notes that a term was not found
		t.Errorf("complaints: %q", errors)
	}
	for _, request := range u.Requests() {
		if !strings.HasPrefix(request, address) && !strings.HasPrefix(request, "blob:"+address) {
			t.Errorf("asked for %s", request)
		}
	}
}

// file labels a table with quotation marks and line ends in it.
func (u user) file() {
	u.t.Helper()
	name := filepath.Join(u.t.TempDir(), "mails.csv")
	if err := os.WriteFile(name, []byte("id,text\r\n1,\"win a \"\"free\"\" prize,\nnow\"\r\n2,see you at lunch"), 0o644); err != nil {
		u.t.Fatal(err)
	}
	u.do(chromedp.SetUploadFiles("#csv", []string{name}))
	u.sees("#file-status", "mails.csv")
	u.run(`const create = URL.createObjectURL; URL.createObjectURL = blob => { window.labelled = blob; return create(blob) }`)
	u.do(chromedp.Click("#start"))
	u.sees("#file-status", "2 labelled.")
	got, err := chromedp.Run(u.Ctx, chromedp.Evaluate[string](`window.labelled.text()`, chromedp.EvalAwaitPromise))
	if err != nil {
		u.t.Fatal(err)
	}
	want := "id,text,predicted,probability\n1,\"win a \"\"free\"\" prize,\nnow\",spam,0."
	if !strings.HasPrefix(got, want) || !strings.Contains(got, "\n2,see you at lunch,ham,0.") {
		u.t.Errorf("got %q", got)
	}
}

// The page is whole and readable on a screen and on a phone, light and dark.
func TestLooks(t *testing.T) {
	u := user{browser.Open(t), t}
	address := serve(t, server.Options{})
	for _, width := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			u.Visit(t, address, width, scheme)
			u.sees("#counts", "documents")
			u.write("free lunch at noon, and a word" + strings.Repeat("less", 60))
			u.sees("#answer strong", "ham")
			u.run(`document.querySelector('#steps').open = true; document.querySelector('#term').value = 'free'; document.querySelector('#search').requestSubmit()`)
			u.sees("#found", "P(term | class)")
			for _, complaint := range append(u.Errors(), u.Measure(t).Complaints(width, scheme)...) {
				t.Errorf("%d pixels, %s: %s", width, scheme, complaint)
			}
			u.picture(fmt.Sprintf("%d-%s", width, scheme))
		}
	}
}

// picture writes a picture of the page into the folder that BAYES_PICTURES names.
func (u user) picture(name string) {
	dir := os.Getenv("BAYES_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(u.Ctx, chromedp.FullScreenshot(100))
	if err != nil {
		u.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		u.t.Fatal(err)
	}
}

// A server that wants a token is given one; it is kept by the tab alone.
func TestToken(t *testing.T) {
	u := user{browser.Open(t), t}
	token, secret := server.NewToken("page", server.Read, server.Learn)
	u.Visit(t, serve(t, server.Options{Tokens: []server.Token{token}}), 1280, "light")
	u.sees("#sign-in", "This server asks for a token")
	u.run(`document.querySelector('#token').focus()`)
	u.do(chromedp.KeyEvent("wrong"), chromedp.KeyEvent(kb.Enter))
	u.sees("#status", "token")
	u.run(`document.querySelector('#token').focus()`)
	u.do(chromedp.KeyEvent(secret), chromedp.KeyEvent(kb.Enter))
	u.sees("#counts", "4 documents")
	if got := u.text("#sign-in"); got != "" {
		t.Errorf("it still asks: %q", got)
	}
}
