package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"bayes"
)

// SemiSupervisedOptions are options for [SemiSupervised]. A nil *SemiSupervisedOptions is the zero value.
//
// Nil Weights stand for 1/4, or for 1/2 if 75 or more labelled examples a class were asked for; a nil Smoothing for 0.01, 0.1 and 0.3, each times four times the weight;
// and nil Rounds for 2, 5 and 10. From 30 labelled examples on each is tried with each of the others, and so are those but 0.3 and 2 with log-probabilities that are centred.
type SemiSupervisedOptions struct {
	// Asked is whether labelled examples were asked for because they are hard, as package label does, rather than drawn at random. They are not like the others,
	// so those are to count for more where there are many, two rounds are too few, and folds of them say less.
	Asked bool

	// Untried has what is usual be learned, whatever folds would say: half of the shares of each of the two trials that few labelled examples have. It takes the time of the
	// rounds alone, where folds take some twenty times as much.
	Untried bool

	Smoothing bayes.Smoothing       // of models that read examples without a label
	Weights   []float64             // what an example without a label may count if it is of mean length, above 0
	Rounds    []int                 // how many rounds of EM there may be, from 1 up, rising
	Seed      uint32                // of the folds
	Workers   int                   // that read and learn; zero means GOMAXPROCS
	Progress  func(done, total int) // if not nil, called after each run of EM, by one goroutine at a time
}

// A SemiSupervision is what examples without a label add to those with one.
type SemiSupervision struct {
	Labelled, Unlabelled int // how many examples there are
	Known                int // of the unlabelled, those with a feature that a labelled one has

	SemiTrial                  // the best; of Weight 0 if the labelled do better alone
	Model     bayes.EventModel // with which it was
	Counts    *bayes.Counts    // to be added to the Counts of the labelled; nothing if Weight is 0
	Trials    []SemiTrial      // all; the first is that of the labelled alone

	// HeldOut is what models of the best trial say of each labelled example, in the order in which they were read: models of the others, with EM anew for each of up to five folds, without what is added to classes of a centred trial by what is held out. [Scores.Calibrate] makes probabilities of Model
	// come true by it; a Fold of -1 leaves an example out of that. It is nil where nothing was tried, or with fewer than 30 labelled examples, which are too few for that, too.
	HeldOut *Scores
}

// A SemiTrial is how labelled examples were predicted by the others.
type SemiTrial struct {
	Smoothing bayes.Smoothing // nil for that of the labelled alone
	Weight    float64         // of an example without a label, of mean length
	Rounds    int             // of EM
	Centred   bool            // whether log-probabilities were, before shares were made of them
	Both      bool            // whether half of each share is one that was centred, and half is not; then Centred is false, Accuracy and LogLoss are the means of both trials, Error is the larger, and Temperature that of the one not centred
	Accuracy  float64         // in [0,1]
	Error     float64         // the standard error of what the accuracy is above that of the labelled alone; it matters with fewer than 30 of these
	LogLoss   float64         // the mean of -ln P(label), at most 3 each, of log-probabilities divided by Temperature

	Temperature float64 // 1, 2, 4 or so on to 256: that with the least LogLoss; 0 where nothing was tried
}

// SemiSupervised learns from labelled examples and from others, whose labels are ignored, by
// expectation-maximization (Nigam, McCallum, Thrun and Mitchell 2000, "Text classification from labeled and
// unlabeled documents using EM"): each of the others is learned in every class, with P(class | example) for its
// share, by a model of the labelled and what is nearest to them, and then by one of both, for some rounds. Naive Bayes is too sure of examples with many features, so
// that EM would hold on to what it began with: as in deterministic annealing (Ueda and Nakano 1998, "Deterministic annealing EM algorithm"), shares
// are of ln P(class | example) divided by a temperature: for an example with k distinct features k/6, or 1.25·k/√c where that is less, with c labelled examples a class in the mean, and never less than 1. Long
// examples would outweigh the others, too: each counts Weight·√(k̄/k), at most 2·Weight, with k̄ for the mean of k, and those with a label √(k̄/k) in the model by which the first shares are. Few labelled examples have few terms; so that model has the 50 others that are nearest to each of them in its class, too, by the cosine of
// ln(1 + count)·ln(N/n), less the shorter they are, of terms and categories of at most a tenth of the N others or ten: a step of label propagation (Zhu and Ghahramani 2002, "Learning from labeled and unlabeled data with label propagation"). All those of a class of mean size together count as twelve labelled examples do, each by how near it is, and none more than √(k̄/k)/2.
// They are sought among 50,000 of the others, drawn at random if there are more, and not from 1,000 labelled examples a class on. If there may be several rounds, the shares of an example are pooled in each with those of others of the 50,000 among whose 20 nearest it is, and which are among its own: a part of 2I - 1 of them, if that is above 0,
// is the mean of theirs by how near they are, with Moran's I for the correlation of that mean with P(class | example) over these examples (Moran 1950, "Notes on continuous stochastic phenomena"; the mean is a step of Zhou et al. 2004, "Learning with local and global consistency"). Shares are rounded to 2^-16, so that
// sums in the result are exact and depend on no order, with a weight that is a multiple of 2^-16, too.
//
// Of long examples a class whose terms are many gets too many, and others are lost to it. So trials are made too with log-probabilities that are centred: less λ for each feature of the example that the model knows, where
// λ is, for each class, the mean by which the likelihood of such a feature changes ln P(class | example), over all examples without a label. All of these together are then as likely in each class, beside its prior. That suits classes
// that are about as frequent among the others as among the labelled. An example that has the same term thousands of times would leave its class no probability for others: so in these trials a term that an example has n times counts 1 + ln n in the models by which shares are made,
// and an example of N terms in all counts as 1/√N, or 10/N from 100 on, beside one of mean length, at most 2·Weight. Values that are not how often terms occur stay as they are, and so do those of a Space with Binary, Log, a Norm, a Threshold, Histograms or a SubwordWeight other than 1. If such a trial is chosen, runs of EM that each leave out a fold of the labelled examples go on beside that of all, and in each round but the first
// what has to be added to each class with labels that were left out, where shares are made, so that these are the likeliest, beside a normal prior of variance 1/3, is added in all runs.
//
// The smoothing and the number of rounds, and the weight if several are given, are chosen by folds of the labelled ones,
// with EM anew for each fold: examples that are left out afterwards have already told their labels. Of the trials that are more accurate than
// the labelled alone, and of no higher log loss, that with the highest accuracy less its log loss is chosen. If there is none, examples without a label
// are left out. The best of several trials looks better than it is where held-out examples are few, so both have to say so, and what is unusual counts less: with n labelled examples, c a class, and a smoothing α by
// 0.5/√n · (|ln(rounds/r)| + min(1, |ln(α/a)|)), and by 0.25/√n if log-probabilities are centred, for r = 30/√c between 2 and 10 and a = 0.4·Weight·√(c/40) between one and three times 0.4·Weight. Of examples that were asked for
// r is 3.5 at least, a trial may be less accurate than the labelled alone by up to 0.5/√n, and from 36 a class on 1/√n takes the place of 0.5/√n before the logarithms. Fewer than 30 labelled examples are too few to choose by:
// there are two trials, with the smoothing and the number of rounds nearest to a and r, or a smoothing of 0.04·Weight from ten classes on, one of them centred, which are left out if they are less accurate than the labelled alone by more than two standard errors. Of both, that is learned whose accuracy less its log loss is higher by more than 1/√n, or else half of the shares of each. Where no class has two labelled examples, as where these are the names of classes, half of each is learned untried, which gains 0.4 on agnews and livedoor with one drawn label a class, 0.3 on sms, and 0.06 to 0.09 on ucinews, mr, nsmc and trec. The more naive Bayes has read,
// the surer it is, also where it is wrong; so the log loss of each trial is that at its best temperature, by which log-probabilities are divided.
//
// The result's Counts keep apart from what labelled examples add, which go on to be learned and unlearned;
// [bayes.Fit] reads the sum. The Space must have no IDF and no LabelSeparator, and em no correction. It takes six times the memory that [bayes.ReadCorpus] takes for all examples,
// and for each worker that of the counts of two models, in which a feature may be in every class, and 8 bytes for each example and class, which is six times as much, however many workers there are, if a centred trial is chosen, and with 30 labelled examples or more 8 bytes for each of these, class and trial: with two workers and 8,777 messages of 20news 0.36 GB are in use.
func SemiSupervised(ctx context.Context, s *bayes.Space, em bayes.EventModel, labelled, others iter.Seq2[bayes.Example, error], opts *SemiSupervisedOptions) (*SemiSupervision, error) {
	o := new(SemiSupervisedOptions)
	if opts != nil {
		*o = *opts
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if s != nil && s.IDF != nil {
		return nil, errors.New("examples without a label cannot be weighted by an IDF, which would be that of the few labelled ones")
	}
	if s != nil && s.LabelSeparator != "" {
		return nil, errors.New("examples without a label cannot be learned where one may have several labels")
	}
	if em == nil {
		em = bayes.Multinomial{}
	}
	if bayes.WithoutCorrection(em).String() != em.String() {
		return nil, errors.New("corrections are learned from labels, and not from shares of classes")
	}
	m, err := readMixture(ctx, s, labelled, others, o.Workers)
	if err != nil {
		return nil, err
	}
	m.plain = em
	return m.learn(ctx, o)
}

// check returns an error if options are out of range.
func (o *SemiSupervisedOptions) check() error {
	if o.Weights != nil && len(o.Weights) == 0 {
		return errors.New("no weight of examples without a label: want one at least")
	}
	for _, w := range o.Weights {
		if !(w > 0 && w <= 1e6) {
			return fmt.Errorf("weight %v of examples without a label: want a number above 0, at most 1e6", w)
		}
	}
	wrong := o.Rounds != nil && len(o.Rounds) == 0
	for i, rounds := range o.Rounds {
		wrong = wrong || rounds < 1 || i > 0 && rounds <= o.Rounds[i-1]
	}
	if wrong {
		return fmt.Errorf("rounds of EM %v: want numbers from 1 up, rising", o.Rounds)
	}
	return nil
}
