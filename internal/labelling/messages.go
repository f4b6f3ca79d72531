package labelling

import (
	"cmp"

	"bayes/answer"
)

// A response is what every request is answered with.
type response struct {
	State    state        `json:"state"`
	Question *question    `json:"question,omitempty"`
	Asked    bool         `json:"asked"` // whether there would be a question, if one is left
	Was      *outcome     `json:"was,omitempty"`
	Recent   []recentText `json:"recent,omitempty"`
}

// A state is a Progress in JSON.
type state struct {
	Run        string        `json:"run"` // which one of the command this is: numbers of texts are of it
	File       string        `json:"file"`
	Texts      int           `json:"texts"`
	Answered   int           `json:"answered"`
	Mine       int           `json:"mine"`
	Who        string        `json:"who"`
	Order      string        `json:"order"`
	None       string        `json:"none"`
	Separator  string        `json:"label_separator,omitempty"`
	Classes    []class       `json:"classes"`
	People     []personOf    `json:"people"`
	Agreements []agreementOf `json:"agreements"`
	Measured   int           `json:"measured"`
	MicroF1    answer.Real   `json:"micro_f1,omitempty"`
	Measuring  bool          `json:"measuring"`
	Learning   bool          `json:"learning"`
	Points     []point       `json:"points"`
	Gain       *gainOf       `json:"gain,omitempty"`
	Unanswered *unansweredOf `json:"unanswered,omitempty"`
	Train      string        `json:"train,omitempty"` // the command that trains such a model
	Trouble    string        `json:"trouble,omitempty"`
	Version    int           `json:"version"`
}

type class struct {
	Name  string `json:"name"`
	Words string `json:"words,omitempty"`
	Texts int    `json:"texts"`
}

type personOf struct {
	Name    string `json:"name"`
	Answers int    `json:"answers"`
}

type agreementOf struct {
	A     string      `json:"a"`
	B     string      `json:"b"`
	Texts int         `json:"texts"`
	Same  int         `json:"same"`
	Kappa answer.Real `json:"kappa"`
}

type point struct {
	Texts    int         `json:"texts"`
	Accuracy answer.Real `json:"accuracy"`
	Low      answer.Real `json:"low"`
	High     answer.Real `json:"high"`
}

// unansweredOf is what texts without an answer do, if they help, and when a measured one says how much.
type unansweredOf struct {
	Measured int         `json:"measured"`
	Accuracy answer.Real `json:"accuracy"`
	Low      answer.Real `json:"low"`
	High     answer.Real `json:"high"`
	Alone    answer.Real `json:"alone"`
}

type gainOf struct {
	From int     `json:"from"`
	To   int     `json:"to"`
	Mean float64 `json:"mean"`
	Most float64 `json:"most"`
	Pays bool    `json:"pays"`
}

func (h *handler) state(who string) state {
	p := h.session.Progress()
	st := state{
		Run: h.run, File: h.session.File(), Texts: h.session.Len(), Answered: p.Answered, Who: who, Order: h.opts.Order, None: None, Separator: h.session.LabelSeparator(),
		Classes: []class{}, People: []personOf{}, Agreements: []agreementOf{}, Points: []point{},
		Measured: p.Quality.Measured, MicroF1: answer.Real(p.Quality.MicroF1), Measuring: p.Measuring, Learning: p.Learning || p.Reading, Version: p.Version,
	}
	if st.Separator != "" {
		st.None = st.Separator
	}
	for _, c := range p.Classes {
		st.Classes = append(st.Classes, class(c))
	}
	for _, one := range p.People {
		st.People = append(st.People, personOf(one))
		if one.Name == who {
			st.Mine = one.Answers
		}
	}
	for _, a := range p.Agreements {
		st.Agreements = append(st.Agreements, agreementOf{a.A, a.B, a.Texts, a.Same, answer.Real(a.Kappa)})
	}
	for _, q := range p.Quality.Points {
		st.Points = append(st.Points, point{q.Texts, answer.Real(q.Accuracy), answer.Real(q.Low), answer.Real(q.High)})
	}
	if g := p.Quality.Gain; g.Known {
		st.Gain = &gainOf{g.From, g.To, g.Mean, g.Most, g.Pays()}
	}
	u := p.Unanswered
	if u.Helps {
		st.Unanswered = &unansweredOf{u.Measured, answer.Real(u.Accuracy), answer.Real(u.Low), answer.Real(u.High), answer.Real(u.Alone)}
	}
	if h.opts.Train != nil {
		if st.Train = h.opts.Train(u.Helps); st.Train == "" {
			st.Train = h.opts.Train(false)
		}
	}
	if err := cmp.Or(p.Quality.Err, u.Err); err != nil {
		st.Trouble = err.Error()
	}
	return st
}

// A question is a text, and what the model makes of it: the guess and its probability, and the class that the colours
// are about. Of a text that measures the guess is withheld, since it sways
// people.
type question struct {
	Text     int           `json:"text"`
	Row      string        `json:"row"`
	Measured bool          `json:"measured"`
	Spans    []answer.Span `json:"spans"`
	Cut      bool          `json:"cut,omitempty"`
	Guess    string        `json:"guess,omitempty"`
	P        answer.Real   `json:"p,omitempty"`
	Coloured string        `json:"coloured,omitempty"`
	Against  string        `json:"against,omitempty"`
	Top      []probability `json:"top,omitempty"`
	Given    string        `json:"given,omitempty"`
	Alike    []alike       `json:"alike,omitempty"`
	More     []int         `json:"more,omitempty"` // texts that are alike, too, and are not shown
}

type probability struct {
	Label string      `json:"label"`
	P     answer.Real `json:"p"`
}

type alike struct {
	Text    int    `json:"text"`
	Excerpt string `json:"excerpt"`
}

type outcome struct {
	Text     int         `json:"text"`
	Label    string      `json:"label"`
	Guess    string      `json:"guess,omitempty"`
	P        answer.Real `json:"p,omitempty"`
	Measured bool        `json:"measured,omitempty"`
	Also     int         `json:"also,omitempty"`
}

type recentText struct {
	Text    int    `json:"text"`
	Label   string `json:"label"`
	Excerpt string `json:"excerpt"`
}
