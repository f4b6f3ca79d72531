// Comma-separated values as RFC 4180 has them, read piece by piece.

// A Reader turns text, which comes in any pieces, into rows of cells. Line ends in
// quotation marks belong to their cell; blank lines are passed by.
export class Reader {
	constructor(comma) {
		this.comma = comma
		this.row = []
		this.cell = ''
		this.state = 'start' // of a cell; plain, quoted, or after a quotation mark in a quoted one
		this.line = 1
		this.opened = 0 // the line of the last opening quotation mark
		this.ended = false // with \r, so that \n ends no second row
	}

	// read returns the rows that a piece completes.
	read(piece) {
		const rows = []
		for (let i = 0; i < piece.length; i++) {
			const c = piece[i]
			if (c === '\n') this.line++
			if (this.state === 'quoted') {
				if (c === '"') {
					this.state = 'after'
				} else {
					const end = piece.indexOf('"', i)
					const run = piece.slice(i, end < 0 ? piece.length : end)
					for (let j = 1; j < run.length; j++) if (run[j] === '\n') this.line++
					this.cell += run
					i += run.length - 1
				}
				continue
			}
			if (c === '"' && (this.state === 'start' || this.state === 'after')) {
				if (this.state === 'after') this.cell += '"'
				else this.opened = this.line
				this.state = 'quoted'
			} else if (c === this.comma) {
				this.endCell()
			} else if (c === '\n' || c === '\r') {
				if (!(c === '\n' && this.ended)) this.endRow(rows)
				this.ended = c === '\r'
				continue
			} else {
				this.cell += c
				this.state = 'plain'
			}
			this.ended = false
		}
		return rows
	}

	// end returns the rows that the end of the text completes.
	end() {
		const rows = []
		if (this.state !== 'quoted') this.endRow(rows)
		return rows
	}

	// unclosed returns the line of a quotation mark that was never closed, or 0.
	unclosed() { return this.state === 'quoted' ? this.opened : 0 }

	endCell() {
		this.row.push(this.cell)
		this.cell = ''
		this.state = 'start'
	}

	endRow(rows) {
		if (this.row.length === 0 && this.cell === '' && this.state === 'start') return
		this.endCell()
		rows.push(this.row)
		this.row = []
	}
}

// line returns cells as a line.
export const line = (cells, comma) => cells.map(c => c.includes(comma) || /["\r\n]/.test(c) || c !== c.trim() ? '"' + c.replaceAll('"', '""') + '"' : c).join(comma) + '\r\n'

// commaOf guesses what stands between cells.
export function commaOf(text) {
	const first = text.split(/[\r\n]/, 1)[0].replace(/"[^"]*"/g, '')
	const times = c => first.split(c).length - 1
	return [',', ';', '\t'].reduce((best, c) => times(c) > times(best) ? c : best)
}
