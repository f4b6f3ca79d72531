import * as api from './api.js'
import {Rows, line} from './csv.js'

const $ = id => document.getElementById(id)

// make returns an element with attributes and children; texts go in as text.
function make(tag, attributes = {}, ...children) {
	const e = document.createElement(tag)
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith('on')) e.addEventListener(name.slice(2), value)
		else if (value !== undefined) e.setAttribute(name, value)
	}
	e.append(...children)
	return e
}

const number = v => typeof v === 'number' ? v.toLocaleString('en', {maximumFractionDigits: 4}) : String(v)
const signed = v => typeof v === 'number' ? (v < 0 ? '−' : '+') + Math.abs(v).toFixed(3) : String(v)
const percent = p => p > 0.9999 && p < 1 ? '> 99.99 %' : p > 0 && p < 0.0001 ? '< 0.01 %' : (100 * p).toFixed(p > 0.99 || p < 0.01 ? 2 : 1) + ' %'

let name = '' // of the model
let info = null
let asking = null // aborts the question that is under way

// failed shows what went wrong, and asks for a token where one is wanted.
function failed(problem) {
	if (problem.name === 'AbortError') return
	if (problem.status === 401) {
		$('sign-in').hidden = false
		$('token').focus()
	}
	$('status').textContent = problem.message
	$('status').className = 'bad'
}

function well() {
	$('status').textContent = info && info.learning !== 'ok' ? 'predicting; learning is not possible now' : ''
	$('status').className = info && info.learning !== 'ok' ? 'bad' : ''
}

// Models

async function start() {
	const list = await api.models()
	$('sign-in').hidden = true
	if (list.length === 0) throw new api.Problem(0, 'the server has no model yet')
	$('model').replaceChildren(...list.map(m => make('option', {value: m.name}, m.name)))
	const wanted = decodeURIComponent(location.hash.slice(1))
	name = list.some(m => m.name === wanted) ? wanted : list[0].name
	$('model').value = name
	$('main').hidden = false
	$('text').focus()
	await choose()
}

async function choose() {
	info = null
	$('found').replaceChildren()
	await refresh()
	await ask()
}

// refresh shows the counts, and what follows from them if they have changed.
async function refresh() {
	const was = info
	const now = await api.model(name)
	if (now.name !== name) return
	info = now
	well()
	if (was && was.visible === info.visible && was.sequence === info.sequence) return
	$('counts').textContent = `${number(info.documents)} documents, ${number(info.terms)} terms` + (info.event ? `; ${info.event.split(' ')[0]}` : '')
	const most = Math.max(1, ...info.classes.map(c => c.examples))
	$('classes').replaceChildren(...info.classes.map(c => bar(c.label, c.examples / most, number(c.examples))))
	labels()
	if (info.classes.length === 0) {
		$('telling').replaceChildren(make('p', {class: 'soft'}, 'Nothing yet. Type a text, and say what it is.'))
		return
	}
	const terms = await api.telling(name, 12)
	$('telling').replaceChildren(...Object.entries(terms).map(([label, list]) => make('div', {},
		make('h4', {dir: 'auto'}, label),
		make('p', {}, ...list.map(t => make('button', {type: 'button', dir: 'auto', title: `log-odds ${signed(t.log_odds)}`, onclick: () => look(t.term)}, t.term))))))
}

function bar(label, share, value) {
	const fill = make('i')
	fill.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`
	return make('li', {}, make('span', {class: 'name', dir: 'auto', title: label}, label), make('span', {class: 'track', 'aria-hidden': 'true'}, fill), make('span', {class: 'value'}, value))
}

async function look(word) {
	$('term').value = word
	try {
		const found = await api.term(name, word)
		$('found').replaceChildren(make('div', {class: 'scroll', tabindex: 0}, make('table', {},
			make('caption', {dir: 'auto'}, found.term),
			make('thead', {}, make('tr', {}, ...['class', 'documents', 'times', 'P(term | class)'].map(h => make('th', {scope: 'col'}, h)))),
			make('tbody', {}, ...found.classes.map(c => make('tr', {},
				make('td', {dir: 'auto'}, c.label), make('td', {}, number(c.examples)), make('td', {}, number(c.sum)),
				make('td', {}, typeof c.log_prob === 'number' ? Math.exp(c.log_prob).toPrecision(3) : '')))))))
	} catch (problem) {
		if (problem.status !== 404) return failed(problem)
		$('found').replaceChildren(make('p', {class: 'soft'}, 'The model has not seen this term.'))
	}
}

// Answers

// record returns the document of a text, under the column that the model reads.
const record = text => ({[info.columns.text.length === 1 ? info.columns.text[0] : 'text']: text})

async function ask() {
	asking?.abort()
	const text = $('text').value
	if (!info || text.trim() === '' || info.classes.length === 0) {
		$('answer').replaceChildren()
		$('why').hidden = text.trim() === '' || !info
		for (const id of ['bars', 'reading', 'legend', 'work']) $(id).replaceChildren()
		$('steps').hidden = $('reading').hidden = true
		return
	}
	const mine = asking = new AbortController()
	try {
		const answer = await api.explain(name, record(text), mine.signal)
		if (mine === asking) show(answer)
		well()
	} catch (problem) {
		failed(problem)
	}
}

function show(a) {
	$('answer').replaceChildren(make('strong', {dir: 'auto'}, a.label), make('span', {}, percent(a.probability) + (a.known === 0 ? ', by the prior alone: no term is known' : '')))
	$('why').hidden = $('steps').hidden = $('reading').hidden = false
	const classes = Object.entries(a.probabilities).sort((x, y) => y[1] - x[1])
	$('bars').replaceChildren(...classes.slice(0, 12).map(([label, p]) => bar(label, p, percent(p))))
	reading(a)
	derivation(a)
	for (const b of $('labels').querySelectorAll('button[data-label]')) b.classList.toggle('chosen', b.dataset.label === a.label)
}

// reading shows the text, each word as dark as it weighs.
function reading(a) {
	const stretches = a.stretches || []
	const most = Math.max(1e-9, ...stretches.map(s => Math.abs(s.log_odds)))
	$('reading').replaceChildren(...stretches.map(s => {
		const level = Math.ceil(4 * Math.abs(s.log_odds) / most)
		if (!level) return document.createTextNode(s.text)
		return make('mark', {class: `${s.log_odds > 0 ? 'for' : 'against'}-${level}`, title: `${signed(s.log_odds)}`}, s.text)
	}))
	$('reading').hidden = stretches.length === 0
	$('legend').replaceChildren(...(a.against ? [make('span', {}, make('mark', {class: 'for-3'}, 'word'), ' speaks for ', make('bdi', {}, a.class)), make('span', {}, make('mark', {class: 'against-3'}, 'word'), ' for ', make('bdi', {}, a.against))] : []))
}

// derivation shows the calculation, class by class, best first.
function derivation(a) {
	const w = a.work
	if (!w) return
	const rows = c => [
		make('tr', {}, make('td', {}, 'prior'), make('td', {}, `${number(c.weight)} / ${number(c.of)}`), make('td', {}, ''), make('td', {}, signed(c.log_prior))),
		...c.factors.slice(0, 40).map(f => make('tr', {},
			make('td', {dir: 'auto'}, (f.absent ? 'not ' : '') + f.term + (f.times !== 1 && !f.absent ? ` × ${number(f.times)}` : '')),
			make('td', {}, f.denominator ? `${number(f.numerator)} / ${number(f.denominator)}` : ''),
			make('td', {}, f.denominator ? (f.numerator / f.denominator).toPrecision(3) : ''),
			make('td', {}, signed(typeof f.log === 'number' ? f.log * (f.absent ? 1 : f.times) : f.log)))),
		...(c.factors.length > 40 ? [make('tr', {}, make('td', {colspan: 4}, `and ${c.factors.length - 40} more`))] : []),
		make('tr', {}, make('td', {}, 'sum: ln P(class, text)'), make('td'), make('td'), make('td', {}, signed(c.log_joint))),
		make('tr', {}, make('td', {}, 'P(class | text)'), make('td'), make('td'), make('td', {}, percent(c.probability))),
	]
	const best = [...w.classes].sort((x, y) => y.probability - x.probability).slice(0, 3)
	$('work').replaceChildren(
		...best.map(c => make('div', {class: 'scroll', tabindex: 0}, make('table', {}, make('caption', {dir: 'auto'}, c.label),
			make('thead', {}, make('tr', {}, ...['factor', 'counted', 'P', 'ln'].map(h => make('th', {scope: 'col'}, h)))), make('tbody', {}, ...rows(c))))),
		make('p', {class: 'soft'}, 'A sum becomes a probability when its exponential is divided by the exponentials of all classes, added up' +
			(a.power !== 1 ? `; calibration then raises probabilities to the power ${number(a.power)}.` : '.')),
		...(w.unknown?.length ? [make('p', {class: 'soft', dir: 'auto'}, 'Not known, and left out: ' + w.unknown.slice(0, 40).join(', '))] : []))
}

// Corrections

function labels() {
	const other = make('input', {id: 'other', dir: 'auto', placeholder: 'another label', 'aria-label': 'another label', size: 14})
	other.addEventListener('keydown', e => {
		if (e.key === 'Enter' && other.value.trim()) correct(other.value.trim(), true)
	})
	const focused = document.activeElement?.id === 'other' ? $('other').value : null
	$('labels').replaceChildren(...info.classes.map(c => make('button', {type: 'button', dir: 'auto', 'data-label': c.label, onclick: () => correct(c.label, false)}, c.label)), other)
	if (focused !== null) {
		other.value = focused
		other.focus()
	}
}

function newID() {
	const bytes = crypto.getRandomValues(new Uint8Array(12))
	return 'page-' + [...bytes].map(b => b.toString(16).padStart(2, '0')).join('')
}

async function correct(label, isNew) {
	const id = newID(), text = $('text').value, model = name
	try {
		await api.learn(model, {id, label, ...record(text)}, isNew)
		told(make('span', {}, 'Learned as ', make('bdi', {}, label), '.'), make('button', {type: 'button', onclick: () => undo(model, id)}, 'Undo'))
		await seen()
	} catch (problem) {
		failed(problem)
	}
}

async function undo(model, id) {
	try {
		await api.unlearn(model, id)
		told(make('span', {}, 'Taken back.'))
		await seen()
	} catch (problem) {
		failed(problem)
	}
}

function told(...children) {
	$('done').hidden = false
	$('done').replaceChildren(...children)
}

// seen waits until predictions see what was learned.
async function seen() {
	for (let i = 0; i < 20; i++) {
		await refresh()
		if (info.visible >= info.sequence) break
		await new Promise(done => setTimeout(done, 60))
	}
	await ask()
}

// Files

let file = null

async function opened(f) {
	file = f
	for (const id of ['progress', 'download']) $(id).hidden = true
	const head = new Rows().push(await f.slice(0, 1 << 20).text() + '\n')[0]
	if (!head) {
		$('file-status').textContent = 'The file is empty.'
		$('start').hidden = $('column-field').hidden = true
		return
	}
	$('column').replaceChildren(...head.map((h, i) => make('option', {value: i}, h || `column ${i + 1}`)))
	const text = head.findIndex(h => info.columns.text.includes(h))
	$('column').value = Math.max(0, text)
	$('start').hidden = $('column-field').hidden = false
	$('file-status').textContent = f.name
	$('start').focus()
}

async function labelFile() {
	const column = Number($('column').value), parts = [], rows = new Rows(), model = name
	const fields = info.columns.text.concat(info.columns.numeric, info.columns.categorical)
	let header = null, pending = [], labelled = 0, read = 0
	$('start').disabled = true
	$('download').hidden = true
	$('progress').hidden = false
	$('progress').value = 0
	const flush = async () => {
		if (pending.length === 0) return
		const documents = pending.map(row => {
			const d = record(row[column] ?? '')
			header.forEach((h, i) => { if (i !== column && fields.includes(h)) d[h] = row[i] })
			return d
		})
		const answers = await api.predictAll(model, documents)
		pending.forEach((row, i) => {
			const a = answers[i]
			parts.push(line([...row, a?.label ?? '', a?.probability === undefined ? a?.detail ?? '' : String(a.probability)]))
		})
		labelled += pending.length
		pending = []
		$('progress').value = file.size ? Math.min(1, read / file.size) : 1
		$('file-status').textContent = `${number(labelled)} labelled`
	}
	const take = async list => {
		for (const row of list) {
			if (!header) {
				header = row
				parts.push(line([...row, 'predicted', 'probability']))
				continue
			}
			pending.push(row)
			if (pending.length === 1000) await flush()
		}
	}
	try {
		const decoder = new TextDecoder()
		for (const reader = file.stream().getReader(); ;) {
			const {done, value} = await reader.read()
			if (done) break
			read += value.length
			await take(rows.push(decoder.decode(value, {stream: true})))
		}
		await take(rows.push(decoder.decode()))
		await take(rows.finish())
		await flush()
		$('progress').value = 1
		$('file-status').textContent = `${number(labelled)} labelled.`
		URL.revokeObjectURL($('download').href)
		$('download').href = URL.createObjectURL(new Blob(parts, {type: 'text/csv'}))
		$('download').download = file.name.replace(/(\.csv)?$/i, '.labelled.csv')
		$('download').hidden = false
		$('download').focus()
	} catch (problem) {
		$('file-status').textContent = problem.message
		failed(problem)
	}
	$('start').disabled = false
}

// Events

let timer
$('text').addEventListener('input', () => {
	clearTimeout(timer)
	timer = setTimeout(ask, 120)
})
$('model').addEventListener('change', () => {
	name = $('model').value
	history.replaceState(null, '', '#' + encodeURIComponent(name))
	$('done').hidden = true
	choose().catch(failed)
})
$('search').addEventListener('submit', e => {
	e.preventDefault()
	if ($('term').value) look($('term').value)
})
$('sign-in').addEventListener('submit', e => {
	e.preventDefault()
	api.useToken($('token').value.trim())
	$('token').value = ''
	start().catch(failed)
})
$('csv').addEventListener('change', () => { if ($('csv').files[0]) opened($('csv').files[0]).catch(failed) })
$('start').addEventListener('click', labelFile)
for (const kind of ['dragover', 'dragleave', 'drop']) {
	$('drop').addEventListener(kind, e => {
		e.preventDefault()
		$('drop').classList.toggle('over', kind === 'dragover')
		if (kind === 'drop' && e.dataTransfer.files[0]) opened(e.dataTransfer.files[0]).catch(failed)
	})
}

// The counts are looked at every two seconds while the page is; after trouble, the
// same brings it back.
setInterval(() => {
	if (document.hidden || !$('sign-in').hidden) return
	;(name ? refresh() : start()).catch(failed)
}, 2000)

start().catch(failed)
