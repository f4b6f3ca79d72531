package bayes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bayes/internal/bags"
	"bayes/internal/doubledouble"
	"bayes/internal/intern"
	"bayes/internal/labelset"
	"bayes/internal/prefetch"
	"bayes/internal/sparse"
	"bayes/internal/sweep"
	"bayes/internal/unlabelled"
	"bayes/text"
)

// Errors returned by [Fit]. Its other errors name the law that the counts break, if no
// examples can have them: docs/format.md lists the laws.
var (
	ErrEmpty    = errors.New("bayes: no examples")
	errNoLabel  = errors.New("bayes: an example has no label") // of Count and ReadCorpus
	ErrNegative = errors.New("bayes: more was unlearned than was learned")
)

// statistics are the sufficient statistics of one block, as an event model reads them: the classes
// sorted by label, and for each feature the row of its moments. They share the rows of the Counts,
// and do not change.
//
// Cells name a class by its ID in the Counts. All slices by class go by its index among the sorted
// labels of the classes that exist: sortedIndex turns an ID into that index, and ids an index into
// the ID.
type statistics struct {
	id          blockID
	classes     []string
	examples    []int64          // by class: those that have the block
	weight      []float64        // by class: their weight
	index       *intern.Table    // the names of the features, by ID
	rows        sparse.Rows      // by feature ID
	numbers     []sparse.Numbers // by class; of a number only
	ids         []int            // by class: its ID
	sortedIndex []int            // by class ID; -1 if the class does not exist
	declared    bool             // whether every name of the index is a feature, seen or not
	full        bool             // whether no row is empty
	size        int              // how many features exist: |V|
	histogram   *sparse.Table    // of a text, if kept
	threshold   float64          // the value above which a feature is present
	subwords    float64          // what a subword counts; 0 if the analyzer has none
	negative    bool             // whether a sum is negative
	exact       bool             // whether sums over features are exact
	sums        []float64        // by class: the Sum over all features, if it is exact; else nil
	tallied     *sparse.Totals   // of the cells, while a model is fitted, if they are known
	sets        *statistics      // of sets of labels, where the classes are labels; else nil
}

// collect collects the statistics of the blocks of c, the main text first. The error is [ErrEmpty],
// [ErrNegative], or names the law that c breaks.
func collect(c *Counts) ([]*statistics, error) {
	all, err := c.collect()
	if err == nil && c.space.LabelSeparator != "" {
		return byLabels(all, c.space.LabelSeparator)
	}
	if err == nil && slices.ContainsFunc(all[0].classes, unlabelled.Is) {
		// What is labelled and what is not keeps the laws by itself. Models read the sum.
		return c.relabel(func(label string) string { return strings.TrimSuffix(label, unlabelled.Label("")) }).collect()
	}
	return all, err
}

func (c *Counts) collect() ([]*statistics, error) {
	// Classes are sorted by label, and those without examples are left out: their index stays -1.
	ids := c.order()
	sortedIndex := make([]int, len(c.classes))
	for k := range sortedIndex {
		sortedIndex[k] = -1
	}
	var total float64
	for p, k := range ids {
		sortedIndex[k] = p
		cl := &c.classes[k]
		if err := cl.checkLaws(); err != nil {
			return nil, err
		}
		total += cl.weight
	}
	if math.IsNaN(total) || math.IsInf(total, 0) {
		return nil, fmt.Errorf("bayes: the weights of the examples sum to %v: each must be a number, and at most 1e150", total)
	}
	var all []*statistics
	for _, b := range c.blocks {
		if !b.live() && b.id != (blockID{}) { // all of it was unlearned, as if it had never been
			continue
		}
		s, err := c.collectBlock(b, ids, sortedIndex)
		if err != nil {
			return nil, err
		}
		if b.id.kind == histogramBlock { // not a block of its own, but what Evidence reads of a text
			attach(all, b)
			continue
		}
		s.declareAll(c, b)
		if s.size > 0 || b.id == (blockID{}) {
			all = append(all, s)
		}
	}
	if total <= 0 {
		return nil, ErrEmpty
	}
	return all, nil
}

// collectBlock collects the statistics of one block, and checks them.
func (c *Counts) collectBlock(b *block, ids, sortedIndex []int) (*statistics, error) {
	index := b.table.Index // a snapshot, as the rows are
	s := &statistics{
		id: b.id, index: &index, rows: b.table.Snapshot(), size: b.size(), ids: ids,
		full: b.table.Live == len(b.table.Rows), sortedIndex: sortedIndex, threshold: c.space.Threshold,
		tallied: b.table.Totals(), subwords: c.space.subwords(),
		classes: make([]string, 0, len(ids)), examples: make([]int64, 0, len(ids)), weight: make([]float64, 0, len(ids)),
	}
	for _, k := range ids {
		// All examples have the main text, and are counted with the class alone. Histograms are
		// bounded by the class too.
		seen := c.classes[k].tally
		if b.id != (blockID{}) && b.id.kind != histogramBlock {
			seen = b.seenIn(k)
		}
		if err := b.checkLaws(k, seen, &c.classes[k]); err != nil {
			return nil, err
		}
		s.classes = append(s.classes, c.classes[k].label)
		s.examples = append(s.examples, seen.examples)
		s.weight = append(s.weight, seen.weight)
		if b.id.kind == numberAttr {
			s.numbers = append(s.numbers, b.numberIn(k))
		}
	}
	if s.tallied != nil && s.sumTallied() {
		return s, nil
	}
	return s, s.inspect()
}

// sumTallied sets what inspect finds from the totals of the cells. It reports false if something is wrong
// with a cell.
func (s *statistics) sumTallied() bool {
	all := 0.0
	s.sums = make([]float64, 0, len(s.ids))
	for p, k := range s.ids {
		of := s.tallied.Class(k)
		if most := of.Most(); most > s.examples[p] || float64(most) > s.weight[p]+slack(s.weight[p]) {
			return false
		}
		all += float64(of.Sum)
		s.sums = append(s.sums, float64(of.Sum))
	}
	if s.exact = all < 1<<53; !s.exact {
		s.sums = nil
	}
	return true
}

// checkLaws returns an error if no examples can give a class such totals.
func (cl *class) checkLaws() error {
	if cl.examples < 0 || cl.weight < 0 || cl.examples == 0 && cl.weight != 0 {
		return ErrNegative
	}
	if of, _ := unlabelled.Class(cl.label); strings.ContainsAny(of, "\t\r\n") {
		return fmt.Errorf("bayes: class %.100q: a label has no tab and no line end in it", cl.label)
	}
	return nil
}

// checkLaws returns an error if no examples can give class k such sums of the block: more examples
// than the class has, or squares of numbers that are negative.
func (b *block) checkLaws(k int, seen tally, cl *class) error {
	if seen.examples < 0 || seen.weight < 0 || seen.examples == 0 && b.has(k) {
		return ErrNegative
	}
	if seen.examples > cl.examples || seen.weight > cl.weight+slack(cl.weight) {
		return fmt.Errorf("bayes: %s is in %d examples of class %q, of weight %v, which has %d, of weight %v",
			b.id, seen.examples, cl.label, seen.weight, cl.examples, cl.weight)
	}
	n := b.numberIn(k)
	if !n.Finite() {
		return fmt.Errorf("bayes: the sums of %s in class %q are beyond the largest number: its values or weights are too large", b.id, cl.label)
	}
	if least := min(n.Squares.Hi, n.PlainSquares.Hi); least < -slack(seen.weight) {
		return fmt.Errorf("bayes: the squares of %s in class %q sum to %v", b.id, cl.label, least)
	}
	return nil
}

// slack is how far above the weight of all examples rounding may take a sum, after some examples
// have been unlearned.
func slack(weight float64) float64 { return 1e-6 * max(1, weight) }

// inspect checks each cell and adds up the sums of each class. It does both in one pass, since the
// cells are more than the caches hold.
func (s *statistics) inspect() error {
	exact := true
	classes := make([]struct {
		examples           uint64
		most, least, added float64 // bounds of what is present, and the sum over features
	}, len(s.sortedIndex))
	for p, k := range s.ids {
		w := s.weight[p]
		classes[k].examples, classes[k].most, classes[k].least = uint64(s.examples[p]), w+slack(w), -slack(w)
	}
	for row := range s.eachRow {
		for j := range row {
			c := &row[j]
			cl := &classes[c.Class]
			// As an unsigned number, 0 or a negative number of examples, less 1, is above any bound,
			// so one comparison checks both ends.
			if uint64(c.Examples-1) >= cl.examples || !(c.Present <= cl.most && c.Present >= cl.least) {
				return s.unlawful(c)
			}
			s.negative = s.negative || c.Sum < 0
			exact = exact && float64(int64(c.Sum)) == c.Sum
			cl.added += c.Sum
		}
	}
	// Sums of whole numbers that are not negative are exact up to 2^53.
	all := 0.0
	for p, k := range s.ids {
		sum := classes[k].added
		if math.IsNaN(sum) || math.IsInf(sum, 0) {
			return fmt.Errorf("bayes: the values of %s in class %q sum to %v: they or their weights are too large", s.id, s.classes[p], sum)
		}
		all += sum
	}
	if s.exact = exact && !s.negative && all < 1<<53; s.exact {
		for _, k := range s.ids {
			s.sums = append(s.sums, classes[k].added)
		}
	}
	return nil
}

// unlawful says what is wrong with a cell: an example has a feature once or not.
func (s *statistics) unlawful(c *sparse.Cell) error {
	if c.Examples <= 0 {
		return ErrNegative
	}
	i := slices.IndexFunc(s.rows.List(), func(row []sparse.Cell) bool {
		return slices.ContainsFunc(row, func(other sparse.Cell) bool { return other == *c })
	})
	p := s.sortedIndex[c.Class]
	return fmt.Errorf("bayes: feature %.100q is in %d examples of class %q, of weight %v, and %s in %d, of weight %v",
		s.id.feature(string(s.index.Bytes(i))), c.Examples, s.classes[p], c.Present, s.id, s.examples[p], s.weight[p])
}

// attach gives the statistics of a text its histograms, whose blocks are the last.
func attach(all []*statistics, b *block) {
	id := blockID{textAttr, b.id.name}
	if i, ok := slices.BinarySearchFunc(all, id, func(s *statistics, id blockID) int { return s.id.compare(id) }); ok {
		all[i].histogram = b.table
	}
}

// declareAll makes declared terms and values features of s.
func (s *statistics) declareAll(c *Counts, b *block) {
	switch {
	case c.vocabulary != nil && b.id.kind == textAttr:
		s.declare(c.vocabulary, b.table)
	case b.id.kind == categoryAttr && len(c.space.Values[b.id.name]) > 0:
		var values intern.Table // not the table's, which has the names of what was unlearned too
		for _, i := range b.table.Sorted() {
			values.Insert(b.table.Index.Key(i), b.table.Index.Bytes(i))
		}
		for _, v := range c.space.Values[b.id.name] {
			values.Insert(intern.KeyOf([]byte(v)), []byte(v))
		}
		s.declare(&values, b.table)
	}
}

// declare makes the names of a vocabulary the features of s, whether or not an example has them.
func (s *statistics) declare(vocabulary *intern.Table, t *sparse.Table) {
	s.index, s.declared, s.size, s.sums, s.tallied = vocabulary, true, vocabulary.Len(), nil, nil
	rows := make([][]sparse.Cell, s.size)
	for i := range rows {
		if j, ok := t.Index.Lookup(vocabulary.Key(i), vocabulary.Bytes(i)); ok {
			rows[i] = s.rows.At(j)
		}
	}
	s.rows = sparse.RowsOf(rows)
}

// has reports whether feature i exists. One that is in examples without a label alone is in no label's row, and does.
func (s *statistics) has(i int) bool {
	return s.declared || s.full || len(s.rows.At(i)) > 0 || s.sets != nil && len(s.sets.rows.At(i)) > 0
}

// isSubword reports whether a term is one of a word's.
func (s *statistics) isSubword(name []byte) bool { return s.subwords > 0 && text.IsSubword(name) }

// lookup returns the ID of a feature, and whether it exists.
func (s *statistics) lookup(t bags.Term) (int, bool) {
	i, ok := int(t.ID-1), true
	if t.ID <= 0 {
		i, ok = s.index.Lookup(t.Key, t.Name)
	}
	return i, ok && i < s.rows.Len() && s.has(i)
}

// find looks up as many as [intern.Batch] features at once, so that their cache misses overlap. It
// sets numbers to their IDs, and to -1 where a feature does not exist.
func (s *statistics) find(terms []bags.Term, numbers []int32) {
	var keys [intern.Batch]intern.Key
	named := terms // up to the last one that is not known by its ID alone
	for len(named) > 0 && named[len(named)-1].ID > 0 {
		named = named[:len(named)-1]
	}
	for j := range named {
		keys[j] = named[j].Key
	}
	// Find compares keys. Those of long names are hashes: their bits in uncertain are set, and the
	// names have to be compared.
	uncertain := s.index.Find(keys[:len(named)], numbers)
	for j := range terms {
		t, i := &terms[j], int(numbers[j])
		if t.ID > 0 { // known by its ID alone
			i = int(t.ID - 1)
		} else if uncertain>>j&1 != 0 && !s.index.Confirm(numbers[j], t.Key, t.Name) {
			i, _ = s.index.Lookup(t.Key, t.Name)
		}
		if i >= s.rows.Len() || i >= 0 && !s.has(i) {
			i = -1
		}
		numbers[j] = int32(i)
	}
}

// at returns the moments of feature i in the class of sorted index k.
func (s *statistics) at(i, k int) sparse.Moments {
	for _, c := range s.rows.At(i) {
		if s.sortedIndex[c.Class] == k {
			return c.Moments
		}
	}
	return sparse.Moments{}
}

// existing returns the IDs of the features that exist.
func (s *statistics) existing() []int {
	var numbers []int
	for i := range s.rows.Len() {
		if s.has(i) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// sorted returns the IDs of the features that exist, sorted by name.
func (s *statistics) sorted() []int {
	numbers := s.existing()
	s.index.Sort(numbers)
	return numbers
}

// eachRow yields all rows. It prefetches some rows at a time, since they may lie in memory in any
// order.
func (s *statistics) eachRow(yield func([]sparse.Cell) bool) {
	for _, rows := range s.rows.Parts() {
		prefetch.First(rows)
		for _, row := range rows {
			if !yield(row) {
				return
			}
		}
	}
}

// totalSums returns the sums of each class over all features.
func (s *statistics) totalSums() []float64 {
	if s.sums != nil {
		return s.sums
	}
	return s.totals(func(m sparse.Moments) float64 { return m.Sum })
}

// totals returns, for each class, the sum over all features of value(moments).
func (s *statistics) totals(value func(sparse.Moments) float64) []float64 {
	acc := make([]doubledouble.Sum, len(s.classes))
	for row := range s.eachRow {
		for _, c := range row {
			acc[s.sortedIndex[c.Class]].Add(value(c.Moments))
		}
	}
	totals := make([]float64, len(acc))
	for k := range acc {
		totals[k] = acc[k].Float()
	}
	return totals
}

// nonNegative returns an error that names the first feature, if there is one,
// whose sum is negative beyond what rounding explains.
func (s *statistics) nonNegative(model string) error {
	if !s.negative {
		return nil
	}
	for i, row := range s.rows.All() {
		for _, c := range row {
			if c.Sum < -1e-9*math.Max(1, float64(c.Examples)) {
				return fmt.Errorf("%s needs counts, but feature %q sums to %v in class %q",
					model, s.index.Bytes(i), c.Sum, s.classes[s.sortedIndex[c.Class]])
			}
		}
	}
	return nil
}

// moments returns what was counted of f in the class of sorted index k.
func (s *statistics) moments(f bags.Term, k int) Moments {
	if s.id.kind == numberAttr {
		return Moments{s.examples[k], s.weight[k], s.numbers[k].Sum.Float(), s.numbers[k].Squares.Float()}
	}
	if s.index == nil { // a frozen model's
		return Moments{}
	}
	if i, ok := s.lookup(f); ok {
		return public(s.at(i, k))
	}
	return Moments{}
}

// byLabels returns statistics of labels, given those of sets of labels. A label has the sum of the sets that it is
// in, and its rest is what the sum of all sets has more.
func byLabels(all []*statistics, separator string) ([]*statistics, error) {
	labels, members := labelset.Members(all[0].classes, separator)
	if len(labels) == 0 {
		return nil, fmt.Errorf("bayes: no example has a label between separators %q", separator)
	}
	for i, s := range all {
		all[i] = s.byLabels(labels, members)
		if err := all[i].inspect(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *statistics) byLabels(labels []string, members [][]int) *statistics {
	r, of := *s, make([][]int, len(s.sortedIndex))
	r.sets, r.classes, r.tallied, r.sums, r.ids = s, labels, nil, nil, nil
	r.examples, r.weight, r.numbers = make([]int64, len(labels)), make([]float64, len(labels)), nil
	for k := range labels {
		r.ids = append(r.ids, k)
	}
	for p, list := range members {
		of[s.ids[p]] = list
		for _, k := range list {
			r.examples[k] += s.examples[p]
			r.weight[k] += s.weight[p]
		}
	}
	r.sortedIndex, r.rows = r.ids, s.rows.Merged(len(labels), of)
	return &r
}

// restOf returns the moments of f in all examples that lack a label, given those of the label.
func (s *statistics) restOf(f bags.Term, m Moments) (rest Moments) {
	if s.index == nil { // a frozen model's
		return rest
	}
	if i, ok := s.lookup(f); ok {
		for _, c := range s.sets.rows.At(i) {
			rest = Moments{rest.Examples + c.Examples, rest.Present + c.Present, rest.Sum + c.Sum, 0}
		}
	}
	return Moments{rest.Examples - m.Examples, rest.Present - m.Present, rest.Sum - m.Sum, 0}
}

// whole returns the statistics whose classes add up to all examples: s, or those of sets.
func (s *statistics) whole() *statistics {
	if s.sets != nil {
		return s.sets
	}
	return s
}

// rowSum returns the sum of feature i over all examples; row is that of s.
func (s *statistics) rowSum(i int, row []sparse.Cell) float64 {
	if s.sets != nil {
		row = s.sets.rows.At(i)
	}
	return sparse.RowSum(row)
}

// complementTotals returns Σ T(t,¬c) for each class c.
func (s *statistics) complementTotals() []float64 {
	return sweep.Complements(s.totalSums(), s.whole().totalSums())
}
