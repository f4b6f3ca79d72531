package store

import "maps"

// Changes are the documents that were added and removed since a snapshot. A nil
// *changes has none.
type changes struct {
	ids       map[string]uint64 // the document's number; zero if the ID is no longer known
	documents map[uint64][]byte // the encoded event; nil if the document is no longer there
	removed   uint64            // the first event that took a document out; zero means none
	bytes     int64             // of the documents, about
}

func newChanges() *changes {
	return &changes{ids: make(map[string]uint64), documents: make(map[uint64][]byte)}
}

func (c *changes) put(r Record) {
	data, _ := r.MarshalBinary() // it has no error
	c.documents[r.Seq] = data
	c.bytes += int64(len(data)) + 200
	if r.ID != "" {
		c.ids[r.ID] = r.Seq
	}
}

// delete notes that event by takes out a document.
func (c *changes) delete(seq uint64, id string, by uint64) {
	c.documents[seq] = nil
	c.bytes += 200
	if id != "" {
		c.ids[id] = 0
	}
	if c.removed == 0 {
		c.removed = by
	}
}

// merge adds to c the changes d, which came after it.
func (c *changes) merge(d *changes) {
	maps.Copy(c.ids, d.ids)
	maps.Copy(c.documents, d.documents)
	c.bytes += d.bytes
	if c.removed == 0 {
		c.removed = d.removed
	}
}

// id returns the number of the document called id, if the changes know of it.
func (c *changes) id(id string) (seq uint64, known bool) {
	if c == nil {
		return 0, false
	}
	seq, known = c.ids[id]
	return seq, known
}

// document returns an encoded document, if the changes know of it.
func (c *changes) document(seq uint64) (data []byte, known bool) {
	if c == nil {
		return nil, false
	}
	data, known = c.documents[seq]
	return data, known
}
