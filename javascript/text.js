// Text to terms, as package text of the program cuts them. Positions are those of JavaScript's strings, in UTF-16.

import { kinds, runs, stopWords } from "./tables.js";
import { stemmers } from "./stem.js";

// What a character is: the lowest three bits are a class, the others are properties. See tables_test.go.
const LETTER = 1, MARK = 2, CJK = 3, SPACE = 4, CLASS = 7;
const AHLETTER = 1 << 6, HEBREW = 1 << 7, NUMERIC = 1 << 8, KATAKANA = 1 << 9, EXTENDNUMLET = 1 << 10;
const MIDLETTER = 1 << 11, MIDNUM = 1 << 12, IGNORED = 1 << 13, WSEGSPACE = 1 << 14, NEWLINE = 1 << 15;
const PICTOGRAPHIC = 1 << 16, REGIONAL = 1 << 17, LOWERS = 1 << 18, CASED = 1 << 19, CASEIGNORABLE = 1 << 20;
const COMBINING = 1 << 21, UNASSIGNED = 1 << 22, JOINING = 1 << 23;

const places = (() => {
  const list = new Uint8Array(0x110000);
  const letters = new Map();
  let at = 0;
  for (const [, letter, n] of runs.matchAll(/(\D)(\d*)/g)) {
    let place = letters.get(letter);
    if (place === undefined) letters.set(letter, (place = letters.size));
    list.fill(place, at, (at += n === "" ? 1 : Number(n)));
  }
  return list;
})();
const kindList = Uint32Array.from(kinds);

/** @param {number} c a code point */
const kindOf = (c) => kindList[places[c]];

/** @param {number} c a code point */
const classOf = (c) => kindOf(c) & CLASS;

/** @param {number} c a code point */
const width = (c) => (c > 0xffff ? 2 : 1);

// The word-break properties of ASCII, as masks.go of package text has them.
const ASCII_LETTER = 1, ASCII_NUMERIC = 2, ASCII_EXTEND = 3, ASCII_MIDLETTER = 4, ASCII_MIDNUM = 5, ASCII_MIDNUMLET = 6;
const ascii = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const s = String.fromCharCode(c);
  if (/[a-z]/i.test(s)) ascii[c] = ASCII_LETTER;
  else if (/[0-9]/.test(s)) ascii[c] = ASCII_NUMERIC;
  else ascii[c] = { _: ASCII_EXTEND, ":": ASCII_MIDLETTER, ",": ASCII_MIDNUM, ";": ASCII_MIDNUM, ".": ASCII_MIDNUMLET, "'": ASCII_MIDNUMLET }[s] ?? 0;
}

/** @param {number} c an ASCII character */
const inWord = (c) => ascii[c] >= ASCII_LETTER && ascii[c] <= ASCII_EXTEND;

/** @param {string} s */
const isASCII = (s) => /^[\0-\x7f]*$/.test(s);

/**
 * A term, and what it stands for: text.slice(start, end).
 * @typedef {{term: string, start: number, end: number, whole?: boolean, negated?: boolean}} Token
 */

/**
 * Where a step of normalising changes lengths: from position at on, those of the step's input are larger by delta.
 * @typedef {{at: number, delta: number}[]} Step
 */

/**
 * Notes that position at of a step's output comes from position pos of its input.
 * @param {Step} step
 * @param {number} at
 * @param {number} pos
 */
function align(step, at, pos) {
  const last = step[step.length - 1];
  const d = pos - at;
  if (d === (last?.delta ?? 0)) return;
  if (last?.at === at) last.delta = d;
  else step.push({ at, delta: d });
}

/**
 * The position in the original text of one in the normalised text.
 * @param {Step[]} steps
 * @param {number} pos
 */
function original(steps, pos) {
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i];
    let low = 0;
    let high = step.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (step[mid].at > pos) high = mid;
      else low = mid + 1;
    }
    if (low > 0) pos += step[low - 1].delta;
  }
  return pos;
}

// Lower case.

/**
 * The lower case of a character, by the simple mapping that the program's version of Unicode has.
 * @param {number} c
 */
const lowerOf = (c) => (kindOf(c) & LOWERS ? (c === 0x130 ? "i" : String.fromCodePoint(c).toLowerCase()) : String.fromCodePoint(c));

/**
 * Whether the capital sigma at i of s ends a word.
 * @param {string} s
 * @param {number} i
 */
function finalSigma(s, i) {
  let before = -1;
  for (let j = i; j > 0 && before < 0; ) {
    j--;
    if (j > 0 && (s.charCodeAt(j) & 0xfc00) === 0xdc00) j--;
    const c = /** @type {number} */ (s.codePointAt(j));
    if (!(kindOf(c) & CASEIGNORABLE)) before = c;
  }
  if (before < 0 || !(kindOf(before) & CASED)) return false;
  for (let j = i + 1; j < s.length; ) {
    const c = /** @type {number} */ (s.codePointAt(j));
    if (!(kindOf(c) & CASEIGNORABLE)) return !(kindOf(c) & CASED);
    j += width(c);
  }
  return true;
}

/**
 * The text in lower case; the step is added if positions change.
 * @param {string} s
 * @param {Step[]} steps
 */
function lower(s, steps) {
  if (isASCII(s)) return s.toLowerCase();
  /** @type {Step | null} */
  let step = null;
  let out = "";
  let kept = 0; // s up to here is in out
  for (let i = 0; i < s.length; ) {
    const c = /** @type {number} */ (s.codePointAt(i));
    const n = width(c);
    if (kindOf(c) & LOWERS) {
      out += s.slice(kept, i);
      if (c === 0x130) {
        if (step === null) steps.push((step = []));
        align(step, out.length, i);
        out += "i\u0307";
        align(step, out.length - 1, i + n);
        align(step, out.length, i + n);
      } else {
        out += c === 0x3a3 && finalSigma(s, i) ? "ς" : lowerOf(c);
      }
      kept = i + n;
    }
    i += n;
  }
  return kept === 0 ? s : out + s.slice(kept);
}

/**
 * Lower case of a term, as Go's bytes.ToLower has it.
 * @param {string} s
 */
const simpleLower = (s) => (isASCII(s) ? s.toLowerCase() : Array.from(s, (c) => lowerOf(/** @type {number} */ (c.codePointAt(0)))).join(""));

// Normal forms.

/**
 * Brings a text into a normal form, piece by piece, and keeps the characters that keep says. Characters that the
 * program's version of Unicode does not know are left as they are, whatever the engine knows of them.
 * @param {string} s
 * @param {"NFC" | "NFKC" | "NFKD"} form
 * @param {((c: number) => boolean) | null} keep
 * @param {Step[]} steps
 */
function rewrite(s, form, keep, steps) {
  /** @type {Step} */
  const step = [];
  steps.push(step);
  let out = "";
  for (let start = 0; start < s.length; ) {
    // A piece is a character and what may become one with it, or change places with what does.
    const first = /** @type {number} */ (s.codePointAt(start));
    let end = start + width(first);
    const known = !(kindOf(first) & UNASSIGNED);
    while (known && end < s.length) {
      const c = /** @type {number} */ (s.codePointAt(end));
      if (!(kindOf(c) & JOINING)) break;
      end += width(c);
    }
    const was = s.slice(start, end);
    const piece = known ? was.normalize(form) : was;
    if (keep === null && piece === was) {
      out += piece;
    } else {
      const last = lastSegment(piece, first, form);
      let at = 0;
      for (const c of piece) {
        if (keep === null || keep(/** @type {number} */ (c.codePointAt(0)))) {
          out += c;
          align(step, out.length, at < last ? start : end);
        }
        at += c.length;
      }
    }
    align(step, out.length, end);
    start = end;
  }
  return out;
}

/**
 * Where in the piece that a character became the last part begins that stands by itself: 0 if there is one, as in e and
 * an accent; 1 in fi, which a ligature becomes. What is before it is in the text where the character begins.
 * @param {string} piece
 * @param {number} first
 * @param {"NFC" | "NFKC" | "NFKD"} form
 */
function lastSegment(piece, first, form) {
  const parts = Array.from(String.fromCodePoint(first).normalize(form === "NFC" ? "NFD" : "NFKD"));
  if (!parts.some((c, i) => i > 0 && !(kindOf(/** @type {number} */ (c.codePointAt(0))) & JOINING))) return 0;
  let last = 0;
  let at = 0;
  for (const c of piece) {
    if (!(kindOf(/** @type {number} */ (c.codePointAt(0))) & JOINING)) last = at;
    at += c.length;
  }
  return last;
}

// Segmenters. Each appends the tokens of t.

/**
 * Words of any language: pairs of CJK characters, and otherwise the pieces between the word boundaries of Unicode
 * Standard Annex #29 that have a letter or a number.
 * @param {string} t
 * @param {Token[]} tokens
 */
function words(t, tokens) {
  let pieces = 0; // the end of the run without CJK that i is in, if it is known
  for (let i = 0; i < t.length; ) {
    let c = t.charCodeAt(i);
    if (c < 128) {
      if (!inWord(c)) {
        i++;
        continue;
      }
      const next = asciiWord(t, i, tokens);
      if (next > i) {
        i = next;
        continue;
      }
    } else {
      c = /** @type {number} */ (t.codePointAt(i));
      if (classOf(c) === CJK) {
        i = pairs(t, i, tokens);
        continue;
      }
    }
    if (pieces <= i) pieces = endOfRun(t, i);
    const end = endOfPiece(t, i, pieces);
    if (holdsWord(t, i, end)) add(tokens, t, i, end);
    i = end;
  }
}

/**
 * @param {Token[]} tokens
 * @param {string} t
 * @param {number} start
 * @param {number} end
 */
function add(tokens, t, start, end) {
  tokens.push({ term: t.slice(start, end), start, end, whole: true, negated: false });
}

/**
 * Adds the word of ASCII that begins at i, and returns its end; or i, if the rules have to say where it ends, since a
 * character that is not ASCII is near.
 * @param {string} t
 * @param {number} i
 * @param {Token[]} tokens
 */
function asciiWord(t, i, tokens) {
  let at = i;
  let word = false; // whether it has a letter or a number
  for (; at < t.length; at++) {
    const c = t.charCodeAt(at);
    if (c >= 128) return i;
    const p = ascii[c];
    if (p === ASCII_LETTER || p === ASCII_NUMERIC) {
      word = true;
      continue;
    }
    if (p === ASCII_EXTEND) continue;
    // A character of the middle joins neighbours of one kind.
    if (p === 0 || at + 1 >= t.length || t.charCodeAt(at + 1) >= 128) break;
    const around = ascii[t.charCodeAt(at - 1)];
    if (around !== ascii[t.charCodeAt(at + 1)]) break;
    if (p === ASCII_MIDLETTER ? around !== ASCII_LETTER : p === ASCII_MIDNUM ? around !== ASCII_NUMERIC : around !== ASCII_LETTER && around !== ASCII_NUMERIC) break;
  }
  if (at + 1 < t.length && t.charCodeAt(at + 1) >= 128) return i;
  if (word) add(tokens, t, i, at);
  return at;
}

/**
 * Adds the overlapping pairs of the run of CJK characters at i, and returns its end. Marks belong to the character
 * before them.
 * @param {string} t
 * @param {number} i
 * @param {Token[]} tokens
 */
function pairs(t, i, tokens) {
  let before = i;
  let last = i;
  let n = 0;
  while (i < t.length) {
    const c = /** @type {number} */ (t.codePointAt(i));
    const is = classOf(c);
    if (is === MARK && n > 0) {
      i += width(c);
      continue;
    }
    if (is !== CJK) break;
    if (n >= 2) add(tokens, t, before, i);
    before = last;
    last = i;
    n++;
    i += width(c);
  }
  add(tokens, t, n === 1 ? last : before, i);
  return i;
}

/**
 * @param {string} t
 * @param {number} i
 */
function endOfRun(t, i) {
  while (i < t.length) {
    const c = /** @type {number} */ (t.codePointAt(i));
    if (classOf(c) === CJK) break;
    i += width(c);
  }
  return i;
}

/**
 * @param {string} t
 * @param {number} start
 * @param {number} end
 */
function holdsWord(t, start, end) {
  for (let i = start; i < end; ) {
    const c = /** @type {number} */ (t.codePointAt(i));
    const is = classOf(c);
    if (is === LETTER || is === CJK) return true;
    i += width(c);
  }
  return false;
}

/**
 * Whether the next character from i on that counts has a property.
 * @param {string} t
 * @param {number} i
 * @param {number} end
 * @param {number} property
 */
function subsequent(t, i, end, property) {
  while (i < end) {
    const c = /** @type {number} */ (t.codePointAt(i));
    const k = kindOf(c);
    if (!(k & IGNORED)) return (k & property) !== 0;
    i += width(c);
  }
  return false;
}

/**
 * Where the piece between word boundaries that begins at i ends, at most at end: rules WB1 to WB999.
 * @param {string} t
 * @param {number} i
 * @param {number} end
 */
function endOfPiece(t, i, end) {
  let c = /** @type {number} */ (t.codePointAt(i));
  let current = kindOf(c);
  let pos = i + width(c);
  let before = 0; // the last kind that counts, and the one before it; and their characters
  let beforeThat = 0;
  let quoted = 0;
  let regionals = 0;
  let lastChar = c;
  for (;;) {
    if (pos >= end) return pos;
    const last = current;
    const lastWas = lastChar;
    if (!(last & IGNORED)) {
      beforeThat = before;
      before = last;
      quoted = lastWas;
    }
    c = /** @type {number} */ (t.codePointAt(pos));
    current = kindOf(c);
    lastChar = c;
    const n = width(c);
    const joined =
      (current & (NUMERIC | AHLETTER) && before & (NUMERIC | AHLETTER)) || // WB5, WB8 to WB10
      current & last & WSEGSPACE || // WB3d
      (c === 10 && lastWas === 13); // WB3
    if (!joined) {
      if ((last | current) & NEWLINE) return pos; // WB3a, WB3b
      if (!(
        (current & PICTOGRAPHIC && lastWas === 0x200d) || // WB3c
        current & IGNORED || // WB4
        (current & MIDLETTER && before & AHLETTER && subsequent(t, pos + n, end, AHLETTER)) || // WB6
        (current & AHLETTER && before & MIDLETTER && beforeThat & AHLETTER) || // WB7
        (c === 0x27 && before & HEBREW) || // WB7a
        (c === 0x22 && before & HEBREW && subsequent(t, pos + n, end, HEBREW)) || // WB7b
        (current & HEBREW && quoted === 0x22 && beforeThat & HEBREW) || // WB7c
        (current & NUMERIC && before & MIDNUM && beforeThat & NUMERIC) || // WB11
        (current & MIDNUM && before & NUMERIC && subsequent(t, pos + n, end, NUMERIC)) || // WB12
        (current & KATAKANA && before & KATAKANA) || // WB13
        (current & EXTENDNUMLET && before & (AHLETTER | NUMERIC | KATAKANA | EXTENDNUMLET)) || // WB13a
        (current & (AHLETTER | NUMERIC | KATAKANA) && before & EXTENDNUMLET) || // WB13b
        (current & REGIONAL && before & REGIONAL && ++regionals % 2 === 1) // WB15, WB16
      )) {
        return pos;
      }
    }
    pos += n;
  }
}

/**
 * Words of two characters and more, as scikit-learn's CountVectorizer has them.
 * @param {string} t
 * @param {Token[]} tokens
 */
function sklearn(t, tokens) {
  for (let i = 0; i < t.length; ) {
    const start = i;
    let n = 0;
    let c = 0;
    for (; i < t.length; n++) {
      c = /** @type {number} */ (t.codePointAt(i));
      const is = c === 0x5f ? LETTER : classOf(c);
      if (is !== LETTER && is !== CJK) break;
      i += width(c);
    }
    if (n >= 2) add(tokens, t, start, i);
    if (i < t.length) i += width(c);
  }
}

/**
 * @param {string} t
 * @param {Token[]} tokens
 */
function whitespace(t, tokens) {
  let start = -1;
  let i = 0;
  for (; i < t.length; i++) {
    const c = t.charCodeAt(i);
    const blank = c < 128 ? c === 32 || (c >= 9 && c <= 13) : classOf(c) === SPACE;
    if (blank && start >= 0) {
      add(tokens, t, start, i);
      start = -1;
    } else if (!blank && start < 0) {
      start = i;
    }
  }
  if (start >= 0) add(tokens, t, start, i);
}

/** @param {number} c */
const blankChar = (c) => (c < 128 ? c === 32 || (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x1f) : classOf(c) === SPACE);

/**
 * Pieces of characters, from the shortest length to the longest.
 * @param {string[]} chars
 * @param {number[]} starts of each character in the text; and of the end of the last
 * @param {number[]} ends
 * @param {number} shortest
 * @param {number} longest
 * @param {Token[]} tokens
 */
function grams(chars, starts, ends, shortest, longest, tokens) {
  for (let n = shortest; n <= longest; n++) {
    for (let i = 0; i + n <= chars.length; i++) {
      tokens.push({ term: n === 1 ? chars[i] : chars.slice(i, i + n).join(""), start: starts[i], end: ends[i + n - 1] });
    }
  }
}

/**
 * Pieces of characters across words.
 * @param {[number, number]} lengths
 * @returns {(t: string, tokens: Token[]) => void}
 */
const charsOf = ([shortest, longest]) => (t, tokens) => {
  /** @type {string[]} */
  const chars = [];
  /** @type {number[]} */
  const starts = [];
  /** @type {number[]} */
  const ends = [];
  for (let i = 0; i < t.length; ) {
    const start = i;
    const c = /** @type {number} */ (t.codePointAt(i));
    i += width(c);
    let char = t.slice(start, i);
    if (blankChar(c) && i < t.length && blankChar(t.charCodeAt(i))) {
      while (i < t.length && blankChar(t.charCodeAt(i))) i++;
      char = " "; // more than one are a space
    }
    chars.push(char);
    starts.push(start);
    ends.push(i);
  }
  grams(chars, starts, ends, shortest, longest, tokens);
};

/**
 * Pieces of each word, with a space on either side of it.
 * @param {[number, number]} lengths
 * @returns {(t: string, tokens: Token[]) => void}
 */
const charWordsOf = ([shortest, longest]) => (t, tokens) => {
  for (let i = 0; i < t.length; ) {
    if (blankChar(t.charCodeAt(i))) {
      i++;
      continue;
    }
    const chars = [" "];
    const starts = [i];
    const ends = [i];
    while (i < t.length && !blankChar(t.charCodeAt(i))) {
      const c = /** @type {number} */ (t.codePointAt(i));
      chars.push(String.fromCodePoint(c));
      starts.push(i);
      ends.push((i += width(c)));
    }
    chars.push(" ");
    starts.push(i);
    ends.push(i);
    for (let n = shortest; n <= longest; n++) {
      // A word that is no longer than a piece is the last one.
      const whole = n >= chars.length;
      grams(chars, starts, ends, whole ? chars.length : n, whole ? chars.length : n, tokens);
      if (whole) break;
    }
  }
};

// Negation.

const negations = new Set(
  ("not no never nothing nowhere noone nobody none neither nor cannot without dont doesnt didnt isnt arent wasnt " +
    "werent havent hasnt hadnt wont wouldnt cant couldnt shouldnt aint").split(" "),
);

/**
 * Marks the words between a negation and the next punctuation.
 * @param {string} t
 * @param {Token[]} tokens
 */
function findNegation(t, tokens) {
  let scope = false;
  let end = 0;
  for (const token of tokens) {
    if (scope && (/[.,:;!?\n]/.test(t.slice(Math.min(end, token.start), token.start)) || /^[.,:;!?\n]*$/.test(token.term))) scope = false;
    token.negated = scope;
    end = token.end;
    scope ||= negates(t, token);
  }
}

/**
 * @param {string} t
 * @param {Token} token
 */
function negates(t, token) {
  const term = simpleLower(token.term);
  if (negations.has(term) || term.endsWith("n't") || term.endsWith("n’t")) return true;
  if (!term.endsWith("n")) return false;
  const rest = simpleLower(t.slice(token.end, token.end + 2));
  return rest === "'t" || rest === "’t";
}

// Subwords.

/** The most bytes that a word may have that is stemmed or has subwords. */
const LONGEST_WORD = 128;

/** @param {string} s */
const tooLong = (s) => s.length > LONGEST_WORD / 3 && new TextEncoder().encode(s).length > LONGEST_WORD;

/**
 * Whether a term of an analyzer that has subwords is one.
 * @param {string} term
 */
export const isSubword = (term) => term.length > 0 && (term.charCodeAt(0) === 42 || term.charCodeAt(term.length - 1) === 42);

/**
 * Adds the subwords of a word.
 * @param {Token[]} subwords
 * @param {Token} word
 * @param {[number, number]} lengths
 */
function addSubwords(subwords, word, [shortest, longest]) {
  if (tooLong(word.term)) return;
  const chars = Array.from(word.term);
  const at = [0];
  for (const c of chars) at.push(at[at.length - 1] + c.length);
  const length = chars.length + 2; // with both ends
  for (let n = shortest; n <= Math.min(longest, length - 1); n++) {
    for (let i = 0; i + n <= length; i++) {
      const j = i + n;
      const first = Math.max(i - 1, 0);
      const end = Math.min(j - 1, chars.length);
      if (first >= end) continue; // no character of the word
      const term = (i > 0 ? "*" : "") + word.term.slice(at[first], at[end]) + (j < length ? "*" : "");
      subwords.push(word.whole ? { term, start: word.start + at[first], end: word.start + at[end] } : { term, start: word.start, end: word.end });
    }
  }
}

// Analyzers.

/**
 * Reads "2" or "1-2".
 * @param {string} s
 * @returns {[number, number]}
 */
function lengthsOf(s) {
  const m = /^(\d+)(?:-(\d+))?$/.exec(s);
  const low = m ? Number(m[1]) : 0;
  const high = m ? Number(m[2] ?? m[1]) : 0;
  if (low < 1 || high < low || high > 16) throw new Error(`lengths ${JSON.stringify(s)}: want a length such as 2 or 1-2, at most 16`);
  return [low, high];
}

/**
 * @param {string} name the first word of a description
 */
function segmenterOf(name) {
  const [key, value] = name.split("=", 2);
  switch (key) {
    case "default":
      return words;
    case "sklearn":
      return sklearn;
    case "whitespace":
      return whitespace;
    case "chars":
      return charsOf(lengthsOf(value ?? ""));
    case "char-words":
      return charWordsOf(lengthsOf(value ?? ""));
  }
  throw new Error(`the analyzer ${JSON.stringify(key)} cuts texts by data that this package has not: it has default, sklearn, whitespace, chars and char-words`);
}

/** @param {string} value */
function stopWordsOf(value) {
  if (value.startsWith(",")) return new Set(value.slice(1).split(",").map((w) => decodeURIComponent(w.replaceAll("+", " "))));
  if (!Object.hasOwn(stopWords, value)) throw new Error(`unknown list of stop words ${JSON.stringify(value)}: this package has ${Object.keys(stopWords).join(", ")}`);
  return new Set(stopWords[/** @type {keyof typeof stopWords} */ (value)].split(" "));
}

/** An Analyzer turns text into terms, as a description such as "default stopwords=en ngrams=1-2" says. */
export class Analyzer {
  /** @param {string[]} spec the words of a description */
  constructor(spec) {
    if (spec.length === 0) throw new Error("the description of the analyzer has no name");
    this.segment = segmenterOf(spec[0]);
    /** @type {"NFC" | "NFKC" | null} */
    this.form = null;
    this.keepCase = false;
    this.accents = "keep";
    this.negation = false;
    /** @type {Set<string> | null} */
    this.stopWords = null;
    this.minLength = 1;
    /** @type {[number, number] | null} */
    this.subwords = null;
    /** @type {((word: string) => string) | null} */
    this.stem = null;
    /** @type {[number, number]} */
    this.ngrams = [1, 1];
    for (const word of spec.slice(1)) this.#set(word);
    this.filters = this.negation || this.stopWords !== null || this.minLength > 1 || this.subwords !== null || this.stem !== null;
    if (this.filters && /^char/.test(spec[0])) throw new Error(`${spec[0]} cuts characters: stop words, stems, negation, least lengths and subwords are for words`);
  }

  /** @param {string} word */
  #set(word) {
    const at = word.indexOf("=");
    const key = at < 0 ? word : word.slice(0, at);
    const value = at < 0 ? "" : word.slice(at + 1);
    /** @param {string[]} all */
    const oneOf = (...all) => {
      if (!all.includes(value)) throw new Error(`${word}: want ${all.join(" or ")}`);
      return value;
    };
    switch (key) {
      case "form":
        oneOf("as-is", "nfc", "nfkc");
        this.form = value === "nfc" ? "NFC" : value === "nfkc" ? "NFKC" : null;
        break;
      case "lowercase":
        this.keepCase = oneOf("true", "false") === "false";
        break;
      case "accents":
        this.accents = oneOf("keep", "fold", "ascii");
        break;
      case "negation":
        this.negation = oneOf("true", "false") === "true";
        break;
      case "stopwords":
        this.stopWords = stopWordsOf(value);
        break;
      case "min-length":
        if (!/^\d+$/.test(value) || Number(value) < 1) throw new Error(`${word}: want a number of characters from 1`);
        this.minLength = Number(value);
        break;
      case "stem":
        if (!Object.hasOwn(stemmers, value)) throw new Error(`stem=${value}: this package stems ${Object.keys(stemmers).join(", ")} alone`);
        this.stem = stemmers[/** @type {keyof typeof stemmers} */ (value)];
        break;
      case "subwords":
        this.subwords = lengthsOf(value);
        break;
      case "ngrams":
        this.ngrams = lengthsOf(value);
        break;
      default:
        throw new Error(`unknown option ${JSON.stringify(word)}`);
    }
  }

  /**
   * The tokens of a text: all n-grams of the shortest length in the order of the text, then those of the next, and at
   * last the subwords.
   * @param {string} s
   * @returns {Token[]}
   */
  tokens(s) {
    /** @type {Step[]} */
    const steps = [];
    let t = s;
    if (this.form !== null && !isASCII(t)) t = rewrite(t, this.form, null, steps);
    if (!this.keepCase) t = lower(t, steps);
    if (this.accents !== "keep" && !isASCII(t)) {
      t = rewrite(t, "NFKD", this.accents === "ascii" ? (c) => c < 128 : (c) => !(kindOf(c) & COMBINING), steps);
    }
    /** @type {Token[]} */
    let tokens = [];
    this.segment(t, tokens);
    /** @type {Token[]} */
    const subwords = [];
    if (this.filters) tokens = this.#filter(t, tokens, subwords);
    const [shortest, longest] = this.ngrams;
    if (longest > 1) tokens = joinNGrams(tokens, shortest, longest);
    for (const token of subwords) tokens.push(token);
    if (steps.length > 0) {
      for (const token of tokens) {
        token.start = original(steps, token.start);
        token.end = original(steps, token.end);
      }
    }
    return tokens;
  }

  /**
   * Leaves words out and rewrites others.
   * @param {string} t
   * @param {Token[]} tokens
   * @param {Token[]} subwords
   */
  #filter(t, tokens, subwords) {
    if (this.negation) findNegation(t, tokens);
    const kept = [];
    for (const token of tokens) {
      const term = token.term;
      if (this.stopWords?.has(term)) continue;
      if (this.minLength > 1 && (term.length < this.minLength || Array.from(term).length < this.minLength)) continue;
      if (this.subwords !== null) addSubwords(subwords, token, this.subwords);
      if (this.stem !== null && !tooLong(term)) token.term = this.stem(term);
      if (token.negated) token.term = "NOT_" + token.term;
      kept.push(token);
    }
    return kept;
  }
}

/**
 * @param {Token[]} words
 * @param {number} shortest
 * @param {number} longest
 */
function joinNGrams(words, shortest, longest) {
  const tokens = shortest > 1 ? [] : words.slice();
  for (let n = Math.max(2, shortest); n <= longest; n++) {
    for (let i = 0; i + n <= words.length; i++) {
      let term = words[i].term;
      for (let j = i + 1; j < i + n; j++) term += " " + words[j].term;
      tokens.push({ term, start: words[i].start, end: words[i + n - 1].end });
    }
  }
  return tokens;
}
