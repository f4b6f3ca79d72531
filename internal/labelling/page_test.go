package labelling_test

import (
	"fmt"
	"strings"
	"testing"

	"bayes/internal/browser"
	"bayes/internal/long"

	"github.com/chromedp/chromedp"
)

var screen = browser.Window{Width: 1280, Scheme: "light"}

// begun are the classes of each language, as they are typed, and the words of some.
var begun = map[string][]string{
	"en": {"billing: invoice, refund", "access"},
	"ko": {"결제: 청구서, 환불", "접속: 비밀번호"},
	"ja": {"請求: 請求書、返金", "ログイン: パスワード"},
}

// Two hundred answers by keys, with a kill in the middle: what was acknowledged is in the file, and nothing else.
func TestKeysAndKill(t *testing.T) {
	n := 200
	if long.Sample(t, "200 answers by keys; 40 otherwise") {
		n = 40
	}
	h := newHeap(t, 500, "en")
	cmd, address := h.serve()
	u := h.visit(address, "", screen)
	u.declare(begun["en"]...)
	given := make(map[string]string) // by row
	answers := 0
	take := func(n int) {
		for range n {
			also := eval[int](u, `document.querySelectorAll('.alike li').length`)
			text, label := u.answer()
			given[fmt.Sprint(text+1)] = label
			answers += 1 + also
		}
	}
	take(n / 2)
	// The key of the next answer and the kill race each other.
	last := u.text()
	u.press("1")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	u.sees("#trouble", "cannot be reached")
	h.serve("--listen", strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/"))
	u.wait("it is there again", `document.querySelector('#trouble').hidden && !document.querySelector('#question').hasAttribute('aria-busy')`)
	saved := len(h.rows())
	if saved < answers {
		t.Fatalf("%d answers were given before the kill, and %d are in the file", answers, saved)
	}
	if saved > answers {
		given[fmt.Sprint(last+1)] = "billing"
		answers = saved
	}
	take(n - n/2)
	skipped := u.text()
	u.press("s")
	u.wait("the next text", `document.querySelector('#question').dataset.text !== '%d' && !document.querySelector('#question').hasAttribute('aria-busy')`, skipped)
	text, _ := u.answer()
	u.press("u")
	u.wait("the text again", `document.querySelector('#question').dataset.text === '%d'`, text)
	rows := h.rows()
	if len(rows) != answers {
		t.Errorf("%d answers were given, and %d are in the file", answers, len(rows))
	}
	random := 0
	for _, row := range rows {
		want := h.labels[atoi(t, row[2])-1]
		if given[row[2]] != "" {
			want = given[row[2]]
			delete(given, row[2])
		}
		if row[0] != want || row[3] != "ann" {
			t.Errorf("row %s is %s by %s, and was answered %s", row[2], row[0], row[3], want)
		}
		if row[5] == "yes" {
			random++
		}
	}
	if len(given) > 0 {
		t.Errorf("%d answers are not in the file: %v", len(given), given)
	}
	if random < n/5 {
		t.Errorf("%d of %d answers measure", random, n)
	}
	u.sees("#quality .score", "%")
	if out, err := h.bayes("train", "labels.csv", "-o", "model.nb").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	u.Picture(t, "after")
}

// Two people at one pile each get the texts that measure, and of the others each has one answer.
func TestTwo(t *testing.T) {
	h := newHeap(t, 200, "en")
	_, address := h.serve("--class", "billing", "--class", "access")
	ann, bo := h.visit(address, "", screen), h.visit(address, "bo", screen)
	for range 12 {
		ann.answer()
		bo.answer()
	}
	bo.sees("#people", "ann · bo")
	bo.sees("#people", "κ 1")
	times := make(map[string]int)
	random := make(map[string]bool)
	for _, row := range h.rows() {
		times[row[2]]++
		random[row[2]] = random[row[2]] || row[5] == "yes"
	}
	both := 0
	for row, n := range times {
		if n == 2 {
			both++
		}
		if n > 2 || n == 2 && !random[row] {
			t.Errorf("row %s was asked %d times", row, n)
		}
	}
	if both < 2 {
		t.Errorf("%d texts were asked of both", both)
	}
	ann.Clean(t, address)
	bo.Clean(t, address)
	bo.Picture(t, "two")
}

// The page is whole and readable on a screen and on a phone, light and dark, in each language.
func TestLooks(t *testing.T) {
	languages := []string{"en", "ko", "ja"}
	for i, w := range browser.Windows(t) {
		for k, language := range languages {
			if long.Sample(t, "every language in every window") && k != i {
				continue
			}
			h := newHeap(t, 120, language)
			_, address := h.serve()
			u := h.visit(address, "", w)
			eval[bool](u, `(s => { s.value = %q; return s.dispatchEvent(new Event('change')) })(document.querySelector('#language'))`, language)
			check := func(what string) {
				u.do(chromedp.Sleep(300 * 1e6)) // until nothing moves
				name := fmt.Sprintf("%d-%s-%s-%s", w.Width, w.Scheme, language, what)
				for _, complaint := range append(u.Errors(), u.Measure(t).Complaints(w.Width, w.Scheme)...) {
					t.Errorf("%s: %s", name, complaint)
				}
				u.Picture(t, name)
			}
			check("begin")
			u.declare(begun[language]...)
			for range 25 {
				u.answer()
			}
			u.wait("the accuracy", `document.querySelector('.curve') !== null`)
			check("middle")
			for range 5 {
				if eval[bool](u, `document.querySelector('.badge') !== null`) {
					break
				}
				u.answer()
			}
			check("measures")
			u.Clean(t, address)
		}
	}
}

func atoi(t *testing.T, s string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(s, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
