// Compares what the package says with what the program has said. agreement_test.go of the folder above trains the
// models, and starts this.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Model } from "../index.js";

const folder = process.env.JAVASCRIPT_FOLDER ?? "";
const lines = (name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const infinite = { inf: Infinity, "-inf": -Infinity };

/** Asserts that numbers are the same to 1e-12, of what is below 1 absolutely. */
function same(got, want, what) {
  want = infinite[want] ?? want;
  if (got === want) return;
  const off = Math.abs(got - want) / Math.max(1, Math.abs(want));
  assert.ok(off <= 1e-12, `${what}: ${got}, and the program says ${want}`);
}

function compare(got, want, what) {
  for (const key of ["label", "reason", "known", "unknown"]) assert.equal(got[key], want[key], `${what}: ${key}`);
  assert.deepEqual(got.labels, want.labels, `${what}: labels`);
  for (const key of ["probabilities", "log_joint"]) {
    assert.deepEqual(Object.keys(got[key]).sort(), Object.keys(want[key]).sort(), what);
    for (const [label, v] of Object.entries(want[key])) same(got[key][label], v, `${what}: ${key} of ${label}`);
  }
  same(got.probability, want.probability, what);
}

function compareExplained(got, want, what) {
  compare(got, want, what);
  assert.equal(got.class, want.class, what);
  assert.equal(got.against, want.against, what);
  for (const key of ["power", "prior", "absent"]) same(got[key], want[key], `${what}: ${key}`);
  same(got.bias ?? 0, want.bias ?? 0, `${what}: bias`);
  assert.equal(got.cutoff === undefined, want.cutoff === undefined, what);
  if (want.cutoff) for (const key of ["log_odds", "needs"]) same(got.cutoff[key], want.cutoff[key], `${what}: cutoff`);
  // Terms of equal effect may change places by a rounding.
  assert.equal(got.terms.length, want.terms.length, what);
  const terms = new Map(got.terms.map((t) => [t.term, t]));
  want.terms.forEach((t, i) => {
    same(terms.get(t.term)?.log_odds, t.log_odds, `${what}: ${t.term}`);
    same(terms.get(t.term)?.value, t.value, `${what}: ${t.term}`);
    same(Math.abs(got.terms[i].log_odds), Math.abs(t.log_odds), `${what}: term ${i}`);
  });
  // The pieces of the text that terms cover.
  if (want.highlights === undefined) return;
  assert.deepEqual(got.highlights.map((s) => s.text), want.highlights.map((s) => s.text), what);
  want.highlights.forEach((s, i) => assert.ok(Math.abs(got.highlights[i].log_odds - s.log_odds) < 1e-9, `${what}: ${s.text}`));
}

const documentOf = ({ text, ...texts }) => (text === undefined ? { texts } : text);

for (const name of (process.env.JAVASCRIPT_MODELS ?? "").split(" ").filter((s) => s)) {
  test(name, () => {
    const model = Model.read(readFileSync(join(folder, `${name}.frozen`)));
    assert.deepEqual(model.differences, []);
    const documents = lines(`${name}.jsonl`).map(documentOf);
    const want = lines(`${name}.want.jsonl`);
    assert.equal(want.length, documents.length);
    documents.forEach((d, i) => compare(model.predict(d), want[i], `${name}, text ${i + 1}`));
    lines(`${name}.explained.jsonl`).forEach(({ row, of, says }) => {
      compareExplained(of === "" ? model.explain(documents[row]) : model.explain(documents[row], of), says, `${name}, text ${row + 1} explained`);
    });
    if (model.space.includes("label-separator")) assert.throws(() => model.explain("", "no label"), /none of the labels/);
    else assert.throws(() => model.explain("", model.classes[0]), /several labels/);
  });
}
