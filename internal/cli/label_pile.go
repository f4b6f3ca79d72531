package cli

import (
	"errors"
	"fmt"
	"strings"

	"bayes"
	"bayes/internal/labelling"
	"bayes/label"

	"github.com/spf13/cobra"
)

// readPile reads and analyzes files.
func (a *App) readPile(cmd *cobra.Command, f *labelFlags, files []string) ([]labelling.Text, *label.Pile, error) {
	f.Unlabelled = true
	space, em, src, err := a.prepare(cmd, &f.Trainer, files, f.Space)
	if err != nil {
		return nil, nil, err
	}
	texts, err := a.readTexts(cmd, f, src)
	if err != nil {
		return nil, nil, err
	}
	if len(texts) == 0 {
		return nil, nil, inFiles(files, errors.New("no texts"))
	}
	documents := make([]bayes.Document, len(texts))
	for i := range texts {
		documents[i].Text = texts[i].Text
	}
	pile, err := label.New(cmd.Context(), space, em, documents, &label.Options{Order: label.Order(f.order), Seed: f.seed})
	if err != nil {
		return nil, nil, inFiles(files, err)
	}
	return texts, pile, nil
}

// readTexts returns the texts of src that are not empty.
func (a *App) readTexts(cmd *cobra.Command, f *labelFlags, src *source) (texts []labelling.Text, err error) {
	examples, places, err := a.readPlaced(cmd, src)
	if err != nil {
		return nil, err
	}
	several := severalFiles(places)
	found := make(map[place]bool)
	for _, p := range places {
		if found[p] {
			return nil, fmt.Errorf("%s is given twice", p.File)
		}
		found[p] = true
	}
	var (
		empty, refused int
		first          string // of the labels that are refused: where it is, and why
		labelled       bool
	)
	for i, ex := range examples {
		if strings.TrimSpace(ex.Text) == "" {
			empty++
			continue
		}
		t := labelling.Text{Text: ex.Text, Row: fmt.Sprint(places[i].Row), Label: ex.Label}
		if several {
			t.Row = fmt.Sprintf("%s:%d", places[i].File, places[i].Row)
		}
		// Of no label the separator alone is read, as of a row that nobody has labelled.
		if t.Label = strings.TrimSpace(t.Label); f.afresh || t.Label == strings.TrimSpace(f.LabelSeparator) {
			t.Label = ""
		}
		labelled = labelled || t.Label != ""
		if err := labelling.CheckAnswer(t.Label, f.LabelSeparator); t.Label != "" && err != nil {
			if refused++; refused == 1 {
				first = fmt.Sprintf("row %s: %v", t.Row, err)
			}
			t.Label = ""
		}
		texts = append(texts, t)
	}
	if empty > 0 {
		a.Note("%s without a text left out", plural(empty, "record"))
	}
	if refused > 0 {
		a.Note("%s can be no answer, and their texts are asked (%s)", plural(refused, "label"), first)
	}
	if cmd.Flags().Changed("label") && !labelled && !f.afresh {
		a.Note("--label %s: no text has a label in that column", cmd.Flag("label").Value)
	}
	return texts, nil
}
