// Package bayes classifies text, and anything else that can be counted, with
// naive Bayes.
//
// Learning is counting. [Counts] records what has been seen; it is exact, and
// can be added to, subtracted from and merged in any order. [Fit] turns Counts
// into a [Model], which is fast, immutable and safe for concurrent use:
//
//	counts := bayes.NewCounts(nil)
//	counts.Learn(bayes.Example{Label: "spam", Text: "win a free prize"})
//	counts.Learn(bayes.Example{Label: "ham", Text: "see you at lunch"})
//	model, err := bayes.Fit(counts, bayes.Multinomial{})
//	...
//	fmt.Println(model.Predict(bayes.Document{Text: "free lunch"}).Best())
//
// Everything before Fit is linear, so online learning, forgetting, training on
// many machines and cross-validation are all sums and differences of Counts.
//
// # Which event model
//
// [Multinomial] counts how often each term occurs and is the choice for text.
// [Complement] asks of each class what the other classes look like; take it
// when some classes have far more examples than others. [OneVersusRest] compares
// the two; take it when classes are many. [Bernoulli] asks only
// whether a term occurs, and takes a term's absence as evidence too; take it
// for short texts and for yes-or-no features. All are fitted from the
// same Counts, so trying another needs no data. [Gaussian], [Kernel] and [Discrete] are for
// numbers, [Categorical] for categories, and [Mixed] for documents that have several of these:
//
//	model, err = bayes.Fit(counts, bayes.Bernoulli{})
//
// [Corrected] is any of them with corrections that [Corpus.Correct] learns from labelled examples,
// since naive Bayes counts words that go together as if each were news.
//
// # From files
//
// Package bayes/dataset reads examples from files, [Count] counts them on all
// cores, and [Save] and [Load] keep counts and event model in one file. A file
// holds counts, not frozen weights: it can go on learning, be merged, and be
// fitted anew.
//
// # Reading the code
//
// Each file builds on those before it:
//
//   - document, space, features: what is classified, and how it becomes features;
//   - block, counts, count_stream: what is learned, and learning a stream on all cores;
//   - statistics, event_model, likelihood: what an event model reads, is, and becomes;
//   - multinomial, complement, one_versus_rest, bernoulli, categorical, gaussian, kernel, discrete, mixed,
//     selected, corrected, calibrated: one event model a file, with smoothing, evidence and prior;
//   - fit, model, prediction: from Counts to a Model to a decision;
//   - explain, derivation, highlight, top_terms, parameters: why;
//   - save, load, freeze, frozen, open: files;
//   - corpus, held_out, grid: many models, each tested on what it has not seen;
//   - correction, corpus_correct: what corrections are, and learning them.
//
// docs/design.md lists every file, and docs/adding-an-event-model.md says what a new event model
// takes.
//
// # Compatibility
//
// Files written by any release of v1 can be read by every later release of v1.
package bayes
