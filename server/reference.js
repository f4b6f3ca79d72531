// Trying the interface out: each form sends its request to the server that the page came from, with
// the token that the tab has, if there is one.

const base = new URL('.', location)
const key = 'bayes-token' + (base.pathname === '/' ? '' : base.pathname) // as on the page
const byId = id => document.getElementById(id)

const headers = type => ({
	...type && {'Content-Type': type},
	...sessionStorage.getItem(key) && {Authorization: 'Bearer ' + sessionStorage.getItem(key)},
})
const ask = path => fetch(path, {headers: headers(), cache: 'no-store', credentials: 'omit'})

// The examples are of this server.
for (const code of document.querySelectorAll('.example code')) code.textContent = code.textContent.replaceAll('localhost:8080/', base.href)

for (const box of document.querySelectorAll('.try')) {
	box.hidden = false
	const form = box.querySelector('form')
	form.addEventListener('submit', event => {
		event.preventDefault()
		send(form)
	})
}

// send sends the request of a form, and shows the answer.
async function send(form) {
	const {method, path} = form.dataset
	let target = path.slice(1)
	const query = new URLSearchParams()
	for (const input of form.querySelectorAll('[data-in]')) {
		if (input.dataset.in === 'path') target = target.replace('{' + input.name + '}', encodeURIComponent(input.value))
		else if (input.value !== '') query.set(input.name, input.value)
	}
	if (query.size > 0) target += '?' + query
	const body = form.querySelector('[name=body]')?.value
	const status = form.querySelector('.status'), answer = form.querySelector('.answer')
	try {
		const response = await fetch(target, {method, body, headers: headers(body === undefined ? '' : 'application/json'), cache: 'no-store', credentials: 'omit'})
		const said = await response.text()
		status.textContent = `${response.status} ${response.statusText}`
		answer.textContent = indented(said)
		answer.hidden = said === ''
		if (response.status === 401) byId('secret').focus()
	} catch (error) {
		status.textContent = 'No answer: ' + error.message
		answer.hidden = true
	}
}

function indented(said) {
	try {
		return JSON.stringify(JSON.parse(said), null, 2)
	} catch {
		return said
	}
}

// look finds out what the token allows, and what models there are to try.
async function look() {
	const secret = sessionStorage.getItem(key)
	const response = await ask('v1/token').catch(() => null)
	if (!response) return
	const token = response.ok ? await response.json() : null
	byId('token').hidden = token?.name === ''
	byId('logout').hidden = !secret
	byId('allowed').textContent = token ? 'Allowed: ' + token.scopes.join(', ') : !secret ? '' : response.status === 403 ? (await response.json()).detail : 'The server does not accept the token.'
	if (!token) return
	const {models} = await (await ask('v1/models')).json()
	const usable = models.filter(m => m.status === 'ok')
	byId('models').replaceChildren(...usable.map(m => {
		const option = document.createElement('option')
		option.value = m.name
		return option
	}))
	const chosen = usable.find(m => m.name === sessionStorage.getItem('bayes-model')) ?? usable[0]
	if (chosen) suit(chosen)
}

// suit makes the examples those of a model: its name, its columns and a class of it.
function suit(model) {
	for (const input of document.querySelectorAll('input[name=model]')) input.value = model.name
	const {text, numeric, categorical} = model.columns
	const content = Object.fromEntries([...text.map(c => [c, 'free lunch']), ...numeric.map(c => [c, 1]), ...categorical.map(c => [c, ''])])
	for (const area of document.querySelectorAll('textarea[name=body]')) {
		const example = JSON.parse(area.defaultValue)
		if (area.value !== area.defaultValue || example.text === undefined) continue
		delete example.text
		if (example.label) example.label = model.classes[0]?.label ?? example.label
		area.value = JSON.stringify({...example, ...content})
	}
}

byId('token').addEventListener('submit', event => {
	event.preventDefault()
	if (byId('secret').value.trim()) sessionStorage.setItem(key, byId('secret').value.trim())
	byId('secret').value = ''
	look()
})
byId('logout').addEventListener('click', () => {
	sessionStorage.removeItem(key)
	location.reload()
})
look()
