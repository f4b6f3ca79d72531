// Formulas in MathML: numbers, names, and what is counted.

import {el, math} from './dom.js'
import {brief, logarithm} from './words.js'
import {real} from './api.js'

export const number = v => math('mn', brief(v))
export const operator = s => {
	const o = math('mo', s)
	if ('()|'.includes(s)) o.setAttribute('stretchy', 'false')
	return o
}
export const word = s => {
	const letters = Array.from(s)
	return math('mtext', letters.length > 18 ? letters.slice(0, 16).join('') + '…' : s)
}
export const row = (...parts) => math('mrow', ...parts)
export const whole = (...parts) => math('math', row(...parts))
export const P = (label, given) => given === undefined ? [math('mi', 'P'), operator('('), word(label), operator(')')] : [math('mi', 'P'), operator('('), word(label), operator('|'), word(given), operator(')')]

// sum returns a count and what smoothing adds to it.
export const sum = (counted, added) => added === 0 ? [number(counted)] : [number(counted), operator('+'), number(added)]
export const apart = (all, counted) => Math.abs(all - counted) < 1e-12 * Math.abs(all) ? 0 : all - counted

// inLog returns a logarithm, or what is added to some.
export const inLog = v => math('mn', logarithm(real(v)))

// scroll returns a line that may be wider than its place.
export const scroll = (...content) => el('div', {class: 'formula scroll'}, ...content)
