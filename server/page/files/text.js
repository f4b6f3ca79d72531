// A text, and the answer as it is typed: the classes, the words, the derivation,
// and corrections.

import {ask, modelPath, newID, real} from './api.js'
import {derivation} from './derive.js'
import {labelDerivation} from './derive-label.js'
import {announce, bar, bdi, el, fill, setBar} from './dom.js'
import {coloured} from './highlights.js'
import {Chosen, several, shown, split} from './sets.js'
import {brief, count, percent, say, signed, spread, text} from './words.js'

const pause = 120 // milliseconds without a key, before the server is asked
const fewClasses = 6, offeredClasses = 1000, fewShares = 10, mostValues = 1000

export function textView(root, context) {
	let info = null
	let values = {} // of the fields, by column
	let answer = null // to the document that was asked last
	let asked = 0 // number of the last question
	let flight = null // aborts the question that is under way
	let timer = 0
	let busy = false
	let all = {classes: false, shares: false}
	let open = false // the derivation
	let against = '' // the class that it compares with
	let chosen = null // labels to learn, once someone has changed what is offered; where there may be several
	let explained = '' // which of them is, if not the most probable
	const corrections = [] // {id, key, document, label, labels, model}, newest first
	let parts = {}
	let known = [] // categories, as the server lists their values

	// of returns the words for models of columns alone where there are such.
	const of = name => info.columns.text.length > 0 ? name : name + '-columns'

	// document returns what the fields hold, or null if that is nothing.
	function document_() {
		const d = {}
		for (const column of [...info.columns.text, ...info.columns.numeric, ...info.columns.categorical]) {
			const value = values[column] ?? ''
			if (value.trim() !== '') d[column] = value
		}
		return Object.keys(d).length > 0 ? d : null
	}

	function build() {
		const {text: texts, numeric, categorical} = info.columns
		parts = {
			words: el('div', {class: 'why', hidden: true}),
			answer: el('div', {class: 'answer-body'}),
			classes: el('ul', {class: 'bars', role: 'list'}),
			correct: el('div', {class: 'correct'}),
			corrections: el('div', {class: 'corrections'}),
			derivation: el('details', {class: 'card derivation', hidden: true, open, ontoggle: e => { open = e.target.open; if (open && answer && !answer.work) question() }}),
		}
		const fields = texts.map(column => field(column, texts.length === 1 ? text('text-label') : column, true))
		const others = [...numeric.map(column => field(column, column, false, true)), ...categorical.map(category)]
		root.replaceChildren(
			el('div', {class: 'two asking'},
				el('div', {class: 'card pad'},
					el('div', {class: 'head'}, el('h2', {id: 'title-text'}, text(of('text-title'))),
						parts.clear = el('button', {type: 'button', class: 'quiet', onclick: clear}, text('clear'))),
					fields,
					others.length > 0 && el('fieldset', {class: 'columns'}, el('legend', {class: fields.length === 0 && 'unseen'}, text(of('numbers-label'))), others)),
				el('div', {class: 'stack answers'},
					el('section', {class: 'card pad answer', 'aria-labelledby': 'title-answer'},
						el('h2', {id: 'title-answer'}, text('answer')), parts.answer, parts.classes, parts.correct),
					parts.corrections),
				parts.words),
			parts.derivation)
		render()
		listCorrections()
		listValues()
	}

	// category returns the field of a category, which offers the values that are known.
	function category(column, i) {
		const box = field(column, column, false)
		const input = box.querySelector('input')
		input.setAttribute('list', 'values-' + i)
		input.setAttribute('aria-describedby', 'unknown-' + i)
		input.dataset.category = column
		box.append(el('datalist', {id: 'values-' + i}), el('p', {id: 'unknown-' + i, class: 'mistyped', hidden: true}, text('unknown-value')))
		return box
	}

	// listValues asks for the values that the model knows, of models that have categories.
	async function listValues() {
		const {name, event, columns} = info
		known = []
		if (!event || columns.categorical.length === 0) return
		try {
			const got = await ask('GET', modelPath(name, 'columns', {n: mostValues}))
			if (info.name === name) known = got.categorical
		} catch (error) {
			return context.trouble(error)
		}
		for (const [i, c] of columns.categorical.entries()) {
			const list = root.querySelector('#values-' + i)
			if (list) list.replaceChildren(...(known.find(k => k.name === c)?.values ?? []).map(v => el('option', {value: v.value})))
		}
		markValues()
	}

	// markValues says which values of categories the model does not know: they count for
	// nothing, and are more often misspelt than new.
	function markValues() {
		for (const input of root.querySelectorAll('[data-category]')) {
			const column = input.dataset.category, value = values[column] ?? ''
			const category = known.find(k => k.name === column)
			const unknown = value.trim() !== '' && category !== undefined && !category.values.some(v => v.value === value) &&
				(category.values.length === category.known || Boolean(answer?.against) && !answer.terms.some(t => t.term === `${column}=${value}`))
			input.classList.toggle('odd', unknown)
			root.ownerDocument.getElementById(input.getAttribute('aria-describedby')).hidden = !unknown
		}
	}

	function field(column, label, long, number = false) {
		const id = 'field-' + column
		const input = el(long ? 'textarea' : 'input', {
			id, dir: 'auto', value: values[column] ?? '', autocomplete: 'off',
			rows: long && 6, placeholder: long && text('text-hint'), inputmode: number && 'decimal', spellcheck: long && 'false',
			oninput: e => { values[column] = e.target.value; soon() },
		})
		return el('div', {class: 'field'}, el('label', {for: id, dir: 'auto'}, label), input)
	}

	function clear() {
		values = {}
		for (const input of root.querySelectorAll('.field textarea, .field input')) input.value = ''
		soon()
		root.querySelector('.field textarea, .field input')?.focus()
	}

	function soon() {
		clearTimeout(timer)
		chosen = null
		renderCorrect()
		timer = setTimeout(question, document_() ? pause : 0)
	}

	// question asks for the answer to what the fields hold now. An answer to an
	// older question is never shown.
	async function question() {
		clearTimeout(timer)
		const number = ++asked, model = info.name, d = document_()
		flight?.abort()
		if (!d || !info.event) {
			answer = null
			return render()
		}
		flight = new AbortController()
		root.setAttribute('aria-busy', 'true')
		try {
			const got = await ask('POST', modelPath(model, 'explain', {...explained && {of: explained}, ...open && {work: true}}), d, flight.signal)
			if (number !== asked) return
			answer = got
			context.well('unreachable') || context.well('problem')
			render()
		} catch (error) {
			if (number !== asked || error.name === 'AbortError') return
			if (error.status === 422 && explained) { // a label that is gone
				explained = ''
				return question()
			}
			if (error.status === 413 && open) { // the answer may fit where its derivation does not
				parts.derivation.open = open = false
				context.trouble(error)
				return question()
			}
			if (error.status === 429 || error.status === 503) timer = setTimeout(question, 1000 * (error.wait || 1))
			else if (error.status >= 400) { // there is no answer, and the last one is none to this
				answer = null
				render()
			}
			context.trouble(error)
		} finally {
			if (number === asked) root.removeAttribute('aria-busy')
		}
	}

	function render() {
		renderAnswer()
		renderClasses()
		renderCorrect()
		renderWords()
		renderDerivation()
		markValues()
	}

	function renderAnswer() {
		if (!info.event) return parts.answer.replaceChildren(el('p', {class: 'soft'}, text(context.may('learn') ? 'teach-first' : 'empty-model')))
		if (!answer) return parts.answer.replaceChildren(el('p', {class: 'soft'}, text('waiting')))
		const p = real(answer.probability), sets = several(info)
		fill(parts.answer,
			el('p', {class: 'verdict'}, el('bdi', {class: 'label'}, sets ? shown(answer.labels) : answer.class), ' ', !sets && el('span', {class: 'num'}, percent(p))),
			!sets && !answer.against && context.may('learn') && el('p', {class: 'soft'}, say('teach-second', {label: answer.class})),
			compared() && answer.known === 0 && el('p', {class: 'soft'}, text(of('no-terms'))))
		announce(sets ? shown(answer.labels) : `${answer.class}, ${percent(p)}`, 700)
	}

	// compared returns what the class that is explained is compared with, empty if that is nothing.
	const compared = () => answer && (answer.against || several(info) && text('the-rest'))

	// choice returns the labels that Learn would teach, where there may be several: at first those of the answer, or those
	// that the text was taught with.
	const choice = () => chosen ?? new Chosen(taught()?.labels ?? answer?.labels ?? [])

	function toggle(label) {
		chosen = choice()
		chosen.toggle(label)
		renderClasses()
	}

	function explain(label) {
		explained = label
		question()
	}

	// renderClasses keeps the rows it has, so that the focus stays where it is.
	function renderClasses() {
		const list = answer ? Object.entries(answer.probabilities).map(([label, p]) => [label, real(p)]) : []
		const sets = several(info), teaching = choice(), given = new Set(answer?.labels)
		list.sort(([a, p], [b, q]) => !sets && ((b === answer.class) - (a === answer.class) || (b === answer.against) - (a === answer.against)) || q - p)
		const many = list.length > fewClasses + 2
		const rows = many && !all.classes ? list.slice(0, fewClasses) : list
		const old = new Map([...parts.classes.children].map(row => [row.label, row]))
		const focused = root.ownerDocument.activeElement
		const next = rows.map(([label, p]) => {
			const row = old.get(label) ?? classRow(label)
			row.p.textContent = percent(p)
			setBar(row.fill, p)
			row.fill.className = 'fill ' + (sets ? given.has(label) ? 'for' : '' : label === answer.class ? 'for' : label === answer.against ? 'against' : '')
			row.name?.setAttribute('aria-pressed', label === answer.class)
			const learned = sets ? teaching.has(label) : taught()?.label === label
			row.button.textContent = text(sets ? 'label-applies' : learned ? 'learned-as' : 'learn-as')
			row.button.setAttribute('aria-pressed', learned)
			row.button.disabled = busy
			row.button.hidden = !context.may('learn')
			row.classList.toggle('plain', row.button.hidden)
			return row
		})
		parts.classes.replaceChildren(...next)
		if (many) {
			parts.classes.append(el('li', {class: 'more'}, el('button', {type: 'button', class: 'quiet', onclick: () => { all.classes = !all.classes; renderClasses() }},
				all.classes ? text('show-few') : text(answer.left_out ? 'show-more' : 'show-all', {n: list.length}))))
		}
		if (answer?.left_out) parts.classes.append(el('li', {class: 'more soft'}, text('left-out', {n: count(answer.left_out)})))
		if (parts.classes.contains(focused) && !focused.disabled) focused.focus()
	}

	function classRow(label) {
		const track = bar(0), sets = several(info)
		const name = sets && el('button', {type: 'button', class: 'link', 'aria-label': text('explain-label', {label}), onclick: () => explain(label)}, bdi(label))
		const row = el('li', {},
			el('span', {class: 'name', title: label}, name || bdi(label)), el('span', {class: 'num'}),
			el('button', {type: 'button', class: 'small', 'aria-label': sets ? text('label-applies-label', {label}) : text(of('learn-as-label'), {label}), onclick: () => sets ? toggle(label) : learn(label)}), track)
		row.label = label
		row.name = name || null
		row.p = row.querySelector('.num')
		row.button = row.querySelector('.small')
		row.fill = track.firstChild
		return row
	}

	// taught returns the correction of what the fields hold now.
	const taught = () => {
		const key = JSON.stringify(document_())
		return corrections.find(c => c.key === key && c.model === info.name)
	}

	// renderCorrect shows the field for a class that is not in sight.
	function renderCorrect() {
		const d = document_()
		if (!parts.label) {
			parts.label = el('input', {id: 'other-class', list: 'known-classes', autocomplete: 'off', dir: 'auto', maxlength: 200, oninput: renderCorrect})
			parts.learn = el('button', {type: 'submit'})
			parts.known = el('datalist', {id: 'known-classes'})
			parts.correct.append(
				parts.hint = el('p', {class: 'soft small-print'}),
				el('form', {class: 'row', onsubmit: e => { e.preventDefault(); submit() }},
					el('div', {class: 'grow'}, parts.ask = el('label', {for: 'other-class'}), parts.label, parts.known), parts.learn))
		}
		const labels = info.classes.map(c => c.label)
		const offered = labels.slice(0, offeredClasses) // a browser is slow with more
		if (parts.known.children.length !== offered.length) parts.known.replaceChildren(...offered.map(value => el('option', {value})))
		const sets = several(info)
		parts.ask.textContent = sets ? text('further-labels', {separator: info.label_separator}) : text(labels.length > 0 ? 'other-class' : 'class')
		const label = parts.label.value.trim()
		parts.correct.hidden = !d || !context.may('learn')
		parts.hint.textContent = sets ? text('correct-hint-labels') : answer?.against ? text('correct-hint') : ''
		parts.learn.textContent = text(sets ? 'learn-labels' : label === '' || labels.includes(label) ? 'learn' : 'make-class')
		parts.learn.disabled = busy || !d || label === '' && !sets
	}

	// submit learns what was typed, and where there may be several labels, those that are chosen.
	function submit() {
		const typed = parts.label.value.trim()
		learn(several(info) ? choice().with(split(info, typed)) : typed)
	}

	// learn teaches the model what the fields hold, with a label or a list of them. A text that was taught before
	// keeps its id, so that another label moves it, and it counts once.
	async function learn(label) {
		const d = document_(), model = info.name
		if (!d || label === '' || busy) return
		const key = JSON.stringify(d), before = taught(), labels = [label].flat(), name = shown(labels)
		if (before?.label === name) return
		const id = before?.id ?? newID()
		const isNew = labels.some(l => !info.classes.some(c => c.label === l))
		await change(modelPath(model, 'learn', isNew ? {new_labels: true} : {}), {id, label, ...d}, () => {
			if (before) corrections.splice(corrections.indexOf(before), 1)
			corrections.unshift({id, key, label: name, labels, model, document: d})
			if (labels.includes(parts.label.value.trim()) || several(info)) parts.label.value = ''
			chosen = null
			announce(text(before ? 'moved' : 'you-taught', {label: name}))
		})
	}

	async function undo(correction) {
		await change(modelPath(correction.model, 'unlearn'), {id: correction.id}, () => {
			corrections.splice(corrections.indexOf(correction), 1)
			announce(text('undone'))
		})
		root.querySelector('.field textarea, .field input')?.focus({preventScroll: true})
	}

	// change has the server change the model, and shows what came of it.
	async function change(path, body, done) {
		busy = true
		renderClasses()
		renderCorrect()
		const focused = root.ownerDocument.activeElement
		try {
			const receipt = await ask('POST', path, body)
			context.well('change')
			done()
			await context.seen(receipt.sequence)
		} catch (error) {
			if (error.status === 404) done() // it is gone already
			else context.trouble(error, 'change')
		}
		busy = false
		info = context.info() ?? info
		listCorrections()
		await question()
		renderClasses()
		renderCorrect()
		if (root.ownerDocument.activeElement === root.ownerDocument.body) focused.focus()
	}

	function listCorrections() {
		const mine = corrections.filter(c => c.model === info.name)
		fill(parts.corrections, mine.length > 0 && el('section', {class: 'card pad', 'aria-labelledby': 'title-corrections'},
			el('h2', {id: 'title-corrections'}, text('corrections')),
			el('ul', {class: 'list', role: 'list'}, mine.slice(0, 20).map(c => {
				const start = Object.values(c.document).join(' · ').slice(0, 160)
				return el('li', {}, el('span', {class: 'excerpt', dir: 'auto'}, start), el('span', {class: 'tag'}, bdi(c.label)),
					el('button', {type: 'button', class: 'small', 'aria-label': text('undo-label', {text: start.slice(0, 60), label: c.label}), onclick: () => undo(c)}, text('undo')))
			}))))
	}

	function renderWords() {
		const against = compared()
		parts.words.hidden = !against
		if (!against) return parts.words.replaceChildren()
		const shares = answer.terms.map(t => ({...t, log_odds: real(t.log_odds), correction: real(t.correction ?? 0)}))
		const corrected = shares.some(s => s.correction !== 0)
		const most = Math.max(...shares.map(s => Math.abs(s.log_odds)).filter(Number.isFinite), Math.abs(real(answer.prior)), 1e-9)
		const rows = [{name: el('i', {}, text('prior')), log_odds: real(answer.prior), correction: real(answer.bias ?? 0)}]
		if (real(answer.absent) !== 0) rows.push({name: el('i', {}, text('absent')), log_odds: real(answer.absent)})
		rows.push(...shares.map(s => s.spread_class ?
			{name: [bdi(s.term), ` = ${brief(s.value)}`], spreads: [[answer.class, s.spread_class], [against, s.spread_against]], log_odds: s.log_odds, correction: s.correction} :
			{name: bdi(s.term), times: s.value, log_odds: s.log_odds, correction: s.correction}))
		const many = rows.length > fewShares + 2
		const some = many && !all.shares ? rows.slice(0, fewShares) : rows.slice(0, 500)
		fill(parts.words, el('section', {class: 'card pad', 'aria-labelledby': 'title-why'},
			el('h2', {id: 'title-why'}, text('why')),
			el('p', {class: 'legend'},
				el('span', {}, el('span', {class: 'mark for s3'}, 'abc'), ' ', say('for', {label: answer.class})),
				el('span', {}, el('span', {class: 'mark against s3'}, 'abc'), ' ', say('against', {label: against})),
				answer.unknown > 0 && el('span', {class: 'soft'}, text(of('unknown'), {n: answer.unknown}))),
			answer.highlights?.length > 0 && coloured(answer.highlights, most, text('rest-cut')),
			el('table', {class: 'shares'},
				el('caption', {class: 'unseen'}, text('shares')),
				el('tbody', {}, some.map(r => el('tr', {},
					el('th', {scope: 'row'}, r.name, r.times > 1 && el('span', {class: 'soft'}, ` × ${brief(r.times)}`),
						r.spreads && el('div', {class: 'spread', title: text('mean-deviation')}, r.spreads.map(([label, s]) => el('span', {}, bdi(label), ' ', el('span', {class: 'whole'}, spread(s))))),
						corrected && el('div', {class: 'spread'}, el('span', {}, `${text('naive-bayes')} ${signed(r.log_odds - (r.correction ?? 0))}`), el('span', {}, `${text('correction')} ${signed(r.correction ?? 0)}`))),
					el('td', {class: 'diverging'}, diverging(r.log_odds / most)),
					el('td', {class: 'num'}, signed(r.log_odds)))))),
			many && el('button', {type: 'button', class: 'quiet', onclick: () => { all.shares = !all.shares; renderWords() }}, all.shares ? text('show-few') : text('all-shares', {n: rows.length}))))
	}

	function diverging(share) {
		const fill = el('div', {class: 'fill ' + (share >= 0 ? 'for' : 'against')})
		setBar(fill, Math.abs(share) / 2)
		return el('div', {class: 'track middle', 'aria-hidden': 'true'}, fill)
	}

	function renderDerivation() {
		parts.derivation.hidden = !answer
		if (!answer) return
		const body = open && answer.work && (several(info) ? labelDerivation(answer, explain) :
			derivation(answer, against, info.columns.text.length === 0, label => { against = label; renderDerivation() }))
		const focused = root.ownerDocument.activeElement?.id
		if (!parts.summary) parts.derivation.append(parts.summary = el('summary', {}, el('h2', {}, text('derive'))), parts.steps = el('div', {class: 'steps pad'}))
		fill(parts.steps, body)
		if (parts.steps.querySelector('.pick select')?.id === focused) parts.steps.querySelector('.pick select').focus()
	}

	return {
		choose(chosen) {
			const same = info && JSON.stringify(info.columns) === JSON.stringify(chosen.columns)
			info = chosen
			if (!same) values = {...values} // fields of the same names keep what they hold
			answer = null
			against = explained = ''
			chosen = null
			build()
		},
		show: () => info && question(),
		update() {
			const before = info.terms
			info = context.info()
			if (info.terms !== before) listValues()
			if (!busy) question()
		},
		words: () => info && build(),
	}
}
