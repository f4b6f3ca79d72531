// The derivation of an answer, step by step, as a textbook would write it.

import {real} from './api.js'
import {bdi, el, math} from './dom.js'
import {P, apart, inLog, number, operator, row, scroll, sum, whole, word} from './formulas.js'
import {brief, logarithm, near, say, text} from './words.js'

const mostFactors = 100, mostAdded = 40

// derivation returns the steps for the answer's class, beside another one. The document is a text,
// or columns alone.
export function derivation(answer, against, columnsAlone, choose) {
	const work = answer.work
	const labels = work.classes.map(c => c.label)
	const other = labels.includes(against) && against !== answer.class ? against : answer.against
	const classes = [answer.class, other].filter(l => l).map(l => work.classes.find(c => c.label === l))
	const tone = ['for', 'against']
	const columns = cell => el('div', {class: 'columns-of'}, classes.map((c, i) => el('div', {class: 'cell ' + tone[i]}, el('div', {class: 'of'}, bdi(c.label)), cell(c))))
	const factorsStep = columnsAlone ? 'step-columns' : 'step-factors'
	const power = real(work.power ?? answer.power)
	return el('div', {},
		labels.length > 2 && el('label', {class: 'pick'}, el('span', {}, say('against-class', {label: answer.class})),
			el('select', {id: 'against-class', onchange: e => choose(e.target.value)},
				labels.filter(l => l !== answer.class).map(l => el('option', {value: l, selected: l === other}, l)))),
		el('ol', {class: 'derive', role: 'list'},
			step('step-prior', {}, columns(prior)),
			step(factorsStep, {}, classes[0].trust !== undefined && el('p', {class: 'soft'}, text('step-corrected-say', {trust: brief(real(classes[0].trust))})), factors(classes, tone)),
			step('step-sum', {}, columns(added)),
			step('step-posterior', {}, Number.isFinite(real(work.log_evidence)) ? columns(c => posterior(c, work)) : el('p', {}, text('impossible'))),
			power !== 1 && Number.isFinite(real(work.log_evidence)) && step('step-power', {power: brief(power)}, columns(c => scroll(...calibrated(c, power))))))
}

// step returns a step: its name, what it is, and the formulas.
export const step = (name, values, ...content) => el('li', {}, el('h3', {}, text(name)), el('p', {class: 'soft'}, text(name + '-say', values)), content)

// added returns what a score adds up from, and what it comes to.
export function added(c) {
	const parts = [...c.prior_counts === false && c.prior_score === undefined ? [] : [real(c.prior_score ?? c.log_prior)], ...c.factors.filter(f => !f.absent).map(product)]
	if (real(c.absent_sum)) parts.push(real(c.absent_sum))
	const shown = parts.slice(0, mostAdded)
	return el('div', {class: 'added num'}, shown.map((v, i) => el('span', {}, i === 0 ? logarithm(v) : `${v < 0 ? '−' : '+'} ${logarithm(Math.abs(v))}`)),
		parts.length > shown.length && el('span', {}, '+ …'), el('strong', {}, '= ' + logarithm(real(c.log_joint))))
}

function prior(c) {
	const log = real(c.log_prior)
	if (c.bias !== undefined && !c.prior_counts) return scroll(whole(math('mi', 'b'), operator('='), inLog(c.bias)))
	if (c.prior_counts === false) return scroll(el('span', {class: 'soft'}, text('prior-unused')))
	const counted = Math.abs(Math.exp(log) - c.weight / c.of) < 1e-12
	const score = c.bias !== undefined ? whole(number(real(c.trust)), operator('·'), math('mi', 'ln'), operator('+'), inLog(c.bias), operator('='), inLog(c.prior_score)) : c.prior_score === undefined ? whole(math('mi', 'ln'), operator('='), inLog(log)) :
		whole(math('mi', 'ln'), math('msqrt', math('mfrac', row(...P(c.label)), row(number(1), operator('−'), ...P(c.label)))), operator('='), inLog(c.prior_score))
	return scroll(
		whole(...P(c.label)), whole(operator('='), counted ? math('mfrac', row(number(c.weight)), row(number(c.of))) : word(text('prior-set')), operator('='), number(Math.exp(log))),
		el('span', {class: 'log apart'}, score))
}

// factors returns a row for each word, with a cell for each class. What becomes of a quotient of two estimates, that of the
// class and that of the rest, is for the caller to say.
export function factors(classes, tone, ofQuotient = q => math('msqrt', q)) {
	const n = classes[0].factors.length
	const rows = classes[0].factors.slice(0, mostFactors).map((f, j) => el('tr', {},
		el('th', {scope: 'row'}, f.absent ? '¬ ' : '', bdi(f.term), f.number && el('span', {class: 'soft'}, ` = ${brief(f.value ?? 0)}`), f.times !== 1 && el('span', {class: 'soft'}, ` × ${brief(f.times)}`),
			f.idf && el('div', {class: 'soft'}, f.occurs > 1 ? `(1 + ln ${brief(f.occurs)}) · ` : `${brief(f.occurs)} · `, `${brief(f.idf)} / ${brief(f.length)}`)),
		classes.map((c, i) => el('td', {class: tone[i], 'data-of': c.label}, scroll(factor(c.factors[j], ofQuotient), corrected(c.factors[j])), el('div', {class: 'log num'}, logarithm(product(c.factors[j])))))))
	if (n > mostFactors) rows.push(el('tr', {}, el('th', {scope: 'row', class: 'soft'}, text('more-factors', {n: n - mostFactors})),
		classes.map((c, i) => el('td', {class: tone[i]}, el('div', {class: 'log num'}, logarithm(c.factors.slice(mostFactors).reduce((s, f) => s + product(f), 0)))))))
	const rest = c => real(c.absent_sum) - c.factors.filter(f => f.absent).reduce((s, f) => s + product(f), 0)
	const unlisted = (classes[0].absent_terms ?? 0) - classes[0].factors.filter(f => f.absent).length
	if (unlisted > 0) rows.push(el('tr', {}, el('th', {scope: 'row', class: 'soft'}, text('absent-rest', {n: unlisted})),
		classes.map((c, i) => el('td', {class: tone[i]}, el('div', {class: 'log num'}, logarithm(rest(c)))))))
	return el('table', {class: 'factors'},
		el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, text('term')), classes.map((c, i) => el('th', {scope: 'col', class: tone[i]}, el('div', {class: 'under'}, bdi(c.label)))))),
		el('tbody', {}, rows))
}

const product = f => f.times * real(f.log)

// base returns the logarithm of a factor as naive Bayes has it.
const base = f => real(f.trust ?? 0) === 0 ? real(f.log) : (real(f.log) - real(f.correction ?? 0)) / real(f.trust)

// corrected returns what becomes of a factor with a correction.
function corrected(f) {
	if (f.trust === undefined) return false
	const correction = real(f.correction ?? 0), times = f.times === 1 ? [] : [number(f.times), operator('·')]
	if (real(f.trust) === 0) return whole(...times, number(correction))
	return whole(...times, operator('('), number(real(f.trust)), operator('·'), math('mi', 'ln'), operator(correction < 0 ? '−' : '+'), number(Math.abs(correction)), operator(')'))
}

// factor returns one word's probability in a class, as a fraction where it is one.
function factor(f, ofQuotient) {
	if (f.trust !== undefined && real(f.trust) === 0) return false
	if (f.variance > 0) return whole(math('mi', 'N'), operator('('), number(f.value), operator(';'), number(f.mean), operator(','), number(f.variance), operator(')'), operator('='), number(Math.exp(base(f))))
	if (f.number) return whole(math('mi', 'p'), operator('('), number(f.value), operator(')'), operator('='), number(Math.exp(base(f))))
	const p = f.numerator / f.denominator
	const estimate = f => math('mfrac', row(...sum(f.count, apart(f.numerator, f.count))), row(...sum(f.total, apart(f.denominator, f.total))))
	const fraction = estimate(f)
	if (f.rest) return whole(ofQuotient(row(fraction, operator('/'), estimate(f.rest))), operator('='), number(Math.exp(base(f))))
	const before = f.absent ? [number(1), operator('−')] : f.complement ? [number(1), operator('/')] : []
	return whole(...before, fraction, operator('='), number(f.absent ? 1 - p : f.complement ? 1 / p : p))
}

// posterior returns Bayes' theorem with the numbers put in. The scores are taken
// from the evidence first, since their exponentials may be too small to write.
function posterior(c, work) {
	const score = real(c.log_joint), evidence = real(work.log_evidence)
	const e = v => math('msup', math('mi', 'e'), row(math('mn', logarithm(v))))
	const terms = work.classes.length <= 3 ? work.classes.flatMap((o, i) => i === 0 ? [e(real(o.log_joint))] : [operator('+'), e(real(o.log_joint))]) : [e(evidence)]
	return scroll(whole(...P(c.label, 'd')), whole(operator('='), math('mfrac', row(e(score)), row(...terms))), whole(operator('='), math('mn', near(Math.exp(score - evidence)))))
}

function calibrated(c, power) {
	const up = P_ => math('msup', row(...P_), math('mn', brief(power)))
	return [whole(math('mfrac', row(up(P(c.label, 'd'))), row(operator('∑'), up(P('k', 'd'))))), whole(operator('='), math('mn', near(real(c.probability))))]
}
