package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
)

// readBolt calls visit with each key and value of a bucket in data, a file of
// bbolt, and returns the bucket's sequence. bbolt itself trusts every page, which
// have no checksums: one that is damaged may lead it into a panic, a fault or a
// circle. readBolt follows no number out of bounds, and no more pages than there
// are; what stands in keys and values the caller must check.
//
// The two pages at the front, which have checksums, say what was committed last
// and last but one. bbolt makes do with either. readBolt wants both: as they are
// smaller than a disk's sector, and so written whole or not at all, one that is
// damaged may be that of an acknowledged batch.
func readBolt(data, bucket []byte, visit func(key, value []byte) error) (sequence uint64, err error) {
	f, err := newBoltFile(data)
	if err != nil {
		return 0, err
	}
	// The root bucket's leaves hold the buckets: a name, and as the value the number of the
	// bucket's root page and its sequence.
	found := false
	err = f.walk(f.root, func(flags uint32, key, value []byte) error {
		if flags&bucketElement == 0 || !bytes.Equal(key, bucket) {
			return nil
		}
		if found || len(value) < 16 {
			return errBolt
		}
		found = true
		sequence = native.Uint64(value[8:])
		inside := func(_ uint32, key, value []byte) error { return visit(key, value) }
		if root := native.Uint64(value); root != 0 {
			return f.walk(root, inside)
		}
		return f.elements(value[16:], inside) // a small bucket, whose page follows in the value
	})
	if err == nil && !found {
		err = fmt.Errorf("%w: no bucket %q", ErrCorrupt, bucket)
	}
	return sequence, err
}

var (
	native  = binary.NativeEndian // as bbolt writes
	errBolt = fmt.Errorf("%w: page of bbolt", ErrCorrupt)
)

// A boltFile is the content of a file of bbolt.
type boltFile struct {
	data        []byte
	pageSize    uint64
	pages       uint64 // in use, those that are free included
	root        uint64 // the root bucket's page
	freelist    uint64 // the page with the numbers of those that are not in use
	transaction uint64
	pagesLeft   uint64 // how many pages may still be followed
}

// Flags of pages and of elements.
const (
	branchPage    = 0x01
	leafPage      = 0x02
	freelistPage  = 0x10
	bucketElement = 0x01
)

const pageHeader = 16 // the page's own number, 8 bytes; flags and count, 2 each; pages that belong to it, 4

func newBoltFile(data []byte) (*boltFile, error) {
	// The first page says how long a page is, and so where the second is.
	f := new(boltFile)
	if err := f.readMeta(data); err != nil {
		return nil, err
	}
	if f.pageSize >= uint64(len(data)) {
		return nil, errBolt
	}
	g := new(boltFile)
	if err := g.readMeta(data[f.pageSize:]); err != nil {
		return nil, err
	}
	// bbolt writes them in turn, so their transactions follow each other. The later one counts.
	if f.pageSize != g.pageSize || max(f.transaction, g.transaction)-min(f.transaction, g.transaction) != 1 {
		return nil, fmt.Errorf("%w: first pages do not match", ErrCorrupt)
	}
	if f.transaction < g.transaction {
		f = g
	}
	if f.pages > uint64(len(data))/f.pageSize {
		return nil, fmt.Errorf("%w: cut to %d bytes, of %d pages of %d", ErrCorrupt, len(data), f.pages, f.pageSize)
	}
	f.data, f.pagesLeft = data, f.pages
	return f, nil
}

// readMeta reads one of the first pages: behind the header, in the machine's
// byte order, a magic number, the version, the page size and flags of four bytes
// each; the page and the sequence of the root bucket, the free list's page, the
// number of pages, the number of the transaction and the FNV-1a of all these, of
// eight bytes each.
func (f *boltFile) readMeta(page []byte) error {
	const magic, version = 0xED0CDAED, 2
	if len(page) < pageHeader+64 {
		return fmt.Errorf("%w: cut short", ErrCorrupt)
	}
	b := page[pageHeader:]
	sum := fnv.New64a()
	sum.Write(b[:56])
	if native.Uint32(b) != magic || native.Uint32(b[4:]) != version || native.Uint64(b[56:]) != sum.Sum64() {
		return fmt.Errorf("%w: no valid first page", ErrCorrupt)
	}
	f.pageSize, f.root = uint64(native.Uint32(b[8:])), native.Uint64(b[16:])
	f.freelist = native.Uint64(b[32:])
	f.pages, f.transaction = native.Uint64(b[40:]), native.Uint64(b[48:])
	return nil
}

// walk calls visit with the elements of all leaves below a page.
func (f *boltFile) walk(number uint64, visit func(flags uint32, key, value []byte) error) error {
	if number < 2 || number >= f.pages || f.pagesLeft == 0 {
		return errBolt
	}
	f.pagesLeft-- // a circle of pages ends here
	// A page of large elements goes on over the pages after it.
	page := f.data[number*f.pageSize:]
	more := uint64(native.Uint32(page[12:]))
	if native.Uint64(page) != number || more >= f.pages-number {
		return errBolt
	}
	page = page[:(1+more)*f.pageSize]
	if native.Uint16(page[8:]) != branchPage {
		return f.elements(page, visit)
	}
	for i := range uint64(native.Uint16(page[10:])) {
		at := pageHeader + 16*i // an offset and a length of the key, 4 bytes each; a page
		if at+16 > uint64(len(page)) {
			return errBolt
		}
		if err := f.walk(native.Uint64(page[at+8:]), visit); err != nil {
			return err
		}
	}
	return nil
}

// elements calls visit with the elements of a leaf.
func (f *boltFile) elements(page []byte, visit func(flags uint32, key, value []byte) error) error {
	if len(page) < pageHeader || native.Uint16(page[8:]) != leafPage {
		return errBolt
	}
	for i := range uint64(native.Uint16(page[10:])) {
		at := pageHeader + 16*i // flags, offset from here, length of the key, of the value, 4 bytes each
		if at+16 > uint64(len(page)) {
			return errBolt
		}
		// Key and value lie behind the heads of all elements, the value right after its key.
		key := at + uint64(native.Uint32(page[at+4:]))
		value := key + uint64(native.Uint32(page[at+8:]))
		end := value + uint64(native.Uint32(page[at+12:]))
		if end > uint64(len(page)) {
			return errBolt
		}
		if err := visit(native.Uint32(page[at:]), page[key:value], page[value:end]); err != nil {
			return err
		}
	}
	return nil
}
