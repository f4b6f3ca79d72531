// Corrections: what the model was least certain of lately, and what it has been taught.

import {ask, modelPath} from './api.js'
import {announce, bdi, el, fill} from './dom.js'
import {reviewer} from './review.js'
import {currentLanguage, text} from './words.js'

const few = 30 // documents of the history that are asked for at once

export function correctView(root, context) {
	let info = null
	let most = 0 // predictions that the server remembers
	let learned = [] // what was taught, the latest first
	let next = 0 // where the history goes on
	let parts = {}
	let review = null
	const box = el('div', {class: 'review'})

	function build() {
		parts = {remembers: el('p', {class: 'soft small-print'}), history: el('div')}
		review ??= reviewer(box, context, {more: uncertain, changed: history})
		root.replaceChildren(el('div', {class: 'two'},
			el('section', {class: 'card pad', 'aria-labelledby': 'title-correct'}, el('h2', {id: 'title-correct'}, text('correct-title')), parts.remembers, box),
			el('section', {class: 'card pad', 'aria-labelledby': 'title-history'}, el('h2', {id: 'title-history'}, text('history-title')),
				el('p', {class: 'soft small-print'}, text('history-say')), parts.history)))
	}

	// uncertain returns what the server lists.
	async function uncertain() {
		const {name} = info
		try {
			const got = await ask('GET', modelPath(name, 'uncertain', {n: 50}))
			if (info.name !== name) return []
			most = got.most
			fill(parts.remembers, text(most > 0 ? 'correct-say' : 'correct-off'))
			return got.documents
		} catch (error) {
			if (error.status !== 409) context.trouble(error) // a model that has learned nothing is certain of nothing
			return []
		}
	}

	// history shows what was taught, from the latest on.
	async function history(more = false) {
		const {name} = info
		try {
			const got = await ask('GET', modelPath(name, 'documents', {n: few, ...(more ? {before: next} : {})}))
			if (info.name !== name) return
			learned = more ? learned.concat(got.documents) : got.documents
			next = got.next ?? 0
		} catch (error) {
			return context.trouble(error)
		}
		renderHistory()
	}

	function renderHistory() {
		const time = new Intl.DateTimeFormat(currentLanguage(), {dateStyle: 'medium', timeStyle: 'short'})
		fill(parts.history,
			learned.length === 0 && el('p', {class: 'ended'}, text('history-none')),
			el('ul', {class: 'list history', role: 'list'}, learned.map(d => el('li', {'data-id': d.id},
				el('div', {class: 'grow'}, el('p', {class: 'excerpt', dir: 'auto'}, d.excerpt), el('p', {class: 'soft when'}, el('time', {datetime: d.time}, time.format(new Date(d.time))), ' ', el('span', {class: 'tag'}, bdi(d.label)))),
				el('button', {type: 'button', class: 'small', 'aria-label': text('undo-label', {text: d.excerpt.slice(0, 60), label: d.label}), onclick: e => undo(d, e.target)}, text('undo'))))),
			next > 0 && el('button', {type: 'button', class: 'quiet', 'data-act': 'more', onclick: () => history(true)}, text('history-more')))
	}

	// undo takes a document out, exactly.
	async function undo(d, button) {
		button.disabled = true
		try {
			const receipt = await ask('POST', modelPath(info.name, 'unlearn'), {id: d.id})
			await context.seen(receipt.sequence)
		} catch (error) {
			if (error.status !== 404) { // gone already
				button.disabled = false
				return context.trouble(error, 'change')
			}
		}
		context.well('change')
		const place = learned.indexOf(d)
		learned = learned.filter(other => other !== d)
		review.unlearned(d.id)
		renderHistory()
		announce(text('undone'))
		const buttons = parts.history.querySelectorAll('li button')
		;(buttons[Math.min(place, buttons.length - 1)] ?? root.querySelector('#title-history')).focus?.()
	}

	async function show() {
		if (!info || !context.may('learn')) return
		const begun = info.name
		const [list] = await Promise.all([uncertain(), history()])
		if (info.name === begun && review.empty()) review.begin(info, list)
	}

	return {
		choose(model) {
			info = model
			learned = []
			next = 0
			build()
			review.begin(info, [])
		},
		show,
		update() {
			info = context.info()
			review.update()
		},
		words() {
			if (!info) return
			build()
			review.words()
			renderHistory()
		},
	}
}
