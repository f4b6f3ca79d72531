package store

import (
	"io"
	"os"
)

// checkTrees returns [ErrCorrupt] if the pages of a file of bbolt are not trees. bbolt
// follows a page that is damaged into a branch above itself until its stack ends, which
// ends the process. So before bbolt walks them, the heads of all pages are read, and of
// branches the children: 16 bytes of a leaf, however large.
func checkTrees(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	t := &treeReader{r: f}
	if err := t.readMeta(info.Size()); err != nil {
		return err
	}
	return t.walk(t.file.root, 0, true)
}

// A treeReader walks the pages of a file of bbolt without reading what is in them.
type treeReader struct {
	r    io.ReaderAt
	file *boltFile
}

// readMeta finds the last commit. Of the two pages at the front that say where it is,
// bbolt makes do with either, and so does readMeta: the one with the larger transaction
// that is whole.
func (t *treeReader) readMeta(size int64) error {
	// Where the second page is depends on the page size, which a damaged first page does not
	// say. So every page size is tried, powers of two from 512 to 64 KiB.
	front := make([]byte, min(size, 64<<10+pageHeader+64))
	if _, err := t.r.ReadAt(front, 0); err != nil {
		return err
	}
	t.file = new(boltFile)
	err := t.file.readMeta(front)
	for at := 512; at < len(front); at *= 2 {
		f := new(boltFile)
		if f.readMeta(front[at:]) == nil && f.pageSize == uint64(at) && (err != nil || f.transaction > t.file.transaction) {
			t.file, err = f, nil
		}
	}
	if err == nil && (t.file.pageSize < pageHeader+64 || t.file.pages > uint64(size)/t.file.pageSize) {
		err = errBolt
	}
	t.file.pagesLeft = t.file.pages
	return err
}

// maxDepth is more than any tree of bbolt has: each level multiplies its pages.
const maxDepth = 64

// walk follows a page, and no more pages than there are. Of a branch it reads the children,
// of a leaf the header alone, except in the tree of buckets, whose leaves name the root
// pages of the buckets.
func (t *treeReader) walk(number uint64, depth int, buckets bool) error {
	f := t.file
	if number < 2 || number >= f.pages || f.pagesLeft == 0 || depth > maxDepth {
		return errBolt
	}
	f.pagesLeft--
	// The header must be that of the page that was asked for.
	at := int64(number * f.pageSize)
	var head [pageHeader]byte
	if _, err := t.r.ReadAt(head[:], at); err != nil {
		return err
	}
	count, more := uint64(native.Uint16(head[10:])), uint64(native.Uint32(head[12:]))
	if native.Uint64(head[:]) != number || more >= f.pages-number {
		return errBolt
	}
	switch {
	case native.Uint16(head[8:]) == branchPage:
		children := make([]byte, 16*count)
		if _, err := t.r.ReadAt(children, at+pageHeader); err != nil {
			return err
		}
		for ; len(children) > 0; children = children[16:] {
			if err := t.walk(native.Uint64(children[8:]), depth+1, buckets); err != nil {
				return err
			}
		}
		return nil
	case !buckets && native.Uint16(head[8:]) == leafPage:
		return nil
	}
	// There are a few buckets, so a leaf that names them is short.
	page := make([]byte, min(1+more, 16)*f.pageSize)
	if _, err := t.r.ReadAt(page, at); err != nil {
		return err
	}
	return f.elements(page, func(flags uint32, _, value []byte) error {
		if flags&bucketElement == 0 {
			return nil
		}
		if len(value) < 16 {
			return errBolt
		}
		if root := native.Uint64(value); root != 0 {
			return t.walk(root, depth+1, false)
		}
		return nil
	})
}
