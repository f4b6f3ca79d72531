// Reads damaged files, which damage_test.go of the folder above makes, and starts this.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Model } from "../index.js";

const folder = process.env.JAVASCRIPT_FOLDER ?? "";
const asked = ["", "word1 was the word2 of Größe", "not class3 word30"];

/** Reads a file, or asserts that the error is one line that says what is wrong. */
function read(bytes, what) {
  try {
    return Model.read(bytes);
  } catch (err) {
    assert.match(err.message, /^bayes: [^\n]*[a-z][^\n]*$/, `${what}: ${err.stack}`);
    assert.equal(err.constructor, Error, `${what}: ${err.stack}`);
    return null;
  }
}

for (const name of (process.env.JAVASCRIPT_MODELS ?? "").split(" ").filter((s) => s)) {
  const whole = readFileSync(join(folder, `${name}.frozen`));

  test(`${name} cut short`, () => {
    assert.notEqual(read(whole, "whole"), null);
    for (let n = 0; n < whole.length; n += n < 600 ? 1 : 13) assert.equal(read(whole.subarray(0, n), `${n} bytes`), null);
    assert.equal(read(Buffer.concat([whole, Buffer.from("x")]), "a byte more"), null);
  });

  test(`${name} with another byte`, () => {
    for (let n = 0; n < whole.length; n += n < 600 ? 1 : 13) {
      const bytes = Buffer.from(whole);
      bytes[n] ^= 1 + (n % 255);
      assert.equal(read(bytes, `byte ${n}`), null, `byte ${n}`);
    }
  });

  test(`${name} as an enemy writes it`, () => {
    let right = 0;
    readFileSync(join(folder, `${name}.hostile.jsonl`), "utf8").trimEnd().split("\n").forEach((line, i) => {
      const { file, says, refused } = JSON.parse(line);
      const model = read(Buffer.from(file, "base64"), `file ${i}`);
      if (model === null) return;
      const labels = model.classes;
      asked.forEach((text, j) => {
        const answer = model.predict(text);
        assert.ok((labels.includes(answer.label) || answer.labels?.length === 0) && Object.values(answer.probabilities).every((p) => p >= 0 && p <= 1), `file ${i}: ${JSON.stringify(answer)}`);
        model.explain(text);
        // How it was fitted is not looked at in what is fitted.
        if (says === null && refused.includes("section header") && /prior|smoothing|strength|trust|coverage|correction/.test(refused) && !refused.includes("is not an option")) return;
        assert.notEqual(says, null, `file ${i} is read, and the program says: ${refused}`);
        assert.deepEqual(answer.labels ?? null, says[j].Labels, `file ${i}: labels`);
        labels.forEach((label, k) => {
          const got = Math.min(Math.max(answer.log_joint[label], -1e308), 1e308);
          assert.ok(Math.abs(got - says[j].Scores[k]) <= 1e-12 * Math.max(1, Math.abs(says[j].Scores[k])), `file ${i}: ${label} has ${got}, and the program says ${says[j].Scores[k]}`);
        });
      });
      right++;
    });
    assert.ok(right > 3, `${right} files are read`);
  });
}

test("what is no frozen model", () => {
  const of = (s) => new TextEncoder().encode(s);
  assert.throws(() => Model.read(of("")), /not a model file/);
  assert.throws(() => Model.read(of("%PDF-1.4")), /not a model file/);
  assert.throws(() => Model.read(of("bayes model 1\n")), /only frozen models .* bayes freeze/);
  assert.throws(() => Model.read(of("bayes frozen 2\n")), /version 2/);
});

for (const line of (process.env.JAVASCRIPT_REFUSED ?? "").split("\n").filter((s) => s)) {
  const [name, want] = line.split("\t");
  test(`${name} is refused`, () => {
    assert.throws(() => Model.read(readFileSync(join(folder, `${name}.frozen`))), (err) => err.message.includes(want) && !err.message.includes("\n"));
  });
}
