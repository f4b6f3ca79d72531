package page_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bayes/internal/browser"
	"bayes/server"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"golang.org/x/text/encoding/korean"
)

// upload gives the page a file.
func (u user) upload(name, content string) {
	u.t.Helper()
	u.give("#file", name, content)
	u.sees(".options", name)
}

// give gives a field of the page a file.
func (u user) give(field, name, content string) {
	u.t.Helper()
	path := filepath.Join(u.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		u.t.Fatal(err)
	}
	u.do(chromedp.SetUploadFiles(field, []string{path}))
}

// labelled downloads the file that came back.
func (u user) labelled() string {
	u.t.Helper()
	u.sees(".progress", "Done")
	return u.download("a[download]", eval[string](u, `document.querySelector('a[download]').download`))
}

// download clicks on what has the browser download a file of a name, and returns the file.
func (u user) download(selector, name string) string {
	u.t.Helper()
	dir := u.t.TempDir()
	params := cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, BrowserContextID: chromedp.FromContext(u.Ctx).BrowserContextID,
	}
	if _, err := chromedp.Call(u.Ctx, cdpbrowser.SetDownloadBehavior, params); err != nil {
		u.t.Fatal(err)
	}
	eval[bool](u, `document.querySelector(%q).click(), true`, selector)
	path := filepath.Join(dir, name)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(30 * time.Millisecond) {
		// The browser keeps the name by an empty file until it has downloaded all.
		if b, err := os.ReadFile(path); len(b) > 0 {
			return string(b)
		} else if time.Now().After(end) {
			u.t.Fatalf("nothing was downloaded: %v", err)
		}
	}
}

// A file comes back with a label in each row, and otherwise as it was.
func TestFile(t *testing.T) {
	u, s := visit(t, "mail")
	u.see("file")
	u.upload("mails.csv", "id,text,label\r\n1,\"win a \"\"free\"\" prize,\nnow\",x\r\n\r\n2,see you at lunch,\"y,z\"\r\n3")
	got := u.labelled()
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%v: %q", err, got)
	}
	for i, want := range []string{"id|text|label|label_|probability", "1|win a \"free\" prize,\nnow|x|spam|0.", "2|see you at lunch|y,z|ham|0.", "3||||"} {
		if row := strings.Join(rows[i], "|"); !strings.HasPrefix(row, want) {
			t.Errorf("row %d is %q, want %q", i, row, want)
		}
	}
	u.sees(".progress", "3 rows, of which 1 could not be labelled")
	if name := eval[string](u, `document.querySelector('a[download]').download`); name != "mails-labelled.csv" {
		t.Errorf("the file is called %s", name)
	}
	u.Clean(t, s.address())
}

// What is no table is named for what it is, in the words of package dataset.
func TestForeignFile(t *testing.T) {
	u, s := visit(t, "mail")
	u.see("file")
	for _, f := range []struct{ name, content, want string }{
		{"a.xlsx", "PK\x03\x04[Content_Types].xml PK\x03\x04xl/workbook.xml", "This is a workbook (.xlsx, .ods). Save it as CSV"},
		{"a.csv", "PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "This is a workbook (.xlsx, .ods). Save it as CSV"},
		{"a.docx", "PK\x03\x04word/document.xml", "This is a document (.pdf, .docx, .odt)"},
		{"a.pdf", "%PDF-1.7\n", "This is a document (.pdf, .docx, .odt)"},
		{"a.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a file of an old office program (.xls, .doc)"},
		{"a.zip", "PK\x03\x04readme", "This is an archive (.zip)"},
	} {
		u.upload(f.name, f.content)
		u.sees(".options", f.want)
		if n := eval[int](u, `document.querySelectorAll('.options button').length`); n > 0 {
			t.Errorf("%s: there is something to press", f.name)
		}
	}
	u.upload("euro.csv", "id;text\r\n1;win a free prize, now\r\n")
	if got := u.labelled(); !strings.HasPrefix(got, "id;text;label;probability\r\n1;win a free prize, now;spam;") {
		t.Errorf("%q", got)
	}
	u.Clean(t, s.address())
}

// A long file goes in many requests, and every row comes back, in order.
func TestLongFile(t *testing.T) {
	u, s := visit(t, "mail")
	u.see("file")
	const n = 20_000
	var b strings.Builder
	b.WriteString("number;text\n")
	for i := range n {
		fmt.Fprintf(&b, "%d;%s\n", i, []string{"free money", "lunch at noon, \"the\" meeting"}[i%2])
	}
	u.upload("long.csv", b.String())
	r := csv.NewReader(strings.NewReader(u.labelled()))
	r.Comma, r.LazyQuotes = ';', true
	rows, err := r.ReadAll()
	if err != nil || len(rows) != n+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		if want := []string{"spam", "ham"}[i%2]; row[0] != fmt.Sprint(i) || row[2] != want {
			t.Fatalf("row %d is %q, want %s", i, row, want)
		}
	}
	batches := 0
	for _, request := range u.Requests() {
		if strings.HasSuffix(request, "/predict") {
			batches++
		}
	}
	if batches < 2 {
		t.Errorf("%d requests", batches)
	}
	u.Clean(t, s.address())
}

// A file is read in the encoding that it has; where its column of texts goes by
// another name, it can be chosen.
func TestEncoding(t *testing.T) {
	u, s := visit(t, "reviews")
	u.see("file")
	old, err := korean.EUCKR.NewEncoder().String("번호,평가\n1,정말 재미있는 영화\n2,지루한 시간 낭비\n")
	if err != nil {
		t.Fatal(err)
	}
	u.upload("평가.csv", old)
	u.wait("the column is guessed", `document.querySelector('[data-column=text]').value === '1'`)
	eval[bool](u, `document.querySelector('.options button[type=submit]').click(), true`)
	got := u.labelled()
	if want := "\uFEFF번호,평가,label,probability\r\n1,정말 재미있는 영화,긍정,0."; !strings.HasPrefix("\uFEFF"+strings.TrimPrefix(got, "\uFEFF"), want) || !strings.Contains(got, "\n2,지루한 시간 낭비,부정,") {
		t.Errorf("got %q, want %q", got, want)
	}
	u.Clean(t, s.address())
}

// A file can be dropped; where the connection breaks, or something else answers, it can be
// tried again.
func TestBrokenFile(t *testing.T) {
	u := user{browser.Open(t), t}
	s := open(t, server.Options{})
	real := s.server(server.Options{})
	s.use(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/predict") {
			fmt.Fprintln(w, `{"label":"spam","probability":0.5,"probabilities":{"spam":0.5,"ham":0.5}}`)
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
		real.ServeHTTP(w, r)
	}))
	u.Visit(t, s.address(), 1280, "light")
	u.pick("mail")
	u.see("file")
	eval[bool](u, `(() => {
		const data = new DataTransfer()
		data.items.add(new File(['text\nfree money, free\nlunch\n'], 'dropped.csv'))
		return document.querySelector('.drop').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))
	})() || true`)
	u.sees(".progress", "Stopped after")
	s.use(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/predict") {
			fmt.Fprint(w, "<p>Log in to this network first.</p>")
			return
		}
		real.ServeHTTP(w, r)
	}))
	u.hidden("#trouble")
	eval[bool](u, `document.querySelector('.options button').click(), true`)
	u.sees(".progress", "Stopped after 0 rows.")
	s.use(real)
	u.hidden("#trouble")
	eval[bool](u, `document.querySelector('.options button').click(), true`)
	if got, want := u.labelled(), "text,label,probability\r\n\"free money, free\",spam,"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	u.sees(".progress", "Done: 2 rows.")
}

// A file in another encoding than the one that is chosen is not labelled.
func TestWrongEncoding(t *testing.T) {
	u, s := visit(t, "mail")
	u.see("file")
	u.upload("latin.csv", "a,text\n1,caf\xe9 au lait\n")
	u.sees(".progress", "Done: 1 rows.")
	eval[bool](u, `(e => { e.value = 'utf-8'; return e.dispatchEvent(new Event('change')) })([...document.querySelectorAll('.picks select')].at(-1))`)
	u.hidden(".progress")
	eval[bool](u, `document.querySelector('.options button').click(), true`)
	u.sees(".progress", "The file is not UTF-8")
	u.Clean(t, s.address())
}
