// Documents that the model is not certain of, one after the other: a key or a click says what
// each is, and the next one comes.

import {ask, modelPath, real} from './api.js'
import {announce, bar, bdi, el, fill} from './dom.js'
import {Chosen, several, shown, split} from './sets.js'
import {count, percent, say, text} from './words.js'

const keyed = 9 // classes that have a key
let number = 0 // of reviewers, for the ids of their fields

// reviewer returns a list that is gone through in root. Of the hooks, more returns the documents
// that follow when all are done.
export function reviewer(root, context, hooks = {}) {
	let info = null
	let queue = [] // documents to come, the first of them in sight
	let done = [] // {doubt, label}, the latest last; a label of null was skipped
	let busy = false
	let learned = 0
	let chosen = null // labels of the document in sight, where it may have several
	const id = 'review-' + ++number

	// offered returns the classes that have buttons: all, in the order in which they always are, or
	// the most probable of many.
	const offered = doubt => info.classes.length <= keyed ? info.classes.map(c => c.label) : doubt.classes.map(c => c.label).slice(0, keyed)

	// show keeps the focus where it was, as far as that is still there.
	function show() {
		const focused = root.contains(document.activeElement) ? document.activeElement.dataset : null
		render()
		if (!focused) return
		const same = [...root.querySelectorAll('button')].find(b => focused.choice !== undefined && b.dataset.choice === focused.choice || focused.act !== undefined && b.dataset.act === focused.act)
		;(same ?? root.querySelector('.reading') ?? root.querySelector('button'))?.focus({preventScroll: true})
	}

	function render() {
		const doubt = queue[0]
		if (!doubt) return showEnd()
		const sets = several(info)
		if (sets && chosen?.document !== doubt) chosen = new Chosen(doubt.labels, doubt)
		const given = doubt.given === undefined ? [] : split(info, doubt.given)
		const probabilities = new Map(doubt.classes.map(c => [c.label, real(c.probability)]))
		const guess = label => sets ? chosen.has(label) : label === doubt.classes[0]?.label
		const known = info.classes.map(c => c.label)
		const unknown = given.filter(l => !known.includes(l))
		const other = el('input', {id, list: id + '-classes', class: 'review-other', autocomplete: 'off', dir: 'auto', maxlength: 200})
		fill(root,
			el('div', {class: 'head'}, el('p', {class: 'soft num', 'data-left': queue.length}, text('review-left', {n: count(queue.length)})),
				doubt.given !== undefined && el('p', {class: 'soft'}, say('review-row', {row: count(doubt.row)}))),
			content(doubt),
			el('ul', {class: 'choices', role: 'list'}, offered(doubt).map((label, i) => el('li', {}, el('button', {
				type: 'button', class: guess(label) ? 'choice guess' : 'choice', disabled: busy, 'data-choice': label, 'aria-keyshortcuts': String(i + 1), 'aria-pressed': sets && String(guess(label)),
				onclick: () => choose(label),
			}, el('kbd', {'aria-hidden': 'true'}, String(i + 1)), el('span', {class: 'name'}, bdi(label),
				given.includes(label) && el('span', {class: 'tag'}, text('review-given'))),
			el('span', {class: 'num'}, probabilities.has(label) ? percent(probabilities.get(label)) : ''), bar(probabilities.get(label) ?? 0, guess(label) ? 'for' : ''))))),
			unknown.length > 0 && el('p', {class: 'soft small-print'}, say('review-given-unknown', {label: shown(unknown)})),
			el('form', {class: 'row', onsubmit: e => { e.preventDefault(); submit() }},
				el('div', {class: 'grow'}, el('label', {for: id}, sets ? text('further-labels', {separator: info.label_separator}) : text('other-class')), other,
					el('datalist', {id: id + '-classes'}, known.slice(0, 1000).map(value => el('option', {value})))),
				el('button', {type: 'submit', class: sets ? 'tall' : 'quiet tall', disabled: busy}, text(sets ? 'learn-labels' : 'learn'))),
			controls(true))
	}

	function showEnd() {
		fill(root, el('p', {class: 'ended'}, learned > 0 ? text('review-done', {n: count(learned)}) : text('review-none')), controls(false))
	}

	const controls = more => el('div', {class: 'row controls'},
		more && el('button', {type: 'button', class: 'quiet', 'data-act': 'skip', onclick: skip}, el('kbd', {'aria-hidden': 'true'}, 'S'), ' ', text('review-skip')),
		done.length > 0 && el('button', {type: 'button', class: 'quiet', 'data-act': 'undo', disabled: busy, onclick: undo}, el('kbd', {'aria-hidden': 'true'}, 'U'), ' ', text('undo')),
		more && el('p', {class: 'soft small-print keys'}, text(several(info) ? 'review-keys-labels' : 'review-keys')))

	// content shows what a document holds: its one text, or all columns by their names.
	function content(doubt) {
		const values = Object.entries(doubt.document)
		if (values.length === 1 && typeof values[0][1] === 'string') return el('div', {class: 'reading', dir: 'auto', lang: '', tabindex: '0'}, values[0][1])
		return el('dl', {class: 'reading fields', tabindex: '0'}, values.map(([name, value]) => el('div', {}, el('dt', {}, bdi(name)), el('dd', {dir: 'auto'}, typeof value === 'number' ? count(value) : value))))
	}

	// choose answers with a label, or where there may be several, takes it in or out.
	function choose(label) {
		if (label === undefined) return
		if (!several(info)) return answer(label)
		if (busy) return
		chosen.toggle(label)
		const typed = root.querySelector('.review-other').value
		show()
		root.querySelector('.review-other').value = typed
	}

	// submit answers with what was typed, and where there may be several labels, with those that were chosen.
	function submit() {
		const typed = root.querySelector('.review-other').value.trim()
		answer(several(info) ? chosen.with(split(info, typed)) : typed)
	}

	// answer teaches the model what the document in sight is. It is learned under its id, so it
	// counts once, whatever is said of it later.
	async function answer(label) {
		const doubt = queue[0]
		if (!doubt || label === '' || busy) return
		const labels = [label].flat()
		const isNew = labels.some(l => !info.classes.some(c => c.label === l))
		await change(modelPath(info.name, 'learn', isNew ? {new_labels: true} : {}), {...doubt.document, id: doubt.id, label}, () => {
			queue.shift()
			done.push({doubt, label})
			learned++
			announce(text('you-taught', {label: shown(labels)}))
		})
		if (queue.length === 0) await refill()
	}

	async function skip() {
		if (busy || queue.length === 0) return
		done.push({doubt: queue.shift(), label: null})
		if (queue.length === 0) await refill()
		show()
	}

	// undo takes back the last answer, and shows its document again.
	async function undo() {
		const last = done.at(-1)
		if (!last || busy) return
		const back = () => {
			done.pop()
			queue.unshift(last.doubt)
			if (last.label !== null) learned--
			announce(text('undone'))
		}
		if (last.label === null) {
			back()
			return show()
		}
		await change(modelPath(info.name, 'unlearn'), {id: last.doubt.id}, back)
	}

	async function change(path, body, then) {
		busy = true
		try {
			const receipt = await ask('POST', path, body)
			context.well('change')
			then()
			await context.seen(receipt.sequence)
		} catch (error) {
			if (error.status === 404 && path.endsWith('unlearn')) then() // it is gone already
			else context.trouble(error, 'change')
		}
		busy = false
		info = context.info() ?? info
		show()
	}

	async function refill() {
		const more = await hooks.more?.() ?? []
		const seen = new Set([...queue, ...done.map(d => d.doubt)].map(d => d.id))
		queue.push(...more.filter(d => !seen.has(d.id)))
		show()
	}

	// Keys count where nothing is typed into.
	document.addEventListener('keydown', event => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !root.isConnected || !root.checkVisibility()) return
		if (document.querySelector('dialog[open]') || event.target.closest('input, textarea, select')) return
		const digit = Number(event.key)
		const enter = event.key === 'Enter' && queue[0] && several(info) && !event.target.closest('button, a, summary')
		const act = digit >= 1 ? () => queue[0] && choose(offered(queue[0])[digit - 1]) : enter ? submit : {s: skip, u: undo}[event.key.toLowerCase()]
		if (!act || event.repeat) return
		event.preventDefault()
		act()
	})

	return {
		// begin shows other documents, of a model.
		begin(model, list) {
			info = model
			queue = [...list]
			done = []
			learned = 0
			show()
		},
		update: () => { info = context.info() ?? info },
		empty: () => queue.length === 0,
		// forget passes by documents that were taken out elsewhere.
		unlearned(id) { done = done.filter(d => d.doubt.id !== id) },
		words: () => info && show(),
	}
}
