package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bayes/server"
)

// A unit is what a unit file of systemd says, by name.
type unit map[string][]string

// manualUnit returns the unit of docs/operations.md.
func manualUnit(t *testing.T) (text string, u unit) {
	t.Helper()
	manual, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = strings.Cut(string(manual), "```ini\n")
	text, _, found := strings.Cut(text, "```")
	if !found {
		t.Fatal("docs/operations.md has no unit")
	}
	u = make(unit)
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			u[name] = append(u[name], value)
		}
	}
	return text, u
}

// The unit of the manual starts with a folder that is empty and tokens that it can
// read only as a credential, takes the first model by PUT, and ends well.
func TestManualUnit(t *testing.T) {
	text, u := manualUnit(t)
	if len(u["ExecStart"]) != 1 || len(u["DynamicUser"]) != 1 || len(u["StateDirectory"]) != 1 {
		t.Fatalf("the unit is %v", u)
	}
	line := u["ExecStart"][0]
	if strings.Contains(line, "/etc/") { // where bayes token makes files that root alone can read
		t.Errorf("a dynamic user cannot read what ExecStart names: %s", line)
	}
	credentials, state := t.TempDir(), filepath.Join(t.TempDir(), "bayes")
	owner, secret := server.NewToken("owner", server.Admin, server.Predict)
	for _, load := range u["LoadCredential"] {
		name, _, ok := strings.Cut(load, ":")
		if !ok || !strings.Contains(line, "${CREDENTIALS_DIRECTORY}/"+name) {
			t.Errorf("LoadCredential=%s is not what ExecStart reads", load)
		}
		write(t, filepath.Join(credentials, name), []byte(owner.String()+"\n"))
	}
	if err := os.Mkdir(state, 0o700); err != nil {
		t.Fatal(err)
	}
	address := "127.0.0.1:" + port(t)
	program := command(t, t.TempDir()).Path
	run := strings.NewReplacer("/var/lib/"+u["StateDirectory"][0], state, "${CREDENTIALS_DIRECTORY}", credentials, "127.0.0.1:8080", address).Replace(line)
	words := strings.Fields(run)
	if words[0] != "/usr/bin/bayes" || !strings.Contains(run, state) || !strings.Contains(run, address) {
		t.Fatalf("ExecStart is %s", line)
	}
	cmd := exec.Command(program, words[1:]...)
	cmd.Dir = "/"
	r := start(t, cmd)
	url := "http://" + address + "/v1/models/mail"
	if status, answer := request(t, http.DefaultClient, "PUT", url, secret, model(t)); status != 201 {
		t.Errorf("the first model: %d %s", status, answer)
	}
	if status, answer := request(t, http.DefaultClient, "POST", url+"/predict", secret, []byte(`{"text":"free"}`)); status != 200 {
		t.Errorf("a prediction: %d %s", status, answer)
	}
	r.stop(syscall.SIGTERM)

	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze: the unit is run, and not verified")
	}
	file := filepath.Join(t.TempDir(), "bayes.service")
	write(t, file, []byte(strings.ReplaceAll(text, "/usr/bin/bayes", program)))
	if out, err := exec.Command(analyze, "verify", "--man=no", file).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}
