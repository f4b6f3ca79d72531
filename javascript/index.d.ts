/** A text, or one with further texts by name. */
export type Document = string | { text?: string; texts?: Record<string, string> };

/** What a model predicts, in the keys of `bayes predict --json`. */
export interface Prediction {
  /**
   * The most probable class, unless cutoffs or costs of the model choose another; unsure where they choose none.
   * Where a document may have several labels, the most probable of those that it is given, empty if that is none.
   */
  label: string;
  /** The labels that the document is given, sorted; only where it may have several. */
  labels?: string[];
  /** Why the label is not the most probable class. */
  reason?: "cutoff" | "recall" | "costs";
  /** Of the label, and of the most probable class where the label is unsure, or where a document may have several labels. */
  probability: number;
  /** Of each class. They sum to 1, unless a document may have several labels. */
  probabilities: Record<string, number>;
  /** ln P(class, document): each class's score. Where a document may have several labels, the log-odds of each against its rest. */
  log_joint: Record<string, number>;
  /** How many terms of the document the model knows. */
  known: number;
  /** And how many it ignored. */
  unknown: number;
}

/** What one term adds. */
export interface Term {
  term: string;
  /** How often the document has it. */
  value: number;
  /** Positive speaks for class, negative for against. */
  log_odds: number;
}

/** A piece of the text, and its share of the log-odds. */
export interface Span {
  text: string;
  log_odds: number;
}

/**
 * Why a document is predicted as it is, in the keys of `bayes explain --json`:
 * ln P(class) - ln P(against) = power · (prior + absent + Σ terms); of several labels it is ln P(class) - ln (1 - P(class)).
 */
export interface Explanation extends Prediction {
  /** The most probable class, or the label that was asked for. */
  class: string;
  /** The runner-up; empty if there is a single class, and where a document may have several labels: then it is the rest. */
  against: string;
  /** How certain the class is and has to be, where the model has a cutoff for it. */
  cutoff?: { log_odds: number; needs: number };
  /** What calibration multiplies the log-odds by; 1 without it. */
  power: number;
  /** The prior's part. */
  prior: number;
  /** The part of prior that a correction has learned. */
  bias?: number;
  /** The part of the terms that the document lacks; of Bernoulli only. */
  absent: number;
  /** Largest effect first. */
  terms: Term[];
  /** The text, cut where terms begin and end: its pieces, one after the other. */
  highlights: Span[];
}

/** A model that `bayes freeze` has written. It does not change. */
export class Model {
  private constructor();

  /** Reads a frozen model, all of which is checked. The error is one line that says what is wrong. */
  static read(data: ArrayBuffer | ArrayBufferView): Model;

  /** The classes, sorted. */
  readonly classes: string[];
  /** How many terms the model knows. */
  readonly terms: number;
  /** The names of its further texts. */
  readonly texts: string[];
  /** How many examples it was trained on. */
  readonly examples: number;
  /** How a document becomes terms, such as "default ngrams=1-2". */
  readonly space: string;
  /** What it was fitted as. */
  readonly event: string;
  /** The version of the analyzer that cut the texts, empty if not known. */
  readonly analyzer: string;
  /** What of that version differs from this package's: terms may then differ in rare characters. Mostly empty. */
  readonly differences: string[];

  /** The class of a document, or its labels, and how probable each is. */
  predict(document: Document): Prediction;

  /** Why a document is predicted as it is; where it may have several labels, why it is given the label `of` or not. */
  explain(document: Document, of?: string): Explanation;
}
