// Models that bayes freeze has written, read and evaluated without the program: in browsers, and in Node.

import { Analyzer, isSubword } from "./text.js";
import { calibrate, decide, logOddsOf, parseEvent, posterior, scorePrior } from "./event.js";
import { Block, File, column, readIDF } from "./file.js";
import { cutoffOf, given, isSeparator, priorOdds, sigmoids } from "./labels.js";
import { versions } from "./tables.js";

/** @typedef {import("./index.js").Document} Document */

/**
 * How a text becomes terms and values, as the description of a space says.
 * @param {string} description such as "default ngrams=1-2 binary"
 */
function parseSpace(description) {
  const space = { hashBits: 0, binary: false, log: false, idf: false, subwordWeight: 0.25, norm: "", threshold: 0, severalLabels: false, analyzer: /** @type {Analyzer} */ ({}) };
  const analyzer = [];
  for (const word of description.split(/\s+/u).filter((w) => w !== "")) {
    const at = word.indexOf("=");
    const [key, value] = at < 0 ? [word, ""] : [word.slice(0, at), word.slice(at + 1)];
    const number = value === "" ? NaN : Number(value);
    /** @param {boolean} right */
    const want = (right) => {
      if (!right) throw new Error(`${word}: no valid value`);
    };
    switch (key) {
      case "hash":
        want(Number.isInteger(number) && number >= 1 && number <= 30);
        space.hashBits = number;
        break;
      case "binary":
        space.binary = true;
        break;
      case "log":
        space.log = true;
        break;
      case "idf":
        space.idf = true;
        break;
      case "subword-weight":
        want(number >= 0.001 && number <= 1000);
        space.subwordWeight = number;
        break;
      case "norm":
        want(value === "l1" || value === "l2");
        space.norm = value;
        break;
      case "threshold":
        want(!Number.isNaN(number));
        space.threshold = number;
        break;
      case "label-separator":
        want(isSeparator(value));
        space.severalLabels = true;
        break;
      case "number-values":
      case "histograms":
        break; // what counts keep
      default:
        analyzer.push(word);
    }
  }
  space.analyzer = new Analyzer(analyzer);
  if (space.analyzer.subwords === null) space.subwordWeight = 1;
  return space;
}

/**
 * 1 + ln v, and below 1 v itself.
 * @param {number} v
 */
const dampened = (v) => (v > 1 ? 1 + Math.log(v) : v);

/**
 * The root of a square, 1 of zero.
 * @param {number} squared
 */
const root = (squared) => (squared > 0 ? Math.sqrt(squared) : 1);

/** Sum of values times weights, whose length is to be one. */
class Sum {
  /** @param {number} classes */
  constructor(classes) {
    this.scores = new Float64Array(classes);
    this.squares = 0;
    this.values = 0;
    this.unseen = 0;
  }

  /**
   * Adds the sum over its length to scores.
   * @param {Float64Array} scores
   * @param {Block} block
   */
  addTo(scores, block) {
    block.addEach(this.scores, this.values, this.unseen);
    const length = root(this.squares);
    for (let k = 0; k < scores.length; k++) scores[k] += this.scores[k] / length;
  }
}

/** What a label is compared with, where a document may have several: no other class, but all that lacks the label. */
const REST = -1;

/**
 * The terms of a text, and their values.
 * @typedef {{terms: string[], values: number[]}} Bag
 */

export class Model {
  #space;
  #event;
  #blocks;
  #labels;
  #logPrior;
  #priorScore; // what the prior and the bias add, by class; null if nothing
  /** @type {Float64Array | null} */
  #bias = null;
  #scaled;
  /** @type {Map<string, number> | null} */
  #idf = null;

  /**
   * Reads a frozen model, all of which is checked. The error says what is wrong with it.
   * @param {ArrayBuffer | ArrayBufferView} data
   */
  static read(data) {
    if (ArrayBuffer.isView(data)) return new Model(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return new Model(new Uint8Array(data));
  }

  /** @param {Uint8Array} data */
  constructor(data) {
    const file = new File(data);
    const { header } = file;
    /**
     * @template T
     * @param {() => T} read
     */
    const ofHeader = (read) => {
      try {
        return read();
      } catch (err) {
        throw new Error(`bayes: model file: section header, byte 0: ${/** @type {Error} */ (err).message}`);
      }
    };
    this.#space = ofHeader(() => parseSpace(header.space));
    this.#event = ofHeader(() => parseEvent(header.event));
    this.space = header.space;
    this.event = header.event;
    this.examples = header.examples;
    this.analyzer = file.analyzer;
    this.differences = file.analyzer === "" ? [] : file.analyzer.split(" ").filter((word) => {
      const at = word.lastIndexOf("=");
      return versions[/** @type {keyof typeof versions} */ (word.slice(0, at))] !== word.slice(at + 1) ;
    });
    if (file.tag === "IDFW") {
      this.#idf = readIDF(file.payload, data.length);
      file.next();
    }
    if (this.#space.idf) this.#idf ??= new Map();
    this.#labels = readClasses(file, header);
    this.#scaled = this.#event.corrected;
    const correction = this.#scaled ? readCorrection(file) : null;
    this.#blocks = this.#readBlocks(file, header.features);
    this.#logPrior = this.#blocks[this.#blocks.length - 1].prior;
    this.#priorScore = this.#space.severalLabels ? priorOdds(this.#logPrior) : scorePrior(this.#event.name, this.#logPrior);
    if (correction !== null) {
      // The biases that were learned, and what a class has that is newer.
      const bias = biasesOf(correction, this.#labels.bytes).map((b, k) => b + this.#blocks[0].bias[k]);
      const prior = this.#priorScore;
      this.#priorScore = bias.map((b, k) => (prior !== null && correction.trust !== 0 ? b + correction.trust * prior[k] : b));
      this.#bias = bias;
    }
  }

  /**
   * @param {File} file
   * @param {number} features
   */
  #readBlocks(file, features) {
    const classes = this.#labels.names.length;
    const blocks = [];
    /** @type {Uint8Array | null} */
    let before = null;
    for (let first = true; first || file.tag === "BLCK"; first = false) {
      let terms = features;
      let name = "";
      if (file.tag === "BLCK") {
        const p = file.payload;
        terms = p.count();
        const bytes = p.rest();
        name = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        const rises = before === null || compare(before, bytes) < 0;
        if (terms > features || !rises) throw p.fail("texts do not rise, or have other terms than the header counts");
        before = bytes;
        file.next();
      }
      blocks.push(new Block(file, name, classes, terms, this.#scaled));
      features -= terms;
    }
    if (features !== 0) throw new Error("bayes: model file: section header, byte 0: the sections hold another number of features");
    file.end();
    return blocks;
  }

  /** The classes, sorted. */
  get classes() {
    return this.#labels.names.slice();
  }

  /** How many terms the model knows. */
  get terms() {
    return this.#blocks.reduce((n, b) => n + b.terms, 0);
  }

  /** The names of its further texts. */
  get texts() {
    return this.#blocks.map((b) => b.name).filter((name) => name !== "");
  }

  /**
   * The class of a document, or its labels, and how probable each is.
   * @param {Document} document
   * @returns {import("./index.js").Prediction}
   */
  predict(document) {
    return this.#answer(this.#score(this.#extract(document)));
  }

  /**
   * Why a document is predicted as it is: what each term adds to the log-odds of the best class against the second, or of a
   * label against its rest.
   * @param {Document} document
   * @param {string} [of] the label, of a model of several labels a document; that which is most probable, if there is none
   * @returns {import("./index.js").Explanation}
   */
  explain(document, of) {
    const bags = this.#extract(document);
    const scored = this.#score(bags);
    const text = textOf(document);
    const names = this.#labels.names;
    const { best, second, cutoff } = this.#space.severalLabels ? this.#label(scored, of) : this.#pair(scored, of);
    const explanation = {
      ...this.#answer(scored), class: names[best], against: "",
      power: 1, prior: 0, absent: 0, terms: /** @type {import("./index.js").Term[]} */ ([]),
      highlights: /** @type {import("./index.js").Span[]} */ ([]),
      ...(cutoff === undefined ? {} : { cutoff }),
    };
    if (second === undefined) return explanation;
    /** @param {Float64Array | null} scores */
    const odds = (scores) => {
      if (scores === null) return 0;
      if (second === REST) return scores[best];
      return scores[best] === scores[second] ? 0 : scores[best] - scores[second];
    };
    explanation.against = second === REST ? "" : names[second];
    explanation.power = scored.power;
    explanation.prior = odds(this.#priorScore);
    const bias = odds(this.#bias);
    if (bias !== 0) Object.assign(explanation, { bias });
    const where = this.#occurrences(text);
    /** @type {{start: number, end: number, value: number}[]} */
    const covers = [];
    for (const block of this.#blocks) {
      const bag = bags.get(block.name);
      if (bag === undefined) continue;
      if (block.presence) explanation.absent += odds(block.bias);
      const values = this.#valuesOf(block, bag);
      for (let i = 0; i < bag.terms.length; i++) {
        const v = values[i];
        const number = v === 0 ? -1 : block.find(bag.terms[i]);
        if (number < 0) continue;
        const scores = new Float64Array(names.length);
        block.addEach(scores, v, v * block.addRow(scores, number, v));
        const logOdds = odds(scores);
        const term = block.name === "" ? bag.terms[i] : `${block.name}:${bag.terms[i]}`;
        explanation.terms.push({ term, value: bag.values[i], log_odds: logOdds });
        const spans = block.name === "" ? (where.get(bag.terms[i]) ?? []) : [];
        for (const { start, end } of spans) covers.push({ start, end, value: logOdds / spans.length });
      }
    }
    explanation.terms.sort((a, b) => Math.abs(b.log_odds) - Math.abs(a.log_odds));
    explanation.highlights = cover(text, covers);
    return explanation;
  }

  /**
   * The two classes that an explanation compares, and what the first of them needs.
   * @param {{joint: Float64Array, logP: Float64Array, order: number[]}} scored
   * @param {string} [of]
   */
  #pair({ joint, logP, order }, of) {
    if (of !== undefined) throw new Error("bayes: to explain a label is for models of several labels a document");
    const names = this.#labels.names;
    const { answer, reason } = decide(this.#event, names, joint, logP, order[0]);
    const best = answer < 0 ? order[0] : answer;
    const second = order.length > 1 ? order.find((k) => k !== best) : undefined;
    const needs = (reason === "recall" ? this.#event.overrides : this.#event.cutoffs).get(names[best]) ?? -Infinity;
    return { best, second, cutoff: needs === -Infinity ? undefined : { log_odds: orImpossible(logOddsOf(joint, best)), needs } };
  }

  /**
   * The label that an explanation compares with its rest, and what it needs.
   * @param {{joint: Float64Array, order: number[]}} scored
   * @param {string} [of]
   */
  #label({ joint, order }, of) {
    const names = this.#labels.names;
    const best = of === undefined ? order[0] : names.indexOf(of);
    if (best < 0) throw new Error(`bayes: ${JSON.stringify(of).slice(0, 100)}: none of the labels of the model`);
    return { best, second: REST, cutoff: { log_odds: joint[best], needs: cutoffOf(this.#event, names[best]) } };
  }

  /**
   * The values that a text's weights are multiplied by.
   * @param {Block} block
   * @param {Bag} bag
   */
  #valuesOf(block, bag) {
    const { threshold, subwordWeight } = this.#space;
    if (!this.#scaled) return block.presence ? bag.values.map((v) => (v > threshold ? 1 : 0)) : bag.values;
    const squares = { words: 0, subwords: 0 };
    const values = bag.terms.map((term, i) => {
      const number = block.find(term);
      if (number < 0) return 0;
      const v = this.#valueOf(block, term, number, bag.values[i], subwordWeight);
      squares[this.#isSubword(term) ? "subwords" : "words"] += v * v;
      return v;
    });
    return values.map((v, i) => v / root(squares[this.#isSubword(bag.terms[i]) ? "subwords" : "words"]));
  }

  /**
   * Where each term stands, or each column that terms are hashed to.
   * @param {string} text
   */
  #occurrences(text) {
    /** @type {Map<string, {start: number, end: number}[]>} */
    const where = new Map();
    for (const token of this.#space.analyzer.tokens(text)) {
      const name = this.#nameOf(token.term);
      const list = where.get(name);
      if (list === undefined) where.set(name, [token]);
      else list.push(token);
    }
    return where;
  }

  /**
   * The name of a term's feature.
   * @param {string} term
   */
  #nameOf(term) {
    if (this.#space.hashBits === 0) return term;
    return (this.#isSubword(term) ? "*" : "") + column(term, 2 ** this.#space.hashBits);
  }

  /** @param {string} term */
  #isSubword(term) {
    return this.#space.analyzer.subwords !== null && isSubword(term);
  }

  /**
   * The terms of the texts of a document, by the texts' names.
   * @param {Document} document
   */
  #extract(document) {
    /** @type {Map<string, Bag>} */
    const bags = new Map();
    bags.set("", this.#bagOf(textOf(document)));
    if (typeof document === "object") {
      for (const [name, text] of Object.entries(document.texts ?? {})) bags.set(name, this.#bagOf(wellFormed(text)));
    }
    return bags;
  }

  /**
   * @param {string} text
   * @returns {Bag}
   */
  #bagOf(text) {
    const { hashBits, binary, log, subwordWeight, norm, analyzer } = this.#space;
    const terms = [];
    const values = [];
    const places = new Map();
    for (const token of analyzer.tokens(text)) {
      const term = hashBits === 0 ? token.term : this.#nameOf(token.term);
      const place = places.get(term);
      if (place === undefined) {
        places.set(term, terms.length);
        terms.push(term);
        values.push(1);
      } else {
        values[place]++;
      }
    }
    if (!(binary || log || this.#idf !== null || subwordWeight !== 1 || norm !== "")) return { terms, values };
    /** @type {Bag} */
    const bag = { terms: [], values: [] };
    for (let i = 0; i < terms.length; i++) {
      let v = binary ? 1 : values[i];
      if (log) v = 1 + Math.log(v);
      if (this.#idf !== null) v *= this.#idf.get(terms[i]) ?? 0;
      if (subwordWeight !== 1 && isSubword(terms[i])) v *= subwordWeight;
      if (v === 0) continue;
      bag.terms.push(terms[i]);
      bag.values.push(v);
    }
    if (norm !== "") {
      const length = norm === "l1" ? bag.values.reduce((sum, v) => sum + Math.abs(v), 0) : Math.sqrt(bag.values.reduce((sum, v) => sum + v * v, 0));
      bag.values = bag.values.map((v) => v / length);
    }
    return bag;
  }

  /**
   * What the corrections of a term are multiplied by, before that is divided by a length.
   * @param {Block} block
   * @param {string} term
   * @param {number} number
   * @param {number} v
   * @param {number} subwordWeight
   */
  #valueOf(block, term, number, v, subwordWeight) {
    const scale = /** @type {Float32Array} */ (block.scales)[number];
    return dampened(this.#isSubword(term) ? v / subwordWeight : v) * scale;
  }

  /** @param {Map<string, Bag>} bags */
  #score(bags) {
    const joint = this.#priorScore === null ? new Float64Array(this.#labels.names.length) : this.#priorScore.slice();
    let known = 0;
    let unknown = 0;
    for (const bag of bags.values()) unknown += bag.terms.length;
    for (const block of this.#blocks) {
      const bag = bags.get(block.name);
      if (bag !== undefined) known += this.#scaled ? this.#addScaled(joint, block, bag) : this.#add(joint, block, bag);
    }
    for (let k = 0; k < joint.length; k++) if (Number.isNaN(joint[k])) joint[k] = -Infinity;
    const logP = joint.slice();
    const power = this.#space.severalLabels ? sigmoids(this.#event, logP) : this.#posterior(logP);
    const order = Array.from(logP.keys()).sort((a, b) => logP[b] - logP[a]);
    return { joint, logP, power, order, known, unknown: unknown - known };
  }

  /**
   * Makes the score of each class ln P(class|document), and returns the power of calibration.
   * @param {Float64Array} scores
   */
  #posterior(scores) {
    if (!posterior(scores)) {
      scores.set(this.#logPrior);
      posterior(scores);
    }
    return calibrate(this.#event, scores);
  }

  /**
   * @param {Float64Array} joint
   * @param {Block} block
   * @param {Bag} bag
   */
  #add(joint, block, bag) {
    const { bias } = block;
    for (let k = 0; k < joint.length; k++) joint[k] += bias[k];
    let known = 0;
    let n = 0;
    let all = 0;
    for (let i = 0; i < bag.terms.length; i++) {
      const number = block.find(bag.terms[i]);
      if (number < 0) continue;
      known++;
      let v = bag.values[i];
      if (block.presence) v = v > this.#space.threshold ? 1 : 0;
      if (v === 0) continue;
      n += v;
      all += v * block.addRow(joint, number, v);
    }
    block.addEach(joint, n, all);
    return known;
  }

  /**
   * @param {Float64Array} joint
   * @param {Block} block
   * @param {Bag} bag
   */
  #addScaled(joint, block, bag) {
    const words = new Sum(joint.length);
    const subwords = new Sum(joint.length);
    let known = 0;
    for (let i = 0; i < bag.terms.length; i++) {
      const term = bag.terms[i];
      const number = block.find(term);
      if (number < 0) continue;
      known++;
      const v = this.#valueOf(block, term, number, bag.values[i], this.#space.subwordWeight);
      const sum = this.#isSubword(term) ? subwords : words;
      const unseen = block.addRow(sum.scores, number, v);
      sum.squares += v * v;
      sum.values += v;
      sum.unseen += v * unseen;
    }
    words.addTo(joint, block);
    if (subwords.squares > 0) subwords.addTo(joint, block);
    return known;
  }

  /**
   * @param {{joint: Float64Array, logP: Float64Array, order: number[], known: number, unknown: number}} scored
   * @returns {import("./index.js").Prediction}
   */
  #answer({ joint, logP, order, known, unknown }) {
    const names = this.#labels.names;
    const best = order[0];
    const common = {
      probabilities: Object.fromEntries(names.map((name, k) => [name, Math.exp(logP[k])])),
      log_joint: Object.fromEntries(names.map((name, k) => [name, joint[k]])),
      known, unknown,
    };
    if (this.#space.severalLabels) {
      const has = given(this.#event, names, joint);
      const first = order.find((k) => has[k]);
      return { label: first === undefined ? "" : names[first], labels: names.filter((_, k) => has[k]), probability: Math.exp(logP[best]), ...common };
    }
    const { answer, reason } = decide(this.#event, names, joint, logP, best);
    return {
      label: answer < 0 ? "unsure" : names[answer],
      ...(reason === "" ? {} : { reason }),
      probability: Math.exp(logP[answer < 0 ? best : answer]),
      ...common,
    };
  }
}

/** @param {number} odds */
const orImpossible = (odds) => (Number.isNaN(odds) ? -Infinity : odds);

/**
 * A text in which what is half a character is the replacement character, as UTF-8 would have it.
 * @param {string} s
 */
function wellFormed(s) {
  if (typeof s !== "string") throw new TypeError("bayes: a text is a string");
  return /[\ud800-\udfff]/.test(s) ? s.replace(/\p{Surrogate}/gu, "\ufffd") : s;
}

/** @param {Document} document */
const textOf = (document) => wellFormed(typeof document === "object" ? (document.text ?? "") : document);

/**
 * Compares bytes.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
function compare(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/**
 * Reads the labels of the classes.
 * @param {File} file
 * @param {import("./file.js").Header} header
 */
function readClasses(file, header) {
  const p = file.expect("CLAS");
  /** @type {Uint8Array[]} */
  const bytes = [];
  while (p.left > 0) {
    bytes.push(p.label(bytes[bytes.length - 1] ?? null));
    const examples = p.integer();
    const weight = p.number();
    if (examples < 0 || weight < 0 || (examples === 0 && weight !== 0)) throw p.fail("more was unlearned than was learned");
    if (bytes[bytes.length - 1].some((c) => c === 9 || c === 10 || c === 13)) throw p.fail("a label has no tab and no line end in it");
  }
  if (bytes.length !== header.classes || bytes.length === 0) throw new Error("bayes: model file: section header, byte 0: the sections hold another number of classes");
  file.next();
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  return { bytes, names: bytes.map((b) => utf8.decode(b)) };
}

/** The most trust in naive Bayes that a correction has. */
const MOST_TRUST = 100;

/**
 * Reads what a correction has beside weights.
 * @param {File} file
 */
function readCorrection(file) {
  const p = file.expect("CORR");
  p.count();
  const trust = p.number();
  if (!(trust >= 0 && trust <= MOST_TRUST)) throw p.fail("no valid number of examples or trust");
  /** @type {Uint8Array[]} */
  const classes = [];
  for (let n = p.count(); n > 0; n--) classes.push(p.label(classes[classes.length - 1] ?? null));
  if (classes.length < 2) throw p.fail(`${classes.length} classes`);
  const machines = [];
  for (let n = classes.length === 2 ? 1 : classes.length; n > 0; n--) machines.push(p.number());
  file.next();
  return { trust, classes, machines: classes.length === 2 ? [-machines[0] / 2, machines[0] / 2] : machines };
}

/**
 * The bias of each class; of one that is newer than the correction the mean.
 * @param {ReturnType<typeof readCorrection>} correction
 * @param {Uint8Array[]} labels
 */
function biasesOf({ classes, machines }, labels) {
  const mean = machines.reduce((sum, b) => sum + b / machines.length, 0);
  return Float64Array.from(labels, (label) => {
    const k = classes.findIndex((c) => compare(c, label) === 0);
    return k < 0 ? mean : machines[k];
  });
}

/**
 * Cuts a text where terms begin and end, with the sum of what covers each piece.
 * @param {string} text
 * @param {{start: number, end: number, value: number}[]} covers
 */
function cover(text, covers) {
  const ends = covers
    .filter((c) => c.start < c.end)
    .flatMap((c) => [{ at: c.start, sign: 1, value: c.value }, { at: c.end, sign: -1, value: c.value }])
    .sort((a, b) => a.at - b.at);
  ends.push({ at: text.length, sign: 1, value: 0 });
  const spans = [];
  let from = 0;
  let n = 0;
  let sum = 0;
  for (const { at, sign, value } of ends) {
    if (at > from) {
      spans.push({ text: text.slice(from, at), log_odds: sum });
      from = at;
    }
    n += sign;
    sum = n === 0 ? 0 : sum + sign * value; // rounding may have left a remainder
  }
  return spans;
}
