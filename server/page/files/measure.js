// A file with labels: how well the model does on it, and the rows that it is least certain of.

import {announce, bar, bdi, el, fill} from './dom.js'
import {reviewer} from './review.js'
import {several, split} from './sets.js'
import {count, percent, say, text} from './words.js'

const fewLabels = 12
export const rowsAsked = 50

// measuring returns what shows in root how files are measured. To measure one, start sends it.
export function measuring(root, context, start) {
	let info = null
	let file = null
	let options = null // of the file, as fileView has them
	let label = -1 // the column of the labels
	let run = null // {sending, measuring, result, report, error}
	const box = el('div', {class: 'review'})
	const review = reviewer(box, context)

	// labelColumn returns the column that has the classes of the model in it, -1 if none has.
	function labelColumn() {
		const [heads, ...rows] = options.header ? options.rows : [[], ...options.rows]
		const classes = new Set(info.classes.map(c => c.label))
		const width = options.rows[0].length
		const fits = labels => labels.length > 0 && labels.every(l => classes.has(l))
		const share = i => rows.filter(r => fits(split(info, r[i] ?? ''))).length / Math.max(1, rows.length)
		const named = heads.map(h => h.trim().toLowerCase())
		const called = named.indexOf((info.columns.trained?.label || 'label').toLowerCase())
		if (called >= 0 && share(called) >= .5) return called
		const best = Array.from({length: width}, (_, i) => i).reduce((a, b) => share(b) > share(a) ? b : a, 0)
		return share(best) >= .5 && !Object.values(options.columns).includes(best) ? best : -1
	}

	// download has the browser keep the report that came with the measurement.
	function download() {
		const url = URL.createObjectURL(new Blob([run.report], {type: 'text/html;charset=utf-8'}))
		el('a', {href: url, download: file.name.replace(/(\.[^.]*)?$/, '-report.html')}).click()
		setTimeout(() => URL.revokeObjectURL(url), 60_000)
	}

	function render() {
		if (!file || !info.event || !options.rows?.[0] || options.foreign) return root.replaceChildren()
		const heads = options.rows[0]
		const name = i => options.header ? heads[i] || String(i + 1) : `${i + 1}: ${heads[i].slice(0, 40)}`
		fill(root, el('section', {class: 'card pad', 'aria-labelledby': 'title-measure'},
			el('h2', {id: 'title-measure'}, text('measure-title')),
			el('p', {class: 'soft small-print'}, text('measure-say')),
			el('form', {class: 'row', onsubmit: e => { e.preventDefault(); start() }},
				el('label', {class: 'pick'}, el('span', {}, text('measure-column')), el('select', {id: 'label-column', onchange: e => { label = Number(e.target.value); render() }},
					el('option', {value: '-1', selected: label < 0}, text('none')), heads.map((_, i) => el('option', {value: String(i), selected: i === label}, name(i))))),
				el('button', {type: 'submit', class: 'quiet tall', disabled: label < 0 || Boolean(run?.sending)}, text('measure'))),
			run?.measuring && el('p', {class: 'soft', role: 'status'}, text('measure-going')),
			run?.error && el('p', {class: 'mistyped', role: 'alert'}, run.error),
			run?.result && figures(run.result)),
		run?.result && el('div', {class: 'two even'}, classesOf(run.result), run.result.uncertain.length > 0 && context.may('learn') &&
			el('section', {class: 'card pad', 'aria-labelledby': 'title-rows'}, el('h2', {id: 'title-rows'}, text('rows-title')), el('p', {class: 'soft small-print'}, text('rows-say')), box)))
	}

	const figure = (value, name, ...more) => el('div', {class: 'figure'}, el('p', {class: 'big num'}, value), el('p', {class: 'soft'}, text(name)), more.map(m => m && el('p', {class: 'soft small-print'}, m)))

	function figures(r) {
		const interval = ([low, high]) => text('accuracy-interval', {low: percent(low), high: percent(high)})
		return [
			el('div', {class: 'figures'},
				several(info) ? [
					figure(percent(r.micro_f1), 'micro-f1', text('micro-f1-say'), interval(r.micro_f1_interval)),
					figure(percent(r.macro_f1), 'macro-f1', text('macro-f1-say'), interval(r.macro_f1_interval)),
					figure(percent(r.subset_accuracy), 'subset-accuracy', text('subset-accuracy-say')),
				] : [
					figure(percent(r.accuracy), 'accuracy', interval(r.accuracy_interval)),
					figure(percent(r.majority.accuracy), 'baseline', say('baseline-say', {label: r.majority.label})),
				],
				el('div', {class: 'figure'}, el('p', {class: 'big num'}, count(r.documents)), el('p', {class: 'soft'}, text('rows')), r.skipped > 0 && el('p', {class: 'soft small-print', title: r.skipped_why}, text('rows-skipped', {n: count(r.skipped)})))),
			r.unknown_labels.length > 0 && el('p', {class: 'mistyped'}, say('labels-unknown', {labels: r.unknown_labels.slice(0, 5).join(', ')})),
			el('button', {type: 'button', class: 'quiet', 'data-act': 'report', onclick: download}, text('report')),
		]
	}

	function classesOf(r) {
		const few = r.confusion && r.labels.length <= fewLabels
		return el('section', {class: 'card', 'aria-labelledby': 'title-confusion'},
			el('h2', {id: 'title-confusion', class: 'pad-head'}, text('confusion')),
			el('p', {class: 'soft small-print pad-side'}, text(several(info) ? 'confused-labels-say' : few ? 'confusion-say' : 'confused-say')),
			el('div', {class: 'scroll', tabindex: '0'}, few ? confusion(r) : confused(r)),
			el('div', {class: 'scroll', tabindex: '0'}, el('table', {class: 'table'},
				el('thead', {}, el('tr', {}, ['class', 'recall', 'precision', 'rows'].map(n => el('th', {scope: 'col'}, text(n))))),
				el('tbody', {}, r.classes.slice(0, 100).map(c => el('tr', {}, el('th', {scope: 'row'}, bdi(c.label)), el('td', {class: 'num'}, percent(c.recall)), el('td', {class: 'num'}, percent(c.precision)), el('td', {class: 'num'}, count(c.support))))))))
	}

	// confusion shows a table: a row for each label, a column for what was predicted. The more of a
	// label are in a cell, the stronger it is.
	function confusion(r) {
		return el('table', {class: 'table confusion'},
			el('thead', {}, el('tr', {}, el('td', {}), r.labels.map(l => el('th', {scope: 'col', title: l}, bdi(l))))),
			el('tbody', {}, r.labels.map((l, i) => {
				const all = r.confusion[i].reduce((a, b) => a + b, 0)
				return el('tr', {}, el('th', {scope: 'row'}, bdi(l)), r.confusion[i].map((n, j) => el('td', {class: `num ${i === j ? 'right' : 'wrong'} s${n && all ? Math.ceil(n / all * 5) : 0}`}, n ? count(n) : '·')))
			})))
	}

	const confused = r => el('table', {class: 'table'},
		el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, text('label')), el('th', {scope: 'col'}, text('predicted')), el('th', {scope: 'col'}, text('rows')))),
		el('tbody', {}, r.confused.map(c => el('tr', {}, el('th', {scope: 'row'}, bdi(c.label)), el('td', {}, bdi(c.predicted)), el('td', {class: 'num'}, count(c.documents))))))

	return {
		// take looks at another file.
		take(model, taken, as) {
			run = null
			info = model
			file = taken
			options = as
			label = file && options.rows?.[0] && !options.foreign ? labelColumn() : -1
			render()
		},
		// column returns the column of the labels, -1 if there is none.
		column: () => label,
		// found says whether the labels of the file were found, and all that is labelled by them.
		found: () => label >= 0 && info.columns.text.every(c => options.columns[c] !== undefined),
		// begin shows that a file is being sent, and whether it is measured.
		begin(measuring) {
			run = {sending: true, measuring}
			render()
		},
		// end shows the last line of the answer to a test: the measurement, or why there is none.
		end(last) {
			run = {result: last?.measurement, report: last?.report, error: last?.detail}
			render()
			if (!run.result) return
			announce(several(info) ? text('measured-labels', {p: percent(run.result.micro_f1)}) : text('measured', {p: percent(run.result.accuracy)}))
			if (context.may('learn')) review.begin(info, run.result.uncertain)
		},
		update() { info = context.info() ?? info; review.update() },
		words() { render(); if (run?.result) review.words() },
	}
}
