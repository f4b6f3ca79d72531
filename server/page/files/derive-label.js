// The derivation of one label, where a document may have several: it is a question by itself, and the label is weighed against
// its rest, all that lacks it.

import {real} from './api.js'
import {added, factors, step} from './derive.js'
import {el, math} from './dom.js'
import {P, inLog, number, operator, row, scroll, whole, word} from './formulas.js'
import {brief, near, say, text} from './words.js'

// labelDerivation returns the steps for the label that is explained. Another one can be chosen.
export function labelDerivation(answer, choose) {
	const c = answer.work.classes[0], power = real(answer.work.power)
	const values = {label: c.label, temperature: brief(1 / power)}
	const cell = content => el('div', {class: 'columns-of'}, el('div', {class: 'cell for'}, content))
	const steps = c.bias === undefined ?
		[step('step-odds', values, cell(odds(c))), step('step-quotients', values, factors([c], ['for'], q => q)), step('step-score', values, cell(added(c)))] :
		[step('step-bias', values, cell(bias(c))), step('step-corrections', values, factors([c], ['for'])), step('step-score-corrected', values, cell(added(c)))]
	return el('div', {},
		el('label', {class: 'pick'}, el('span', {}, text('label')),
			el('select', {id: 'derive-label', onchange: e => choose(e.target.value)}, labels(answer).map(l => el('option', {value: l, selected: l === c.label}, l)))),
		el('ol', {class: 'derive', role: 'list'},
			steps,
			step(power === 1 ? 'step-probability' : 'step-probability-calibrated', values, cell(probability(c, power))),
			answer.cutoff && step('step-verdict', values, cell(verdict(answer)))))
}

// labels returns those that can be chosen, the most probable first.
const labels = answer => [...new Set([...Object.keys(answer.probabilities), answer.class])].sort((a, b) => real(answer.probabilities[b] ?? 0) - real(answer.probabilities[a] ?? 0))

const P_not = label => [math('mi', 'P'), operator('('), operator('¬'), word(label), operator(')')]

// odds returns the prior as odds, and their logarithm, which the score begins with.
function odds(c) {
	const log = real(c.log_prior)
	const counted = Math.abs(Math.exp(log) - c.weight / c.of) < 1e-12
	const value = counted ? math('mfrac', row(number(c.weight)), row(number(c.of - c.weight))) : word(text('prior-set'))
	return scroll(
		whole(math('mfrac', row(...P(c.label)), row(...P_not(c.label)))), whole(operator('='), value, operator('='), number(Math.exp(log) / -Math.expm1(log))),
		el('span', {class: 'log apart'}, whole(math('mi', 'ln'), operator('='), inLog(c.prior_score ?? c.log_prior))))
}

// bias returns what the score begins with where it is learned.
const bias = c => scroll(whole(math('mi', 'b'), operator('='), inLog(c.bias)))

// probability returns 1/(1+e^-score), with the score over the temperature where there is one.
function probability(c, power) {
	const score = inLog(c.log_joint)
	const exponent = row(operator('−'), operator('('), ...power === 1 ? [score] : [score, operator('/'), number(1 / power)], operator(')'))
	return scroll(whole(...P(c.label, 'd')), whole(operator('='), math('mfrac', row(number(1)), row(number(1), operator('+'), math('msup', math('mi', 'e'), exponent)))),
		whole(operator('='), math('mn', near(real(c.probability)))))
}

// verdict returns whether the score reaches the cutoff of the label. Where that of none is reached, the nearest may be given.
function verdict(answer) {
	const {log_odds: score, needs} = answer.cutoff, reached = real(score) >= real(needs)
	const said = !answer.labels.includes(answer.class) ? 'label-not-given' : reached ? 'label-given' : 'label-nearest'
	return [
		scroll(whole(inLog(score), operator(reached ? '≥' : '<'), inLog(needs))),
		el('p', {}, el('strong', {}, say(said, {label: answer.class}))),
	]
}
