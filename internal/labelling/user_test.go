package labelling_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"bayes/internal/browser"
	"bayes/internal/cli"
	"bayes/internal/long"

	"github.com/chromedp/chromedp"
)

// program, in the environment, has the tests' own program be bayes.
const program = "BAYES_TEST_IS_BAYES"

func TestMain(m *testing.M) {
	if os.Getenv(program) != "" {
		cli.Main()
	}
	os.Exit(long.Tests{M: browser.Tests{M: m}}.Run())
}

// A heap is texts in a file, and the label that each row should get.
type heap struct {
	t      *testing.T
	dir    string
	labels []string
	said   bytes.Buffer // by the command that was started last; to be read when it has ended
}

var vocabulary = map[string]map[string][]string{
	"en": {
		"billing": {"invoice", "refund", "amount", "charged", "card", "payment", "tax", "receipt"},
		"access":  {"password", "login", "account", "locked", "code", "mail", "reset", "session"},
		"":        {"the", "my", "please", "since", "again", "today", "help", "with", "it", "never"},
	},
	"ko": {
		"결제": {"청구서가", "환불을", "금액이", "카드로", "결제가", "영수증을", "세금이", "입금이"},
		"접속": {"비밀번호가", "로그인이", "계정이", "잠겼어요", "인증번호가", "메일이", "재설정", "세션이"},
		"":   {"오늘", "다시", "제", "부탁합니다", "안", "계속", "도와주세요", "어제부터", "왜", "이상해요"},
	},
	"ja": {
		"請求":   {"請求書が", "返金を", "金額が", "カードで", "支払いが", "領収書を", "税金が", "入金が"},
		"ログイン": {"パスワードが", "ログインが", "アカウントが", "ロックされた", "認証コードが", "メールが", "再設定", "セッションが"},
		"":     {"今日", "また", "私の", "お願いします", "昨日から", "ずっと", "助けて", "なぜか", "急に", "全然"},
	},
}

// newHeap writes n texts of two classes in a language. Some are alike.
func newHeap(t *testing.T, n int, language string) *heap {
	t.Helper()
	h, rng := &heap{t: t, dir: t.TempDir()}, rand.New(rand.NewPCG(7, uint64(n)))
	var classes []string
	for _, class := range []string{"billing", "access", "결제", "접속", "請求", "ログイン"} {
		if vocabulary[language][class] != nil {
			classes = append(classes, class)
		}
	}
	join, text := " ", ""
	if language == "ja" {
		join = ""
	}
	f, err := os.Create(filepath.Join(h.dir, "tickets.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := csv.NewWriter(f)
	w.Write([]string{"text"})
	for i := range n {
		if i == 0 || i%25 != 0 { // or else once more
			class := classes[rng.IntN(2)]
			var words []string
			for range 10 + rng.IntN(6) {
				list := vocabulary[language][class]
				if rng.IntN(2) == 0 {
					list = vocabulary[language][""]
				}
				words = append(words, list[rng.IntN(len(list))])
			}
			text = strings.Join(words, join)
			h.labels = append(h.labels, class)
		} else {
			h.labels = append(h.labels, h.labels[i-1])
		}
		w.Write([]string{text})
	}
	if w.Flush(); w.Error() != nil {
		t.Fatal(w.Error())
	}
	return h
}

// bayes returns the command in the folder of the heap.
func (h *heap) bayes(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir, cmd.Env = h.dir, append(os.Environ(), program+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// serve starts bayes label, and returns it and the address that it prints.
func (h *heap) serve(args ...string) (*exec.Cmd, string) {
	h.t.Helper()
	cmd := h.bayes(append([]string{"label", "tickets.csv", "-o", "labels.csv", "--who", "ann"}, args...)...)
	cmd.Stderr = &h.said
	if testing.Verbose() {
		cmd.Stderr = io.MultiWriter(&h.said, os.Stderr)
	}
	h.said.Reset()
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		h.t.Fatalf("no address: %v", err)
	}
	return cmd, strings.TrimSpace(line)
}

// rows returns what is in the file of answers, without its header and the words of classes.
func (h *heap) rows() (rows [][]string) {
	h.t.Helper()
	f, err := os.Open(filepath.Join(h.dir, "labels.csv"))
	if err != nil {
		h.t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		h.t.Fatal(err)
	}
	for _, row := range all[1:] {
		if row[2] != "words" {
			rows = append(rows, row)
		}
	}
	return rows
}

// A user drives the page.
type user struct {
	*browser.Browser
	t *testing.T
	h *heap
}

// visit opens the page of a heap in a window of its own.
func (h *heap) visit(address, who string, w browser.Window) user {
	h.t.Helper()
	u := user{browser.Open(h.t), h.t, h}
	if who != "" {
		address += "?who=" + url.QueryEscape(who)
	}
	u.Visit(h.t, address, w.Width, w.Scheme)
	u.wait("a question", `document.querySelector('#question').dataset.text > ''`)
	return u
}

func (u user) do(actions ...chromedp.Action[chromedp.Void]) {
	u.t.Helper()
	if err := chromedp.Do(u.Ctx, actions...); err != nil {
		u.t.Fatal(err)
	}
}

// eval returns what a script returns.
func eval[T any](u user, script string, args ...any) T {
	u.t.Helper()
	v, err := chromedp.Run(u.Ctx, chromedp.Evaluate[T](fmt.Sprintf(script, args...)))
	if err != nil {
		u.t.Fatalf("%v: %s", err, fmt.Sprintf(script, args...))
	}
	return v
}

// wait waits until a script returns true, and fails with what is seen instead.
func (u user) wait(what, script string, args ...any) {
	u.t.Helper()
	for end := time.Now().Add(20 * time.Second); !eval[bool](u, script, args...); u.do(chromedp.Sleep(15 * time.Millisecond)) {
		if time.Now().After(end) {
			u.t.Fatalf("%s: not so. The page says:\n%s", what, eval[string](u, `document.body.innerText`))
		}
	}
}

// sees waits until the text of an element holds want.
func (u user) sees(selector, want string) {
	u.t.Helper()
	u.wait(selector+" shows "+want, `(e => Boolean(e) && e.checkVisibility() && e.innerText.includes(%q))(document.querySelector(%q))`, want, selector)
}

func (u user) press(keys string) { u.t.Helper(); u.do(chromedp.KeyEvent(keys)) }

// text returns the number of the text that is asked.
func (u user) text() int {
	u.t.Helper()
	n, err := strconv.Atoi(eval[string](u, `document.querySelector('#question').dataset.text`))
	if err != nil {
		u.t.Fatal(err)
	}
	return n
}

// declare names the classes, with words of them.
func (u user) declare(classes ...string) {
	u.t.Helper()
	eval[bool](u, `(e => { e.value = %q; return true })(document.querySelector('#list'))`, strings.Join(classes, "\n"))
	eval[bool](u, `document.querySelector('#begin button').click(), true`)
	u.wait("the classes", `document.querySelectorAll('.choice').length === %d`, len(classes))
}

// answer presses the key of the class that the text belongs to, and waits until that is acknowledged by another text.
func (u user) answer() (text int, label string) {
	u.t.Helper()
	text = u.text()
	label = u.h.labels[text]
	u.press(eval[string](u, `document.querySelector('[data-class="%s"]').getAttribute('aria-keyshortcuts')`, label))
	u.wait("the next text", `document.querySelector('#question').dataset.text !== '%d' && !document.querySelector('#question').hasAttribute('aria-busy')`, text)
	return text, label
}
