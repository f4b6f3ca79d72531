package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bayes/answer"
	"bayes/internal/atomicfile"
	"bayes/internal/cli"
	"bayes/server"
	"bayes/store"

	"github.com/spf13/cobra"
)

// backupCommand returns bayes backup, and teaches bayes check what a store is.
func backupCommand(a *cli.App) *cobra.Command {
	a.CheckFolders(func(name string) error { return checkStores(a, name) })
	var out string
	cmd := &cobra.Command{
		Use:   "backup STORE -o FOLDER",
		Short: "Copy a store, or all of a server's, and verify the copy",
		Long: `Copy a store to a folder that does not exist yet: the documents, the model and the
log. STORE is a folder that bayes serve has made, of one model or, as --store has
it, of all. The copy is verified as bayes check does it, and takes the place of
STORE to restore it. A server that is running must be stopped first.`,
		Example: `  bayes backup mail.store -o /backup/mail-2026-11-22
  bayes backup /var/lib/bayes -o /backup/bayes-2026-11-22
  bayes check /backup/bayes-2026-11-22`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || out == "" {
				return cli.WrongUsage(cmd, "want one STORE and -o FOLDER")
			}
			return backup(a, args[0], out)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "`FOLDER` to make, which must not exist yet")
	cli.Group(cmd, cli.OutputFlags)
	return cmd
}

// backup copies the stores in a folder to a new one, which takes its name once it
// is whole.
func backup(a *cli.App, from, to string) (err error) {
	list, err := server.ReadFolder(from)
	if err != nil {
		return cli.Plain(err)
	}
	if inside(from, to) {
		return fmt.Errorf("%s: it is in %s itself", to, from)
	}
	if files, err := os.ReadDir(to); err == nil && len(files) > 0 {
		return fmt.Errorf("%s: it is there already", to)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.Plain(err)
	}
	if err := atomicfile.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return cli.Plain(err)
	}
	temp, err := os.MkdirTemp(filepath.Dir(to), "."+filepath.Base(to)+".*")
	if err != nil {
		return cli.Plain(err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(temp)
		}
	}()
	for _, k := range list {
		if err := backupOne(k, from, temp); err != nil {
			if errors.Is(err, store.ErrInUse) {
				return fmt.Errorf("%w: stop the server first, or download the model alone by GET /v1/models/%s/snapshot", err, k.Name)
			}
			return cli.Plain(err)
		}
	}
	if err := os.Rename(temp, to); err != nil {
		return err
	}
	a.Note("%s: a copy of %s, verified; stores: %d", to, from, len(list))
	return atomicfile.SyncDir(filepath.Dir(to))
}

// inside reports whether the folder to is from, or in it.
func inside(from, to string) bool {
	a, errA := filepath.Abs(from)
	b, errB := filepath.Abs(to)
	if errA != nil || errB != nil {
		return false
	}
	rel, err := filepath.Rel(a, b)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// backupOne copies a store to its place in the folder to, and verifies the copy.
func backupOne(k server.Kept, from, to string) error {
	place := func(name string) (string, error) {
		rel, err := filepath.Rel(from, name)
		return filepath.Join(to, rel), err
	}
	dir, err := place(k.Store)
	if err != nil {
		return err
	}
	if err := store.Backup(k.Store, dir); err != nil {
		return err
	}
	report, err := store.Check(dir, cli.Languages()...)
	if err != nil {
		return err
	}
	if len(report.Damage) > 0 {
		return fmt.Errorf("%s: not copied, since it is damaged (bayes check says how): %s", k.Store, report.Damage[0])
	}
	if k.About == "" {
		return nil
	}
	about, err := place(k.About)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(k.About)
	if err != nil {
		return err
	}
	return atomicfile.Write(about, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// checkStores verifies the stores in a folder, and prints a line for each finding.
func checkStores(a *cli.App, name string) error {
	list, err := server.ReadFolder(name)
	if len(list) == 0 {
		return cli.Plain(err)
	}
	damaged := 0
	if err != nil { // of some
		damaged++
		fmt.Fprintln(a.Stdout(), strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	for _, k := range list {
		r, err := store.Check(k.Store, cli.Languages()...)
		if errors.Is(err, store.ErrInUse) {
			err = fmt.Errorf("%w: stop the server first, or check a backup", err)
		}
		if err != nil {
			return cli.Plain(err)
		}
		if len(r.Damage) > 0 {
			damaged++
		}
		if err := printReport(a, k.Store, r); err != nil {
			return err
		}
	}
	if damaged > 0 {
		return fmt.Errorf("%s: damaged: restore a backup", name)
	}
	return nil
}

func printReport(a *cli.App, name string, r *store.Report) error {
	correction := answer.NewCorrection(r.Model, r.Examples)
	if a.JSON() {
		record := map[string]any{
			"file": name, "ok": len(r.Damage) == 0, "documents": r.Examples, "terms": r.Features, "stored": r.Documents,
			"snapshot": r.Snapshot, "sequence": max(r.Snapshot, r.Last), "findings": append([]string{}, r.Damage...), "notes": append([]string{}, r.Notes...),
		}
		if correction != nil {
			record["correction"] = correction
		}
		return a.PrintJSON(record)
	}
	for _, line := range slices.Concat(r.Damage, r.Notes) {
		if _, err := fmt.Fprintln(a.Stdout(), line); err != nil {
			return err
		}
	}
	if len(r.Damage) > 0 {
		return nil
	}
	_, err := fmt.Fprintf(a.Stdout(), "%s: ok, %d documents, %d of them stored, %d terms, events to %d, snapshot of event %d\n",
		name, r.Examples, r.Documents, r.Features, max(r.Snapshot, r.Last), r.Snapshot)
	if err == nil && correction != nil {
		_, err = fmt.Fprintf(a.Stdout(), "%s: correction %s\n", name, correction)
	}
	return err
}
