// What a page says in the language of whoever looks at it, and how numbers are written there.

import {bdi} from './dom.js'

let words = {en: {}}
let language = 'en'

// use has a page say its words: for each language, sentences by their names. What a language lacks
// is said in English.
export function use(table) {
	words = table
	const wanted = [sessionStorage.getItem('bayes-language'), ...navigator.languages.map(l => l.slice(0, 2))]
	language = wanted.find(l => words[l]) ?? 'en'
}

export const currentLanguage = () => language

export function setLanguage(l) {
	language = l
	sessionStorage.setItem('bayes-language', l)
}

// text returns a sentence as a string, with values put in for {names}.
export const text = (name, values = {}) =>
	(words[language][name] ?? words.en[name] ?? name).replace(/\{(\w+)\}/g, (_, v) => values[v])

// say returns a sentence as nodes, in which the values keep their own direction.
export const say = (name, values = {}) =>
	(words[language][name] ?? words.en[name] ?? name).split(/(\{\w+\})/).filter(s => s !== '')
		.map(s => s[0] === '{' ? bdi(String(values[s.slice(1, -1)])) : s)

// sayAll puts the words of the language into the elements of the page itself.
export function sayAll() {
	document.documentElement.lang = language
	for (const node of document.querySelectorAll('[data-say]')) node.textContent = text(node.dataset.say)
	for (const node of document.querySelectorAll('[data-label]')) node.setAttribute('aria-label', text(node.dataset.label))
}

// Numbers.
const format = (v, options) => new Intl.NumberFormat(language, options).format(v)
export const count = v => format(v, {maximumFractionDigits: 6})
export const brief = v => {
	if (!Number.isFinite(v)) return infinity(v)
	if (Number.isInteger(v) && Math.abs(v) < 1e15) return count(v)
	if (Math.abs(v) >= 1e-4 && Math.abs(v) < 1e15) return format(v, {maximumSignificantDigits: 4})
	const [digits, power] = v.toExponential(3).split('e')
	return `${format(Number(digits))} × 10${power.replace('+', '').replace(/./g, c => c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[c])}`
}
// near returns a probability so that it is not said to be certain where it is not.
export const near = p => p < 1 && p > .9999 ? '1 − ' + brief(1 - p) : brief(p)
export const logarithm = v => Number.isFinite(v) ? format(v, {minimumFractionDigits: 3, maximumFractionDigits: 3}).replace('-', '−') : infinity(v)
export const signed = v => Number.isFinite(v) ? format(v, {minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'exceptZero'}).replace('-', '−') : infinity(v)
export const percent = p => {
	const options = {style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1}
	if (p > 0 && p < .0005) return '<' + format(.001, options)
	if (p < 1 && p > .9995) return '>' + format(.999, options)
	return format(p, options)
}
export const spread = s => s.examples ? `${brief(s.mean)} ± ${brief(s.deviation)}` : '–'
const infinity = v => Number.isNaN(v) ? '–' : v > 0 ? '+∞' : '−∞'
