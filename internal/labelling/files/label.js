// The page on which people label texts: a text, its classes, one key an answer, and how good the classifier is by now.
// What is shown as answered is on disk.

import {Problem, ask, real, setToken} from './api.js'
import {curve} from './curve.js'
import {announce, bar, bdi, el, fill} from './dom.js'
import {coloured} from './highlights.js'
import {Chosen, join, several, shown, split} from './sets.js'
import {count, currentLanguage, percent, say, sayAll, setLanguage, signed, text} from './words.js'

const byId = id => document.getElementById(id)
const every = 1500 // milliseconds, between looks at what others do and at what was measured
const digits = '1234567890', letters = 'abdefghijklmpqrtvwxyz' // the keys of classes; c n o s u are for other things

const address = new URL(location.href)
let who = address.searchParams.get('who') ?? ''
let state = null
let question = null
let asked = false // whether it is known if there is a question
let was = null // what was answered last
let chosen = null // labels of the text that is asked, where it may have several
let touched = false // whether somebody has chosen them
let onlyOne = false // whether texts that are alike are left out
let busy = false
let timer = 0

// A key in the address is for the requests, and not for whoever sees the address.
if (address.searchParams.has('key')) {
	setToken(address.searchParams.get('key'))
	address.searchParams.delete('key')
	history.replaceState(null, '', address)
}

const path = (name, query = {}) => 'api/' + name + '?' + new URLSearchParams({...who && {who}, ...query})

function trouble(error) {
	if (!(error instanceof Problem)) throw error
	const box = byId('trouble')
	fill(box, error.status === 0 ? say('unreachable') : error.status === 401 ? say('key') : error.message)
	box.dataset.status = error.status
	box.hidden = false
}

const well = () => { byId('trouble').hidden = true }

// request asks for something, and shows what comes of it. Meanwhile no key answers: a key is for the text that is seen.
async function request(method, name, body, query) {
	if (busy) return null
	busy = true
	let stale = null // why the question is asked for anew
	byId('question').setAttribute('aria-busy', 'true')
	try {
		// Numbers of texts are those of a run of the command.
		const got = await ask(method, path(name, query), body && state ? {...body, run: state.run} : body)
		well()
		take(got)
		return got
	} catch (error) {
		if (error instanceof Problem && error.status === 409) stale = error
		else trouble(error)
		if (!stale) return null
	} finally {
		busy = false
		byId('question').removeAttribute('aria-busy')
	}
	was = null
	if (await request('GET', 'question')) trouble(stale)
	showRecent()
	return null
}

function take(got) {
	state = got.state
	if (got.asked) {
		question = got.question ?? null
		asked = true
		onlyOne = false
	}
	if (got.was) {
		was = got.was
		touched = false
	}
	choose()
	show()
}

// choose has the guess chosen at first, or what was answered before, where a text may have several labels. What somebody has
// chosen stays until the text has an answer.
function choose() {
	if (!question || !several(state)) {
		chosen = null
		return
	}
	if (chosen?.document === question.text && touched) return
	chosen = new Chosen(split(state, question.given ?? question.guess ?? ''), question.text)
	touched = false
}

// says returns an answer for people to read.
const says = label => !several(state) ? label : shown(split(state, label))

// look has a look at what others have done.
async function look() {
	if (busy) return
	try {
		const got = await ask('GET', path('state'))
		const away = !byId('trouble').hidden && byId('trouble').dataset.status === '0'
		if (busy) return
		well()
		const before = state
		state = got.state
		if (before?.run !== state.run) showRecent()
		if (!asked || away || before?.run !== state.run) return request('GET', 'question')
		if (before && JSON.stringify(before.classes.map(c => c.name)) !== JSON.stringify(state.classes.map(c => c.name))) showQuestion()
		showState()
	} catch (error) {
		if (!busy) trouble(error)
	}
}

function again() {
	clearTimeout(timer)
	timer = setTimeout(async () => {
		if (!document.hidden) await look()
		again()
	}, every)
}

// keys returns the key of each class.
const keys = () => new Map(state.classes.filter(c => c.name !== state.none).map((c, i) => [c.name, (digits + letters)[i] ?? '']))

async function answer(label) {
	if (!question || busy) return
	const also = onlyOne ? [] : [...(question.alike ?? []).map(a => a.text), ...question.more ?? []]
	if (await request('POST', 'answer', {text: question.text, label, also})) {
		announce(text('said', {label: says(label)}))
		byId('question').querySelector('.coloured')?.scrollTo(0, 0)
		showRecent()
	}
}

// press answers with a label, or where there may be several, takes it in or out.
function press(label) {
	if (!chosen) return answer(label)
	if (busy) return
	chosen.toggle(label)
	touched = true
	showChosen()
}

// answerable says whether Enter answers: with the guess, or where there may be several labels, with those that are
// chosen. None is an answer of its own, and a key, unless that is the guess or what was answered before.
const answerable = () => chosen ? chosen.labels.size > 0 || [question.guess, question.given].includes(state.none) : Boolean(question.guess)
const confirm = () => answerable() && answer(chosen ? join(state, chosen.with([])) : question.guess)

async function skip() {
	if (!question) return
	if (question.given) return request('GET', 'question')
	was = null
	await request('POST', 'skip', {text: question.text})
}

async function undo() {
	was = null
	touched = false
	if (await request('POST', 'undo', {})) {
		announce(text('undone'))
		showRecent()
	}
}

const actions = {
	s: skip,
	u: undo,
	n: () => answer(state.none),
	o: () => { if (question?.alike) { onlyOne = !onlyOne; showAlike() } },
	c: () => byId('other')?.focus(),
}

// keyOf returns the character of a key, that of the Latin layout where another is in use.
function keyOf(event) {
	const key = event.key.toLowerCase()
	if (/^[a-z0-9]$/.test(key)) return key
	return /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code)?.[1].toLowerCase() ?? key
}

document.addEventListener('keydown', event => {
	if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !state) return
	if (event.key === 'Escape' && event.target.closest('input, textarea')) return event.target.blur()
	if (event.target.closest('input:not([type=checkbox]), textarea, select, summary') || event.isComposing) return
	if (!question && keyOf(event) !== 'u') return
	if (event.key === 'Enter') {
		if (event.target.closest('button, a, [type=checkbox]') || !answerable()) return
		event.preventDefault()
		return confirm()
	}
	const key = event.key === 'Backspace' ? 'u' : keyOf(event)
	const label = [...keys()].find(([, k]) => k === key)?.[0]
	if (label === undefined && !actions[key]) return
	event.preventDefault()
	if (label !== undefined) press(label)
	else actions[key]()
})

function show() {
	byId('view').hidden = false
	showState()
	showBegin()
	showQuestion()
}

function showState() {
	byId('counts').hidden = false
	byId('count-answered').textContent = count(state.answered)
	byId('count-texts').textContent = count(state.texts)
	byId('count-mine').textContent = count(state.mine)
	fill(byId('file'), say('saved', {file: state.file}))
	if (document.activeElement !== byId('who')) byId('who').value = state.who
	showQuality()
	showClasses()
	showPeople()
}

// showBegin asks for classes while there are none.
function showBegin() {
	const box = byId('begin')
	const wanted = state.classes.length === 0
	if (box.hidden !== wanted) return
	box.hidden = !wanted
	if (!wanted) return fill(box)
	const list = el('textarea', {id: 'list', class: 'begin-list', placeholder: text('begin-hint'), spellcheck: 'false', dir: 'auto', 'aria-describedby': 'begin-say'})
	fill(box,
		el('h2', {id: 'title-begin'}, text('begin')),
		el('p', {id: 'begin-say', class: 'soft small-print'}, text('begin-say')),
		el('label', {for: 'list', class: 'unseen'}, text('begin')), list,
		el('div', {class: 'row'}, el('button', {type: 'button', onclick: async () => {
			for (const line of list.value.split('\n').filter(l => l.trim())) if (!await addClass(line)) return
			byId('main').focus()
		}}, text('begin-go'))))
	list.focus({preventScroll: true})
}

async function addClass(line) {
	const colon = line.search(/[:：]/)
	const name = (colon < 0 ? line : line.slice(0, colon)).trim(), words = colon < 0 ? '' : line.slice(colon + 1).trim()
	return name !== '' && await request('POST', 'class', {name, words})
}

function showQuestion() {
	const box = byId('question')
	box.hidden = false
	box.dataset.text = question?.text ?? ''
	if (!question) {
		return fill(box, el('h2', {id: 'title-question'}, text(asked ? 'all-done' : 'loading')), asked && el('p', {class: 'soft'}, text('all-done-say')), asked && command(), asked && others(), lastAnswer())
	}
	const most = Math.max(...question.spans.map(s => Math.abs(real(s.log_odds))).filter(Number.isFinite), 1e-9)
	const colours = coloured(question.spans, most, text('rest-cut'))
	colours.tabIndex = 0
	colours.setAttribute('aria-labelledby', 'title-question')
	if (question.cut) colours.append(el('p', {class: 'soft'}, text('text-cut')))
	fill(box,
		el('div', {class: 'asked'}, el('h2', {id: 'title-question'}, text(chosen ? 'which-labels' : 'which')),
			question.given && el('span', {class: 'badge'}, say('given', {label: says(question.given)})),
			question.measured && el('span', {class: 'badge', title: text('random-say')}, text('random')),
			question.row && el('span', {class: 'soft small-print num'}, say('row', {row: question.row}))),
		colours, guess(), el('div', {id: 'alike'}), choices(), chosen && confirmation(), others(), otherClass(), lastAnswer())
	showAlike()
}

function guess() {
	if (question.measured) return el('p', {class: 'guess soft'}, text('random-say'))
	if (!question.guess) return el('p', {class: 'guess soft'}, text('no-guess'))
	return el('p', {class: 'guess'}, !chosen && [el('kbd', {}, 'Enter'), ' '], say('guess', {label: says(question.guess), p: percent(real(question.p))}),
		chosen && [' ', el('span', {class: 'soft'}, say('coloured', {label: question.coloured}))])
}

// confirmation answers with the labels that are chosen.
const confirmation = () => el('div', {class: 'confirm'}, el('button', {type: 'button', id: 'confirm', 'aria-keyshortcuts': 'Enter', disabled: !answerable(), onclick: confirm},
	el('kbd', {}, 'Enter'), ' ', el('span', {id: 'confirmed'}, summary())))

// summary says what is chosen.
const summary = () => answerable() ? shown(chosen.with([])) : text('choose-some')

// showChosen shows what is chosen, and leaves the focus where it is.
function showChosen() {
	for (const button of byId('question').querySelectorAll('.choice')) button.setAttribute('aria-pressed', String(chosen.has(button.dataset.class)))
	byId('confirm').disabled = !answerable()
	byId('confirmed').textContent = summary()
	announce(summary())
}

function choices() {
	const probabilities = new Map((question.top ?? []).map(t => [t.label, real(t.p)]))
	const key = keys()
	const guessed = chosen ? split(state, question.guess ?? '') : [question.guess]
	const offered = state.classes.filter(c => c.name !== state.none)
	const typed = (chosen?.with([]) ?? []).filter(label => !offered.some(c => c.name === label)).map(name => ({name}))
	return el('ul', {class: 'choices', role: 'list'}, [...offered, ...typed].map(c => {
		const p = probabilities.get(c.name)
		return el('li', {}, el('button', {
			type: 'button', 'data-class': c.name, title: c.name, 'aria-keyshortcuts': key.get(c.name),
			class: 'choice' + (guessed.includes(c.name) ? ' likely' : '') + (c.name === question.given && !chosen ? ' given' : ''), 'aria-pressed': chosen && String(chosen.has(c.name)),
			onclick: event => {
				if (event.detail > 0) event.currentTarget.blur() // so that Enter answers, after a click
				press(c.name)
			},
		}, key.get(c.name) ? el('kbd', {}, key.get(c.name)) : el('span'), el('span', {class: 'name'}, bdi(c.name)),
		el('span', {class: 'num'}, p === undefined ? '' : percent(p)), question.top && bar(p ?? 0, guessed.includes(c.name) ? 'for' : '')))
	}))
}

const others = () => el('div', {class: 'others'}, [['n', 'none'], ['s', question?.given ? 'leave' : 'skip'], ['u', 'undo']]
	.filter(([key]) => question || key === 'u')
	.map(([key, name]) => el('button', {type: 'button', class: 'small', 'data-action': name, 'aria-keyshortcuts': key, onclick: () => actions[key]()}, el('kbd', {}, key), text(name))))

function otherClass() {
	return el('form', {class: 'newclass', onsubmit: event => {
		event.preventDefault()
		const label = byId('other').value.trim()
		if (!label) return
		if (!chosen) return answer(label)
		for (const one of split(state, label)) chosen.labels.add(one)
		touched = true
		showQuestion()
		announce(summary())
	}}, el('label', {for: 'other'}, el('kbd', {}, 'c'), ' ', chosen ? text('other-labels', {separator: state.label_separator}) : text('other-class')),
	el('div', {class: 'row'}, el('input', {id: 'other', list: 'known', autocomplete: 'off', maxlength: 200, dir: 'auto'}),
		el('datalist', {id: 'known'}, state.classes.slice(0, 500).map(c => el('option', {value: c.name}))),
		el('button', {type: 'submit', class: 'quiet'}, text(chosen ? 'choose-it' : 'answer-it'))))
}

function showAlike() {
	const box = byId('alike')
	if (!question?.alike) return fill(box)
	const n = question.alike.length + (question.more?.length ?? 0)
	fill(box, el('div', {class: 'alike' + (onlyOne ? ' one' : '')},
		el('label', {class: 'check'}, el('input', {type: 'checkbox', id: 'together', checked: !onlyOne, onchange: actions.o}), el('kbd', {}, 'o'), el('span', {}, text('alike', {n: count(n)}))),
		el('ul', {role: 'list', tabindex: 0, 'aria-label': text('alike', {n: count(n)})}, question.alike.map(a => el('li', {dir: 'auto'}, a.excerpt)), question.more && el('li', {class: 'soft'}, '…'))))
}

function lastAnswer() {
	if (!was) return el('p', {class: 'was'}, text('safe'))
	const known = was.measured && was.guess, right = was.guess === was.label
	return el('p', {class: 'was'},
		el('span', {}, say(was.also ? 'was-many' : 'was', {label: says(was.label), n: count((was.also ?? 0) + 1)})),
		known && el('span', {class: right ? 'right' : 'wrong'}, say(right ? 'was-right' : 'was-wrong', {label: says(was.guess), p: percent(real(was.p))})))
}

const command = () => el('code', {class: 'command'}, state.train)

let drawn = ''
function showQuality() {
	const last = state.points[state.points.length - 1]
	const known = state.measured > 0 && last
	const key = JSON.stringify([state.points, state.micro_f1, state.gain, state.measured, state.unanswered, state.trouble, state.file, currentLanguage()])
	if (key === drawn) return
	drawn = key
	fill(byId('quality'),
		el('h2', {id: 'title-quality'}, text('quality')),
		known ? el('p', {class: 'score'}, el('span', {class: 'big'}, percent(real(last.accuracy))),
			el('span', {class: 'soft'}, say('interval', {low: percent(real(last.low)), high: percent(real(last.high))}))) : el('p', {class: 'score soft'}, text('not-yet')),
		known && several(state) && el('p', {class: 'soft', id: 'sets'}, say('sets', {f: percent(real(state.micro_f1 ?? 0))})),
		known && el('p', {class: 'soft small-print'}, say('measured', {n: count(state.measured)})),
		known && state.points.length > 1 && curve(state.points, text('curve')),
		known && state.points.length > 1 && el('p', {class: 'soft small-print'}, text('curve-say')),
		state.unanswered?.measured > 0 && el('p', {class: 'advice', id: 'unanswered'}, say('unanswered', {p: percent(real(state.unanswered.accuracy)),
			alone: percent(real(state.unanswered.alone)), low: percent(real(state.unanswered.low)), high: percent(real(state.unanswered.high)), n: count(state.unanswered.measured)})),
		advice(), state.trouble && el('p', {class: 'mistyped'}, state.trouble))
}

function advice() {
	const g = state.gain
	if (!g) return state.measured > 0 && el('p', {class: 'advice'}, text('advice-wait'))
	const values = {from: count(g.from), to: count(g.to), mean: signed(g.mean * 100), most: signed(g.most * 100)}
	if (g.pays) return el('p', {class: 'advice'}, say('advice-on', values))
	return el('div', {class: 'advice enough'}, el('p', {}, say('advice-enough', values)), command())
}

function showClasses() {
	const box = byId('classes')
	box.hidden = state.classes.length === 0
	if (box.contains(document.activeElement) && document.activeElement.value) return // somebody is typing
	const focused = box.contains(document.activeElement) ? document.activeElement.id : ''
	const add = el('input', {id: 'add-class', autocomplete: 'off', dir: 'auto', maxlength: 2000, placeholder: text('add-hint')})
	fill(box, el('h2', {id: 'title-classes'}, text('classes')),
		el('ul', {class: 'classlist', role: 'list', tabindex: 0, 'aria-labelledby': 'title-classes'}, state.classes.map(c => el('li', {},
			el('span', {class: 'name'}, c.name === state.none ? text('none') : bdi(c.name)), el('span', {class: 'num soft'}, count(c.texts)),
			c.texts === 0 && el('button', {type: 'button', class: 'small', 'aria-label': text('remove-class', {label: c.name}), onclick: () => request('DELETE', 'class', undefined, {name: c.name})}, '×'),
			c.words && el('span', {class: 'words', dir: 'auto'}, c.words)))),
		el('form', {class: 'row', onsubmit: async event => { event.preventDefault(); const line = add.value; add.value = ''; await addClass(line) }},
			el('div', {class: 'grow'}, el('label', {for: 'add-class'}, text('add')), add), el('button', {type: 'submit', class: 'quiet'}, text('add-it'))))
	if (focused) byId(focused)?.focus({preventScroll: true})
}

function showPeople() {
	const box = byId('people')
	box.hidden = state.people.length < 2
	if (box.hidden) return
	const name = n => n === '' ? text('file-labels') : n
	fill(box, el('h2', {id: 'title-people'}, text('people')),
		el('ul', {class: 'people', role: 'list'}, state.people.map(p => el('li', {}, bdi(name(p.name)), el('span', {class: 'num'}, count(p.answers))))),
		state.agreements.length > 0 && el('h3', {}, text('agreement')),
		el('ul', {class: 'people', role: 'list'}, state.agreements.map(a => el('li', {},
			el('span', {}, bdi(name(a.a)), ' · ', bdi(name(a.b))),
			el('span', {class: 'num'}, `${text('same', {same: count(a.same), n: count(a.texts)})} · κ ${Number.isFinite(real(a.kappa)) ? count(Math.round(real(a.kappa) * 100) / 100) : '–'}`)))),
		el('p', {class: 'soft small-print'}, text('agreement-say')))
}

async function showRecent() {
	let list, run
	try {
		const got = await ask('GET', path('recent'))
		list = got.recent ?? []
		run = got.state.run
	} catch (error) {
		return trouble(error)
	}
	const box = byId('recent')
	box.hidden = list.length === 0
	fill(box, el('h2', {id: 'title-recent'}, text('recent')), el('ul', {class: 'list', role: 'list'}, list.slice(0, 8).map(r => el('li', {},
		el('span', {class: 'excerpt', dir: 'auto'}, r.excerpt), el('span', {class: 'tag'}, bdi(says(r.label))),
		el('button', {type: 'button', class: 'small', 'aria-label': text('change-label', {text: r.excerpt.slice(0, 60)}), onclick: () => { was = null; request('GET', 'question', undefined, {text: r.text, run}); scrollTo(0, 0) }}, text('change'))))))
}

byId('who-form').addEventListener('submit', event => {
	event.preventDefault()
	const name = byId('who').value.trim()
	if (!name || name === state?.who) return
	who = name
	address.searchParams.set('who', who)
	history.replaceState(null, '', address)
	was = null
	touched = false
	byId('who').blur()
	request('GET', 'question')
	showRecent()
})
byId('who').addEventListener('change', () => byId('who-form').requestSubmit())

byId('language').value = currentLanguage()
byId('language').addEventListener('change', event => {
	setLanguage(event.target.value)
	sayAll()
	well()
	byId('begin').hidden = true
	if (state) show()
	showRecent()
	event.target.blur() // so that keys answer again
})

sayAll()
request('GET', 'question').then(showRecent)
again()
