package cli

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/internal/calibration"
	"bayes/internal/terminal"
)

// printDerivation prints the whole derivation of a prediction, as a textbook would.
func printDerivation(w io.Writer, m *bayes.Model, d bayes.Document, top int) {
	der, leftOut := answer.TopDerivation(m.Derive(d), top)
	printClasses(w, m, der)
	fmt.Fprintln(w)
	printPosterior(w, der, leftOut, documentWord(m))
}

// printLabels prints the derivation of some labels of a document that may have several, and is given some.
func printLabels(w io.Writer, m *bayes.Model, der *bayes.Derivation, labels []string) {
	printClasses(w, m, der)
	fmt.Fprintln(w)
	power := ""
	if der.Power != 1 {
		power = fmt.Sprintf("%.4g × ", der.Power)
	}
	var rows, given [][]string
	for _, c := range der.Classes {
		rows = append(rows, []string{fmt.Sprintf("P(%s|%s)", c.Class, documentWord(m)), fmt.Sprintf("1/(1 + exp(-(%s%s)))", power, logarithm(c.LogJoint)), "= " + probability(c.P), "", ""})
		cutoff, verdict, why := m.Cutoff(c.Class), "is not given", ""
		if slices.Contains(labels, c.Class) {
			if verdict = "is given"; !calibration.Reaches(c.LogJoint, cutoff) {
				why = ", " + answer.Nearest
			}
		}
		given = append(given, []string{terminal.Line(c.Class) + " " + verdict, fmt.Sprintf("score %s, cutoff %s%s", logarithm(c.LogJoint), logarithm(cutoff), why), "", "", ""})
	}
	derivationTable(w, append(rows, given...))
}

// printClasses prints the model and the score of each class.
func printClasses(w io.Writer, m *bayes.Model, der *bayes.Derivation) {
	fmt.Fprintf(w, "model: %s\n", answer.EventModel(m.EventModel(), m))
	fmt.Fprintf(w, "vocabulary: |V| = %s\n", Count(m.Len()))
	if len(der.Unknown) > 0 {
		fmt.Fprintf(w, "not in the vocabulary, and skipped: %s\n", terminal.Line(strings.Join(der.Unknown, ", ")))
	}
	printValues(w, der.Classes[0])
	for _, c := range der.Classes {
		fmt.Fprintln(w)
		printClass(w, c, logOfOdds(m))
	}
}

// logOfOdds says what is made of odds: their logarithm, where documents may have several labels, and half of it where
// they have one.
func logOfOdds(m *bayes.Model) string {
	if several(m) {
		return "ln"
	}
	return "ln/2"
}

// printValues prints how the values of terms come about that corrections are multiplied by, the same in
// all classes; nothing without a correction.
func printValues(w io.Writer, c bayes.ClassDerivation) {
	if !c.Corrected {
		return
	}
	if c.Trust == 0 {
		fmt.Fprintln(w, "corrected: score = b(class) + Σ x(t) × d(t|class), where b and d are learned")
	} else {
		fmt.Fprintf(w, "corrected: naive Bayes counts %s times; b(class), and what is added to ln, are learned\n", number(c.Trust))
	}
	var rows [][]string
	for _, f := range c.Factors {
		if f.IDF == 0 {
			continue
		}
		counted, dampened := "(1 + ln "+number(f.Occurs)+")", 1+math.Log(f.Occurs)
		if f.Occurs <= 1 {
			counted, dampened = number(f.Occurs), f.Occurs
		}
		rows = append(rows, []string{"x(" + f.Feature + ")", counted + " · " + number(f.IDF) + " / " + number(f.Length), "= " + number(dampened*f.IDF/f.Length), "", ""})
	}
	if len(rows) > 0 {
		fmt.Fprintln(w, "\nvalues: how often the text has a term, dampened, times its idf, over the length of them all")
		derivationTable(w, rows)
	}
}

// printClass prints the score of one class: the prior, the factors, their sum. What is made of odds is
// [logOfOdds].
func printClass(w io.Writer, c bayes.ClassDerivation, ofOdds string) {
	fmt.Fprintf(w, "class %s: %s\n", terminal.Line(c.Class), plural(int(c.Examples), "example"))
	rows := priorRows(c, ofOdds)
	for _, f := range c.Factors {
		rows = append(rows, factorRow(c.Class, f, ofOdds))
	}
	for _, f := range c.Absent {
		rows = append(rows, factorRow(c.Class, f, ofOdds))
	}
	if c.AbsentTerms > len(c.Absent) {
		rows = append(rows, []string{fmt.Sprintf("Π 1 - P(t|%s)", c.Class), "", fmt.Sprintf("over %s absent terms", Count(c.AbsentTerms)), "ln", logarithm(c.AbsentSum)})
	}
	rows = append(rows, []string{"score", "", "", "sum", logarithm(c.LogJoint)})
	derivationTable(w, rows)
}

// priorRows shows what a class begins with: the prior, and with a correction its bias.
func priorRows(c bayes.ClassDerivation, ofOdds string) [][]string {
	if !c.Corrected {
		return [][]string{priorRow(c, ofOdds)}
	}
	bias := []string{fmt.Sprintf("b(%s)", c.Class), "", "", "bias", logarithm(c.Bias)}
	if !c.PriorCounts {
		return [][]string{bias}
	}
	prior := c
	prior.PriorScore = (c.PriorScore - c.Bias) / c.Trust
	if math.Abs(prior.PriorScore-c.LogPrior) < 1e-12 {
		prior.PriorScore = c.LogPrior
	}
	row := priorRow(prior, ofOdds)
	row[3], row[4] = number(c.Trust)+" × "+row[3], logarithm(c.PriorScore-c.Bias)
	return [][]string{row, bias}
}

func priorRow(c bayes.ClassDerivation, ofOdds string) []string {
	name := fmt.Sprintf("P(%s)", c.Class)
	switch {
	case !c.PriorCounts:
		return []string{name, "", "not part of complement's score", "", ""}
	case c.PriorScore != c.LogPrior:
		odds := math.Exp(c.LogPrior) / -math.Expm1(c.LogPrior)
		return []string{fmt.Sprintf("%s / P(not %s)", name, c.Class), "", equals("", number(odds)), ofOdds, logarithm(c.PriorScore)}
	case math.Abs(math.Exp(c.LogPrior)-c.Weight/c.Of) < 1e-12:
		counted := number(c.Weight) + "/" + number(c.Of)
		return []string{name, counted, equals(counted, fraction(c.Weight, c.Of)), "ln", logarithm(c.LogPrior)}
	}
	return []string{name, "", "= " + number(math.Exp(c.LogPrior)), "ln", logarithm(c.LogPrior)}
}

// factorRow shows one factor: its name, how it was counted, its value, and what
// it adds.
func factorRow(class string, f bayes.Factor, ofOdds string) []string {
	name := fmt.Sprintf("P(%s|%s)", f.Feature, class)
	if f.Corrected && f.Trust == 0 {
		return correctionRow(class, f)
	}
	// The fraction twice: as it was counted, (3 + 1)/(20 + 8), and as a number.
	top, bottom := f.Count+f.Smoothing, f.Total+f.TotalSmoothing
	counted, value := estimate(f), fraction(top, bottom)
	log, times := "ln", ""
	// Event models whose factors are not such a fraction show what they are instead.
	switch {
	case f.Number && f.Variance > 0:
		name = fmt.Sprintf("p(%s=%s|%s)", f.Feature, number(f.Value), class)
		counted = fmt.Sprintf("N(%s; %s, %s)", number(f.Value), number(f.Mean), number(f.Variance))
		value = number(math.Exp(uncorrected(f)))
	case f.Number:
		name, counted = fmt.Sprintf("p(%s=%s|%s)", f.Feature, number(f.Value), class), "kernel density"
		value = number(math.Exp(uncorrected(f)))
	case f.Absent:
		name, counted, value = "1 - "+name, "1 - "+counted, fraction(bottom-top, bottom)
	case f.Rest != nil:
		name, log = fmt.Sprintf("%s / P(%s|not %s)", name, f.Feature, class), ofOdds
		counted, value = counted+" / "+estimate(*f.Rest), number(f.P()/f.Rest.P())
	case f.Complement:
		name, log = fmt.Sprintf("P(%s|not %s)", f.Feature, class), "-ln"
		if f.Norm != 1 {
			log = "-ln/" + number(math.Abs(f.Norm))
		}
	}
	if f.Corrected {
		log = number(f.Trust) + " × " + log
		if !f.Absent {
			log = "(" + log + signedTerm(f.Correction) + ")"
		}
	}
	if f.Times != 1 {
		times = number(f.Times) + " × "
	}
	return []string{name, counted, equals(counted, value), times + log, logarithm(f.Times * f.Log)}
}

// correctionRow shows what a factor adds where naive Bayes is not trusted at all.
func correctionRow(class string, f bayes.Factor) []string {
	times := ""
	if f.Times != 1 {
		times = number(f.Times) + " × "
	}
	return []string{fmt.Sprintf("d(%s|%s)", f.Feature, class), "", "", times + number(f.Correction), logarithm(f.Times * f.Log)}
}

// signedTerm shows a number that is added.
func signedTerm(v float64) string {
	if v < 0 {
		return " - " + number(-v)
	}
	return " + " + number(v)
}

// uncorrected returns the logarithm of a factor as naive Bayes has it.
func uncorrected(f bayes.Factor) float64 {
	if !f.Corrected {
		return f.Log
	}
	return (f.Log - f.Correction) / f.Trust
}

// equals returns what counted comes to, without saying it twice.
func equals(counted, value string) string {
	return "= " + strings.TrimPrefix(value, counted+" = ")
}

// estimate shows a probability as it was counted.
func estimate(f bayes.Factor) string {
	return sum(f.Count, f.Smoothing) + "/" + sum(f.Total, f.TotalSmoothing)
}

// sum shows a count and the pseudocount that is added to it.
func sum(counted, pseudocount float64) string {
	if pseudocount == 0 {
		return number(counted)
	}
	return "(" + number(counted) + " + " + number(pseudocount) + ")"
}

// fraction shows a/b, in lowest terms if both are whole, and as a decimal.
func fraction(a, b float64) string {
	decimal := number(a / b)
	if b == 0 {
		decimal = "0"
	}
	if a != math.Trunc(a) || b != math.Trunc(b) || b <= 0 || b > 1<<53 {
		return decimal
	}
	r := big.NewRat(int64(a), int64(b))
	if r.IsInt() {
		return r.Num().String()
	}
	return r.String() + " = " + decimal
}

// printPosterior prints Bayes' theorem with the numbers put in.
func printPosterior(w io.Writer, der *bayes.Derivation, leftOut int, document string) {
	var scores []string
	for _, c := range der.Classes {
		scores = append(scores, "exp("+logarithm(c.LogJoint)+")")
	}
	if leftOut > 0 {
		scores = append(scores, "those of "+Count(leftOut)+" less probable")
	}
	if !math.IsInf(der.Evidence, 0) {
		fmt.Fprintf(w, "evidence: %s = exp(%s) = %s\n", strings.Join(scores, " + "), logarithm(der.Evidence), number(math.Exp(der.Evidence)))
	} else {
		fmt.Fprintf(w, "evidence: 0: the %s is impossible in every class, so the prior decides\n", document)
	}
	var rows [][]string
	for _, c := range der.Classes {
		if math.IsInf(der.Evidence, 0) {
			rows = append(rows, []string{fmt.Sprintf("P(%s|%s)", c.Class, document), "", "= " + probability(c.P), "", ""})
			continue
		}
		// P(class|text) = P(class, text) / P(text), by logarithms.
		rows = append(rows, []string{
			fmt.Sprintf("P(%s|%s)", c.Class, document),
			fmt.Sprintf("exp(%s%+.6f)", logarithm(c.LogJoint), -der.Evidence), "= " + probability(math.Exp(c.LogJoint-der.Evidence)), "", "",
		})
	}
	if der.Power != 1 && !math.IsInf(der.Evidence, 0) {
		for _, c := range der.Classes {
			rows = append(rows, []string{"calibrated", fmt.Sprintf("P(%s|%s)^%.4g / Σ", c.Class, document, der.Power), "= " + probability(c.P), "", ""})
		}
	}
	derivationTable(w, rows)
}
