package cli

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestVersion(t *testing.T) {
	built := debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "(devel)"}}
	stamped := built
	stamped.Settings = []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0a1b2c3d"}, {Key: "vcs.time", Value: "2026-11-22T19:52:40Z"}, {Key: "vcs.modified", Value: "false"}}
	changed := stamped
	stamped.Main.Version = "v0.0.0-20261122195240-0a1b2c3d4e5f"
	changed.Main.Version = "v1.2.0"
	changed.Settings = append(stamped.Settings[:3:3], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	for _, tc := range []struct {
		info *debug.BuildInfo
		ok   bool
		want string
	}{
		{nil, false, "unknown"},
		{&built, true, "development, go1.26.0"},
		{&stamped, true, "development, revision 0a1b2c3d of 2026-11-22, go1.26.0"},
		{&changed, true, "v1.2.0, revision 0a1b2c3d of 2026-11-22 with changes, go1.26.0"},
	} {
		if got := version(tc.info, tc.ok); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

func TestWrapped(t *testing.T) {
	const text = `one line that is short
and another one, which together are longer than eighty columns, as é and 日 count one each

	indented	stays as it is, however long that may be, since it is a command or a table
  and so on

averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongwordthatstays
`
	const want = `one line that is short and another one, which together are longer than eighty
columns, as é and 日 count one each

	indented	stays as it is, however long that may be, since it is a command or a table
  and so on

averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongwordthatstays`
	if got := wrapped(text); got != want {
		t.Errorf("%s", got)
	}
}

// What the shell offers as a value is a value: no flag refuses it. Flags are looked at before
// the file, which is not there.
func TestChoices(t *testing.T) {
	t.Chdir(t.TempDir())
	commands := make(map[string]*cobra.Command)
	for _, cmd := range newApp(nil, nil, nil).root().Commands() {
		commands[cmd.Name()] = cmd
	}
	train, offered := commands["train"], 0
	train.Flags().VisitAll(func(f *pflag.Flag) {
		complete, ok := train.GetFlagCompletionFunc(f.Name)
		if !ok || f.Name == "format" {
			return // plain text is a format too, but not one to train with
		}
		args := []string{"train", "no.csv", "-o", "m.nb"}
		switch f.Name {
		case "calibrate":
			args = []string{"cv", "no.csv"}
		case "label-cutoffs":
			args = append(args, "--label-separator", ";")
		case "metric":
			args = append(args, "--auto")
		}
		words, _ := complete(train, nil, "")
		for _, word := range words {
			if _, said := inTemp(append(args, "--"+f.Name, word)...); said != "bayes: no.csv: no such file or directory\n" {
				t.Errorf("--%s %s: %s", f.Name, word, said)
			}
			offered++
		}
		if _, said := inTemp(append(args, "--"+f.Name, "no-such-value")...); len(words) > 0 && !strings.Contains(said, "no-such-value") {
			t.Errorf("--%s is not looked at: %s", f.Name, said)
		}
	})
	if offered < 60 {
		t.Errorf("only %d values are offered", offered)
	}
}

func TestSimilarFlags(t *testing.T) {
	cmd := &cobra.Command{}
	for _, name := range []string{"label", "text", "numeric", "numeric-model", "max-df", "max-body", "max-text", "max-batch", "max-disk"} {
		cmd.Flags().Bool(name, false, "")
	}
	cmd.Flags().Bool("secret", false, "")
	cmd.Flags().MarkHidden("secret")
	for name, want := range map[string]string{"lable": "label", "labels": "label", "Text": "text", "num": "numeric numeric-model", "secrets": "", "max": "", "z": "", "nothing": ""} {
		got := ""
		for _, s := range similarFlags(cmd, name) {
			if got != "" {
				got += " "
			}
			got += s
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A value that a flag cannot have is wrong usage, whatever is in the files, which are not there; so are flags that do not
// go together. The error names the flag.
func TestWrongUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{
		"cv no.csv --folds few":                                         "--folds few: want a number from 2, loo or progressive",
		"cv no.csv --folds 1":                                           "--folds 1: want a number from 2, loo or progressive",
		"cv no.csv --label-separator ; --folds progressive":             "--label-separator and --folds progressive: a document has one label there",
		"tune no.csv --folds 1":                                         "--folds 1: want 2 or more",
		"tune no.csv --budget -1":                                       "--budget -1: want a number of seconds from 0 up",
		"train no.csv -o m.nb --max-features -1":                        "--max-features -1: want 1 or more",
		"explain no.nb --row 0":                                         "--row 0: want at least 1",
		"inspect no.nb --terms -1":                                      "--terms -1: want 1 or more, or 0 for none",
		"freeze no.nb -o m.nb --bits 16":                                "--bits 16: want 8 or 32",
		"freeze no.nb -o m.nb --prune -1":                               "--prune -1: want a number from 0 up",
		"import bogofilter no.txt -o m.nb --robs 0":                     "--robs 0: want a number above 0",
		"import bogofilter no.txt -o m.nb --robx 2":                     "--robx 2: want a number between 0 and 1",
		"import bogofilter no.txt -o m.nb --min-dev 0.5":                "--min-dev 0.5: want a number from 0 to less than 0.5",
		"train no.csv -o m.nb --costs=":                                 "--costs is empty: want a FILE",
		"train no.csv -o m.nb --max-fpr spam=0.1 --min-recall spam=0.9": `--max-fpr and --min-recall: "spam": a largest share of others and a least recall: want one of the two`,
		"tune no.csv --calibrate perhaps":                               `--calibrate: unknown calibration "perhaps": want temperature, isotonic or none`,
		"predict no.nb --encoding perhaps":                              "--encoding perhaps: want the WHATWG name of a character set, such as utf-8, latin1 or shift_jis, or auto",
		"split no.csv --format perhaps":                                 "--format perhaps: want auto, csv, tsv, jsonl, fasttext, svmlight, parquet, dir, mail, text",
		"train no.csv -o m.nb --delimiter ab":                           "--delimiter ab: want one ASCII character, such as ; or tab",
		"tune no.csv --folds progressive":                               "--folds progressive: want a whole number",
		"train no.csv -o m.nb --workers 1e3":                            "--workers 1e3: want a number of cores from 1 to 1024, or 0 for all",
		"predict no.nb --workers -1":                                    "--workers -1: want a number of cores from 1 to 1024, or 0 for all",
		"test no.nb no.csv --workers 100000000":                         "--workers 100000000: want a number of cores from 1 to 1024, or 0 for all",
		"train no.csv -o m.nb --select chi2:0":                          "--select chi2:0: want chi2:N or mi:N, with N terms from 1 up",
		"cv no.csv --select zzz:4":                                      `--select zzz:4: unknown score "zzz": want chi2, chi2-presence, chi2-documents or mi`,
		"cv no.csv --min-length x":                                      "--min-length x: want a whole number",
		"train no.csv -o m.nb --hash " + "1" + zeros:                    "--hash 1" + zeros + ": want a number nearer to 0",
		"train no.csv -o m.nb --var-smoothing few":                      "--var-smoothing few: want a number",
		"train no.csv -o m.nb --idf=perhaps":                            "--idf perhaps: want true or false",
		"cv no.csv --seed -1":                                           "--seed -1: want a whole number from 0 to 4294967295",
	} {
		code, said := inTemp(strings.Fields(args)...)
		command, _, _ := strings.Cut(args, " ")
		if full := "bayes: " + want + " (see bayes " + command + " --help)\n"; code != exitUsage || said != full {
			t.Errorf("%s: %d, %q, want %q", args, code, said, full)
		}
	}
}

const zeros = "00000000000000000000"
