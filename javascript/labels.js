// Models whose documents may have several labels, or none. Each label is a question by itself: its score are the log-odds that
// the document has it, against the documents that lack it.

/** @typedef {ReturnType<typeof import("./event.js").parseEvent>} Event */

/**
 * Whether a word is the quoted separator of labels, as the program writes it: no tab and no line end is in it.
 * @param {string} word
 */
export const isSeparator = (word) =>
  /^"(?:[!#-[\]-~]|\\["\\abfv]|\\x(?!0[9ad])[0-7][0-9a-f]|\\u(?!00[0-7]|d[89a-f])[0-9a-f]{4}|\\U(?:000[1-9a-f]|0010)[0-9a-f]{4})+"$/.test(word);

/**
 * What the prior adds to the score of each label: ln P - ln(1 - P), and of a P of 1 nothing.
 * @param {Float64Array} logPrior
 */
export function priorOdds(logPrior) {
  return logPrior.map((l) => {
    const rest = -Math.expm1(l);
    const odds = rest > 0 ? l - Math.log(rest) : 0;
    return Math.abs(odds) < 1e-15 ? 0 : odds; // rounding, of a P of one half
  });
}

/**
 * Makes the log-odds of each label ln P, by the temperature, and returns the power that this is.
 * @param {Event} event
 * @param {Float64Array} odds
 */
export function sigmoids(event, odds) {
  const power = event.isotonic.length === 0 ? 1 / event.temperature : 1;
  odds.forEach((v, k) => {
    const x = power * v;
    odds[k] = x < 0 ? x - Math.log1p(Math.exp(x)) : -Math.log1p(Math.exp(-x));
  });
  return power;
}

/**
 * The log-odds that a label needs.
 * @param {Event} event
 * @param {string} name
 */
export function cutoffOf(event, name) {
  const cutoff = event.cutoffs.get(name) ?? 0;
  return cutoff === -Infinity ? 0 : cutoff;
}

/**
 * Whether a document is given each label: if its log-odds reach its cutoff. Where none does, the one that is nearest to its cutoff is
 * given, if what it is beyond that, which is below 0, is no less than the cutoff of the empty name.
 * @param {Event} event
 * @param {string[]} names
 * @param {Float64Array} odds
 */
export function given(event, names, odds) {
  const cutoffs = names.map((name) => cutoffOf(event, name));
  const has = cutoffs.map((cutoff, k) => odds[k] >= cutoff && cutoff !== Infinity);
  if (has.includes(true)) return has;
  const least = event.cutoffs.get("") ?? Infinity;
  let nearest = -1;
  let most = -Infinity;
  cutoffs.forEach((cutoff, k) => {
    const beyond = odds[k] - cutoff;
    if (beyond > most && beyond >= least) [nearest, most] = [k, beyond];
  });
  return has.map((_, k) => k === nearest);
}
