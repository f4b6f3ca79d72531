package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"go.etcd.io/bbolt"
)

// A byteRange is a part of a file.
type byteRange struct{ start, end int64 }

// clearFree overwrites the pages of a file of bbolt that are not in use. There
// must be no other writer; barrier waits for the readers that have begun.
//
// A page that a transaction frees is still in use by readers of the transaction
// before it, and in a file whose last commit was torn by a power cut it is what
// bbolt goes back to. So two empty transactions come first: then neither of the
// two first pages leads to it, and once the barrier is passed no reader does.
func clearFree(db *bbolt.DB, barrier func()) error {
	// Two empty commits: after them both first pages lead to what is committed now.
	for range 2 {
		if err := guard(func() error { return db.Update(func(*bbolt.Tx) error { return nil }) }); err != nil {
			return err
		}
	}
	// Readers that began before still use pages that have been freed since. New ones do not.
	barrier()
	// The file is written to directly: bbolt gives no access to a page that is not in use.
	f, err := os.OpenFile(db.Path(), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	free, err := freePages(f)
	if err != nil {
		return err
	}
	for _, r := range free {
		if err := zero(f, r); err != nil {
			return err
		}
	}
	return f.Sync()
}

// zero overwrites a range of a file, where it is not zero. A range that was never
// written stays a hole.
func zero(f *os.File, r byteRange) error {
	const most = 1 << 20
	b := make([]byte, min(most, r.end-r.start))
	// The range is read before it is written. What is zero already is left alone, so
	// clearing a file again costs no writes.
	for r.start < r.end {
		b := b[:min(most, r.end-r.start)]
		n, err := f.ReadAt(b, r.start)
		if n == 0 && errors.Is(err, io.EOF) { // the file is shorter than its number of pages says
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if b = b[:n]; len(bytes.TrimLeft(b, "\x00")) > 0 {
			clear(b)
			if _, err := f.WriteAt(b, r.start); err != nil {
				return err
			}
		}
		r.start += int64(n)
	}
	return nil
}

// freePages returns the parts of a file of bbolt that hold no page that is in use
// by what was committed last or last but one. There must be no writer.
func freePages(f *os.File) ([]byteRange, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	meta, free, err := readFreelist(f, 0)
	if err != nil {
		return nil, err
	}
	// The second of the first pages is one page further on. Which of the two is newer does
	// not matter: a page is free only where both say so.
	size := meta.pageSize
	other, otherFree, err := readFreelist(f, int64(size))
	if err != nil {
		return nil, err
	}
	if other.pageSize != size {
		return nil, errBolt
	}
	both := make(map[uint64]bool, len(otherFree))
	for _, page := range otherFree {
		both[page] = true
	}
	// Both lists ascend, so neighbouring free pages make one range.
	var list []byteRange
	for _, page := range free {
		if !both[page] {
			continue
		}
		r := byteRange{int64(page * size), int64((page + 1) * size)}
		if n := len(list); n > 0 && list[n-1].end == r.start {
			list[n-1].end = r.end
		} else {
			list = append(list, r)
		}
	}
	// What lies behind the last page of either is not in use: bbolt lets files grow ahead.
	return append(list, byteRange{int64(max(meta.pages, other.pages) * size), info.Size()}), nil
}

// readFreelist reads one of the first pages, and the numbers of the pages that
// are not in use by what that one leads to: a page, or several, with a header and
// the numbers, 8 bytes each, ascending. The header counts to 65,534; after 65,535
// the first number is the count.
func readFreelist(f *os.File, at int64) (meta *boltFile, free []uint64, err error) {
	// The first page says where the list is.
	page := make([]byte, pageHeader+64)
	if _, err := f.ReadAt(page, at); err != nil {
		return nil, nil, err
	}
	meta = new(boltFile)
	if err := meta.readMeta(page); err != nil {
		return nil, nil, err
	}
	// The list's own header says how long it is.
	page = page[:pageHeader+8]
	at = int64(meta.freelist * meta.pageSize)
	if meta.freelist < 2 || meta.freelist >= meta.pages {
		return nil, nil, fmt.Errorf("%w: no list of free pages", ErrCorrupt)
	}
	if _, err := f.ReadAt(page, at); err != nil {
		return nil, nil, err
	}
	at += pageHeader
	n := uint64(native.Uint16(page[10:]))
	if n == 0xFFFF {
		n = native.Uint64(page[pageHeader:])
		at += 8
	}
	// A wrong page would be overwritten as if it were free, so nothing is taken on trust.
	if native.Uint64(page) != meta.freelist || native.Uint16(page[8:]) != freelistPage || n > meta.pages {
		return nil, nil, errBolt
	}
	data := make([]byte, 8*n)
	if _, err := f.ReadAt(data, at); err != nil {
		return nil, nil, err
	}
	// Numbers must ascend, which also keeps a page from being listed twice. Pages 0 and 1 are
	// the first pages, which are never free.
	free = make([]uint64, n)
	least := uint64(2)
	for i := range free {
		free[i] = native.Uint64(data[8*i:])
		if free[i] < least || free[i] >= meta.pages {
			return nil, nil, errBolt
		}
		least = free[i] + 1
	}
	return meta, free, nil
}
