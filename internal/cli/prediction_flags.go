package cli

import "github.com/spf13/cobra"

// A Predictor holds the flags of predict.
type Predictor struct {
	Input
	printer  Printer
	coverage float64
	appendTo bool
	prior    string
	workers  int
}

// AddOutputFlags defines the flags that say what is printed of a prediction.
func (p *Predictor) AddOutputFlags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&p.printer.Top, "top", 0, "the `K` most probable labels (default 1; with --json all, or 10 of more than 1,000)")
	cmd.Flags().Float64Var(&p.printer.Threshold, "threshold", 0, "answer ? where the best label is less probable than `P`")
	Group(cmd, OutputFlags)
}

// Check returns an error if the flags of what is printed make no sense.
func (p *Predictor) Check(cmd *cobra.Command) error {
	if t := p.printer.Threshold; !(t >= 0 && t <= 1) {
		return WrongUsage(cmd, "--threshold %v: want a probability from 0 to 1", t)
	}
	if cmd.Flags().Changed("top") && p.printer.Top < 1 {
		return WrongUsage(cmd, "--top %d: want at least 1", p.printer.Top)
	}
	return nil
}

// Printer returns what prints as the flags say, for machines if json is set.
func (p *Predictor) Printer(json bool) Printer {
	printer := p.printer
	printer.JSON = json
	return printer
}

// addAllFlags defines the flags of predict on cmd.
func (p *Predictor) addAllFlags(cmd *cobra.Command) {
	p.AddFlags(cmd)
	cmd.Flags().BoolVar(&p.Whole, "whole", false, "each FILE, or all of standard input, is one document")
	Group(cmd, InputFlags)
	cmd.Flags().StringVar(&p.prior, "prior", "", "another prior than the model's: empirical, uniform or LABEL=P,LABEL=P")
	Group(cmd, ModelFlags)
	Choices(cmd, "prior", "empirical", "uniform")
	p.AddOutputFlags(cmd)
	cmd.Flags().Float64Var(&p.coverage, "coverage", 0, "print as many labels as it takes to have the right one among them in this `SHARE` of documents")
	cmd.Flags().Float64Var(&p.printer.Certain, "certain", 0, "of a tree of labels, answer the deepest one that is as probable as `P`, and ? where none is")
	cmd.Flags().BoolVar(&p.appendTo, "append", false, "CSV in, CSV out with two columns more, predicted and probability")
	Group(cmd, OutputFlags)
	workersFlag(cmd, &p.workers)
	Group(cmd, Resources)
}

// checkAll returns an error if flags make no sense, by themselves or with one another.
func (p *Predictor) checkAll(cmd *cobra.Command, json bool) error {
	if cmd.Flags().Changed("coverage") && !(p.coverage > 0 && p.coverage < 1) {
		return WrongUsage(cmd, "--coverage %v: want a share between 0 and 1", p.coverage)
	}
	if p.coverage > 0 && (p.appendTo || p.printer.Threshold > 0 || p.printer.Top > 1) {
		return WrongUsage(cmd, "--coverage goes with none of --threshold, --top and --append")
	}
	if c := p.printer.Certain; cmd.Flags().Changed("certain") && !(c > 0 && c <= 1) {
		return WrongUsage(cmd, "--certain %v: want a probability above 0, up to 1", c)
	}
	if p.printer.Certain > 0 && (p.coverage > 0 || p.printer.Threshold > 0 || !json && p.printer.Top > 1) {
		return WrongUsage(cmd, "--certain goes with neither --threshold nor --coverage, and with --top only in --json")
	}
	if err := p.Check(cmd); err != nil {
		return err
	}
	if p.Whole && (p.appendTo || cmd.Flags().Changed("format")) {
		return WrongUsage(cmd, "--whole goes with neither --format nor --append")
	}
	if p.appendTo && (json || p.printer.Top > 1) {
		return WrongUsage(cmd, "--append goes with neither --json nor --top")
	}
	return nil
}
