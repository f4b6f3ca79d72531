package part

import "context"

// Parts returns the parts of f, of about size bytes each, if it is no table that
// must be scanned first.
func (f File) Parts(ctx context.Context, size int64) ([]Part, error) {
	size = max(size, 1)
	switch f.Kind {
	case Rows:
		r, err := open(ctx, f.Name)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return f.rowParts(r, size)
	case Lines:
		var parts []Part
		for start := int64(0); start < f.Size; start += size {
			parts = append(parts, Part{File: f.Name, Format: f.Format, Index: f.Index, Kind: Lines, Start: start, End: min(start+size, f.Size)})
		}
		return parts, nil
	}
	return []Part{{File: f.Name, Format: f.Format, Index: f.Index, Kind: Whole}}, nil
}
