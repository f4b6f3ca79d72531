package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"bayes"
	"bayes/internal/browser"
	"bayes/internal/long"
	"bayes/server"

	"github.com/chromedp/chromedp/kb"
)

// From typing to correcting and taking that back, by keyboard alone.
func TestKeyboard(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	u.Visit(t, s.address(), 1280, "light")
	u.sees("#count-terms", "14") // mail comes first
	u.tab("#model")
	u.press(kb.ArrowDown)
	u.sees("#count-documents", "1")
	u.press(kb.ArrowUp)
	u.sees("#count-documents", "4")
	u.tab("#field-text")
	u.press("free lunch at noon")
	u.sees(".verdict", "ham")
	u.sees(".coloured", "free lunch at noon")
	if u.count(".coloured .for") == 0 || u.count(".coloured .against") == 0 {
		t.Error("no word speaks for the answer, or none against it")
	}
	u.wait("a screen reader is told", `document.querySelector('#said').textContent.startsWith('ham, ')`)

	u.tab(".bars li:nth-child(2) button")
	u.press(kb.Enter)
	u.sees("#count-documents", "5")
	u.sees(".verdict", "spam")
	u.sees(".corrections", "free lunch at noon")
	u.wait("the button is pressed", `document.querySelector('.bars li:first-child button').getAttribute('aria-pressed') === 'true'`)
	u.tab(".corrections button")
	u.press(kb.Enter)
	u.sees("#count-documents", "4")
	u.sees(".verdict", "ham")
	u.hidden(".corrections button")

	u.tab("summary")
	u.press(kb.Enter)
	u.sees(".derive", "Bayes’ theorem")
	// 2+1 of 8+14: "free" stands twice among the eight words of spam; 14 words are known.
	u.wait("fractions", `[...document.querySelectorAll('.factors .against mfrac')].some(f => f.textContent === '2+18+14')`)
	u.sees(".derive > li:first-child", "0.5")

	u.tab(`a[href="#terms"]`)
	u.press(kb.Enter)
	u.sees("#view-terms tbody", "ham")
	u.tab(`[data-class=spam]`)
	u.press(kb.Enter)
	u.sees("#title-telling", "spam")
	u.sees("#view-terms", "win")
	u.tab("#term")
	u.press("Lunch" + kb.Enter) // the analyzer knows it as lunch
	u.sees(".found", "lunch")
	u.sees(".found", "ham")
	u.Clean(t, s.address())
}

// A text that was corrected twice is moved: it counts once.
func TestMove(t *testing.T) {
	u, s := visit(t, "mail")
	u.sees("#count-documents", "4")
	u.write("free lunch")
	u.sees(".verdict", "")
	for _, label := range []string{"spam", "ham", "a new class"} {
		u.wait("the form", `!document.querySelector('#other-class').disabled && document.querySelector('.correct').checkVisibility()`)
		eval[bool](u, `(e => { e.value = %q; return e.dispatchEvent(new Event('input')) })(document.querySelector('#other-class'))`, label)
		u.wait("the button", `!document.querySelector('.correct button').disabled`)
		eval[bool](u, `document.querySelector('.correct button').click(), true`)
		u.sees(".corrections .tag", label)
		u.sees("#count-documents", "5")
	}
	u.sees("#count-classes", "3")
	u.wait("it can be undone", `!document.querySelector('.bars button').disabled`)
	eval[bool](u, `document.querySelector('.corrections button').click(), true`)
	u.sees("#count-documents", "4")
	u.sees("#count-classes", "2")
	u.Clean(t, s.address())
}

// What others teach the model shows by itself.
func TestLive(t *testing.T) {
	u, s := visit(t, "mail")
	u.write("lunch")
	u.sees(".verdict", "ham")
	s.post("v1/models/mail/learn", `{"documents":[{"id":"1","label":"spam","text":"lunch lunch lunch"},{"id":"2","label":"spam","text":"lunch lunch lunch"}]}`)
	u.sees("#count-documents", "6")
	u.sees(".verdict", "spam")
	u.Clean(t, s.address())
}

// An answer that comes late is not shown.
func TestStaleAnswers(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	real, held, release := s.server(server.Options{}), make(chan bool, 9), make(chan bool)
	s.use(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/explain") && r.ContentLength == int64(len(`{"text":"free"}`)) {
			held <- true
			<-release
		}
		real.ServeHTTP(w, r)
	}))
	u.Visit(t, s.address(), 1280, "light")
	u.pick("mail")
	u.write("free")
	<-held
	u.write("lunch")
	u.sees(".verdict", "ham")
	close(release)
	time.Sleep(300 * time.Millisecond)
	if got := u.text(".verdict"); !strings.HasPrefix(got, "ham") {
		t.Errorf("the verdict is %q", got)
	}
	u.Clean(t, s.address())
}

func TestLanguages(t *testing.T) {
	u, s := visit(t, "reviews")
	for text, want := range map[string]string{"정말 재미있는": "긍정", "とても面白かった": "とても良い", "الفيلم رائع": "جيد"} {
		u.write(text)
		u.sees(".verdict", want)
		u.sees(".coloured", text)
	}
	u.write("الفيلم رائع")
	if got := eval[string](u, `getComputedStyle(document.querySelector('#field-text')).direction`); got != "rtl" {
		t.Errorf("Arabic runs %s", got)
	}
	u.sees("#title-text", "Classify a text")
	for language, want := range map[string]string{"ko": "글 분류하기", "ja": "文章を分類する"} {
		u.speak(language)
		u.sees("#title-text", want)
		u.sees(".verdict", "جيد")
		if got := eval[string](u, `document.documentElement.lang + document.querySelector('#field-text').value`); got != language+"الفيلم رائع" {
			t.Errorf("language and text are %q", got)
		}
	}
	u.Clean(t, s.address())
}

// The three languages say the same things.
func TestWords(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	u.Visit(t, s.address(), 1280, "light")
	missing := eval[[]string](u, `import('/words.js').then(({words}) => {
		const holes = s => (s.match(/\{\w+\}/g) ?? []).sort().join()
		const same = ['column-label', 'column-probability'] // of files, whatever the language
		return ['ko', 'ja'].flatMap(l => Object.keys(words.en).filter(k => !same.includes(k) && (words[l][k] === undefined || holes(words[l][k]) !== holes(words.en[k]))).map(k => l + ' ' + k))
			.concat(['ko', 'ja'].flatMap(l => Object.keys(words[l]).filter(k => words.en[k] === undefined)))
	})`)
	if len(missing) > 0 {
		t.Errorf("these differ: %q", missing)
	}
}

// What users and models say is text, whatever it looks like.
func TestHostileText(t *testing.T) {
	u, s := visit(t, "strange")
	u.write(hostile + " img src")
	u.sees(".verdict", hostile)
	u.unfold()
	u.see("terms")
	u.sees("#view-terms", hostile)
	if n := u.count("main img"); n > 0 || eval[string](u, `document.title`) != "bayes" {
		t.Errorf("%d images, titled %q", n, eval[string](u, `document.title`))
	}
	u.Clean(t, s.address())
}

// A model begins with nothing, then one class, then two.
func TestBeginnings(t *testing.T) {
	u, s := visit(t, "untaught")
	u.sees(".answer-body", "learned nothing yet")
	teach := func(text, label string) {
		t.Helper()
		u.write(text)
		u.wait("the form", `document.querySelector('.correct').checkVisibility()`)
		eval[bool](u, `document.querySelector('#other-class').focus(), true`)
		u.press(label + kb.Enter)
		u.sees(".corrections .tag", label)
	}
	teach("hello <b>world</b>", "greeting")
	u.sees(".verdict", "greeting")
	u.sees(".answer-body", "knows one class")
	u.unfold0()
	teach("good bye", "parting")
	u.sees("#count-classes", "2")
	u.sees(".verdict", "parting")
	u.see("terms")
	u.sees("#view-terms", "greeting")
	u.see("file")
	u.sees("#view-file", "Drop a CSV")
	u.Clean(t, s.address())
}

// unfold0 opens the derivation of an answer of one class.
func (u user) unfold0() {
	eval[bool](u, `document.querySelector('.derivation').open = true`)
	u.sees(".derive", "Bayes")
}

// A server that goes away comes back, and the page with it.
func TestUnreachable(t *testing.T) {
	u, s := visit(t, "mail")
	u.write("lunch")
	u.sees(".verdict", "ham")
	s.stop()
	u.write("free money")
	u.sees("#trouble", "cannot be reached")
	s.listen()
	u.hidden("#trouble")
	u.sees(".verdict", "spam")
}

// A server that wants a token is given one, and asks again when it has expired. It
// is kept by the tab alone.
func TestToken(t *testing.T) {
	u := user{browser.Open(t), t}
	reader, readSecret := server.NewToken("reader", server.Read)
	learner, learnSecret := server.NewToken("learner", server.Read, server.Learn)
	predictor, predictSecret := server.NewToken("predictor", server.Predict)
	s := open(t, server.Options{Tokens: []server.Token{reader, predictor}})
	u.Visit(t, s.address(), 1280, "light")
	u.sees("#token", "wants a token")
	u.press("wrong" + kb.Enter)
	u.sees("#token", "does not accept")
	for _, complaint := range u.Measure(t).Complaints(1280, "light") {
		t.Error(complaint)
	}
	u.Picture(t, "token")
	u.press(predictSecret + kb.Enter)
	u.sees("#token", "with the scope read")
	u.press(readSecret + kb.Enter)
	u.sees("#views", "Text")
	u.pick("mail")
	u.write("lunch")
	u.sees(".verdict", "ham")
	u.hidden(".bars button") // a reader is not offered to teach
	u.hidden(".correct")
	for _, width := range []int64{390, 1280} {
		scheme := map[int64]string{390: "dark", 1280: "light"}[width]
		u.Visit(t, s.address(), width, scheme) // the tab keeps the token
		u.sees("#views", "Text")
		u.pick("mail")
		u.write("lunch")
		u.sees(".verdict", "ham")
		for _, language := range []string{"ko", "ja", "en"} {
			u.speak(language)
			u.wait("log out", `document.querySelector('#logout').checkVisibility()`)
			for _, complaint := range u.Measure(t).Complaints(width, scheme) {
				t.Errorf("%d, %s: %s", width, language, complaint)
			}
			u.Picture(t, fmt.Sprintf("reader-%d-%s", width, language))
		}
	}

	s.use(s.server(server.Options{Tokens: []server.Token{learner}}))
	u.sees("#token", "does not accept the token, or does not any more")
	u.press(learnSecret + kb.Enter)
	u.sees(".verdict", "ham") // the text is where it was
	eval[bool](u, `document.querySelector('.bars button').click(), true`)
	u.sees("#count-documents", "5")
	kept := eval[string](u, `JSON.stringify(localStorage) + document.cookie + location.href`)
	if strings.Contains(kept, learnSecret) || !eval[bool](u, `sessionStorage.getItem('bayes-token') === %q`, learnSecret) {
		t.Errorf("the token is in %s", kept)
	}
	eval[bool](u, `document.querySelector('#logout').click(), true`)
	u.sees("#token", "wants a token")
	u.hidden("#logout")
	if left := eval[string](u, `JSON.stringify(sessionStorage) + document.body.innerText`); strings.Contains(left, learnSecret) || strings.Contains(left, "lunch") {
		t.Errorf("after logging out there is left %s", left)
	}
}

// Models of other things than one text have a field for each column.
func TestColumns(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	c := bayes.NewCounts(nil)
	for i := range 20 {
		c.Learn(bayes.Example{Label: "tall", Attrs: []bayes.Attr{bayes.Number("height", 185+float64(i%5)), bayes.Category("sport", "basketball")}})
		c.Learn(bayes.Example{Label: "small", Attrs: []bayes.Attr{bayes.Number("height", 165+float64(i%5)), bayes.Category("sport", "riding")}})
	}
	s.add("people", c, bayes.Mixed{})
	u.Visit(t, s.address(), 1280, "light")
	u.pick("people")
	u.wait("a field", `document.querySelector('#field-height') !== null`)
	eval[bool](u, `document.querySelector('#field-height').focus(), true`)
	u.press("187")
	u.sees(".verdict", "tall")
	u.unfold()
	u.sees(".factors", "height")
	u.Clean(t, s.address())
}

// Every event model's derivation is shown to its end.
func TestEventModels(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	for i, em := range []bayes.EventModel{bayes.Bernoulli{}, bayes.Complement{}, bayes.Multinomial{Smoothing: bayes.Additive(0)}, bayes.OneVersusRest{}} {
		c := bayes.NewCounts(nil)
		for _, ex := range examples["mail"] {
			c.Learn(ex)
		}
		s.add(fmt.Sprintf("model%d", i), c, em)
	}
	u.Visit(t, s.address(), 1280, "light")
	texts := []string{"free prize", "free lunch", "unheard of"}
	sample := long.Sample(t, "three texts for each event model, not one")
	for i := range 4 {
		u.pick(fmt.Sprintf("model%d", i))
		some := texts
		if sample {
			some = texts[i%3 : i%3+1]
		}
		for _, text := range some {
			u.write(text)
			u.sees(".coloured", text)
			u.unfold()
			u.wait("a sum", `document.querySelectorAll('.derive mfrac').length > 0`)
		}
	}
	u.Clean(t, s.address())
}
