// The descriptions of event models, as far as a frozen model needs them, and what is done with scores.

/** How deep parentheses may nest. */
const DEPTH = 16;

/**
 * Cuts a description at spaces that are inside neither quotation marks nor parentheses.
 * @param {string} s
 */
function cut(s) {
  const list = [];
  let quoted = false;
  let depth = 0;
  let start = -1;
  for (let i = 0; i <= s.length; i++) {
    if (i === s.length || (s[i] === " " && !quoted && depth === 0)) {
      if (start >= 0) list.push(s.slice(start, i));
      start = -1;
      continue;
    }
    if (start < 0) start = i;
    if (s[i] === '"') quoted = !quoted;
    else if (s[i] === "\\" && quoted && i + 1 < s.length) i++;
    else if (s[i] === "(" && !quoted && ++depth > DEPTH) throw new Error("parentheses nest deeper than 16");
    else if (s[i] === ")" && !quoted) depth--;
  }
  if (quoted || depth !== 0) throw new Error("an unclosed quotation mark or parenthesis");
  return list;
}

/** @param {string} s */
function float(s) {
  const named = { "+Inf": Infinity, Inf: Infinity, "-Inf": -Infinity }[s];
  if (named !== undefined) return named;
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(s)) throw new Error(`${JSON.stringify(s.slice(0, 100))} is no number`);
  return Number(s);
}

/** @param {string} value X:Y,X:Y */
function points(value) {
  return value.split(",").map((part, i, all) => {
    const [x, y] = part.split(":", 2).map(float);
    if (!Number.isFinite(x) || !(y > 0 && y < 1)) throw new Error(`${JSON.stringify(part)} is no point: want a number and one between 0 and 1`);
    if (i > 0) {
      const [lastX, lastY] = all[i - 1].split(":", 2).map(float);
      if (!(lastX < x && lastY <= y)) throw new Error(`point ${part} does not rise`);
    }
    return { x, y };
  });
}

/**
 * NAME=NUMBER,NAME=NUMBER, where names may be quoted as in Go.
 * @param {string} value
 */
function shares(value) {
  /** @type {Map<string, number>} */
  const map = new Map();
  for (let rest = value; ; ) {
    const m = /^("(?:[^"\\]|\\.)*"|[^=,"][^=,]*)=([^,]*)(,|$)/su.exec(rest);
    if (!m) throw new Error(`${JSON.stringify(value.slice(0, 100))}: want NAME=NUMBER`);
    map.set(m[1].startsWith('"') ? unquote(m[1].slice(1, -1)) : m[1], float(m[2]));
    if (m[3] === "") return map;
    rest = rest.slice(m[0].length);
  }
}

/**
 * NAME>NAME=NUMBER,NAME>NAME=NUMBER, where names may be quoted as in Go.
 * @param {string} value
 */
function pairs(value) {
  /** @type {Map<string, Map<string, number>>} */
  const map = new Map();
  for (let rest = value; ; ) {
    const m = /^("(?:[^"\\]|\\.)*"|[^=,">][^=,>]*)>("(?:[^"\\]|\\.)*"|[^=,"][^=,]*)=([^,]*)(,|$)/su.exec(rest);
    if (!m) throw new Error(`${JSON.stringify(value.slice(0, 100))}: want NAME>NAME=NUMBER`);
    const [actual, chosen] = [m[1], m[2]].map((name) => (name.startsWith('"') ? unquote(name.slice(1, -1)) : name));
    if (!map.has(actual)) map.set(actual, new Map());
    map.get(actual)?.set(chosen, float(m[3]));
    if (m[4] === "") return map;
    rest = rest.slice(m[0].length);
  }
}

/**
 * What a quoted string of Go says.
 * @param {string} s
 */
function unquote(s) {
  const bytes = [];
  for (const [all, hex, octal, u4, u8, one] of s.matchAll(/\\x([0-9a-f]{2})|\\([0-7]{3})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})|\\(.)|[^\\]/gisu)) {
    if (hex !== undefined) bytes.push(parseInt(hex, 16));
    else if (octal !== undefined) bytes.push(parseInt(octal, 8));
    else {
      const simple = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
      const c = u4 ?? u8;
      const char = c !== undefined ? String.fromCodePoint(parseInt(c, 16)) : one !== undefined ? (simple[/** @type {keyof typeof simple} */ (one)] ?? one) : all;
      bytes.push(...new TextEncoder().encode(char));
    }
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

/**
 * The event models that can be frozen, and their options. Of an option that is not among them nobody knows what it does.
 * @type {Record<string, string[]>}
 */
const known = {
  multinomial: ["smoothing", "prior"],
  complement: ["norm", "smoothing", "prior"],
  "one-versus-rest": ["smoothing", "prior"],
  bernoulli: ["smoothing", "prior"],
  mixed: ["prior", "text", "number", "category"],
  selected: ["min-df", "max-df", "max-features", "best", "score", "model"],
  corrected: ["strength", "spread", "trust", "correction", "model"],
  calibrated: ["temperature", "isotonic", "coverage", "costs", "reject", "cutoffs", "overrides", "promises", "model"],
};

/**
 * What a description says that scores depend on.
 * @param {string} description such as "calibrated temperature=8.2 model=(multinomial smoothing=1 prior=empirical)"
 */
export function parseEvent(description) {
  const event = {
    /** The name of the innermost model that says how a prior counts. */
    name: "",
    corrected: false,
    temperature: 1,
    /** @type {{x: number, y: number}[]} */
    isotonic: [],
    /** @type {Map<string, number>} */
    cutoffs: new Map(),
    /** @type {Map<string, number>} */
    overrides: new Map(),
    /** By true class, what each answer costs. @type {Map<string, Map<string, number>>} */
    costs: new Map(),
    /** @type {Map<string, number>} */
    reject: new Map(),
  };
  let rest = description;
  for (let outermost = true; ; outermost = false) {
    const [name, ...options] = cut(rest);
    if (!Object.hasOwn(known, name ?? "")) throw new Error(`unknown event model ${JSON.stringify((name ?? "").slice(0, 100))}`);
    let inner = "";
    for (const word of options) {
      const at = word.indexOf("=");
      const [key, value] = at < 0 ? [word, ""] : [word.slice(0, at), word.slice(at + 1)];
      if (!known[name].includes(key)) throw new Error(`event model ${JSON.stringify(rest.slice(0, 100))}: ${JSON.stringify(word.slice(0, 100))} is not an option of ${name}`);
      if (key === "model") {
        if (!/^\(.*\)$/s.test(value)) throw new Error(`${JSON.stringify(value.slice(0, 100))}: want an event model in parentheses`);
        inner = value.slice(1, -1);
      } else if (name === "corrected" && key === "correction") {
        event.corrected = true;
      } else if (name === "calibrated" && outermost) {
        if (key === "temperature") event.temperature = float(value);
        else if (key === "isotonic") event.isotonic = points(value);
        else if (key === "cutoffs") event.cutoffs = shares(value);
        else if (key === "overrides") event.overrides = shares(value);
        else if (key === "costs") event.costs = pairs(value);
        else if (key === "reject") event.reject = shares(value);
      }
    }
    if (name !== "calibrated" && name !== "corrected" && name !== "selected") {
      event.name = name;
      break;
    }
    rest = inner === "" ? "multinomial" : inner;
  }
  if (!(event.temperature >= 1e-150 && event.temperature <= 1e150)) throw new Error(`calibrated: temperature ${event.temperature}: want more than 0, from 1e-150 to 1e150`);
  return event;
}

/**
 * What a prior adds to the scores of an event model, by class; null if nothing.
 * @param {string} name of the event model
 * @param {Float64Array} logPrior
 */
export function scorePrior(name, logPrior) {
  if (name === "complement" && logPrior.length > 1) return null;
  if (name !== "one-versus-rest") return logPrior;
  // Half the log-odds, by sums of 32 digits.
  let total = 0;
  let rest = 0;
  /**
   * @param {number} total
   * @param {number} v
   */
  const error = (total, v) => {
    const sum = total + v;
    const part = sum - total;
    return total - (sum - part) + (v - part);
  };
  for (const l of logPrior) {
    const v = Math.exp(l);
    rest += error(total, v);
    total += v;
  }
  return logPrior.map((l) => {
    const v = -Math.exp(l);
    const others = total + v + (rest + error(total, v));
    return others > 0 ? (l - Math.log(others)) / 2 : 0;
  });
}

/**
 * Makes ln P(c, x) of each class ln P(c|x); false if no class is possible.
 * @param {Float64Array} x
 */
export function posterior(x) {
  let top = -Infinity;
  for (const v of x) if (v > top) top = v;
  if (top === -Infinity) return false;
  if (top === Infinity) {
    for (let k = 0; k < x.length; k++) x[k] = x[k] === top ? 0 : -Infinity;
    top = 0;
  }
  let sum = 0;
  for (let k = 0; k < x.length; k++) {
    x[k] -= top;
    if (x[k] === 0) sum++;
    else if (x[k] > -60) sum += Math.exp(x[k]);
  }
  sum = Math.log(sum);
  for (let k = 0; k < x.length; k++) x[k] -= sum;
  return true;
}

/**
 * How far each other possible class is behind the best one, and the least of these gaps.
 * @param {Float64Array} logP
 */
function behind(logP) {
  let best = 0;
  for (let k = 1; k < logP.length; k++) if (logP[k] > logP[best]) best = k;
  const gaps = [];
  let least = Infinity;
  for (let k = 0; k < logP.length; k++) {
    const d = logP[best] - logP[k];
    if (k === best || d === Infinity) continue;
    gaps.push(d);
    least = Math.min(least, d);
  }
  return { gaps, least };
}

/**
 * The log-odds of class k against all others.
 * @param {Float64Array} joint
 * @param {number} k
 */
export function logOddsOf(joint, k) {
  let top = -Infinity;
  for (let j = 0; j < joint.length; j++) if (j !== k) top = Math.max(top, joint[j]);
  if (!Number.isFinite(top)) return joint[k] - top;
  let sum = 0;
  for (let j = 0; j < joint.length; j++) if (j !== k) sum += Math.exp(joint[j] - top);
  return joint[k] - top - Math.log(sum);
}

/**
 * Whether class k has these log-odds against all others.
 * @param {Float64Array} joint
 * @param {number} k
 * @param {number} odds
 */
const reaches = (joint, k, odds) => odds === -Infinity || (odds !== Infinity && logOddsOf(joint, k) >= odds);

/**
 * The class that is the answer, -1 for none, and why it is not the best one: see package decision of the program.
 * @param {ReturnType<typeof parseEvent>} event
 * @param {string[]} names of the classes
 * @param {Float64Array} joint before calibration
 * @param {Float64Array} logP after it
 * @param {number} best
 * @returns {{answer: number, reason: "" | "cutoff" | "recall" | "costs"}}
 */
export function decide(event, names, joint, logP, best) {
  let answer = -1;
  if (event.overrides.size > 0) {
    for (let k = 0; k < names.length; k++) {
      const odds = event.overrides.get(names[k]);
      if (odds !== undefined && reaches(joint, k, odds) && (answer < 0 || joint[k] > joint[answer])) answer = k;
    }
  }
  if (answer >= 0) return { answer, reason: answer === best ? "" : "recall" };
  answer = best;
  if (event.costs.size + event.reject.size > 0) answer = cheapest(event, names, logP, best);
  if (answer >= 0 && !reaches(joint, answer, event.cutoffs.get(names[answer]) ?? -Infinity)) return { answer: -1, reason: "cutoff" };
  return { answer, reason: answer === best ? "" : "costs" };
}

/**
 * The answer of least expected cost, -1 for none.
 * @param {ReturnType<typeof parseEvent>} event
 * @param {string[]} names
 * @param {Float64Array} logP
 * @param {number} best
 */
function cheapest(event, names, logP, best) {
  const expected = Array.from(logP, (v) => 1 - Math.exp(v));
  const number = new Map(names.map((name, k) => [name, k]));
  for (const [actual, row] of event.costs) {
    const k = number.get(actual);
    if (k === undefined) continue;
    for (const [chosen, cost] of row) {
      const j = number.get(chosen);
      if (j !== undefined) expected[j] += Math.exp(logP[k]) * (cost - (j === k ? 0 : 1));
    }
  }
  let answer = best;
  for (let k = 0; k < expected.length; k++) {
    if (expected[k] < expected[answer] || (expected[k] === expected[answer] && logP[k] > logP[answer])) answer = k;
  }
  if (event.reject.size > 0) {
    let undecided = 0;
    for (let k = 0; k < names.length; k++) undecided += Math.exp(logP[k]) * (event.reject.get(names[k]) ?? 1);
    if (undecided < expected[answer]) return -1;
  }
  return answer;
}

/**
 * The power that gives the best class these log-odds: see package calibration of the program.
 * @param {Float64Array} logP
 * @param {number} odds
 */
function powerFor(logP, odds) {
  const { gaps, least } = behind(logP);
  let s = 1e-6;
  for (let i = 0; i < 100; i++) {
    let sum = 0;
    let slope = 0;
    for (const d of gaps) {
      const e = Math.exp(-s * (d - least));
      sum += e;
      slope += d * e;
    }
    const step = ((odds - s * least + Math.log(sum)) * sum) / slope;
    if (!(step > 1e-12 * s)) break;
    s = Math.min(s + step, 1e6);
  }
  return s;
}

/**
 * The curve's y at x: linear between the points, and constant beyond them.
 * @param {{x: number, y: number}[]} curve
 * @param {number} x
 */
function interpolate(curve, x) {
  let i = curve.findIndex((p) => p.x >= x);
  if (i < 0) i = curve.length;
  if (i === 0) return curve[0].y;
  if (i === curve.length) return curve[i - 1].y;
  const [a, b] = [curve[i - 1], curve[i]];
  return a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
}

/**
 * Calibrates ln P of each class, and returns the power that they were raised to.
 * @param {ReturnType<typeof parseEvent>} event
 * @param {Float64Array} logP
 */
export function calibrate(event, logP) {
  let s = 1;
  if (logP.length >= 2) {
    if (event.isotonic.length === 0) {
      s = 1 / event.temperature;
    } else {
      const { gaps, least } = behind(logP);
      const odds = gaps.length === 0 ? Infinity : least - Math.log(gaps.reduce((sum, d) => sum + Math.exp(least - d), 0));
      if (Number.isFinite(odds) && odds !== 0) {
        const p = interpolate(event.isotonic, odds);
        s = powerFor(logP, Math.log(p) - Math.log1p(-p));
      }
    }
  }
  if (s !== 1) {
    for (let k = 0; k < logP.length; k++) logP[k] *= s;
    posterior(logP);
  }
  return s;
}
