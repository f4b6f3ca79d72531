package dataset

// Members are the members of JSON objects that columns are read from. Each column has a place
// for the member of its own name, and further ones, which count if there is none, for a member
// that is spelled otherwise, and for those of another name that the column may have.
type members struct {
	columns []column
	opts    *Options
	index   map[string]int // the place of a member, -1 if it is not read; of members met so far
	folded  map[string]int // the place of a member by its folded name
	last    []string       // how the member in a place was spelled
}

// The places of a column are this many times the number of columns apart.
const (
	otherSpelling = iota + 1
	otherName
	otherNameSpelling
	placesEach
)

// several stands for the values of members of which each could be the column.
var several = []byte("!") // no JSON

func newMembers(columns []column, opts *Options) *members {
	m := &members{columns: columns, opts: opts, index: make(map[string]int), folded: make(map[string]int)}
	m.last = make([]string, m.places())
	for i, c := range columns {
		m.index[c.name] = i
	}
	add := func(places map[string]int, name string, i, rank int) {
		if _, ok := places[name]; !ok {
			places[name] = i + rank*len(columns)
		}
	}
	for i, c := range columns {
		names := c.names(opts)
		add(m.folded, fold(c.name), i, otherSpelling)
		for _, name := range names[1:] {
			add(m.index, name, i, otherName)
			add(m.folded, fold(name), i, otherNameSpelling)
		}
	}
	return m
}

func (m *members) places() int { return placesEach * len(m.columns) }

// place returns where the value of a member goes, -1 if it is not read.
func (m *members) place(key []byte) int {
	i, ok := m.index[string(key)]
	if ok {
		return i
	}
	name := string(key)
	if i, ok = m.folded[fold(name)]; !ok {
		i = -1
	}
	const most, longest = 1 << 12, 1 << 10 // objects may have names without end
	if len(m.index) < most && len(name) < longest {
		m.index[name] = i
	}
	return i
}

// spelled returns what is in a place after a member called key, whose place has held was. Of
// members of the same name the last counts.
func (m *members) spelled(place int, key, was, value []byte) []byte {
	if place < len(m.columns) {
		return value
	}
	same := m.last[place] == string(key)
	if was != nil && (!same || was[0] == several[0]) {
		return several
	}
	if !same {
		m.last[place] = string(key)
	}
	return value
}

// choose returns the value of a column, nil if it is absent.
func (m *members) choose(values [][]byte, column int) []byte {
	for i := column; i < len(values); i += len(m.columns) {
		v := values[i]
		if v == nil || v[0] == several[0] && m.columns[column].optional(m.opts) {
			continue
		}
		return v
	}
	return nil
}
