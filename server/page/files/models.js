// The models of the server: what there is, a new one from a table, and deleting one.

import {Problem, ask, modelPath, request} from './api.js'
import {commaOf, Reader} from './csv.js'
import {announce, bdi, el, fill} from './dom.js'
import {encodings, foreignKind, guessEncoding} from './file.js'
import {count, percent, say, text} from './words.js'

const budget = 60 // seconds of a search
const sample = 1 << 18 // bytes of a file that are looked at
const roles = ['text', 'label', 'numeric', 'categorical', 'none']
const labels = ['label', 'class', 'category', 'target', '분류', '라벨', 'ラベル', 'クラス', '分類']
const texts = ['text', 'message', 'body', 'content', 'document', 'review', '본문', '내용', '文章', '本文', 'テキスト']

export function modelsView(root, context) {
	let models = []
	let file = null
	let table = null // {encoding, heads, rows, roles, header, foreign}
	let name = ''
	let language = ''
	let auto = false
	let run = null // {going, error, made, flight, search}
	let parts = {}

	function build() {
		parts = {list: el('div', {class: 'scroll'}), making: el('div'), input: el('input', {id: 'table', type: 'file', accept: '.csv,.tsv,.txt,text/csv', class: 'unseen', onchange: e => take(e.target.files[0])})}
		const drop = el('label', {class: 'drop', for: 'table'}, el('strong', {}, text('drop')), el('span', {class: 'soft'}, text('train-drop-say')))
		const over = on => e => { e.preventDefault(); drop.classList.toggle('over', on) }
		for (const [event, on] of [['dragenter', true], ['dragover', true], ['dragleave', false], ['drop', false]]) drop.addEventListener(event, over(on))
		drop.addEventListener('drop', e => take(e.dataTransfer.files[0]))
		root.replaceChildren(el('div', {class: 'stack'},
			el('section', {class: 'card pad', 'aria-labelledby': 'title-models'}, el('h2', {id: 'title-models'}, text('train-title')), parts.input, drop, parts.making),
			el('section', {class: 'card', 'aria-labelledby': 'title-list'}, el('h2', {id: 'title-list', class: 'pad-head'}, text('models-title')), parts.list)))
		renderMaking()
		renderList()
	}

	function renderList() {
		fill(parts.list, models.length === 0 ? el('p', {class: 'soft pad-side ended'}, text('models-none')) : el('table', {class: 'table'},
			el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, text('model')), el('th', {scope: 'col'}, text('documents')), el('th', {scope: 'col'}, text('classes')), el('th', {}, el('span', {class: 'unseen'}, text('delete'))))),
			el('tbody', {}, models.map(m => el('tr', {'data-model': m.name},
				el('th', {scope: 'row'}, bdi(m.name), m.status === 'broken' && el('p', {class: 'mistyped'}, m.reason)),
				el('td', {class: 'num'}, m.status === 'broken' ? '–' : count(m.documents)), el('td', {class: 'num'}, m.status === 'broken' ? '–' : count(m.classes.length)),
				el('td', {}, el('button', {type: 'button', class: 'small danger', 'aria-label': text('delete-label', {model: m.name}), onclick: () => confirm(m)}, text('delete'))))))))
	}

	// confirm asks before a model is deleted: what it has learned is nowhere else.
	function confirm(m) {
		const close = () => dialog.close()
		const remove = async e => {
			e.target.disabled = true
			try {
				await request('DELETE', modelPath(m.name))
				context.well()
				announce(text('deleted', {model: m.name}))
			} catch (error) {
				if (error.status !== 404) context.trouble(error, 'change')
			}
			close()
			await context.restart()
			await list()
		}
		const download = async e => {
			e.target.disabled = true
			try {
				const url = URL.createObjectURL(await (await request('GET', modelPath(m.name, 'snapshot'))).blob())
				el('a', {href: url, download: m.name + '.nb'}).click()
				setTimeout(() => URL.revokeObjectURL(url), 60_000)
			} catch (error) {
				context.trouble(error)
			}
			e.target.disabled = false
		}
		const dialog = el('dialog', {class: 'card pad', 'aria-labelledby': 'title-delete', onclose: () => dialog.remove()},
			el('h2', {id: 'title-delete'}, say('delete-title', {model: m.name})),
			el('p', {class: 'soft'}, text('delete-say')),
			el('div', {class: 'row'},
				el('button', {type: 'button', class: 'quiet tall', autofocus: true, onclick: close}, text('delete-keep')),
				m.status !== 'broken' && el('button', {type: 'button', class: 'quiet tall', onclick: download}, text('delete-download')),
				el('button', {type: 'button', class: 'danger full', 'data-act': 'delete', onclick: remove}, text('delete'))))
		document.body.append(dialog)
		dialog.showModal()
	}

	async function take(taken, encoding) {
		if (!taken) return
		file = taken
		parts.input.value = ''
		run = null
		table = await inspect(file, encoding)
		if (!encoding) name = file.name.replace(/(\.[^.]*)?$/, '').replace(/[/\\\p{Cc}]/gu, '').slice(0, 60)
		renderMaking()
	}

	// inspect looks at the beginning of a table, and guesses what its columns are for.
	async function inspect(file, encoding) {
		const bytes = new Uint8Array(await file.slice(0, sample).arrayBuffer())
		const foreign = foreignKind(bytes)
		if (foreign) return {foreign}
		const whole = bytes.length === file.size
		const guess = encoding ?? guessEncoding(bytes, whole)
		const start = new TextDecoder(guess).decode(bytes, {stream: !whole})
		const reader = new Reader(commaOf(start))
		const rows = reader.read(start).concat(whole ? reader.end() : []).slice(0, 200)
		if (rows.length === 0) return {foreign: 'empty-file'}
		const heads = rows[0].map(h => h.trim())
		const t = {encoding: guess, rows, header: heads.some(h => [...labels, ...texts].includes(h.toLowerCase())) || rows.length > 1 && rows[0].every(c => c.length < 40)}
		t.roles = guessRoles(heads.map(h => h.toLowerCase()), t.header ? rows.slice(1) : rows)
		language = /\p{Script=Hangul}/u.test(start) ? 'ko' : /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(start) ? 'ja' : ''
		return t
	}

	function guessRoles(heads, rows) {
		const cells = i => rows.map(r => (r[i] ?? '').trim())
		const length = i => cells(i).reduce((n, c) => n + c.length, 0) / Math.max(1, rows.length)
		const kinds = i => new Set(cells(i)).size
		const is = heads.map(() => 'none')
		const all = heads.map((_, i) => i)
		let text = heads.findIndex(h => texts.includes(h))
		const longest = all.reduce((a, b) => length(b) > length(a) ? b : a, 0)
		if (text < 0 && length(longest) > 15) text = longest
		let label = heads.findIndex(h => labels.includes(h))
		// Of columns with few values of letters, the last: that is where most tables have it.
		if (label < 0) label = all.findLastIndex(i => i !== text && kinds(i) > 1 && kinds(i) <= Math.max(2, rows.length / 2) && cells(i).some(c => Number.isNaN(Number(c))))
		if (label < 0) label = all.findLastIndex(i => i !== text)
		if (text >= 0 && text !== label) is[text] = 'text'
		else for (const i of all) is[i] = cells(i).every(c => c === '' || !Number.isNaN(Number(c))) ? 'numeric' : 'categorical'
		if (label >= 0) is[label] = 'label'
		return is
	}

	const taken = () => models.some(m => m.name === name)
	const columnsOf = role => table.roles.flatMap((r, i) => r === role ? [i] : [])

	function wrong() {
		if (columnsOf('label').length !== 1) return text('train-one-label')
		if (['text', 'numeric', 'categorical'].every(r => columnsOf(r).length === 0)) return text('train-no-content')
		if (name.trim() === '') return text('train-no-name')
		return taken() ? text('train-taken', {model: name}) : ''
	}

	function renderMaking() {
		if (!parts.making) return
		if (!file || !table) return fill(parts.making)
		if (table.foreign) return fill(parts.making, el('p', {class: 'options', role: 'status'}, bdi(file.name), ': ', text(table.foreign)))
		const width = table.rows[0].length, rows = table.header ? table.rows.slice(1) : table.rows
		const problem = el('p', {class: 'mistyped', id: 'train-problem', role: 'alert'})
		const button = el('button', {type: 'submit'}, text(run?.going ? 'train-going' : 'train'))
		const check = () => {
			problem.textContent = run?.error ?? wrong()
			button.disabled = Boolean(run?.going) || wrong() !== ''
		}
		const changed = act => e => { act(e.target); if (run) run.error = undefined; check() }
		fill(parts.making, el('form', {class: 'options', onsubmit: e => { e.preventDefault(); train() }},
			el('h3', {}, bdi(file.name)),
			el('ul', {class: 'column-roles', role: 'list'}, table.rows[0].map((head, i) => el('li', {},
				el('div', {class: 'grow'}, el('label', {for: 'role-' + i, class: 'column-name'}, bdi(table.header ? head || String(i + 1) : String(i + 1))), el('p', {class: 'excerpt soft', dir: 'auto'}, rows.slice(0, 3).map(r => r[i] ?? '').join(' · ').slice(0, 160))),
				el('select', {id: 'role-' + i, onchange: changed(s => {
					if (s.value === 'label') table.roles = table.roles.map(r => r === 'label' ? 'none' : r)
					table.roles[i] = s.value
					for (const [j, r] of table.roles.entries()) root.querySelector('#role-' + j).value = r
				})}, roles.map(r => el('option', {value: r, selected: table.roles[i] === r}, text('role-' + r))))))),
			el('div', {class: 'picks'},
				el('label', {class: 'pick'}, el('span', {}, text('train-name')), el('input', {id: 'new-name', value: name, maxlength: 60, dir: 'auto', autocomplete: 'off', oninput: changed(i => { name = i.value })})),
				el('label', {class: 'pick'}, el('span', {}, text('train-language')), el('select', {id: 'new-language', onchange: changed(s => { language = s.value })},
					['', 'ko', 'ja'].map(l => el('option', {value: l, selected: l === language}, text('train-language-' + (l || 'any')))))),
				el('label', {class: 'pick'}, el('span', {}, text('encoding')), el('select', {onchange: e => take(file, e.target.value)}, encodings.map(e => el('option', {value: e, selected: e === table.encoding}, e.toUpperCase()))))),
			el('label', {class: 'check'}, el('input', {type: 'checkbox', checked: table.header, onchange: e => { table.header = e.target.checked; renderMaking() }}), ' ', text('header')),
			el('label', {class: 'check'}, el('input', {id: 'new-auto', type: 'checkbox', checked: auto, disabled: Boolean(run?.going), onchange: changed(i => { auto = i.checked })}), ' ', text('train-auto', {n: count(budget)})),
			problem, el('div', {class: 'row'}, button, run?.going && el('button', {type: 'button', class: 'quiet', 'data-act': 'cancel', onclick: () => run.flight.abort()}, text('cancel'))),
			run?.going && auto && el('div', {class: 'progress'}, parts.bar = el('progress', {max: 1, 'aria-label': text('train-going')}), parts.tried = el('p', {class: 'num soft', role: 'status'}))),
		run?.made && madeOf(run.made))
		check()
	}

	const madeOf = made => el('p', {class: 'made', role: 'status'}, say('train-made', {model: made.name, n: count(made.documents), classes: count(made.classes.length)}), ' ',
		made.search && el('span', {title: made.search.flags, 'data-accuracy': made.search.accuracy}, text('train-found', {p: percent(made.search.accuracy), n: count(made.search.documents)}), ' '),
		made.skipped > 0 && el('span', {title: made.skipped_why}, text('rows-skipped', {n: count(made.skipped)}), ' '), el('a', {href: '#text'}, text('train-try')))

	// train sends the table whole, and has the server make a model of it.
	async function train() {
		if (run?.going || wrong() !== '') return
		const mine = run = {going: true, flight: new AbortController()}
		renderMaking()
		const column = i => table.header && table.rows[0][i].trim() !== '' && !table.rows[0][i].includes(',') ? table.rows[0][i].trim() : '#' + (i + 1)
		const q = {label: column(columnsOf('label')[0]), skip_bad: true}
		for (const role of ['text', 'numeric', 'categorical']) if (columnsOf(role).length > 0) q[role] = columnsOf(role).map(column).join(',')
		if (!table.header) q.header = false
		if (table.encoding !== 'utf-8') q.encoding = table.encoding
		if (language) q.space = language
		if (auto) Object.assign(q, {auto, budget})
		try {
			const response = await request('PUT', modelPath(name.trim(), '', q), file, 'text/csv', mine.flight.signal)
			mine.made = auto ? await follow(response) : await response.json()
			context.well()
			announce(text('train-made', {model: mine.made.name, n: count(mine.made.documents), classes: count(mine.made.classes.length)}))
		} catch (error) {
			if (error.status >= 400 && error.status !== 401) mine.error = error.message
			else context.trouble(error)
		}
		mine.going = false
		if (mine.made) {
			await context.restart(mine.made.name)
			await list()
			file = table = null
			name = ''
			fill(parts.making, madeOf(mine.made))
			return
		}
		renderMaking()
	}

	// follow shows how far a search is, and returns the model that it finds.
	async function follow(response) {
		const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
		for (let rest = ''; ;) {
			const {done, value} = await reader.read().catch(error => {
				throw error.name === 'AbortError' ? error : new Problem(0, '') // the connection broke
			})
			if (done) throw new Problem(0, '')
			const lines = (rest + value).split('\n')
			rest = lines.pop()
			for (const said of lines.map(l => JSON.parse(l))) {
				if (said.status >= 400) throw new Problem(said.status, said.detail)
				if (said.name !== undefined) return said
				if (said.of === 0 || !parts.tried) continue
				parts.bar.value = said.tried / said.of
				parts.tried.textContent = text('train-tried', {n: count(said.tried), of: count(said.of), documents: count(said.documents)})
			}
		}
	}

	async function list() {
		try {
			models = (await ask('GET', 'v1/models')).models
		} catch (error) {
			return context.trouble(error)
		}
		renderList()
	}

	build()
	return {
		choose() {},
		show: list,
		update: list,
		words: build,
	}
}
