// Making elements. Whatever a user or a model says gets in as text, never as
// HTML.

// el returns an element. Of its properties those that begin with "on" are
// listeners, and class, role, aria-… and the like are attributes. Children are
// nodes, or strings that become text.
export function el(tag, properties = {}, ...children) {
	const node = document.createElement(tag)
	for (const [name, value] of Object.entries(properties)) {
		if (value === undefined || value === null || value === false) continue
		if (name.startsWith('on')) node.addEventListener(name.slice(2), value)
		else if (name === 'value') node.value = value
		else node.setAttribute(name, value === true ? '' : value)
	}
	node.append(...children.flat().filter(c => c !== null && c !== undefined && c !== false))
	return node
}

// fill replaces the children of a node; false and null are none.
export const fill = (node, ...children) => node.replaceChildren(...children.flat().filter(c => c !== null && c !== undefined && c !== false))

const mathNS = 'http://www.w3.org/1998/Math/MathML'

// math returns an element of MathML.
export function math(tag, ...children) {
	const node = document.createElementNS(mathNS, tag)
	node.append(...children)
	return node
}

// bdi returns a label or a term so that its direction leaves its surroundings
// alone.
export const bdi = text => el('bdi', {}, text)

// bar returns a bar, share in [0,1] of its track wide. It says nothing that does
// not stand beside it in words.
export function bar(share, tone = '') {
	const fill = el('div', {class: 'fill ' + tone})
	setBar(fill, share)
	return el('div', {class: 'track', 'aria-hidden': 'true'}, fill)
}

export const setBar = (fill, share) => fill.style.setProperty('--share', Math.max(0, Math.min(1, share)) * 100 + '%')

let saying
// announce has a screen reader say something, once there is nothing newer to say.
export function announce(text, after = 0) {
	clearTimeout(saying)
	saying = setTimeout(() => { document.getElementById('said').textContent = text }, after)
}
