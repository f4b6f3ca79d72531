// Porter's second stemmer of English, as snowballstem.org has it.

const exceptions = new Map(
  "skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl sky: news: howe: atlas: cosmos: bias: andes:"
    .split(" ").map((s) => /** @type {[string, string]} */ (s.split(":"))),
);
const unchanged = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));
const doubles = new Set("bb dd ff gg mm nn pp rr tt".split(" "));

/**
 * The endings of a step, and what they become, the longest first.
 * @param {string} s
 */
const endings = (s) => s.split(" ").map((e) => /** @type {[string, string]} */ (e.split(":"))).sort((a, b) => b[0].length - a[0].length);
const step2 = endings(
  "tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize ational:ate ation:ate ator:ate alism:al aliti:al alli:al " +
    "fulness:ful ousli:ous ousness:ous iveness:ive iviti:ive biliti:ble bli:ble ogi:og fulli:ful lessli:less li:",
);
const step3 = endings("tional:tion ational:ate alize:al icate:ic iciti:ic ical:ic ful: ness: ative:");
const step4 = endings("al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ism: ate: iti: ous: ive: ize: ion:");

/** @param {string | undefined} c */
const vowel = (c) => c !== undefined && c !== "" && "aeiouy".includes(c);

/**
 * The first ending of a list that a word has.
 * @param {string} w
 * @param {[string, string][]} list
 */
const ending = (w, list) => list.find(([e]) => w.endsWith(e));

/**
 * Whether w ends in a short syllable.
 * @param {string} w
 */
function short(w) {
  const [a, b, c] = [w[w.length - 3], w[w.length - 2], w[w.length - 1]];
  if (!vowel(b) || vowel(c)) return false;
  return a === undefined || (!vowel(a) && !"wxY".includes(c));
}

/**
 * Where the region behind the first consonant that follows a vowel begins, from i on.
 * @param {string} w
 * @param {number} i
 */
function region(w, i) {
  while (i < w.length && !vowel(w[i])) i++;
  while (i < w.length && vowel(w[i])) i++;
  return Math.min(i + 1, w.length);
}

/** @param {string} word */
function english(word) {
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception === "" ? word : exception;
  // A character beyond the first plane is one, of which nothing is looked at.
  const beyond = word.match(/[\ud800-\udbff][\udc00-\udfff]/g);
  let w = beyond ? word.replace(/[\ud800-\udbff][\udc00-\udfff]/g, "\uffff") : word;
  if (w.length < 3) return word;
  // A y that is no vowel is a Y.
  let consonants = false;
  if (w[0] === "'") w = w.slice(1);
  for (let i = 0; i < w.length; i++) {
    if (w[i] === "y" && (i === 0 || vowel(w[i - 1]))) {
      w = w.slice(0, i) + "Y" + w.slice(i + 1);
      consonants = true;
    }
  }
  const prefix = /^(gener|commun|arsen)/.exec(w);
  const p1 = prefix ? prefix[0].length : region(w, 0);
  w = reduce(w, p1, region(w, p1));
  if (consonants) w = w.replaceAll("Y", "y");
  if (beyond) {
    let i = 0;
    w = w.replaceAll("\uffff", () => beyond[i++] ?? "");
  }
  return w;
}

/**
 * @param {string} w
 * @param {number} p1
 * @param {number} p2
 */
function reduce(w, p1, p2) {
  /** @param {string} e */
  const without = (e) => w.slice(0, w.length - e.length);
  /** @param {string} s */
  const hasVowel = (s) => /[aeiouy]/.test(s);

  // Step 1a.
  const genitive = /('s'|'s|')$/.exec(w);
  if (genitive) w = without(genitive[0]);
  if (w.endsWith("sses")) w = without("es");
  else if (w.endsWith("ied") || w.endsWith("ies")) w = w.length >= 5 ? without("ed") : without("d");
  else if (w.endsWith("s") && !w.endsWith("us") && !w.endsWith("ss") && hasVowel(w.slice(0, -2))) w = without("s");
  if (unchanged.has(w)) return w;

  // Step 1b.
  const verbal = /(eedly|ingly|edly|eed|ing|ed)$/.exec(w)?.[0];
  if (verbal === "eed" || verbal === "eedly") {
    if (w.length - verbal.length >= p1) w = without(verbal) + "ee";
  } else if (verbal !== undefined && hasVowel(without(verbal))) {
    w = without(verbal);
    if (/(at|bl|iz)$/.test(w)) w += "e";
    else if (doubles.has(w.slice(-2))) w = w.slice(0, -1);
    else if (w.length === p1 && short(w)) w += "e";
  }

  // Step 1c.
  if (/[yY]$/.test(w) && w.length > 2 && !vowel(w[w.length - 2])) w = without("y") + "i";

  // Step 2.
  let found = ending(w, step2);
  if (found && w.length - found[0].length >= p1) {
    const [e, by] = found;
    const before = w[w.length - e.length - 1] ?? "";
    if (e === "ogi" ? before === "l" : e !== "li" || /[cdeghkmnrt]/.test(before)) w = without(e) + by;
  }

  // Step 3.
  found = ending(w, step3);
  if (found && w.length - found[0].length >= (found[0] === "ative" ? p2 : p1)) w = without(found[0]) + found[1];

  // Step 4.
  found = ending(w, step4);
  if (found && w.length - found[0].length >= p2 && (found[0] !== "ion" || /[st]ion$/.test(w))) w = without(found[0]);

  // Step 5.
  const n = w.length - 1;
  if (w.endsWith("e") ? n >= p2 || (n >= p1 && !short(w.slice(0, -1))) : n >= p2 && w.endsWith("ll")) w = w.slice(0, -1);
  return w;
}

/**
 * Stemmers, by name.
 * @type {Record<string, (word: string) => string>}
 */
export const stemmers = { en: english };
