// The frame of a frozen file, and the weights of its terms: see docs/format.md, "Frozen files".

/**
 * The error of a file.
 * @param {string} section
 * @param {number} offset
 * @param {string} message
 */
const failure = (section, offset, message) => new Error(`bayes: model file: section ${section}, byte ${offset}: ${message}`);

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

// CRC-32C, eight bytes at a time.
const crcTables = (() => {
  const tables = Array.from({ length: 8 }, () => new Int32Array(256));
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1;
    tables[0][n] = c;
  }
  for (let n = 0; n < 256; n++) {
    for (let k = 1; k < 8; k++) tables[k][n] = (tables[k - 1][n] >>> 8) ^ tables[0][tables[k - 1][n] & 255];
  }
  return tables;
})();

/**
 * The CRC-32C of bytes.
 * @param {Uint8Array} b
 */
export function checksum(b) {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = crcTables;
  let c = -1;
  let i = 0;
  for (; i + 8 <= b.length; i += 8) {
    c ^= b[i] | (b[i + 1] << 8) | (b[i + 2] << 16) | (b[i + 3] << 24);
    c =
      t7[c & 255] ^ t6[(c >>> 8) & 255] ^ t5[(c >>> 16) & 255] ^ t4[c >>> 24] ^
      t3[b[i + 4]] ^ t2[b[i + 5]] ^ t1[b[i + 6]] ^ t0[b[i + 7]];
  }
  for (; i < b.length; i++) c = (c >>> 8) ^ t0[(c ^ b[i]) & 255];
  return ~c >>> 0;
}

/**
 * Compares bytes as names are sorted.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
function compareBytes(a, b) {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/** Payload reads the parts of a section. */
export class Payload {
  /**
   * @param {Uint8Array} data
   * @param {number} offset of data in the file
   * @param {string} section
   */
  constructor(data, offset, section) {
    this.data = data;
    this.start = offset;
    this.section = section;
    this.at = 0;
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  get left() {
    return this.data.length - this.at;
  }

  /** @param {string} message */
  fail(message) {
    return failure(this.section, this.start + this.at, message);
  }

  /** @param {number} n */
  bytes(n) {
    if (n > this.left) throw this.fail(`cut short: ${n - this.left} bytes are missing`);
    return this.data.subarray(this.at, (this.at += n));
  }

  rest() {
    return this.bytes(this.left);
  }

  /**
   * A number of variable length; a BigInt where it may be more than a number holds.
   * @returns {number | bigint}
   */
  #uvarint() {
    let n = 0;
    let scale = 1;
    for (let i = 0; i < 7; i++) {
      const b = this.#byte();
      n += (b & 127) * scale;
      scale *= 128;
      if (b < 128) return n;
    }
    let big = BigInt(n);
    for (let i = 7n; i < 10n; i++) {
      const b = this.#byte();
      if (i === 9n && b > 1) break;
      big += BigInt(b & 127) << (7n * i);
      if (b < 128) return big;
    }
    throw this.fail("no valid variable-length number");
  }

  #byte() {
    if (this.at >= this.data.length) throw this.fail("no valid variable-length number");
    return this.data[this.at++];
  }

  /** A number of bytes or of things. */
  count() {
    return Number(this.#uvarint());
  }

  /**
   * A whole number of either sign.
   * @param {number | bigint} n
   */
  #unzigzag(n) {
    if (typeof n === "number") return n % 2 === 0 ? n / 2 : -(n + 1) / 2;
    return Number((n >> 1n) ^ -(n & 1n));
  }

  integer() {
    return this.#unzigzag(this.#uvarint());
  }

  number() {
    if (this.left > 0 && this.data[this.at] === 1) {
      if (this.left < 9) throw this.fail("cut short");
      const v = this.view.getFloat64(this.at + 1, true);
      if (!Number.isFinite(v)) throw this.fail("not a finite number");
      this.at += 9;
      return v;
    }
    const n = this.#uvarint();
    if (typeof n === "number" ? n % 2 !== 0 : (n & 1n) !== 0n) throw this.fail("no valid number");
    return this.#unzigzag(typeof n === "number" ? n / 2 : n >> 1n);
  }

  /**
   * A number of 64 bits at a place.
   * @param {number} n how many
   */
  floats(n) {
    if (8 * n > this.left) throw this.fail(`cut short: ${8 * n - this.left} bytes are missing`);
    const list = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      list[i] = this.view.getFloat64(this.at, true);
      if (!Number.isFinite(list[i])) throw this.fail("a number is not finite");
      this.at += 8;
    }
    return list;
  }

  /** @param {number} n how many */
  float32s(n) {
    if (4 * n > this.left) throw this.fail(`cut short: ${4 * n - this.left} bytes are missing`);
    const list = new Float32Array(n);
    for (let i = 0; i < n; i++) {
      list[i] = this.view.getFloat32(this.at, true);
      if (!Number.isFinite(list[i])) throw this.fail("a weight is not finite");
      this.at += 4;
    }
    return list;
  }

  /**
   * Sizes of 8 bytes.
   * @param {number} n how many
   */
  sizes(n) {
    if (8 * n > this.left) throw this.fail(`cut short: ${8 * n - this.left} bytes are missing`);
    const list = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      list[i] = this.view.getUint32(this.at, true) + this.view.getUint32(this.at + 4, true) * 2 ** 32;
      this.at += 8;
    }
    return list;
  }

  /**
   * A label.
   * @param {Uint8Array | null} before
   */
  label(before) {
    const b = this.bytes(this.count());
    if (before !== null && compareBytes(before, b) >= 0) throw this.fail("labels do not rise");
    return b;
  }
}

/**
 * @typedef {object} Header
 * @property {string} space
 * @property {string} event
 * @property {number} classes
 * @property {number} features
 * @property {number} examples
 * @property {number} size
 */

/**
 * Reads the lines at the front of a file.
 * @param {Uint8Array} data
 * @returns {Header}
 */
function readHeader(data) {
  /** @type {Record<string, string>} */
  const lines = {};
  const first = /^bayes (\S+) (\d+)(?:\n|$)/.exec(utf8.decode(data.subarray(0, 64)));
  if (!first || !["model", "counts", "frozen"].includes(first[1])) throw new Error("bayes: not a model file");
  if (first[2] !== "1") throw failure("header", 0, `version ${first[2]} is not the one that this package reads, which is 1`);
  if (first[1] !== "frozen") throw new Error(`bayes: a file of kind ${first[1]}, which holds counts: only frozen models are read here, which bayes freeze makes of it`);
  for (let at = 0; ; ) {
    const end = data.indexOf(10, at);
    if (end < 0) throw failure("header", data.length, "cut short");
    const line = utf8.decode(data.subarray(at, end));
    const [, key, value] = /^(\S*) ?(.*)$/su.exec(line) ?? [];
    if (key === "checksum") {
      if (value !== checksum(data.subarray(0, at)).toString(16).padStart(8, "0")) throw failure("header", at, "checksum does not match");
      if (data[end + 1] !== 10) throw failure("header", end + 1, "no empty line after the header");
      /** @param {string} name */
      const count = (name) => {
        if (!/^\d+$/.test(lines[name] ?? "")) throw failure("header", 0, `no line ${name}`);
        return Number(lines[name]);
      };
      return {
        space: lines.space ?? "", event: lines.event ?? "",
        classes: count("classes"), features: count("features"), examples: count("examples"), size: end + 2,
      };
    }
    if (!["bayes", "space", "event", "classes", "features", "examples"].includes(key)) throw failure("header", at, `unknown line ${JSON.stringify(line.slice(0, 40))}`);
    lines[key] = value;
    at = end + 1;
  }
}

/** @param {string} s */
function isJSON(s) {
  try {
    JSON.parse(s);
    return true;
  } catch {
    return false;
  }
}

/** File reads the sections of a file, one after the other. */
export class File {
  /** @param {Uint8Array} data */
  constructor(data) {
    this.data = data;
    this.header = readHeader(data);
    this.at = this.header.size;
    this.analyzer = ""; // the version of the analyzer that cut the texts
    this.tag = "";
    this.payload = new Payload(data.subarray(0, 0), 0, "header");
    this.next();
  }

  /** Moves on to the next section that must be understood; all of the current one must have been read. */
  next() {
    if (this.payload.left > 0) throw this.payload.fail("bytes left over");
    const { data } = this;
    for (;;) {
      const start = this.at;
      const head = data.subarray(start, start + 12);
      const name = /^[\x20-\x7e]{4}$/.test(utf8.decode(head.subarray(0, 4))) ? utf8.decode(head.subarray(0, 4)) : "unknown";
      if (head.length < 12) throw failure(name, data.length, `cut short: ${12 - head.length} bytes are missing`);
      const view = new DataView(data.buffer, data.byteOffset + start, 12);
      const size = view.getUint32(4, true) + view.getUint32(8, true) * 2 ** 32;
      const missing = start + 16 + size - data.length;
      if (missing > 0) throw failure(name, start + 12, `cut short: ${missing} bytes are missing`);
      const end = start + 12 + size;
      const sum = new DataView(data.buffer, data.byteOffset + end, 4).getUint32(0, true);
      if (checksum(data.subarray(start, end)) !== sum) throw failure(name, start, "checksum does not match");
      this.at = end + 4;
      const payload = new Payload(data.subarray(start + 12, end), start + 12, name);
      if (name === "anlz") {
        if (this.analyzer !== "") throw payload.fail("stands twice");
        if (size === 0 || size > 4096) throw payload.fail(`${size} bytes, where 1 to 4096 are due`);
        if (payload.data.some((c) => c < 0x20 || c > 0x7e)) throw payload.fail("not printable ASCII");
        this.analyzer = utf8.decode(payload.data);
      }
      if (name === "cols" && !isJSON(utf8.decode(payload.data))) throw payload.fail("not JSON");
      if (data[start] < 0x61 || data[start] > 0x7a) {
        this.tag = name;
        this.payload = payload;
        return;
      }
    }
  }

  /** @param {string} tag */
  expect(tag) {
    if (this.tag !== tag) throw failure(this.tag, this.payload.start, `where section ${tag} is due`);
    return this.payload;
  }

  /** Reads the last section, behind which there is nothing. */
  end() {
    if (this.expect("END.").left > 0 || this.at !== this.data.length) throw failure("END.", this.at, "bytes after the end");
  }
}

/**
 * Reads terms and their weights.
 * @param {Payload} p
 * @param {number} fileSize
 */
export function readIDF(p, fileSize) {
  /** @type {Map<string, number>} */
  const weights = new Map();
  let name = new Uint8Array(0);
  let all = 2 ** 20 + 16 * fileSize; // the most bytes of names that a file of this size has
  for (let first = true; p.left > 0; first = false) {
    const shared = p.count();
    const rest = p.bytes(p.count());
    if (shared > name.length) throw p.fail(`shares ${shared} bytes with a name of ${name.length}`);
    if ((all -= shared + rest.length) < 0) throw p.fail("names of more than 16 times the size of the file");
    const next = new Uint8Array(shared + rest.length);
    next.set(name.subarray(0, shared));
    next.set(rest, shared);
    if (!first && compareBytes(name, next) >= 0) throw p.fail("names do not rise");
    name = next;
    weights.set(utf8.decode(name), p.number());
  }
  return weights;
}

/** Block has the weights of the terms of one text. */
export class Block {
  /**
   * Reads the sections of a text of that many terms.
   * @param {File} file
   * @param {string} name empty of the main text
   * @param {number} classes
   * @param {number} terms
   * @param {boolean} scaled whether the model has a correction
   */
  constructor(file, name, classes, terms, scaled) {
    this.name = name;
    this.classes = classes;
    this.terms = terms;
    /** @type {Float32Array | null} by term */
    this.scales = null;
    /** @type {Gains | null} */
    this.gains = null;
    /** @type {Float32Array | Uint8Array} rows of all classes */
    this.weights = new Float32Array(0);
    /** @type {Float64Array | null} of weights of 8 bits */
    this.low = null;
    this.step = new Float64Array(0);
    /** Whether the value of a term says only that it is present. */
    this.presence = false;
    this.prior = new Float64Array(0); // ln P(class), by class
    this.bias = new Float64Array(0); // the score of a document without a term, by class
    this.slots = new Int32Array(0); // the upper half of a hash, and a number from 1
    this.ends = new Float64Array(0); // of each term in arena
    /** @type {Uint8Array} */
    this.arena = new Uint8Array(0); // the bytes of all terms
    if (scaled) this.#readScales(file.expect("SCAL"), file);
    this.#readBias(file.expect("BIAS"), file);
    if (file.tag === "GAIN") this.gains = new Gains(file.payload, classes, terms);
    else this.#readWeights(file.expect("WGHT"));
    file.next();
    this.#readIndex(file.expect("INDX"));
    file.next();
  }

  /**
   * @param {Payload} p
   * @param {File} file
   */
  #readScales(p, file) {
    if (p.left !== 4 * this.terms) throw p.fail(`${p.left} bytes for ${this.terms} features`);
    this.scales = p.float32s(this.terms);
    const wrong = this.scales.findIndex((v) => !(v > 0));
    if (wrong >= 0) throw p.fail(`the scale of term ${wrong} is not above zero`);
    file.next();
  }

  /**
   * @param {Payload} p
   * @param {File} file
   */
  #readBias(p, file) {
    if (p.left !== 1 + 16 * this.classes || p.data[0] > 1) throw p.fail(`${p.left} bytes`);
    this.presence = p.bytes(1)[0] === 1;
    this.prior = p.floats(this.classes);
    if (this.prior.some((v) => v > 1e-9)) throw p.fail("the prior of a class is above 1");
    this.bias = p.floats(this.classes);
    file.next();
  }

  /** @param {Payload} p */
  #readWeights(p) {
    const size = this.classes * this.terms;
    const n = p.left;
    const bits = n > 0 ? p.bytes(1)[0] : 0;
    if (bits === 32 && n === 1 + 4 * size) {
      this.weights = p.float32s(size);
    } else if (bits === 8 && n === 1 + 16 * this.classes + size) {
      this.low = p.floats(this.classes);
      this.step = p.floats(this.classes);
      this.weights = p.bytes(size);
    } else {
      throw p.fail(`${n} bytes for ${this.terms} features of ${this.classes} classes`);
    }
  }

  /** @param {Payload} p */
  #readIndex(p) {
    const slots = p.sizes(1)[0];
    // There is a power of two of slots, and at least one of them is empty.
    if (!(slots > 0 && slots <= p.left / 8 && (slots & (slots - 1)) === 0 && this.terms < slots)) throw p.fail(`${slots} slots`);
    this.slots = new Int32Array(2 * slots);
    for (let i = 0; i < 2 * slots; i++) this.slots[i] = p.view.getInt32(p.at + 4 * i, true);
    p.at += 8 * slots;
    if (p.left < 8 * this.terms) throw p.fail(`${this.terms} features do not fit`);
    this.ends = p.sizes(this.terms);
    this.arena = p.rest();
    // Each term can be found.
    for (let number = 0, start = 0; number < this.terms; number++) {
      const end = this.ends[number];
      if (start > end || end > this.arena.length) throw p.fail(`term ${number} is out of bounds`);
      hash(this.arena, start, end);
      if (this.#search(this.arena, start, end - start) !== number) throw p.fail(`term ${number} is not in its slot`);
      start = end;
    }
  }

  /**
   * The number of a term, or -1.
   * @param {string} term
   */
  find(term) {
    const n = encode(term);
    hash(scratch, 0, n);
    return this.#search(scratch, 0, n);
  }

  /**
   * The number of the term whose hash was taken last, or -1.
   * @param {Uint8Array} bytes
   * @param {number} from
   * @param {number} n
   */
  #search(bytes, from, n) {
    const { slots, ends, arena } = this;
    const mask = slots.length / 2 - 1;
    const upper = hashHigh;
    for (let i = hashLow & mask, tries = 0; tries <= mask; i = (i + 1) & mask, tries++) {
      const number = slots[2 * i + 1] - 1;
      if (number < 0 || number >= this.terms) return -1;
      if (slots[2 * i] !== upper) continue;
      const start = number > 0 ? ends[number - 1] : 0;
      if (ends[number] - start !== n) continue;
      let same = 0;
      while (same < n && bytes[from + same] === arena[start + same]) same++;
      if (same === n) return number;
    }
    return -1;
  }

  /**
   * Adds v times the weights of a term to sums, and returns what the term adds to every class, times which v is part of
   * what addEach is given.
   * @param {Float64Array} sums
   * @param {number} number
   * @param {number} v
   */
  addRow(sums, number, v) {
    if (this.gains !== null) return this.gains.addRow(sums, number, v);
    const { weights, low, step, classes } = this;
    const at = number * classes;
    if (low === null) for (let k = 0; k < classes; k++) sums[k] += v * weights[at + k];
    else for (let k = 0; k < classes; k++) sums[k] += v * (low[k] + step[k] * weights[at + k]);
    return 0;
  }

  /**
   * Adds what the rows of terms have in common.
   * @param {Float64Array} sums
   * @param {number} n the sum of values
   * @param {number} unseen the sum of values times what addRow returned
   */
  addEach(sums, n, unseen) {
    if (this.gains === null) return;
    const { bias, scale } = this.gains;
    for (let k = 0; k < bias.length; k++) sums[k] += n * bias[k] + unseen * scale[k];
  }
}

/** Gains are what the classes that have seen a term have more than the others. */
class Gains {
  /**
   * @param {Payload} p
   * @param {number} classes
   * @param {number} terms
   */
  constructor(p, classes, terms) {
    const size = p.left;
    const [bits, startBytes] = size >= 2 ? p.bytes(2) : [0, 0];
    if ((bits !== 8 && bits !== 32) || startBytes < 1 || startBytes > 8) throw p.fail(`${size} bytes`);
    this.classes = classes;
    this.gain = bits / 8;
    this.klass = Math.max(1, Math.ceil((32 - Math.clz32(classes - 1)) / 8)); // bytes of the number of a class
    this.bias = p.floats(classes);
    this.scale = p.floats(classes);
    this.low = p.floats(this.gain === 1 ? classes + 1 : 0);
    this.step = p.floats(this.gain === 1 ? classes + 1 : 0);
    if ((p.left - 8) / startBytes < terms + 1) throw p.fail(`${size} bytes for ${terms} features of ${classes} classes`);
    this.starts = new Float64Array(terms + 1);
    for (let n = 0; n <= terms; n++) {
      const b = p.bytes(startBytes);
      for (let i = startBytes - 1; i >= 0; i--) this.starts[n] = this.starts[n] * 256 + b[i];
    }
    const rows = p.rest();
    this.rows = rows.subarray(0, rows.length - 8); // without the padding
    this.view = new DataView(rows.buffer, rows.byteOffset, rows.length);
    if (this.starts[0] !== 0 || this.starts[terms] !== this.rows.length) throw p.fail("bytes are left over");
    for (let n = 0; n < terms; n++) this.#check(p, n);
  }

  /** How many bytes a row with the gains of all classes takes. */
  get ofAll() {
    return this.gain * (1 + this.classes);
  }

  /**
   * Checks that a row is within bounds, its cells are of rising classes, and its gains are finite.
   * @param {Payload} p
   * @param {number} n
   */
  #check(p, n) {
    const start = this.starts[n];
    const end = this.starts[n + 1];
    const size = end - start;
    if (start > end || end > this.rows.length || size < this.gain || size > this.ofAll) throw p.fail(`the row of term ${n} is out of bounds`);
    const skip = size === this.ofAll ? 0 : this.klass;
    if ((size - this.gain) % (this.gain + skip) !== 0) throw p.fail(`the row of term ${n} is cut`);
    if (!Number.isFinite(this.at(start, this.classes))) throw p.fail("a weight is not finite");
    for (let at = start + this.gain, next = 0; at < end; at += this.gain + skip) {
      const k = this.class(at);
      if (skip > 0) {
        if (k < next || k >= this.classes) throw p.fail(`the classes of term ${n} do not rise`);
        next = k + 1;
      }
      if (!Number.isFinite(this.at(at + skip, 0))) throw p.fail("a weight is not finite");
    }
  }

  /**
   * The gain at a place, of class k.
   * @param {number} at
   * @param {number} k
   */
  at(at, k) {
    return this.gain === 4 ? this.view.getFloat32(at, true) : this.low[k] + this.step[k] * this.rows[at];
  }

  /**
   * The number of a class at a place.
   * @param {number} at
   */
  class(at) {
    let k = 0;
    for (let i = this.klass - 1; i >= 0; i--) k = k * 256 + this.rows[at + i];
    return k;
  }

  /**
   * @param {Float64Array} sums
   * @param {number} n
   * @param {number} v
   */
  addRow(sums, n, v) {
    const { gain, klass, starts } = this;
    const start = starts[n];
    const end = starts[n + 1];
    if (end - start === this.ofAll) {
      for (let k = 0; k < this.classes; k++) sums[k] += v * this.at(start + gain * (1 + k), k);
    } else {
      for (let at = start + gain; at < end; at += klass + gain) {
        const k = this.class(at);
        sums[k] += v * this.at(at + klass, k);
      }
    }
    return this.at(start, this.classes);
  }
}

// Hashes: FNV-1a with 64 bits as two halves of 32, of which the upper is folded onto the lower.

let hashLow = 0;
let hashHigh = 0;

/**
 * @param {Uint8Array} b
 * @param {number} from
 * @param {number} to
 */
function hash(b, from, to) {
  let low = 0x84222325 | 0;
  let high = 0xcbf29ce4 | 0;
  for (let i = from; i < to; i++) {
    low ^= b[i];
    // Times 2^40 + 435.
    const product = (low >>> 0) * 435;
    high = (Math.imul(high, 435) + (low << 8) + Math.floor(product / 2 ** 32)) | 0;
    low = product | 0;
  }
  hashLow = low ^ high;
  hashHigh = high;
}

let scratch = new Uint8Array(256);
const encoder = new TextEncoder();

/**
 * Leaves the bytes of a term in scratch, and returns how many they are.
 * @param {string} term
 */
function encode(term) {
  if (3 * term.length > scratch.length) scratch = new Uint8Array(6 * term.length);
  for (let i = 0; i < term.length; i++) {
    const c = term.charCodeAt(i);
    if (c >= 128) return encoder.encodeInto(term, scratch).written ?? 0;
    scratch[i] = c;
  }
  return term.length;
}

/**
 * The column of a term among n, as scikit-learn's FeatureHasher has it: MurmurHash3.
 * @param {string} term
 * @param {number} n
 */
export function column(term, n) {
  const size = encode(term);
  /** @param {number} k */
  const mix = (k) => {
    k = Math.imul(k, 0xcc9e2d51);
    return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  };
  let h = 0;
  let i = 0;
  for (; i + 4 <= size; i += 4) {
    h ^= mix(scratch[i] | (scratch[i + 1] << 8) | (scratch[i + 2] << 16) | (scratch[i + 3] << 24));
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let j = size - 1; j >= i; j--) tail = (tail << 8) | scratch[j];
  if (i < size) h ^= mix(tail);
  h ^= size;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  h ^= h >>> 16;
  return Math.abs(h) % n;
}
