// Uses the package as its types have it: tsc checks this file, and that the source is what the types say.

import { Model, type Explanation, type Prediction } from "../index.js";

const model: Model = Model.read(new ArrayBuffer(0));
Model.read(new Uint8Array(0));
const prediction: Prediction = model.predict("text");
const explanation: Explanation = model.explain({ text: "text", texts: { subject: "more" } });
const labels: string[] = model.explain("text", "label").labels ?? [prediction.label];
const n: number = prediction.probabilities["ham"] + explanation.terms[0].log_odds + explanation.highlights.length;
const s: string = prediction.label + model.classes.join() + labels.join() + explanation.against + n;
export { s };

// @ts-expect-error a number is no document
model.predict(1);
// @ts-expect-error a model is read
new Model(new Uint8Array(0));
