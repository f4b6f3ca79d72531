// A CSV file comes back labelled. It is read and sent in pieces, each a stream of
// lines of JSON, so that a file of any length goes through. One with labels is sent once, as a whole, and is
// measured by the same answer.

import {Problem, modelPath, request} from './api.js'
import {commaOf, line, Reader} from './csv.js'
import {announce, bar, bdi, el} from './dom.js'
import {measuring, rowsAsked} from './measure.js'
import {join, several, shown} from './sets.js'
import {count, currentLanguage, percent, say, text} from './words.js'

const batch = 2000 // rows of a request, at most
const batchSize = 1 << 20 // characters of their JSON, more or less
const sample = 1 << 18 // bytes that are looked at first
const atOnce = 32 << 20 // bytes of a file that is measured without being asked to
export const encodings = ['utf-8', 'utf-16le', 'euc-kr', 'shift_jis', 'euc-jp', 'gb18030', 'windows-1252']

class BadEncoding extends Error {}

export function fileView(root, context) {
	let info = null
	let file = null
	let options = null // {encoding, comma, rows, header, columns: {name of the model's column: place}}
	let run = null // the labelling that is under way, or was last; of one that measures too, labels is the column
	let parts = {}
	const measured = el('div', {class: 'measured result'})
	const measure = measuring(measured, context, () => label(true))

	function build() {
		parts = {
			input: el('input', {id: 'file', type: 'file', accept: '.csv,.tsv,.txt,text/csv', class: 'unseen', onchange: e => take(e.target.files[0])}),
			options: el('div'), progress: el('div'), result: el('div', {class: 'result'}),
		}
		const drop = el('label', {class: 'drop', for: 'file'}, el('strong', {}, text('drop')), el('span', {class: 'soft'}, text('drop-say')))
		const over = on => e => { e.preventDefault(); drop.classList.toggle('over', on) }
		for (const [name, on] of [['dragenter', true], ['dragover', true], ['dragleave', false], ['drop', false]]) drop.addEventListener(name, over(on))
		drop.addEventListener('drop', e => take(e.dataTransfer.files[0]))
		root.replaceChildren(el('section', {class: 'card pad'}, el('h2', {id: 'title-file'}, text('file-title')),
			info.event ? [parts.input, drop] : el('p', {class: 'soft'}, text('empty-model')),
			parts.options, parts.progress), measured, parts.result)
		renderOptions()
		renderRun()
	}

	async function take(taken, encoding) {
		if (!taken) return
		run?.flight.abort()
		run = null
		file = taken
		options = await inspect(file, encoding)
		parts.input.value = '' // so that the same file may be chosen again
		renderOptions()
		renderRun()
		if (file !== taken) return
		measure.take(info, file, options)
		if (options?.certain || measure.found() && file.size <= atOnce) label()
	}

	// inspect looks at the beginning of a file.
	async function inspect(file, encoding) {
		const bytes = new Uint8Array(await file.slice(0, sample).arrayBuffer())
		const foreign = foreignKind(bytes)
		if (foreign) return {foreign, rows: [], columns: {}}
		const whole = bytes.length === file.size
		const guess = encoding ?? guessEncoding(bytes, whole)
		const start = new TextDecoder(guess).decode(bytes, {stream: !whole})
		const comma = commaOf(start)
		const reader = new Reader(comma)
		const rows = reader.read(start).concat(whole ? reader.end() : []).slice(0, 200)
		if (rows.length === 0 && !reader.row.length && reader.cell) rows.push([reader.cell]) // one long line
		const o = {encoding: guess, comma, rows, bom: bytes[0] === 0xEF && bytes[1] === 0xBB || guess !== 'utf-8', columns: {}}
		if (rows.length === 0) return o
		const wanted = modelColumns()
		const heads = rows[0].map(c => c.trim().toLowerCase())
		// The one text is also found by the name that it had in training.
		const trained = info.columns.trained?.text?.length === 1 ? info.columns.trained.text[0].trim().toLowerCase() : ''
		const place = c => heads.includes(c.toLowerCase()) ? heads.indexOf(c.toLowerCase()) : trained && c === info.columns.text[0] ? heads.indexOf(trained) : -1
		const named = wanted.filter(c => place(c) >= 0)
		const usual = ['text', 'message', 'body', 'content', 'document', 'review', '본문', '내용', '文章', '本文', 'テキスト']
		o.header = named.length > 0 || heads.some(h => usual.includes(h) || h === 'label') || rows.length > 1 && rows[0].every(c => c.length < 40)
		for (const c of named) o.columns[c] = place(c)
		const only = info.columns.text[0]
		if (only && o.columns[only] === undefined) {
			const likely = heads.findIndex(h => usual.includes(h))
			if (info.columns.text.length === 1) o.columns[only] = likely >= 0 ? likely : rows[0].length === 1 ? 0 : longest(rows)
			o.certain = rows[0].length === 1 && !encoding
		} else {
			o.certain = named.length === wanted.length && !encoding
		}
		return o
	}

	// meansEmpty says whether an empty cell of a column is a value, and not a missing one.
	const meansEmpty = column => info.columns.text.includes(column) || Boolean(info.columns.trained?.empty_category) && info.columns.categorical.includes(column)

	const modelColumns = () => [...info.columns.text, ...info.columns.numeric, ...info.columns.categorical]

	function renderOptions() {
		if (!file) return parts.options.replaceChildren()
		const heads = options.rows[0]
		if (options.foreign) return parts.options.replaceChildren(el('div', {class: 'options'}, el('p', {role: 'status'}, bdi(file.name), ': ', text(options.foreign))))
		if (!heads) return parts.options.replaceChildren(el('p', {}, text('empty-file')))
		const name = i => options.header ? heads[i] || String(i + 1) : `${i + 1}: ${heads[i].slice(0, 40)}`
		const pick = column => el('label', {class: 'pick'}, el('span', {}, modelColumns().length === 1 ? text('column') : say('column-of', {name: column})),
			el('select', {'data-column': column, onchange: e => { options.columns[column] = e.target.value === '' ? undefined : Number(e.target.value) }},
				el('option', {value: ''}, text('none')), heads.map((_, i) => el('option', {value: String(i), selected: options.columns[column] === i}, name(i)))))
		parts.options.replaceChildren(el('form', {class: 'options', onsubmit: e => { e.preventDefault(); label() }},
			el('h3', {}, bdi(file.name)),
			el('div', {class: 'picks'},
				modelColumns().map(pick),
				el('label', {class: 'pick'}, el('span', {}, text('encoding')), el('select', {onchange: e => take(file, e.target.value)}, encodings.map(e => el('option', {value: e, selected: e === options.encoding}, e.toUpperCase()))))),
			el('label', {class: 'check'}, el('input', {type: 'checkbox', checked: options.header, onchange: e => { options.header = e.target.checked; renderOptions() }}), ' ', text('header')),
			el('div', {class: 'row'},
				el('button', {type: 'submit', disabled: Boolean(run?.going)}, text('start')),
				run?.going && el('button', {type: 'button', class: 'quiet', onclick: () => run.flight.abort()}, text('cancel')))))
	}

	// label sends the file, and keeps what comes back. A file that is not too large to be measured without being asked to is
	// measured, if it has labels.
	async function label(measured = file.size <= atOnce) {
		if (run?.going) return
		run = {going: true, labels: measured ? measure.column() : -1, flight: new AbortController(), parts: [], first: [], rows: 0, failed: 0, read: 0, classes: new Map(), name: file.name.replace(/(\.[^.]*)?$/, '-labelled.csv'), file, options: structuredClone(options), model: info.name}
		const mine = run
		renderOptions()
		renderRun()
		measure.begin(mine.labels >= 0)
		try {
			await sendWhole(mine)
			mine.end = mine.unclosed ? text('unclosed', {n: count(mine.unclosed)}) : mine.failed ? text('done-failed', {n: count(mine.rows), m: count(mine.failed)}) : text('done', {n: count(mine.rows)})
		} catch (error) {
			mine.end = text('stopped', {n: count(mine.rows)})
			if (error instanceof BadEncoding) mine.end = text('bad-encoding', {encoding: mine.options.encoding.toUpperCase()})
			else context.trouble(error)
		} finally { // trouble throws what it does not know
			mine.going = false
			if (run === mine) {
				announce(mine.end)
				renderOptions()
				renderRun()
				measure.end(mine.last)
			}
		}
	}

	// sendWhole sends a file. What the server does not measure it may yet label.
	async function sendWhole(run) {
		try {
			await send(run)
		} catch (error) {
			if (run.labels < 0 || run.rows > 0 || ![413, 422, 503].includes(error.status)) throw error
			Object.assign(run, {labels: -1, parts: [], last: {detail: error.message}})
			await send(run)
		}
	}

	async function send(run) {
		const {options, file} = run
		const decoder = new TextDecoder(options.encoding, {fatal: true})
		const decode = (...piece) => {
			try {
				return decoder.decode(...piece)
			} catch {
				throw new BadEncoding()
			}
		}
		const csv = new Reader(options.comma)
		let rows = [], size = 0, head = options.header
		if (options.bom) run.parts.push('\uFEFF')
		run.width = options.rows[0].length
		if (!options.header) run.parts.push(line([...options.rows[0].map((_, i) => String(i + 1)), ...added([])], options.comma))
		const take = async (more, last) => {
			for (let row of more) {
				if (head) {
					head = false
					run.head = [...row, ...added(row)]
					run.parts.push(line(run.head, options.comma))
					continue
				}
				if (row.length > run.width) row = [...row.slice(0, run.width - 1), row.slice(run.width - 1).join(options.comma)] // a text with commas, and no quotation marks round it
				const document = {}
				for (const [column, place] of Object.entries(options.columns)) if (place !== undefined && row[place] !== undefined && (row[place] !== '' || meansEmpty(column))) document[column] = row[place]
				if (run.labels >= 0) document.label = row[run.labels]
				const json = JSON.stringify(document)
				rows.push([row, json])
				size += json.length
				if (run.labels < 0 && (rows.length >= batch || size >= batchSize)) await flush()
			}
			if (last) await flush()
		}
		const flush = async () => {
			const sent = rows
			rows = []
			size = 0
			if (sent.length > 0) await post(run, sent)
			drawProgress(run)
		}
		for (let at = 0; at < file.size; at += sample) { // slices, since a stream would run ahead of the server
			run.flight.signal.throwIfAborted()
			const bytes = await file.slice(at, at + sample).arrayBuffer()
			await take(csv.read(decode(bytes, {stream: true})), false)
			if (run.labels < 0) run.read = Math.min(file.size, at + sample)
			drawProgress(run)
		}
		run.unclosed = csv.unclosed()
		await take([...csv.read(decode()), ...csv.end()], true)
		run.read = file.size
	}

	// added returns the names of the columns that are added to those there are.
	function added(there) {
		return [text('column-label'), text('column-probability')].map(name => {
			while (there.includes(name)) name += '_'
			return name
		})
	}

	// post sends rows as lines, and takes the answers as they come: a line for each, and where they are measured one more.
	async function post(run, sent) {
		const path = run.labels < 0 ? modelPath(run.model, 'predict') : modelPath(run.model, 'test', {report: true, uncertain: rowsAsked})
		const body = new Blob(sent.map(([, json]) => json + '\n'))
		const response = await patiently(run, () => request('POST', path, body, 'application/x-ndjson', run.flight.signal))
		const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
		let rest = '', i = 0
		for (;;) {
			const {done, value} = await reader.read().catch(error => {
				throw error.name === 'AbortError' ? error : new Problem(0, '') // the connection broke
			})
			if (done) break
			const lines = (rest + value).split('\n')
			rest = lines.pop()
			const answers = lines.map(answerOf)
			run.parts.push(answers.slice(0, sent.length - i).map(answer => row(run, sent[i++][0], answer)).join(''))
			if (run.labels < 0) continue
			run.last = answers.at(-1) ?? run.last
			run.read = run.file.size * i / sent.length
			drawProgress(run)
		}
		if (rest.trim()) answerOf(rest)
		run.parts.push(sent.slice(i).map(([cells]) => row(run, cells, {})).join(''))
	}

	// answerOf reads a line of an answer. What is no JSON was written by something between this page and the server.
	function answerOf(line) {
		try {
			return JSON.parse(line)
		} catch {
			throw new Problem(0, '')
		}
	}

	// patiently tries again what the server was too busy for.
	async function patiently(run, send) {
		for (let n = 0; ; n++) {
			try {
				return await send()
			} catch (error) {
				const most = error.status === 429 ? 30 : error.status === 503 && run.labels >= 0 ? 5 : 0
				if (n >= most) throw error
				await new Promise(done => setTimeout(done, 1000 * (error.wait || 1)))
				run.flight.signal.throwIfAborted()
			}
		}
	}

	// row returns a row with its answer, as a line.
	function row(run, cells, answer) {
		const labels = answer.labels ?? (answer.label ? [answer.label] : [])
		const answered = Boolean(answer.labels ?? answer.label)
		run.rows++
		for (const label of labels) run.classes.set(label, (run.classes.get(label) ?? 0) + 1)
		if (!answered) run.failed++
		const padded = [...cells, ...Array(Math.max(0, run.width - cells.length)).fill('')]
		if (run.first.length < 8) run.first.push({text: Object.values(run.options.columns).map(i => cells[i] ?? '').join(' · ').slice(0, 200), labels: answered && labels, p: labels.map(l => answer.probabilities[l] ?? answer.probability), detail: answer.detail})
		const p = several(info) ? labels.map(l => answer.probabilities[l] ?? '').join(' ') : String(answer.probability)
		return line([...padded, ...answered ? [several(info) ? join(info, labels) : labels[0], p] : ['', '']], run.options.comma)
	}

	function renderRun() {
		parts.bar = null
		if (!run) {
			parts.progress.replaceChildren()
			return parts.result.replaceChildren()
		}
		parts.progress.replaceChildren(el('div', {class: 'progress'},
			el('label', {for: 'progress'}, text('progress')),
			parts.bar = el('progress', {id: 'progress', max: 1}),
			parts.done = el('p', {class: 'num', role: 'status'}, run.end ?? '')))
		drawProgress(run)
		if (run.going || run.rows === 0) return parts.result.replaceChildren()
		run.url ??= URL.createObjectURL(new Blob(run.parts, {type: 'text/csv;charset=utf-8'}))
		const classes = [...run.classes].sort(([, a], [, b]) => b - a)
		parts.result.replaceChildren(el('div', {class: 'two even'},
			el('section', {class: 'card pad', 'aria-label': text('classes')},
				el('a', {class: 'button', href: run.url, download: run.name}, say('download', {name: run.name})),
				el('ul', {class: 'bars', role: 'list'}, classes.slice(0, 30).map(([label, n]) => el('li', {class: 'plain'}, el('span', {class: 'name'}, bdi(label)), el('span', {class: 'num'}, `${count(n)} · ${percent(n / run.rows)}`), bar(n / run.rows, 'for'))))),
			el('section', {class: 'card', 'aria-labelledby': 'title-first'},
				el('h2', {id: 'title-first', class: 'pad-head'}, text('first-rows')),
				el('div', {class: 'scroll'}, el('table', {class: 'table first'},
					el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, text('text-label')), el('th', {scope: 'col'}, text('label')), el('th', {scope: 'col'}, text('probability')))),
					el('tbody', {}, run.first.map(r => el('tr', {}, el('td', {class: 'excerpt', dir: 'auto'}, r.text),
						el('td', {}, r.labels.length > 0 ? r.labels.flatMap(l => [el('span', {class: 'tag'}, bdi(l)), ' ']) : el('span', {class: 'soft'}, r.labels ? shown([]) : r.detail ?? '')), el('td', {class: 'num'}, r.p.map(percent).join(' '))))))))))
	}

	function drawProgress(of) {
		if (of !== run || !parts.bar) return
		parts.bar.value = run.file.size ? run.read / run.file.size : 1
		if (run.going) parts.done.textContent = text('rows-done', {n: count(run.rows), p: percent(parts.bar.value)})
	}

	// update shows the place for files once there is something to label with.
	function update() {
		const before = info?.event
		info = context.info()
		measure.update()
		if (!before && info?.event) build()
	}

	return {
		choose(model) {
			const same = info && info.name === model.name && JSON.stringify(info.columns) === JSON.stringify(model.columns)
			info = model
			if (!same) {
				run?.flight.abort()
				run = file = options = null
				measure.take(info, null, null)
			}
			build()
		},
		show: update,
		update,
		words() {
			if (!info) return
			build()
			measure.words()
		},
	}
}

// foreignKind returns the words for a file that has text in it but is none: a workbook, a
// document, another archive. Package dataset knows them by the same bytes.
export function foreignKind(bytes) {
	const front = String.fromCharCode(...bytes.subarray(0, 8))
	if (front.startsWith('%PDF-')) return 'foreign-document'
	if (front === '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1') return 'foreign-office'
	if (!front.startsWith('PK\x03\x04')) return ''
	const names = new TextDecoder('latin1').decode(bytes.subarray(0, 1 << 16))
	if (names.includes('opendocument.spreadsheet') || names.includes('xl/')) return 'foreign-workbook'
	return names.includes('opendocument.') || names.includes('word/') ? 'foreign-document' : 'foreign-archive'
}

// guessEncoding returns what a text is written in: UTF-8 if it can be, and else what
// is usual where the page's language is spoken.
export function guessEncoding(bytes, whole) {
	if (bytes[0] === 0xFF && bytes[1] === 0xFE) return 'utf-16le'
	const local = {ko: 'euc-kr', ja: 'shift_jis'}[currentLanguage()]
	for (const encoding of ['utf-8', local, 'euc-kr', 'shift_jis']) {
		if (!encoding) continue
		try {
			new TextDecoder(encoding, {fatal: true}).decode(bytes, {stream: !whole})
			return encoding
		} catch { // the next one
		}
	}
	return 'windows-1252'
}

// longest returns the column with the longest texts.
function longest(rows) {
	const lengths = rows[0].map((_, i) => rows.slice(1, 100).reduce((n, r) => n + (r[i]?.length ?? 0), 0))
	return lengths.indexOf(Math.max(...lengths))
}
