package dataset_test

import (
	"os"
	"path/filepath"
	"testing"

	"bayes/dataset"
	"bayes/internal/long"
	"bayes/internal/testdata"
)

// tables returns the names of the CSV files among the corpora.
func tables(t *testing.T) (names []string) {
	t.Helper()
	dir := testdata.Dir(t)
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.csv"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no tables in %s: %v", dir, err)
	}
	for _, p := range paths {
		name, err := filepath.Rel(dir, p)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.ToSlash(name))
	}
	return names
}

// The sizes are those of SOURCES.md beside the corpora.
func TestCorpora(t *testing.T) {
	income := &dataset.Options{Label: "income", Numeric: []string{"age"}, Categorical: []string{"workclass", "sex"}}
	for _, tt := range []struct {
		name              string
		opts              *dataset.Options
		examples, classes int
	}{
		{"20news/train.csv", nil, 11314, 20},
		{"20news/test.csv", nil, 7532, 20},
		{"nsmc/train.csv", nil, 150000, 2},
		{"livedoor/train.csv", nil, 5893, 9},
		{"langid/train.csv", nil, 59312, 75},
		{"adult/train.csv", income, 32561, 2},
		{"sms/spam.csv", &dataset.Options{Label: "v1", Text: []string{"v2"}}, 5572, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := testdata.Path(t, tt.name)
			s, err := dataset.Open([]string{path}, nil, tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			examples, classes := count(t, s)
			if examples != tt.examples || classes != tt.classes {
				t.Errorf("got %d examples of %d classes, want %d of %d", examples, classes, tt.examples, tt.classes)
			}
			info, _ := os.Stat(path)
			if s.Size() != info.Size() || s.BytesRead() != info.Size() {
				t.Errorf("Size %d, BytesRead %d; the file has %d", s.Size(), s.BytesRead(), info.Size())
			}
		})
	}
}

// Raw mail is in many encodings. As latin1, all of it can be read; as mail, it is what it is.
func TestMail(t *testing.T) {
	long.Test(t, "a folder of 6,046 mails")
	for _, opts := range []*dataset.Options{{Format: "dir", Encoding: "latin1"}, nil} {
		s, err := dataset.Open([]string{testdata.Path(t, "spamassassin")}, nil, opts)
		if err != nil {
			t.Fatal(err)
		}
		if examples, classes := count(t, s); examples != 6046 || classes != 2 {
			t.Errorf("got %d examples of %d classes, want 6046 of 2", examples, classes)
		}
		if s.Size() != s.BytesRead() || s.Size() == 0 {
			t.Errorf("Size %d, BytesRead %d", s.Size(), s.BytesRead())
		}
	}
}

func count(t *testing.T, s *dataset.Source) (examples, classes int) {
	t.Helper()
	labels := make(map[string]bool)
	for ex, err := range s.Examples() {
		if err != nil {
			t.Fatal(err)
		}
		labels[ex.Label] = true
		examples++
	}
	return examples, len(labels)
}
