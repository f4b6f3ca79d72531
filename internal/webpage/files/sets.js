// Labels of documents that may have several, as a model or a pile of texts (info) says. A page's words say what no-label is.

import {text} from './language.js'

// several says whether documents may have several labels.
export const several = info => Boolean(info.label_separator)

// split returns the labels that a cell or an input holds, sorted: one, unless there may be several.
export function split(info, set) {
	const parts = several(info) ? set.split(info.label_separator) : [set]
	return [...new Set(parts.map(l => l.trim()).filter(l => l !== ''))].sort()
}

// join returns labels as one string, for files.
export const join = (info, labels) => labels.length > 0 ? labels.join(info.label_separator) : info.label_separator

// shown returns labels for people to read.
export const shown = labels => labels.length > 0 ? labels.join(', ') : text('no-label')

// A Chosen is which labels a document is to be taught with: some of those that are offered, and what is typed.
export class Chosen {
	constructor(labels, document) {
		this.labels = new Set(labels)
		this.document = document
	}
	has(label) { return this.labels.has(label) }
	toggle(label) { this.labels.delete(label) || this.labels.add(label) }
	with(more) { return [...new Set([...this.labels, ...more])].sort() }
}
