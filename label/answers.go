package label

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"bayes/internal/answertable"
	"bayes/internal/atomicfile"
	"bayes/internal/outfile"
)

// An Answer is the label that a person gave a text: a row of a file of answers.
type Answer struct {
	Label  string
	Text   string
	Row    string    // where the text is in the file that it was read from, such as 12; it may be empty
	Who    string    // the person
	When   time.Time // to the millisecond; the zero Time if unknown
	Random bool      // whether the text was drawn at random, so that the answer measures
}

// Answers is a file of answers, which is written as they are given. It is a table in CSV that training reads as it is:
//
//	label,text,row,who,when,random
//	billing,The invoice of May has the wrong amount,1,ann,2026-05-04T09:30:00.000Z,yes
//
// There is nothing but this file: it has what was answered and was not taken back, one row for each text and person. An
// answer is appended, and on disk before [Answers.Add] returns. What is cut off when the power is cut is the end of
// a row that was not acknowledged; the next [OpenAnswers] drops it. An answer that is taken back or replaced has
// the whole file written anew beside the old one, which it then replaces. So whenever the program ends the file is whole, and a
// spreadsheet may have changed it before the next one begins, also the order of its columns, the separator, the quotes and the encoding (UTF-8, or
// UTF-16 with a byte order mark); [OpenAnswers] then writes it as it was. While it is open no other program may: once one has replaced it, removed it, or changed its
// size, nothing is added any more, so that nothing is acknowledged that the file would not have.
//
// Its methods may be called by many goroutines at once.
type Answers struct {
	name string

	mu   sync.Mutex
	file *os.File // locked
	size int64    // of what is whole
	rows []Answer
	lost error  // why the file can no longer be written
	torn string // what was dropped when it was opened
}

// ErrNotAnswers is the error of a file that holds something else.
var ErrNotAnswers = answertable.ErrOther

// OpenAnswers opens the file called name, and makes it if it is not there. One that has other columns is left alone,
// with [ErrNotAnswers], and so is one that cannot be read whole, with an error that names the line or the column. Nobody else can open the file until it is closed, where the system has locks.
func OpenAnswers(name string) (*Answers, error) {
	a := &Answers{name: name}
	if err := a.open(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, outfile.Cause(err))
	}
	return a, nil
}

// ReadAnswers returns the answers of the file called name as they are by now, also while another program adds some. The error of a file that has other columns is
// [ErrNotAnswers], and such a file is read no further than these.
func ReadAnswers(name string) ([]Answer, error) {
	rows, err := readAnswers(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, outfile.Cause(err))
	}
	return rows, nil
}

func readAnswers(name string) ([]Answer, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	start, err := r.Peek(outfile.HeadSize) // which has the columns, so that a large file of something else is not read
	if err != nil && err != io.EOF {
		return nil, err
	}
	if _, err := parse(start); errors.Is(err, ErrNotAnswers) {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	c, err := parse(data)
	return c.rows, err
}

// open opens and locks the file, reads its rows, and cuts off what is no whole row.
func (a *Answers) open() error {
	if info, err := os.Stat(a.name); err == nil && !info.Mode().IsRegular() {
		return errors.New("it is no regular file, which answers are kept in")
	}
	f, err := os.OpenFile(a.name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	if err := outfile.TryLock(f); err != nil {
		f.Close()
		return err
	}
	var c content
	data, err := io.ReadAll(f)
	if err == nil {
		c, err = parse(data)
	}
	if err != nil {
		f.Close()
		return err
	}
	a.file, a.rows, a.size = f, c.rows, c.size
	if c.size > 0 {
		a.torn = string(data[c.size:])
	}
	switch whole := data[:a.size]; {
	case c.foreign:
		err = a.rewrite(a.rows)
	case len(whole) == 0:
		err = a.append(csvOf([][]string{answertable.Columns}))
		if err == nil {
			err = atomicfile.SyncDir(filepath.Dir(a.name))
		}
	case whole[len(whole)-1] != '\n': // another program left the last line without its end
		err = a.cut()
		if err == nil {
			err = a.append([]byte("\n"))
		}
	case len(whole) < len(data):
		err = a.cut()
	}
	if err != nil {
		a.Close()
	}
	return err
}

// A content is what a file of answers holds.
type content struct {
	rows    []Answer
	size    int64 // how many bytes are whole; what follows is the end of a row that was never written to its end
	foreign bool  // whether a spreadsheet has written it in another form, in which no row can follow
}

// parse returns what a file holds.
func parse(data []byte) (content, error) {
	var c content
	if first := csvOf([][]string{answertable.Columns}); bytes.HasPrefix(first, data) && len(data) < len(first) {
		return c, nil
	}
	r, err := answertable.New(data)
	if err != nil {
		return content{}, err
	}
	c.foreign, c.size = !r.AsWritten, r.Header()
	for {
		record, err := r.Next()
		if err == io.EOF {
			c.size = int64(len(data))
			return c, nil
		}
		var row Answer
		if err == nil {
			if row, err = readRow(record.Cells); err != nil {
				err = fmt.Errorf("line %d: %w", record.Line, err)
			}
		}
		cut := record.Cells == nil || data[len(data)-1] != '\n' // as a row that is whole is not
		switch {
		case err == nil:
			c.rows, c.size = append(c.rows, row), record.End
		case cut && !c.foreign && record.End == int64(len(data)) && torn(data[c.size:]):
			return c, nil
		default:
			return content{}, err
		}
	}
}

// endOfRow is how a row ends that was written here.
var endOfRow = regexp.MustCompile(`,\d{4}-\d\d-\d\dT[\d:.]+Z,(yes|no)$`)

// torn reports whether what a file ends with is a part of one row. Where a later line ends as a row does, or is one, something
// else has damaged the file, and what follows must not be dropped.
func torn(rest []byte) bool {
	for line := range bytes.Lines(rest) {
		row := bytes.TrimRight(line, "\r\n")
		if len(row) == len(line) {
			continue // cut off
		}
		fields, err := csv.NewReader(bytes.NewReader(row)).Read()
		if err == nil && len(fields) == len(answertable.Columns) {
			_, err = readRow(fields)
		} else {
			err = csv.ErrFieldCount
		}
		if err == nil || endOfRow.Match(row) {
			return false
		}
	}
	return true
}

// readRow reads the cells of a row. The last one tells whether all of it is there.
func readRow(cells []string) (Answer, error) {
	if strings.Join(cells, "") == "" {
		return Answer{}, errors.New("an empty row (hint: remove it)")
	}
	a := Answer{Label: strings.TrimSpace(cells[0]), Text: cells[1], Row: cells[2], Who: cells[3]}
	a.When, _ = time.Parse(time.RFC3339, cells[4]) // a spreadsheet may have written it otherwise
	switch strings.ToLower(cells[5]) {
	case "yes":
		a.Random = true
	case "no":
	default:
		return Answer{}, fmt.Errorf("column \"random\": %.40q is neither yes nor no", cells[5])
	}
	if a.Label == "" {
		return Answer{}, errors.New(`column "label": empty label`)
	}
	return a, nil
}

const milliseconds = "2006-01-02T15:04:05.000Z"

// record returns the cells of an answer.
func (a *Answer) record() []string {
	when, random := "", "no"
	if !a.When.IsZero() {
		when = a.When.UTC().Format(milliseconds)
	}
	if a.Random {
		random = "yes"
	}
	return []string{a.Label, a.Text, a.Row, a.Who, when, random}
}

// csvOf returns rows as bytes.
func csvOf(rows [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.WriteAll(rows) // to memory, where nothing fails
	return b.Bytes()
}

// Name returns the name of the file.
func (a *Answers) Name() string { return a.name }

// Torn returns what the file ended with when it was opened that is no whole row, and was dropped: a part of an answer that was not acknowledged, or of a row that was
// written by hand.
func (a *Answers) Torn() string { return a.torn }

// All returns the answers in the order in which they were given.
func (a *Answers) All() []Answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.rows)
}

// Add adds answers, which have labels, and these and texts in UTF-8. All are on disk when it returns; after an error none is in the file.
func (a *Answers) Add(list ...Answer) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failed(a.add(list))
}

func (a *Answers) add(list []Answer) error {
	if err := a.ready(); err != nil {
		return err
	}
	records, err := recordsOf(list)
	if err != nil {
		return err
	}
	if err := a.append(csvOf(records)); err != nil {
		return err
	}
	a.rows = append(a.rows, list...)
	return nil
}

// errChanged is the error of a file that another program has written, replaced or removed.
var errChanged = errors.New("it has been changed by another program meanwhile, and is left as it is: start again to read what it has now")

// ready returns an error if the file can no longer be written, or is not what was written last.
func (a *Answers) ready() error {
	if a.lost != nil {
		return a.lost
	}
	held, err := a.file.Stat()
	if err != nil {
		return err
	}
	if now, err := os.Stat(a.name); err != nil || !os.SameFile(now, held) || now.Size() != a.size {
		return errChanged
	}
	return nil
}

func recordsOf(list []Answer) (records [][]string, err error) {
	for i := range list {
		switch a := &list[i]; {
		case a.Label == "":
			return nil, errors.New("an answer has no label")
		case !utf8.ValidString(a.Label), !utf8.ValidString(a.Text):
			return nil, errors.New("the label or the text of an answer is not UTF-8")
		default:
			records = append(records, a.record())
		}
	}
	return records, nil
}

// append writes b to the end and to disk. After an error the file ends where it ended.
func (a *Answers) append(b []byte) error {
	_, err := a.file.WriteAt(b, a.size)
	if err == nil {
		err = a.file.Sync()
	}
	if err != nil {
		if cut := a.cut(); cut != nil {
			a.lost = cut
		}
		return err
	}
	a.size += int64(len(b))
	return nil
}

// cut cuts the file off after what is whole.
func (a *Answers) cut() error {
	err := a.file.Truncate(a.size)
	if err == nil {
		err = a.file.Sync()
	}
	return err
}

// Replace takes the answers back that drop chooses, and adds others after those that stay. The file is on disk when it returns; after
// an error it is as it was.
func (a *Answers) Replace(drop func(Answer) bool, list ...Answer) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	kept := slices.DeleteFunc(slices.Clone(a.rows), drop)
	if len(kept) == len(a.rows) {
		return a.failed(a.add(list))
	}
	return a.failed(a.rewrite(append(kept, list...)))
}

func (a *Answers) rewrite(rows []Answer) error {
	if err := a.ready(); err != nil {
		return err
	}
	records, err := recordsOf(rows)
	if err != nil {
		return err
	}
	all := csvOf(append([][]string{answertable.Columns}, records...))
	if runtime.GOOS == "windows" { // where a file that is open cannot be replaced, nor locked
		a.file.Close()
	}
	err = atomicfile.Write(a.name, func(w io.Writer) error {
		_, err := w.Write(all)
		return err
	})
	if err == nil {
		a.rows, a.size = rows, int64(len(all))
	}
	if err != nil && runtime.GOOS != "windows" {
		return err
	}
	if again := a.reopen(); again != nil {
		a.lost = again // if all is on disk, the next change will say
	}
	return err
}

// reopen opens and locks the file that has taken the place of the one that is open.
func (a *Answers) reopen() error {
	f, err := os.OpenFile(a.name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := outfile.TryLock(f); err != nil {
		f.Close()
		return err
	}
	a.file.Close()
	a.file = f
	return nil
}

func (a *Answers) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", a.name, outfile.Cause(err))
}

// Close closes the file. All answers are in it already.
func (a *Answers) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lost == nil {
		a.lost = os.ErrClosed
	}
	return a.file.Close()
}
