package dataset

// Others stands, among the Numeric or the Categorical columns of [Options], for all columns of a
// file that are not named otherwise.
const Others = "*"

// named returns the columns that are asked for by name, and what the others are for, if they are
// asked for at all.
func (o *Options) named() (list []column, others role, asked bool) {
	for _, c := range o.columns() {
		if c.isOthers() {
			others, asked = c.role, true
		} else {
			list = append(list, c)
		}
	}
	return list, others, asked
}

// isOthers reports whether c stands for the columns that are not named.
func (c column) isOthers() bool {
	return c.name == Others && (c.role == numberRole || c.role == categoryRole)
}
