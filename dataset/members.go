package dataset

// Members are the members of JSON objects that columns are read from. Each column has a place
// for the member of its own name, and further ones, which count if there is none, for a member
// that is spelled otherwise, and for those of another name that the column may have.
type members struct {
	index  map[string]int // the place of a member, -1 if it is not read; of members met so far
	folded map[string]int // the place of a member by its folded name
	last   map[int]string // how the member in a place was spelled, if not as its column
}

// The places of a column, behind those of the columns before it.
const (
	ownName = iota
	otherSpelling
	otherName
	otherNameSpelling
	placesEach
)

// several stands for the values of members that could each be the column.
var several = []byte("!") // no JSON

func newMembers(columns []column, opts *Options) members {
	m := members{index: make(map[string]int), folded: make(map[string]int), last: make(map[int]string)}
	for i, c := range columns {
		m.index[c.name] = i*placesEach + ownName
	}
	add := func(places map[string]int, name string, i, rank int) {
		if _, ok := places[name]; !ok {
			places[name] = i*placesEach + rank
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
	if place%placesEach == ownName {
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

// choose returns the value of column i, nil if it is absent. Where it may be, it is if several
// members could be it.
func choose(values [][]byte, i int, optional bool) []byte {
	for _, v := range values[i*placesEach:][:placesEach] {
		if v != nil && !(v[0] == several[0] && optional) {
			return v
		}
	}
	return nil
}
