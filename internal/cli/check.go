package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"bayes"
	"bayes/answer"
	"bayes/internal/terminal"

	"github.com/spf13/cobra"
)

func (a *App) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check MODEL|STORE|URL...",
		Short: "Verify model files and stores, and that servers answer",
		Long: `Verify that model files and stores are whole and can be used, and that servers take
requests. The address of a server is that of bayes serve, or ends in what to ask it,
as /healthz does. One on this machine may have any certificate.`,
		Example: `  bayes check mail.nb
  bayes check mail.store /backup/bayes-2026-11-22
  bayes check http://127.0.0.1:8080`,
		Args: Args(1, -1, "at least one MODEL, STORE or URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if err := a.check(cmd.Context(), name); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *App) check(ctx context.Context, name string) error {
	if strings.Contains(name, "://") && a.checkServer != nil {
		return a.checkServer(ctx, name)
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() && a.checkFolder != nil {
		return a.checkFolder(name)
	}
	c, em, err := a.load(name)
	if errors.Is(err, bayes.ErrFrozen) {
		return a.checkFrozen(name)
	}
	if err != nil {
		return err
	}
	m, err := bayes.Fit(c, em)
	if err != nil && !errors.Is(err, bayes.ErrEmpty) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return a.reportCheck(name, c, em, len(classesOf(c, m)))
}

// checkFrozen reads all of a frozen file.
func (a *App) checkFrozen(name string) error {
	data, err := a.readFile(name)
	if err != nil {
		return err
	}
	m, err := bayes.LoadModel(bytes.NewReader(data), Languages()...)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return a.reportCheck(name, m, m.EventModel(), len(m.Classes()))
}

func (a *App) reportCheck(name string, c counted, em bayes.EventModel, classes int) error {
	if a.json {
		record := map[string]any{"file": name, "ok": true, "documents": c.Examples(), "terms": c.Len()}
		addCorrection(record, em, c.Examples())
		return a.PrintJSON(record)
	}
	size := int64(0)
	if info, err := os.Stat(name); err == nil {
		size = info.Size()
	}
	fmt.Fprintf(a.stdout, "%s: ok, %s, %s, %s, %s\n", terminal.Line(name), plural(size, "byte"), plural(c.Examples(), "document"), plural(classes, "class"), featureCount(c.Len(), c))
	if correction := answer.NewCorrection(em, c.Examples()); correction != nil {
		fmt.Fprintf(a.stdout, "%s: correction %s\n", terminal.Line(name), correction)
	}
	return nil
}
