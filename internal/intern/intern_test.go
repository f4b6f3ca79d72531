package intern

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// Numbers follow first appearance, and a clone goes its own way.
func TestTable(t *testing.T) {
	var table Table
	const n = 10_000
	for round := range 2 {
		for i := range n {
			b := fmt.Appendf(nil, "term-%d", i)
			if got := table.Insert(KeyOf(b), b); got != i {
				t.Fatalf("round %d: Insert(%s) = %d, want %d", round, b, got, i)
			}
		}
	}
	clone := table.Clone()
	clone.Insert(KeyOf([]byte("new")), []byte("new"))
	if _, ok := table.Lookup(KeyOf([]byte("new")), []byte("new")); ok || table.Len() != n {
		t.Error("a clone's insertion reached the original")
	}
	if got := string(clone.Bytes(1234)); got != "term-1234" {
		t.Errorf("Bytes(1234) = %q", got)
	}
	if _, ok := new(Table).Lookup(KeyOf(nil), nil); ok {
		t.Error("the empty table knows the empty string")
	}
}

// zipfWords returns n different words, and the words of a text in which they are as
// frequent as words are.
func zipfWords(n, length int) (words, text [][]byte) {
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 4, uint64(n-1))
	for i := range n {
		words = append(words, fmt.Appendf(make([]byte, 0, 16), "w%d", i*7919))
	}
	for range length {
		text = append(text, words[zipf.Uint64()])
	}
	return words, text
}

// BenchmarkInsert measures what a Table replaces, a map of Go, while it is filled.
func BenchmarkInsert(b *testing.B) {
	words, _ := zipfWords(1<<17, 0)
	b.Run("way=map", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			numberByMap(words)
		}
	})
	b.Run("way=table", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			numberByTable(words)
		}
	})
}

// BenchmarkCount measures what a Table replaces, a map of Go, while the words of a text
// are counted by their numbers.
func BenchmarkCount(b *testing.B) {
	words, text := zipfWords(1<<17, 1<<20)
	numbers, table := numberByMap(words), numberByTable(words)
	for _, way := range []struct {
		name  string
		count func(counts []int32)
	}{
		{"map", func(counts []int32) {
			for _, w := range text {
				counts[numbers[string(w)]]++
			}
		}},
		{"lookup", func(counts []int32) {
			for _, w := range text {
				n, _ := table.Lookup(KeyOf(w), w)
				counts[n]++
			}
		}},
		{"find", func(counts []int32) { countByFind(table, text, counts) }},
	} {
		b.Run("way="+way.name, func(b *testing.B) {
			counts := make([]int32, len(words))
			for b.Loop() {
				way.count(counts)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(text)), "ns/word")
		})
	}
}

func numberByMap(words [][]byte) map[string]int32 {
	numbers := make(map[string]int32)
	for _, w := range words {
		if _, ok := numbers[string(w)]; !ok {
			numbers[string(w)] = int32(len(numbers))
		}
	}
	return numbers
}

func numberByTable(words [][]byte) *Table {
	t := new(Table)
	for _, w := range words {
		t.Insert(KeyOf(w), w)
	}
	return t
}

// countByFind counts words as counters do, a stage at a time.
func countByFind(t *Table, text [][]byte, counts []int32) {
	var keys [Batch]Key
	var numbers [Batch]int32
	for from := 0; from < len(text); from += Batch {
		stage := text[from:min(from+Batch, len(text))]
		for j, w := range stage {
			keys[j] = KeyOf(w)
		}
		uncertain := t.Find(keys[:len(stage)], numbers[:len(stage)])
		for ; uncertain != 0; uncertain &= uncertain - 1 {
			j := bits.TrailingZeros64(uncertain)
			if !t.Confirm(numbers[j], keys[j], stage[j]) {
				n, _ := t.Lookup(keys[j], stage[j])
				numbers[j] = int32(n)
			}
		}
		for _, n := range numbers[:len(stage)] {
			counts[n]++
		}
	}
}

// BenchmarkSort measures what Sort replaces, on one core and on all.
func BenchmarkSort(b *testing.B) {
	words, _ := zipfWords(1<<17, 0)
	table := numberByTable(words)
	numbers := make([]int, len(words))
	for _, way := range []struct {
		name string
		sort func()
	}{
		{"compare", func() {
			slices.SortFunc(numbers, func(i, j int) int { return bytes.Compare(table.Bytes(i), table.Bytes(j)) })
		}},
		{"one-core", func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			table.Sort(numbers)
		}},
		{"cores", func() { table.Sort(numbers) }},
	} {
		b.Run("way="+way.name, func(b *testing.B) {
			for b.Loop() {
				for i := range numbers {
					numbers[i] = i
				}
				way.sort()
			}
		})
	}
}

// Keys tell strings of all lengths apart, whatever stands behind them in memory.
func TestKeys(t *testing.T) {
	var table Table
	room := make([]byte, 0, 64)
	seen := make(map[string]int)
	for length := range 20 {
		for _, fill := range []string{"\x00", "a", "\xff"} {
			b := append(room[:0], bytes.Repeat([]byte(fill), length)...)
			copy(b[len(b):cap(b)], "what is left of an earlier string, and more of it")
			if k := KeyOf(b); k != KeyOf(bytes.Clone(b)) {
				t.Errorf("the key of %q depends on what follows", b)
			} else if i, ok := seen[string(b)]; !ok {
				seen[string(b)] = table.Insert(k, b)
			} else if got := table.Insert(k, b); got != i {
				t.Errorf("%q is %d, was %d", b, got, i)
			}
		}
	}
	if table.Len() != len(seen) {
		t.Errorf("%d strings have %d numbers", len(seen), table.Len())
	}
}

// What Find is certain of is right, and what it is not Confirm is sure of; whichever way
// it is done, it is the same. Most strings are found.
func TestFind(t *testing.T) {
	var table Table
	terms := make([][]byte, 5000)
	keys, numbers := make([]Key, len(terms)), make([]int32, len(terms))
	for i := range terms {
		terms[i] = fmt.Appendf(nil, "%0*d", 1+i%25, i)
		keys[i] = KeyOf(terms[i])
	}
	certain := make([]bool, len(terms))
	find := func(size int) {
		plain := make([]int32, size)
		for from := 0; from < len(keys); from += size {
			to := min(from+size, len(keys))
			uncertain := table.Find(keys[from:to], numbers[from:to])
			if table.Len() > 0 {
				if want := table.find(keys[from:to], plain[:to-from]); uncertain != want || !slices.Equal(numbers[from:to], plain[:to-from]) {
					t.Fatalf("of keys %d to %d: %v, %b uncertain, want %v, %b", from, to, numbers[from:to], uncertain, plain[:to-from], want)
				}
			}
			for i := range to - from {
				certain[from+i] = uncertain>>i&1 == 0
			}
			if uncertain>>(to-from) > 0 {
				t.Fatalf("of %d keys: %b", to-from, uncertain)
			}
		}
	}
	find(Batch)
	for i := range terms {
		if certain[i] || table.Confirm(numbers[i], keys[i], terms[i]) {
			t.Fatalf("the empty table knows %s", terms[i])
		}
	}
	for i, term := range terms {
		if i%3 > 0 { // so that keys are looked for that are not there
			table.Insert(keys[i], term)
		}
		if size := 1 + i%Batch; i%100 == 0 {
			find(size)
		}
	}
	find(Batch)
	right := 0
	for i, term := range terms {
		want, ok := table.Lookup(keys[i], term)
		if certain[i] || table.Confirm(numbers[i], keys[i], term) {
			right++
			if !ok || int(numbers[i]) != want {
				t.Fatalf("%s is %d %v, found as %d, certain %v", term, want, ok, numbers[i], certain[i])
			}
		}
		if certain[i] && !keys[i].Exact() {
			t.Fatalf("%s is certain by its hash", term)
		}
	}
	if right < len(terms)/3 {
		t.Errorf("%d of %d strings were found", right, len(terms))
	}
	if table.Find(nil, nil) != 0 {
		t.Error("no key is uncertain")
	}
	defer func() {
		if recover() == nil {
			t.Error("more keys than a stage are taken")
		}
	}()
	table.Find(keys[:Batch+1], numbers)
}

// BenchmarkFind measures what instructions written for the processor replace, on strings
// as frequent as words are.
func BenchmarkFind(b *testing.B) {
	var table Table
	keys, numbers := make([]Key, 1<<20), make([]int32, Batch)
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 4, 1<<17)
	for i := range 1 << 17 {
		s := fmt.Appendf(nil, "w%d", i)
		table.Insert(KeyOf(s), s)
	}
	for i := range keys {
		keys[i] = table.Key(int(zipf.Uint64()))
	}
	for _, way := range []struct {
		name string
		find func([]Key, []int32) uint64
	}{{"go", table.find}, {"assembled", table.Find}} {
		b.Run("way="+way.name, func(b *testing.B) {
			at := 0
			for b.Loop() {
				way.find(keys[at:at+Batch], numbers)
				at = (at + Batch) % len(keys)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*Batch), "ns/key")
		})
	}
}

func TestSort(t *testing.T) {
	var table Table
	var numbers []int
	add := func(b []byte) {
		if n := table.Insert(KeyOf(b), b); n == len(numbers) {
			numbers = append(numbers, n)
		}
	}
	for i := range 20_000 {
		b := fmt.Appendf(nil, "%x\x00%d", i*7919%5000, i%3)
		if i%2 == 0 {
			b = b[:len(b)-2]
		}
		add(b)
		add(append([]byte("a long beginning that many have "), b...))
	}
	for n := range 40 {
		add(make([]byte, n)) // all of them zeros
		add(append(bytes.Repeat([]byte("x"), 100), fmt.Sprint(n*7919%40)...))
	}
	for _, n := range []int{0, 1, 2, 99, 102, 1 << 13, len(numbers)} {
		some := slices.Clone(numbers[len(numbers)-n:])
		rand.Shuffle(n, func(i, j int) { some[i], some[j] = some[j], some[i] })
		table.Sort(some)
		if !slices.IsSortedFunc(some, func(a, b int) int { return bytes.Compare(table.Bytes(a), table.Bytes(b)) }) {
			t.Errorf("%d are not sorted", n)
		}
	}
	for _, cores := range []int{1, 2, 3, 8} {
		list := make([]sortKey, len(numbers))
		for i := range list {
			list[i].number = int32(i)
		}
		table.sort(list, 0, cores)
		if !slices.IsSortedFunc(list, func(a, b sortKey) int {
			return bytes.Compare(table.Bytes(int(a.number)), table.Bytes(int(b.number)))
		}) {
			t.Errorf("not sorted on %d cores", cores)
		}
	}
}

// Strings appended at once are as if inserted one by one.
func TestAppendAll(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for _, n := range []int{0, 1, 48, 49, 5000, 49000, 24575} { // the last two nearly fill an index
		var table, want Table
		for round, first := range []int{0, n} {
			for i := range n {
				b := fmt.Appendf(nil, "%0*d", 1+i%25, first+i)
				b = append(b, fmt.Sprint(" ", first+i)...)
				want.Insert(KeyOf(b), b)
			}
			if all := func(b []byte, i int) []byte { return append(b, want.Bytes(first+i)...) }; n%2 == round {
				table.AppendAll(n, all)
				continue
			}
			table.Extend(n/2, n, func(add func(b []byte)) { // room for some of them
				for i := range n {
					add(want.Bytes(first + i))
				}
			})
		}
		for i := range want.Len() {
			if got, ok := table.Lookup(want.Key(i), want.Bytes(i)); !ok || got != i || !bytes.Equal(table.Bytes(i), want.Bytes(i)) {
				t.Fatalf("string %d of %d is %d %v", i, want.Len(), got, ok)
			}
		}
		if table.Len() != want.Len() {
			t.Errorf("%d strings, want %d", table.Len(), want.Len())
		}
	}
}

// Whatever the seeds, strings that differ little are spread over the index as well as
// random ones: half of the slots taken, half a slot beyond the first on average.
func TestSpread(t *testing.T) {
	const n = 1 << 13
	sets := map[string]func(i int) []byte{
		"numbers":  func(i int) []byte { return fmt.Appendf(nil, "%08d", i) },
		"integers": func(i int) []byte { return []byte{0, 0, 0, 0, 0, byte(i >> 8), byte(i)} },
		"pairs":    func(i int) []byte { return fmt.Appendf(nil, "%c%c", '一'+i/100, '一'+i%100) },
		"suffixes": func(i int) []byte { return fmt.Appendf(nil, "term%04x", i) },
		"longer":   func(i int) []byte { return fmt.Appendf(nil, "a longer %06d", i) },
	}
	before := seeds
	defer func() { seeds = before }()
	for name, set := range sets {
		terms := make([][]byte, n)
		for i := range terms {
			terms[i] = set(i)
		}
		for seed := range 150 {
			seeds = [2]uint64{rand.Uint64(), rand.Uint64()}
			var table Table
			table.slots = make([]uint32, 2*n)
			distance := 0
			for i, b := range terms {
				table.Insert(KeyOf(b), b)
				mask := uint32(len(table.slots) - 1)
				for at := uint32(KeyOf(b).Hash()); table.slots[at&mask]&mask != uint32(i+1); at++ {
					distance++
				}
			}
			if mean := float64(distance) / n; mean > 1 {
				t.Errorf("%s, seed %d: %.1f slots beyond the first", name, seed, mean)
			}
		}
	}
}
