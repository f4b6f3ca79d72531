// The learning curve: accuracy by the number of answers, with its interval.

import {real} from './api.js'
import {count, percent} from './language.js'

const width = 380, height = 150, left = 44, right = 12, top = 10, bottom = 26

function svg(tag, attributes, ...children) {
	const node = document.createElementNS('http://www.w3.org/2000/svg', tag)
	for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
	node.append(...children)
	return node
}

// curve returns a drawing of points, whose numbers of texts are halves of each other; title says what it shows.
export function curve(points, title) {
	const list = points.map(p => ({texts: p.texts, p: real(p.accuracy), low: real(p.low), high: real(p.high)})).filter(p => Number.isFinite(p.p))
	const floor = Math.max(0, Math.floor(Math.min(...list.map(p => p.low)) * 5) / 5)
	const first = Math.log(list[0].texts), last = Math.log(list[list.length - 1].texts)
	const x = p => last === first ? width - right : left + (Math.log(p.texts) - first) / (last - first) * (width - left - right)
	const y = v => top + (1 - v) / (1 - floor) * (height - top - bottom)
	const at = (p, v) => `${x(p).toFixed(1)},${y(v).toFixed(1)}`
	const box = svg('svg', {class: 'curve', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title})
	for (const v of [floor, (1 + floor) / 2, 1]) {
		box.append(svg('line', {class: 'grid', x1: left, x2: width - right, y1: y(v), y2: y(v)}),
			svg('text', {x: left - 6, y: y(v) + 4, 'text-anchor': 'end'}, percent(v).replace(/[.,]0/, '')))
	}
	if (list.length > 1) {
		box.append(svg('polygon', {class: 'band', points: [...list.map(p => at(p, p.high)), ...list.toReversed().map(p => at(p, p.low))].join(' ')}),
			svg('polyline', {class: 'line', points: list.map(p => at(p, p.p)).join(' ')}))
	}
	for (const p of list) box.append(svg('circle', {cx: x(p), cy: y(p.p), r: 3.5}))
	const shown = list.length > 4 ? list.filter((_, i) => (list.length - 1 - i) % 2 === 0) : list
	for (const p of shown) box.append(svg('text', {x: x(p), y: height - 6, 'text-anchor': p === list[list.length - 1] ? 'end' : 'middle'}, count(p.texts)))
	return box
}
