package english_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bayes"
	"bayes/dataset"
	"bayes/eval"
	"bayes/internal/testdata"
	"bayes/text"
	"bayes/text/english"
	"bayes/text/stopwords"
)

// sms returns the SMS spam collection (Almeida and Hidalgo 2011), cut as
// scikit-learn's train_test_split(test_size=0.2, random_state=1) cuts it.
func sms(t *testing.T) (train, test []bayes.Example) {
	t.Helper()
	src, err := dataset.Open([]string{testdata.Path(t, "sms/spam.csv")}, nil, &dataset.Options{Label: "v1", Text: []string{"v2"}})
	if err != nil {
		t.Fatal(err)
	}
	var all []bayes.Example
	for ex, err := range src.Examples() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ex)
	}
	rows, rest := eval.SKLearnSplit(len(all), 0.2, 1)
	for _, i := range rows {
		train = append(train, all[i])
	}
	for _, i := range rest {
		test = append(test, all[i])
	}
	return train, test
}

// frequent are the words that the published classifier looks at.
var frequent = []string{"call", "know", "free", "like", "good"}

func longWords(s text.Segmenter) *text.Analyzer {
	return &text.Analyzer{Segmenter: s, StopWords: stopwords.English(), MinLength: 4}
}

// The published counts are those of the classic rules; the vocabulary has one
// word less there, for an older Punkt. The others are NLTK 3.8's.
func TestSMSVocabulary(t *testing.T) {
	train, _ := sms(t)
	for _, tc := range []struct {
		segmenter text.Segmenter
		size      int
		counts    [5]float64 // of the frequent words
		spam      [5]float64 // and of the spam messages that have them
	}{
		{english.NLTKClassic, 7450, [5]float64{460, 216, 212, 204, 193}, [5]float64{263, 17, 132, 12, 10}},
		{english.NLTK, 7149, [5]float64{460, 218, 215, 204, 195}, [5]float64{263, 17, 133, 12, 10}},
	} {
		counts := bayes.NewCounts(&bayes.Space{Analyzer: longWords(tc.segmenter)})
		for _, ex := range train {
			counts.Learn(ex)
		}
		size := 0
		for range counts.Features() {
			size++
		}
		if size != tc.size {
			t.Errorf("%v: %d words, want %d", tc.segmenter, size, tc.size)
		}
		for i, word := range frequent {
			spam, ham := counts.At("spam", word), counts.At("ham", word)
			if n := spam.Sum + ham.Sum; n != tc.counts[i] {
				t.Errorf("%v: %s occurs %v times, want %v", tc.segmenter, word, n, tc.counts[i])
			}
			if spam.Present != tc.spam[i] {
				t.Errorf("%v: %v spam messages have %s, want %v", tc.segmenter, spam.Present, word, tc.spam[i])
			}
		}
		if p := counts.At("spam", "call").Present / 608; p != 0.43256578947368424 {
			t.Errorf("%v: P(call|spam) = %v", tc.segmenter, p)
		}
	}
}

// messages are how many messages of a class have which of the frequent words.
type messages struct {
	Label string
	Words string
	Train float64 // of the 4,457 messages of the training part
	Test  float64 // and of the 1,115 others
}

const messagesFile = "testdata/sms_five_words.json"

// The Example below rests on a file of counts: they are the collection's.
func TestSMSFiveWords(t *testing.T) {
	train, test := sms(t)
	a := &text.Analyzer{Segmenter: english.NLTKClassic}
	count := func(part []bayes.Example) map[messages]float64 {
		n := make(map[messages]float64)
		for _, ex := range part {
			var has []string
			words := make(map[string]bool)
			for token := range a.Tokens(ex.Text) {
				words[token.Term] = true
			}
			for _, word := range frequent {
				if words[word] {
					has = append(has, word)
				}
			}
			n[messages{Label: ex.Label, Words: strings.Join(has, " ")}]++
		}
		return n
	}
	inTrain, inTest := count(train), count(test)
	for _, m := range readMessages(t) {
		key := messages{Label: m.Label, Words: m.Words}
		if inTrain[key] != m.Train || inTest[key] != m.Test {
			t.Errorf("%v: %v and %v messages, want %v and %v", key, m.Train, m.Test, inTrain[key], inTest[key])
		}
		delete(inTrain, key)
		delete(inTest, key)
	}
	if len(inTrain)+len(inTest) > 0 {
		t.Errorf("%s lacks %v %v", filepath.Base(messagesFile), inTrain, inTest)
	}
}

func readMessages(t *testing.T) (all []messages) {
	file, err := os.ReadFile(messagesFile)
	if err == nil {
		err = json.Unmarshal(file, &all)
	}
	if err != nil && t != nil {
		t.Fatal(err)
	}
	return all
}

// Five frequent words, present or absent, do better than no words. Always to answer "ham"
// is right as often as there is ham: a figure of accuracy means nothing without
// that one beside it.
func Example_fiveWords() {
	train := bayes.NewCounts(&bayes.Space{
		Analyzer:   &text.Analyzer{Segmenter: english.NLTKClassic},
		Vocabulary: frequent,
	})
	all := readMessages(nil)
	for _, m := range all {
		train.Learn(bayes.Example{Label: m.Label, Text: m.Words, Weight: m.Train})
	}
	model, err := bayes.Fit(train, bayes.Bernoulli{Smoothing: bayes.Additive(0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, part := range []string{"training", "test"} {
		var n, right, ham float64
		for _, m := range all {
			weight := m.Train
			if part == "test" {
				weight = m.Test
			}
			n += weight
			if model.Predict(bayes.Document{Text: m.Words}).Best().Class == m.Label {
				right += weight
			}
			if m.Label == "ham" {
				ham += weight
			}
		}
		fmt.Printf("%s: %v of %v, accuracy %.4f; always ham %v, %.4f\n", part, right, n, right/n, ham, ham/n)
	}
	// Output:
	// training: 3996 of 4457, accuracy 0.8966; always ham 3849, 0.8636
	// test: 997 of 1115, accuracy 0.8942; always ham 976, 0.8753
}
