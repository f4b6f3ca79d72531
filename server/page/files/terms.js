// What a model knows: its classes, the terms that tell most of each, and any term
// that is searched for.

import {ask, modelPath, real} from './api.js'
import {announce, bar, bdi, el} from './dom.js'
import {brief, count, percent, say, signed, spread, text} from './words.js'

const most = 30 // terms of a class
const mostClasses = 100 // rows; of more, those with the most examples

// barred returns a bar and, beside it, what it stands for.
const barred = (share, value) => el('div', {class: 'barred'}, bar(share, 'for'), el('span', {}, value))

export function termsView(root, context) {
	let info = null
	let chosen = '' // class
	let query = '', found = null, searches = 0 // terms, null before a search; of those asked for, the last is shown
	let telling = [], asked = 0
	let parts = {}

	// of returns the words for models that have columns where there are such.
	const of = name => info.columns.numeric.length + info.columns.categorical.length > 0 ? name + '-columns' : name

	function build() {
		parts = {
			largest: el('p', {class: 'soft small-print pad-head', hidden: true}),
			name: el('input', {id: 'class-name', type: 'search', dir: 'auto', autocomplete: 'off', spellcheck: 'false'}),
			classes: el('tbody'), telling: el('div'), found: el('div', {'aria-live': 'polite'}),
			input: el('input', {id: 'term', type: 'search', dir: 'auto', value: query, autocomplete: 'off', spellcheck: 'false', oninput: e => { query = e.target.value }}),
		}
		parts.other = el('form', {class: 'row pad', hidden: true, onsubmit: e => { e.preventDefault(); choose() }},
			el('div', {class: 'grow'}, el('label', {for: 'class-name'}, text('class')), parts.name),
			el('button', {type: 'submit'}, text('find')))
		root.replaceChildren(
			el('h2', {id: 'title-terms', class: 'unseen'}, text('terms-title')),
			el('div', {class: 'two even'},
				el('div', {class: 'stack'},
					el('section', {class: 'card', 'aria-labelledby': 'title-classes'},
						el('h2', {id: 'title-classes', class: 'pad-head'}, text('classes')),
						el('div', {class: 'scroll'}, el('table', {class: 'table'},
							el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, text('class')), el('th', {scope: 'col'}, text('examples')), el('th', {scope: 'col'}, text('share')))),
							parts.classes)),
						parts.largest, parts.other),
					el('section', {class: 'card pad', 'aria-labelledby': 'title-search'},
						el('h2', {id: 'title-search'}, text(of('search'))),
						el('form', {class: 'row', role: 'search', onsubmit: e => { e.preventDefault(); search() }},
							el('div', {class: 'grow'}, el('label', {for: 'term', class: 'unseen'}, text(of('search'))), parts.input),
							el('button', {type: 'submit'}, text('find'))),
						parts.found)),
				parts.telling))
		render()
	}

	// shown returns the classes in the table: all, or the largest and the one that is chosen.
	function shown() {
		const all = info.classes
		if (all.length <= mostClasses) return all
		const largest = all.toSorted((a, b) => b.examples - a.examples).slice(0, mostClasses)
		const own = all.find(c => c.label === chosen)
		return largest.includes(own) || !own ? largest : [own, ...largest]
	}

	// choose shows the terms of a class that was typed.
	function choose() {
		const label = parts.name.value.trim()
		const known = info.classes.some(c => c.label === label)
		parts.name.classList.toggle('odd', !known)
		parts.name.setAttribute('aria-invalid', String(!known))
		if (!known) return
		chosen = label
		render()
		load()
	}

	function render() {
		const total = info.classes.reduce((s, c) => s + c.examples, 0)
		const focused = document.activeElement?.dataset?.class
		const many = info.classes.length > mostClasses
		parts.largest.hidden = parts.other.hidden = !many
		parts.largest.textContent = many ? text('largest', {most: count(mostClasses), n: count(info.classes.length)}) : ''
		parts.classes.replaceChildren(...shown().map(c => el('tr', {class: c.label === chosen && 'chosen'},
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
			el('h2', {id: 'title-telling', class: 'pad-head'}, say(of('telling'), {label: chosen})),
			el('div', {class: 'scroll'}, el('table', {class: 'table'},
				el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, text('term')), el('th', {scope: 'col'}, text('in-examples')), el('th', {scope: 'col', title: text('log-odds-say')}, text('log-odds')))),
				el('tbody', {}, telling.map(t => el('tr', {}, el('th', {scope: 'row'}, bdi(t.term), t.spread && el('div', {class: 'spread', title: text('mean-deviation')}, spread(t.spread))), el('td', {class: 'num'}, brief(t.present)),
					el('td', {class: 'num with-bar'}, barred(real(t.log_odds) / top, signed(real(t.log_odds)))))))))))
	}

	function renderFound() {
		if (!found) return parts.found.replaceChildren()
		if (found.length === 0) return parts.found.replaceChildren(el('p', {class: 'soft'}, say('not-found', {term: parts.searched})))
		parts.found.replaceChildren(...found.map(t => {
			if (t.spreads) return numberFound(t)
			const top = Math.max(...t.classes.map(c => Math.exp(real(c.log_prob))))
			return el('div', {class: 'found'}, el('h3', {}, bdi(t.term)), el('div', {class: 'scroll'}, el('table', {class: 'table inset roomy'},
				el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, text('class')), el('th', {scope: 'col'}, text('times')), el('th', {scope: 'col'}, text('probability')))),
				el('tbody', {}, [...t.classes].sort((a, b) => real(b.log_prob) - real(a.log_prob)).slice(0, 50).map(c => el('tr', {}, el('th', {scope: 'row'}, bdi(c.label)), el('td', {class: 'num'}, brief(c.sum)),
					el('td', {class: 'num with-bar'}, barred(top ? Math.exp(real(c.log_prob)) / top : 0, brief(Math.exp(real(c.log_prob)))))))))))
		}))
	}

	// numberFound shows how a number lies in each class.
	const numberFound = t => el('div', {class: 'found'}, el('h3', {}, bdi(t.name)), el('div', {class: 'scroll'}, el('table', {class: 'table inset'},
		el('thead', {}, el('tr', {}, ['class', 'in-examples', 'mean', 'deviation'].map(name => el('th', {scope: 'col'}, text(name))))),
		el('tbody', {}, t.spreads.slice(0, 50).map(c => el('tr', {}, el('th', {scope: 'row'}, bdi(c.label)), el('td', {class: 'num'}, count(c.examples)),
			el('td', {class: 'num'}, c.examples ? brief(c.mean) : '–'), el('td', {class: 'num'}, c.examples ? brief(c.deviation) : '–')))))))

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

	// search finds the numbers and the values of categories by their names, and the terms that the
	// analyzer makes of what was typed, so that a word is found however the model writes it.
	async function search() {
		const {name: model, columns, classes, event} = info, wanted = query.trim()
		if (!wanted || !event) return
		const number = ++searches
		try {
			const list = columns.numeric.length + columns.categorical.length > 0 ? await columnsFound(model, wanted) : []
			const names = new Set(list.filter(f => typeof f === 'string'))
			const column = columns.text[0]
			if (column && classes.length > 1) {
				const e = await ask('POST', modelPath(model, 'explain'), {[column]: wanted})
				for (const t of e.terms.slice(0, 8)) names.add(t.term)
			}
			const numbers = list.filter(f => typeof f !== 'string')
			if (names.size === 0 && (/[=:]/.test(wanted) || column && classes.length < 2)) names.add(wanted)
			const terms = []
			for (const name of names) terms.push(await term(model, name))
			if (info.name !== model || number !== searches) return
			found = [...numbers, ...terms.filter(t => t)]
			parts.searched = wanted
			context.well('problem')
			renderFound()
			if (found.length === 0) announce(text('not-found', {term: wanted}))
		} catch (error) {
			context.trouble(error)
		}
	}

	// columnsFound returns the numbers of a name, with their spreads, and the features of categories:
	// those of a name, NAME=value, of a value, or all of a category.
	async function columnsFound(model, wanted) {
		const low = wanted.toLowerCase(), same = s => s.toLowerCase() === low
		const known = await ask('GET', modelPath(model, 'columns', {n: 1000}))
		const numbers = known.numeric.filter(n => same(n.name)).map(n => ({name: n.name, spreads: n.classes}))
		const values = known.categorical.flatMap(c => c.values.map(v => v.value).filter(v => same(c.name) || same(v) || same(`${c.name}=${v}`)).map(v => `${c.name}=${v}`))
		return [...numbers, ...values.slice(0, 12)]
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
