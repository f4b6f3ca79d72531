// The page: which model, which view, and what is going on between the server and
// here. The views do the rest.

import {Problem, ask, hasToken, modelPath, setToken} from './api.js'
import {correctView} from './correct.js'
import {el} from './dom.js'
import {fileView} from './file.js'
import {modelsView} from './models.js'
import {termsView} from './terms.js'
import {textView} from './text.js'
import {count, currentLanguage, say, sayAll, setLanguage, text} from './words.js'

const byId = id => document.getElementById(id)
const every = 2000 // milliseconds, between looks at the counts

let info = null // the model that is chosen, as the server describes it
let timer = 0
let locked = false // until there is a token
let scopes = [] // what the token allows

// context is what the views have of the page.
const context = {
	info: () => info,
	may: scope => scopes.includes(scope),
	trouble,
	well,
	// restart looks anew which models there are, and chooses one.
	async restart(name) {
		if (name) sessionStorage.setItem('bayes-model', name)
		info = null
		await start()
	},
	// seen returns when the model that predicts has learned the event of a number.
	async seen(sequence) {
		const {name} = info
		for (let i = 0; i < 60 && info?.name === name; i++) {
			await look()
			if (info?.visible >= sequence) return
			await new Promise(done => setTimeout(done, 50))
		}
	},
}

const views = {text: textView(byId('view-text'), context), terms: termsView(byId('view-terms'), context), file: fileView(byId('view-file'), context),
	correct: correctView(byId('view-correct'), context), models: modelsView(byId('view-models'), context)}
const named = () => Object.keys(views).find(name => location.hash === '#' + name)
let current = named() ?? 'text'
const view = () => offered(current) ? current : info ? 'text' : 'models'

// offered reports whether a view is of use: it may do what it is for, and has a model if it needs one.
const offered = name => name === 'models' ? context.may('admin') : info !== null && (name !== 'correct' || context.may('read') && context.may('learn'))

// trouble says what went wrong, kindly. What a new attempt may mend is tried
// again by itself.
function trouble(error, kind = 'problem') {
	if (error.name === 'AbortError') return
	if (!(error instanceof Problem)) throw error
	if (error.status === 401) return lock()
	if (error.status === 403 && !info) return lock('token-read')
	if (error.status === 403) return notice(say('token-scope'), kind)
	if (error.status === 0) notice(say('unreachable'), 'unreachable')
	else notice([error.message], kind)
	if (!info) again()
}

function notice(words, kind) {
	const box = byId('trouble')
	if (box.dataset.kind === kind && box.textContent === words.map(w => w.textContent ?? w).join('')) return
	box.dataset.kind = kind
	box.replaceChildren(...words)
	box.hidden = false
}

// well takes back what trouble said, of one kind or of all.
function well(kind) {
	const box = byId('trouble')
	if (box.hidden || kind && box.dataset.kind !== kind) return false
	box.hidden = true
	box.dataset.kind = ''
	box.replaceChildren()
	return true
}

// lock asks for a token, and says why.
function lock(why = hasToken() ? 'token-bad' : 'token-why') {
	well()
	if (hasToken() || !locked) byId('token-why').replaceChildren(...say(why))
	setToken('')
	locked = true
	clearTimeout(timer)
	show()
	byId('secret').focus()
}

byId('token').addEventListener('submit', event => {
	event.preventDefault()
	setToken(byId('secret').value.trim())
	byId('secret').value = ''
	locked = false
	byId('token').hidden = true
	start()
})

// Nothing of what was typed or answered is left.
byId('logout').addEventListener('click', () => {
	setToken('')
	sessionStorage.removeItem('bayes-model')
	location.reload()
})

// start finds the models, and chooses the one that was chosen.
async function start() {
	clearTimeout(timer)
	let models
	try {
		const [list, token] = await Promise.all([ask('GET', 'v1/models'), ask('GET', 'v1/token')])
		models = list.models.filter(m => m.status !== 'broken')
		scopes = token.scopes
	} catch (error) {
		return trouble(error)
	}
	for (const kind of ['unreachable', 'problem', 'none']) well(kind)
	const names = models.map(m => m.name)
	const name = [info?.name, sessionStorage.getItem('bayes-model'), names[0]].find(n => names.includes(n))
	const select = byId('model')
	select.replaceChildren(...names.map(n => el('option', {value: n}, n)))
	if (name === undefined) {
		info = null
		show()
		if (context.may('admin')) views.models.show()
		notice(say(context.may('admin') ? 'no-models-yet' : 'no-models'), 'none')
		return again()
	}
	select.value = name
	choose(models.find(m => m.name === name))
}

function choose(chosen) {
	info = chosen
	sessionStorage.setItem('bayes-model', info.name)
	show()
	for (const v of Object.values(views)) v.choose(info)
	byId('main').dataset.model = info.name
	views[view()].show()
	again()
}

byId('model').addEventListener('change', async event => {
	try {
		const chosen = await ask('GET', modelPath(event.target.value))
		well()
		choose(chosen)
	} catch (error) {
		trouble(error)
	}
})

// look has a look at the counts, and tells the view what has changed.
async function look() {
	const {name} = info
	let now
	try {
		now = await ask('GET', modelPath(name))
	} catch (error) {
		if (error.status === 404 && info?.name === name) {
			start()
			return notice(say('gone', {model: name}))
		}
		return trouble(error)
	}
	if (info?.name !== name) return
	if (well('unreachable')) views[view()].show()
	if (now.learning !== 'ok') notice(say('log-down'), 'log')
	else well('log')
	const before = info
	info = now
	if (JSON.stringify([before.columns, before.space]) !== JSON.stringify([now.columns, now.space])) return choose(now)
	if (before.visible === now.visible && before.documents === now.documents && before.event === now.event) return
	counts(before)
	views[view()].update()
}

// again has another look in a while.
function again() {
	clearTimeout(timer)
	timer = setTimeout(async () => {
		if (locked) return
		if (!info) return start()
		if (!document.hidden) await look()
		if (!locked) again()
	}, every)
}

document.addEventListener('visibilitychange', () => {
	if (!document.hidden && info && !locked) look()
})

function counts(before) {
	for (const [id, value, old] of [
		['count-documents', info.documents, before?.documents], ['count-classes', info.classes.length, before?.classes.length], ['count-terms', info.terms, before?.terms],
	]) {
		const node = byId(id)
		node.textContent = count(value)
		if (before && old !== value) {
			node.classList.remove('changed')
			void node.offsetWidth // so that the animation begins anew
			node.classList.add('changed')
		}
	}
}

// show shows the view that the address names.
function show() {
	byId('token').hidden = !locked
	byId('logout').hidden = locked || !hasToken()
	const first = document.querySelector('#views a')
	first.dataset.say = info && info.columns.text.length === 0 ? 'tab-text-columns' : 'tab-text'
	first.textContent = text(first.dataset.say)
	for (const name of Object.keys(views)) {
		byId('view-' + name).hidden = locked || !offered(name) || name !== view()
		const link = document.querySelector(`#views a[href="#${name}"]`)
		link.hidden = !offered(name)
		if (name === view()) link.setAttribute('aria-current', 'page')
		else link.removeAttribute('aria-current')
	}
	byId('views').hidden = locked || !Object.keys(views).some(offered)
	byId('counts').hidden = byId('pick-model').hidden = locked || !info
	if (info) counts()
}

addEventListener('hashchange', () => {
	if (!named()) return // the link that skips to the content
	current = named()
	show()
	if (!locked && offered(view())) views[view()].show()
})

byId('language').value = currentLanguage()
byId('language').addEventListener('change', event => {
	setLanguage(event.target.value)
	sayAll()
	well()
	for (const v of Object.values(views)) v.words()
	if (!info) return start()
	counts()
	views[view()].show()
})

document.addEventListener('dragover', event => event.preventDefault()) // a file dropped beside its place would replace the page
document.addEventListener('drop', event => event.preventDefault())

sayAll()
start()
