// The server's interface, as docs/server.md has it.

const key = 'bayes-token'

// A Problem is an answer that says what is wrong.
export class Problem extends Error {
	constructor(status, detail) {
		super(detail)
		this.status = status
	}
}

export function useToken(token) { sessionStorage.setItem(key, token) }

async function request(path, options = {}) {
	const headers = new Headers(options.headers)
	const token = sessionStorage.getItem(key)
	if (token) headers.set('Authorization', 'Bearer ' + token)
	let response
	try {
		response = await fetch(path, {...options, headers, cache: 'no-store'})
	} catch (error) {
		if (error.name === 'AbortError') throw error
		throw new Problem(0, 'the server cannot be reached')
	}
	if (response.ok) return response
	const problem = await response.json().catch(() => ({}))
	throw new Problem(response.status, problem.detail || problem.title || `the server answered ${response.status}`)
}

const json = async (path, options) => (await request(path, options)).json()

const post = (path, body, signal) =>
	json(path, {method: 'POST', body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}, signal})

const of = model => '/v1/models/' + encodeURIComponent(model)

export const models = async () => (await json('/v1/models')).models
export const model = name => json(of(name))
export const explain = (name, document, signal) => post(of(name) + '/explain?work=true', document, signal)
export const learn = (name, document, isNew) => post(of(name) + '/learn' + (isNew ? '?new_labels=true' : ''), document)
export const unlearn = (name, id) => post(of(name) + '/unlearn', {id})
export const telling = (name, n) => json(`${of(name)}/terms?n=${n}`)
export const term = (name, word) => json(`${of(name)}/term?name=${encodeURIComponent(word)}`)

// predictAll labels documents, and returns the answers in their order.
export async function predictAll(name, documents) {
	const body = documents.map(d => JSON.stringify(d)).join('\n') + '\n'
	const response = await request(of(name) + '/predict', {method: 'POST', body, headers: {'Content-Type': 'application/x-ndjson'}})
	return (await response.text()).split('\n').filter(line => line).map(line => JSON.parse(line))
}
