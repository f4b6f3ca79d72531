// Comma-separated values as RFC 4180 has them: quoted fields may hold commas, quotes,
// twice, and line ends.

// Rows collects rows from pieces of text.
export class Rows {
	constructor() {
		this.row = []
		this.field = ''
		this.quoted = false // inside quotation marks
		this.closed = false // after a quotation mark that may have closed them
		this.started = false // whether the row has anything
	}

	// push returns the rows that piece completes.
	push(piece) {
		const rows = []
		for (const c of piece) {
			if (this.quoted) {
				if (c === '"') [this.quoted, this.closed] = [false, true]
				else this.field += c
				continue
			}
			if (c === '"' && (this.field === '' || this.closed)) {
				if (this.closed) this.field += '"'
				;[this.quoted, this.closed, this.started] = [true, false, true]
				continue
			}
			this.closed = false
			if (c === ',') {
				this.row.push(this.field)
				;[this.field, this.started] = ['', true]
			} else if (c === '\n') {
				this.end(rows)
			} else if (c !== '\r') {
				this.field += c
				this.started = true
			}
		}
		return rows
	}

	// finish returns the last row, if no line end followed it.
	finish() {
		const rows = []
		this.end(rows)
		return rows
	}

	end(rows) {
		if (this.started) rows.push([...this.row, this.field])
		;[this.row, this.field, this.quoted, this.closed, this.started] = [[], '', false, false, false]
	}
}

const quoted = field => /[",\r\n]/.test(field) ? '"' + field.replaceAll('"', '""') + '"' : field

// line returns a row as a line.
export const line = row => row.map(quoted).join(',') + '\n'
