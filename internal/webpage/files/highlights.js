// A text whose words speak for a class or against it.

import {real} from './api.js'
import {el} from './dom.js'
import {signed} from './language.js'

const mostHighlights = 4000 // a browser is slow with more

// coloured returns the text with each word in the colour of its share, of which most is the largest: solid underlines
// speak for the answer, dotted ones against it. Where the colours end early, rest says so.
export function coloured(highlights, most, rest) {
	const box = el('div', {class: 'coloured', dir: 'auto', lang: ''})
	for (const s of highlights.slice(0, mostHighlights)) {
		const share = real(s.log_odds)
		const strength = Math.min(5, Math.ceil(Math.abs(share) / most * 5))
		if (!strength) box.append(s.text)
		else box.append(el('span', {class: `mark ${share > 0 ? 'for' : 'against'} s${strength}`, title: signed(share)}, s.text))
	}
	if (highlights.length > mostHighlights) box.append(el('p', {class: 'soft'}, rest))
	return box
}
