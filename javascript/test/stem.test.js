// Compares stems with those of the program, which stem_test.go of the folder above writes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { stemmers } from "../stem.js";

test("English", () => {
  const lines = readFileSync(join(process.env.JAVASCRIPT_FOLDER ?? "", "stems.tsv"), "utf8").trimEnd().split("\n");
  assert.ok(lines.length > 10000);
  const wrong = lines.map((line) => line.split("\t")).filter(([word, stem]) => stemmers.en(word) !== stem);
  assert.deepEqual(wrong.slice(0, 20).map(([word, stem]) => `${word}: ${stemmers.en(word)}, want ${stem}`), [], `${wrong.length} of ${lines.length}`);
});
