// What a model knows: its classes, the terms that tell most of each, and any term
// that is searched for.

import {ask, modelPath, real} from './api.js'
import {announce, bar, bdi, el} from './dom.js'
import {brief, count, percent, say, signed, text} from './words.js'

const most = 30 // terms of a class

// barred returns a bar and, beside it, what it stands for.
const barred = (share, value) => el('div', {class: 'barred'}, bar(share, 'for'), el('span', {}, value))

export function termsView(root, context) {
	let info = null
	let chosen = '' // class
	let query = '', found = null // terms, null before a search
	let telling = [], asked = 0
	let parts = {}

	function build() {
		parts = {
			classes: el('tbody'), telling: el('div'), found: el('div', {'aria-live': 'polite'}),
			input: el('input', {id: 'term', type: 'search', dir: 'auto', value: query, autocomplete: 'off', spellcheck: 'false', oninput: e => { query = e.target.value }}),
		}
		root.replaceChildren(
			el('h2', {id: 'title-terms', class: 'unseen'}, text('terms-title')),
			el('div', {class: 'two even'},
				el('div', {class: 'stack'},
					el('section', {class: 'card', 'aria-labelledby': 'title-classes'},
						el('h2', {id: 'title-classes', class: 'pad-head'}, text('classes')),
						el('div', {class: 'scroll'}, el('table', {class: 'table'},
							el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, text('class')), el('th', {scope: 'col'}, text('examples')), el('th', {scope: 'col'}, text('share')))),
							parts.classes))),
					el('section', {class: 'card pad', 'aria-labelledby': 'title-search'},
						el('h2', {id: 'title-search'}, text('search')),
						el('form', {class: 'row', role: 'search', onsubmit: e => { e.preventDefault(); search() }},
							el('div', {class: 'grow'}, el('label', {for: 'term', class: 'unseen'}, text('search')), parts.input),
							el('button', {type: 'submit'}, text('find'))),
						parts.found)),
				parts.telling))
		render()
	}

	function render() {
		const total = info.classes.reduce((s, c) => s + c.examples, 0)
		const focused = document.activeElement?.dataset?.class
		parts.classes.replaceChildren(...info.classes.map(c => el('tr', {class: c.label === chosen && 'chosen'},
			el('th', {scope: 'row'}, el('button', {type: 'button', class: 'link', 'data-class': c.label, 'aria-pressed': String(c.label === chosen), onclick: () => { chosen = c.label; render(); load() }}, bdi(c.label))),
			el('td', {class: 'num'}, count(c.examples)),
			el('td', {class: 'num with-bar'}, barred(total ? c.examples / total : 0, percent(total ? c.examples / total : 0))))))
		if (focused !== undefined) [...parts.classes.querySelectorAll('button')].find(b => b.dataset.class === focused)?.focus()
		renderTelling()
		renderFound()
	}

	function renderTelling() {
		if (!info.event) return parts.telling.replaceChildren(el('p', {class: 'card pad soft'}, text('no-terms-yet')))
		const top = Math.max(...telling.map(t => real(t.log_odds)).filter(Number.isFinite), 1e-9)
		parts.telling.replaceChildren(el('section', {class: 'card', 'aria-labelledby': 'title-telling'},
			el('h2', {id: 'title-telling', class: 'pad-head'}, say('telling', {label: chosen})),
			el('div', {class: 'scroll'}, el('table', {class: 'table'},
				el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, text('term')), el('th', {scope: 'col'}, text('in-examples')), el('th', {scope: 'col', title: text('log-odds-say')}, text('log-odds')))),
				el('tbody', {}, telling.map(t => el('tr', {}, el('th', {scope: 'row'}, bdi(t.term)), el('td', {class: 'num'}, brief(t.present)),
					el('td', {class: 'num with-bar'}, barred(real(t.log_odds) / top, signed(real(t.log_odds)))))))))))
	}

	function renderFound() {
		if (!found) return parts.found.replaceChildren()
		if (found.length === 0) return parts.found.replaceChildren(el('p', {class: 'soft'}, say('not-found', {term: parts.searched})))
		parts.found.replaceChildren(...found.map(t => {
			const top = Math.max(...t.classes.map(c => Math.exp(real(c.log_prob))))
			return el('div', {class: 'found'}, el('h3', {}, bdi(t.term)), el('div', {class: 'scroll'}, el('table', {class: 'table inset roomy'},
				el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, text('class')), el('th', {scope: 'col'}, text('times')), el('th', {scope: 'col'}, text('probability')))),
				el('tbody', {}, [...t.classes].sort((a, b) => real(b.log_prob) - real(a.log_prob)).slice(0, 50).map(c => el('tr', {}, el('th', {scope: 'row'}, bdi(c.label)), el('td', {class: 'num'}, brief(c.sum)),
					el('td', {class: 'num with-bar'}, barred(top ? Math.exp(real(c.log_prob)) / top : 0, brief(Math.exp(real(c.log_prob)))))))))))
		}))
	}

	// load asks for the terms of the class that is chosen.
	async function load() {
		const number = ++asked, model = info.name
		if (!info.classes.some(c => c.label === chosen)) chosen = info.classes[0]?.label ?? ''
		telling = chosen ? telling : []
		if (!info.event || !chosen) return render()
		try {
			const got = await ask('GET', modelPath(model, 'terms', {n: most, class: chosen}))
			if (number !== asked) return
			telling = got[chosen] ?? []
			context.well('problem')
			render()
		} catch (error) {
			context.trouble(error)
		}
	}

	// search finds the terms that the analyzer makes of what was typed, so that
	// a word is found however the model writes it.
	async function search() {
		const model = info.name, wanted = query.trim()
		if (!wanted || !info.event) return
		try {
			const names = new Set()
			const column = info.columns.text[0]
			if (column && info.classes.length > 1) {
				const e = await ask('POST', modelPath(model, 'explain'), {[column]: wanted})
				for (const t of e.terms.slice(0, 8)) names.add(t.term)
			}
			if (names.size === 0 && (/[=:]/.test(wanted) || !column || info.classes.length < 2)) names.add(wanted)
			const list = []
			for (const name of names) list.push(await term(model, name))
			if (info.name !== model) return
			found = list.filter(t => t)
			parts.searched = wanted
			context.well('problem')
			renderFound()
			if (found.length === 0) announce(text('not-found', {term: wanted}))
		} catch (error) {
			context.trouble(error)
		}
	}

	async function term(model, name) {
		try {
			return await ask('GET', modelPath(model, 'term', {name}))
		} catch (error) {
			if (error.status === 404) return null
			throw error
		}
	}

	return {
		choose(model) {
			info = model
			chosen = info.classes.some(c => c.label === chosen) ? chosen : info.classes[0]?.label ?? ''
			telling = []
			found = null
			build()
		},
		show: () => { if (info) { info = context.info(); load() } },
		update() {
			info = context.info()
			load()
			if (found) search()
		},
		words: () => info && build(),
	}
}
