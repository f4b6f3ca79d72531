// The server's interface. A token is kept for this tab only, and is sent nowhere
// but to the server that this page came from.

// base is the path that the page is at. A proxy may put a prefix before it, and another
// server behind another prefix, whose token is another.
const base = new URL('.', location).pathname
const key = 'bayes-token' + (base === '/' ? '' : base)

// A Problem is what the server answers instead of an answer. Its status is 0
// where there was no answer at all.
export class Problem extends Error {
	constructor(status, detail, wait = 0) {
		super(detail)
		this.status = status
		this.wait = wait // seconds, before it is worth trying again
	}
}

export const hasToken = () => sessionStorage.getItem(key) !== null

export function setToken(secret) {
	if (secret) sessionStorage.setItem(key, secret)
	else sessionStorage.removeItem(key)
}

// request sends a request and returns the response, or throws a Problem.
export async function request(method, path, body, type, signal) {
	const headers = {}
	if (type) headers['Content-Type'] = type
	if (hasToken()) headers.Authorization = 'Bearer ' + sessionStorage.getItem(key)
	let response
	try {
		response = await fetch(path, {method, headers, body, signal, cache: 'no-store', credentials: 'omit'})
	} catch (error) {
		if (error.name === 'AbortError') throw error
		throw new Problem(0, '')
	}
	if (response.ok) return response
	let detail = ''
	try {
		detail = (await response.json()).detail ?? ''
	} catch { // a proxy's page
	}
	throw new Problem(response.status, detail || `${response.status} ${response.statusText}`, Number(response.headers.get('Retry-After')))
}

// ask sends a request with a body in JSON, if there is one, and returns the
// answer.
export async function ask(method, path, body, signal) {
	const response = await request(method, path, body === undefined ? undefined : JSON.stringify(body), body === undefined ? '' : 'application/json', signal)
	try {
		return await response.json()
	} catch (error) {
		if (error.name === 'AbortError') throw error
		throw new Problem(0, '')
	}
}

// modelPath returns the path of a model, or of what is asked of it. Like all paths it is relative
// to the page.
export const modelPath = (name, what = '', query = {}) => {
	const search = new URLSearchParams(query).toString()
	return 'v1/models/' + encodeURIComponent(name) + (what && '/' + what) + (search && '?' + search)
}

// real reads a number of an answer: JSON has no infinities, so they are strings.
export const real = v => v === 'inf' ? Infinity : v === '-inf' ? -Infinity : v

// newID returns an id for a document, 128 random bits.
export const newID = () => 'page-' + Array.from(crypto.getRandomValues(new Uint8Array(16)), b => b.toString(16).padStart(2, '0')).join('')
