package faults

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// commands are the command lines whose outputs are watched: the files that are
// written, the last argument or the second.
var commands = []struct{ name, args, output string }{
	{"train", "train t.csv -o new.nb", "new.nb"},
	{"train again", "train u.csv -o m.nb", "m.nb"},
	{"learn", "learn m.nb u.csv", "m.nb"},
	{"unlearn", "unlearn m.nb v.csv", "m.nb"},
	{"merge", "merge m.nb m2.nb -o merged.nb", "merged.nb"},
	{"freeze", "freeze m.nb -o frozen.nb", "frozen.nb"},
}

// table returns a file of examples.
func table(from, to int) []byte {
	var b bytes.Buffer
	b.WriteString("label,text\n")
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "%s,%s message %d of many\n", []string{"ham", "spam"}[i%2], word(i%words), i)
	}
	return b.Bytes()
}

// command returns the environment and the arguments of a process that is the
// command.
func command(t testing.TB, args string) (env, argv []string) {
	return []string{"FAULTS_COMMAND=1", "HOME=/nonexistent"}, append([]string{this(t)}, strings.Fields(args)...)
}

// inputs returns the files that commands begin with.
func inputs(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{"./": nil, "t.csv": table(0, 200), "u.csv": table(200, 300), "v.csv": table(50, 60)}
	root := scratch(t)
	l := &loss{files: files}
	if err := l.write(root); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"train t.csv -o m.nb", "train u.csv -o m2.nb"} {
		env, argv := command(t, args)
		if r := trace(t, root, nil, 0, env, argv...); r.status.ExitStatus() != 0 {
			t.Fatalf("%s: %s", args, r.output(2))
		}
	}
	for _, name := range []string{"m.nb", "m2.nb"} {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	return files
}

// result returns what a command writes where nothing fails, and the run.
func result(t *testing.T, files map[string][]byte, args, output string) ([]byte, *run) {
	t.Helper()
	root := scratch(t)
	if err := (&loss{files: files}).write(root); err != nil {
		t.Fatal(err)
	}
	env, argv := command(t, args)
	r := trace(t, root, nil, 0, env, argv...)
	b, err := os.ReadFile(filepath.Join(root, output))
	if err != nil || r.status.ExitStatus() != 0 || bytes.Equal(b, files[output]) {
		t.Fatalf("%s: %v\n%s", args, err, r.output(2))
	}
	return b, r
}

// checkFolder wants a folder to hold files and, in place of that which is called
// output, the old one or the new one, and no others except temporary ones.
func checkFolder(folder string, files map[string][]byte, output string, isNew []byte) (replaced bool, temporary []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false, nil, err
	}
	there := make(map[string]bool)
	for _, e := range entries {
		name := e.Name()
		there[name] = true
		old, known := files[name]
		if !known && name != output {
			if !strings.HasPrefix(name, ".") {
				return false, nil, fmt.Errorf("there is a file %s", name)
			}
			temporary = append(temporary, name)
			continue
		}
		b, err := os.ReadFile(filepath.Join(folder, name))
		switch {
		case err != nil:
			return false, nil, err
		case name == output && bytes.Equal(b, isNew):
			replaced = true
		case !known || !bytes.Equal(b, old):
			return false, nil, fmt.Errorf("%s holds %d bytes that it should not: it had %d, and what is new are %d", name, len(b), len(old), len(isNew))
		}
	}
	for name := range files {
		if name != "./" && !there[name] {
			return false, nil, fmt.Errorf("%s is gone", name)
		}
	}
	return replaced, temporary, nil
}

// A command any of whose system calls fails, once or from then on, or is the last,
// leaves its output as it was or writes the whole of it; it says so by its exit
// code, and cleans up.
func TestCommandFaults(t *testing.T) {
	t.Parallel()
	files := inputs(t)
	for i, c := range commands {
		if level() == quick && i%3 != 2 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			isNew, r := result(t, files, c.args, c.output)
			env, argv := command(t, c.args)
			root := scratch(t)
			var folders atomic.Int64
			eachFault(t, r.counts, func(t *testing.T, f fault) int {
				folder := filepath.Join(root, fmt.Sprint(folders.Add(1)))
				defer os.RemoveAll(folder)
				if err := (&loss{files: files}).write(folder); err != nil {
					t.Error(err)
					return 0
				}
				r := trace(t, folder, &f, 0, env, argv...)
				if err := checkCommand(r, &f, folder, files, c.output, isNew); err != nil {
					t.Errorf("%s: %v: %v; it said %s", c.args, f, err, r.output(2))
				}
				return r.faulty
			})
		})
	}
}

func checkCommand(r *run, f *fault, folder string, files map[string][]byte, output string, isNew []byte) error {
	replaced, temporary, err := checkFolder(folder, files, output, isNew)
	switch {
	case err != nil:
		return err
	case r.status.Signaled():
		return nil
	case r.status.ExitStatus() == 0 && !replaced:
		return errors.New("it reports success, and has written nothing")
	case r.status.ExitStatus() > 1:
		return fmt.Errorf("its exit code is %d", r.status.ExitStatus())
	case r.status.ExitStatus() == 1 && strings.Count(r.output(2), "\n") != 1:
		return errors.New("it does not say in one line what failed")
	case len(temporary) > 0 && f.name != "unlinkat" && !f.onward:
		return fmt.Errorf("it leaves %v", temporary)
	}
	return nil
}

// After a power cut the output of a command is what it was or the whole of the new
// one; once the command has ended it is the new one.
func TestCommandLostWrites(t *testing.T) {
	t.Parallel()
	files := inputs(t)
	limit := [...]int{quick: 2, ci: 4, long: 12}[level()]
	for _, c := range commands {
		t.Run(c.name, func(t *testing.T) {
			isNew, _ := result(t, files, c.args, c.output)
			root := scratch(t)
			if err := (&loss{files: files}).write(root); err != nil {
				t.Fatal(err)
			}
			d := newDisk(t, root)
			env, argv := command(t, c.args)
			if r := d.run(t, nil, env, argv...); r.status.ExitStatus() != 0 {
				t.Fatal(r.output(2))
			}
			n, _ := eachLoss(t, d.losses(limit), 0, func(folder string, l *loss) error {
				replaced, _, err := checkFolder(folder, files, c.output, isNew)
				if err == nil && l.moment == d.moment && !replaced {
					err = errors.New("the output is lost")
				}
				return err
			})
			t.Logf("%d power cuts", n)
		})
	}
}
