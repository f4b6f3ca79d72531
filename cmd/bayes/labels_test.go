//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pageAddress is the address of a page, whose port is another one each time.
var pageAddress = regexp.MustCompile(`127\.0\.0\.1:\d+`)

var updateLabels = flag.Bool("update-labels", false, "write what the commands of docs/labels.md print into its story")

// answersOfStory is how many answers the story of docs/labels.md has.
const answersOfStory = 300

// The story of docs/labels.md prints what its commands print, where the person at the page knows the labels of the sample.
func TestLabelsStory(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: 300 answers of a story; what answers at once do is tested in label and internal/labelling")
	}
	section := sectionOf(t, "docs/labels.md", "From a pile of texts to a classifier")
	dir := clone(t)
	sessions := fenced(section, "console")
	if len(sessions) == 0 {
		t.Fatal("docs/labels.md has no story")
	}
	b, err := os.ReadFile("../../docs/labels.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	classes := fenced(section, "classes")
	if len(classes) != 1 {
		t.Fatalf("%d lists of classes", len(classes))
	}
	for _, session := range sessions {
		for _, s := range steps(session) {
			var printed string
			if strings.HasPrefix(s.command, "bayes label ") {
				printed = labelled(t, dir, s.command, strings.Split(strings.TrimSpace(classes[0]), "\n"))
			} else {
				printed = inShell(t, dir, s.command)
			}
			if *updateLabels {
				page = strings.Replace(page, s.command+"\n"+s.output, s.command+"\n"+printed, 1)
			} else if !shows(pageAddress.ReplaceAllString(s.output, "PAGE"), pageAddress.ReplaceAllString(printed, "PAGE")) {
				t.Errorf("$ %s\nprints\n%s\nand the page shows\n%s", s.command, printed, s.output)
			}
		}
	}
	if *updateLabels {
		if err := os.WriteFile("../../docs/labels.md", []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// labelled runs bayes label, answers at its page, interrupts it, and returns what it prints.
func labelled(t *testing.T, dir, command string, classes []string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "support.train.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(command)
	// Texts without an answer are learned some thirty times meanwhile.
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = dir
	log := new(running) // what is printed
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	page := &labelPage{t: t}
	for end := time.Now().Add(30 * time.Second); page.address == ""; time.Sleep(5 * time.Millisecond) {
		page.address = regexp.MustCompile(`http://[^\n]*/`).FindString(log.logged())
		if time.Now().After(end) {
			t.Fatal(log.logged())
		}
	}
	for _, c := range classes {
		name, words, _ := strings.Cut(c, ":")
		page.ask("class", map[string]any{"name": strings.TrimSpace(name), "words": strings.TrimSpace(words)})
	}
	for range answersOfStory {
		q := page.question
		page.ask("answer", map[string]any{"text": q.Text, "label": rows[q.Text+1][0]})
		page.settle()
		page.next()
	}
	interrupt(t, cmd)
	return log.logged()
}

func interrupt(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// A labelPage is what the page of bayes label does.
type labelPage struct {
	t        *testing.T
	address  string
	question struct {
		Text int `json:"text"`
	}
}

// settle waits, as long as a person takes to read, until what there is has been learned.
func (p *labelPage) settle() {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		resp, err := http.Get(p.address + "api/state")
		if err != nil {
			p.t.Fatal(err)
		}
		var got struct{ State struct{ Learning bool } }
		err = json.NewDecoder(resp.Body).Decode(&got)
		resp.Body.Close()
		if err != nil {
			p.t.Fatal(err)
		}
		if !got.State.Learning {
			return
		}
		if time.Now().After(end) {
			p.t.Fatal("texts without an answer are not learned")
		}
	}
}

// next takes the question that is asked now.
func (p *labelPage) next() {
	p.t.Helper()
	resp, err := http.Get(p.address + "api/question")
	p.take("question", resp, err)
}

// ask sends what the page sends, and takes the next question.
func (p *labelPage) ask(what string, body map[string]any) {
	p.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	resp, err := http.Post(p.address+"api/"+what, "application/json", bytes.NewReader(b))
	p.take(what, resp, err)
}

// take takes the question of an answer.
func (p *labelPage) take(what string, resp *http.Response, err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		p.t.Fatalf("%s: %s %v", what, all, err)
	}
	got := struct{ Question any }{&p.question}
	if err := json.Unmarshal(all, &got); err != nil {
		p.t.Fatal(fmt.Errorf("%s: %w", what, err))
	}
}
