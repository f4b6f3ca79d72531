package part

import "context"

// Parts returns the parts of f, of about size bytes each. Of a table, which must
// be scanned first, it makes a single one.
func (f File) Parts(ctx context.Context, size int64) ([]Part, error) {
	size = max(size, 1)
	switch f.Kind {
	case Rows:
		r, err := open(ctx, f.Name, f.Path)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		parts, err := f.rowParts(r, size)
		if err != nil && r.failure == nil {
			return []Part{f.part(Whole, 0, f.Size)}, nil // whoever reads it will say what is wrong
		}
		return parts, err
	case Lines:
		var parts []Part
		for start := int64(0); start < f.Size; start += size {
			parts = append(parts, f.part(Lines, start, min(start+size, f.Size)))
		}
		return parts, nil
	case Bytes:
		return []Part{f.part(Bytes, f.Body, f.Size)}, nil
	}
	return []Part{f.part(Whole, 0, f.Size)}, nil
}

// part returns a part of f.
func (f File) part(kind Kind, start, end int64) Part {
	p := Part{File: f.Name, Path: f.Path, Format: f.Format, Index: f.Index, Kind: kind, Start: start, End: end}
	if kind == Bytes {
		p.Header = f.Header
	}
	return p
}
