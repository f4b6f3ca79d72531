package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The container's image is built as Dockerfile says, and holds nothing but the program: its
// server runs there as a user that is not root, keeps what it learns, and its health can be asked.
func TestContainer(t *testing.T) {
	t.Parallel()
	needs(t, "buildah")
	needsRoot(t)
	dir := t.TempDir()
	buildah := func(args ...string) string {
		t.Helper()
		return strings.TrimSpace(run(t, "buildah", append([]string{"--root", filepath.Join(dir, "root"), "--runroot", filepath.Join(dir, "run"), "--storage-driver", "vfs"}, args...)...))
	}
	buildah("bud", "--isolation", "chroot", "--format", "docker", "--build-arg", "TARGETARCH=amd64", "-t", "bayes", filepath.Join(released(t), "container"))
	var image struct {
		Docker struct {
			Config struct {
				User            string
				Entrypoint, Cmd []string
				Healthcheck     struct{ Test []string }
			} `json:"config"`
		}
	}
	if err := json.Unmarshal([]byte(buildah("inspect", "--type", "image", "bayes")), &image); err != nil {
		t.Fatal(err)
	}
	config := image.Docker.Config
	container := buildah("from", "bayes")
	root := buildah("mount", container)
	defer buildah("umount", container)
	for folder := root; folder != filepath.Dir(dir); folder = filepath.Dir(folder) { // another user is to see it
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	inside := func(words []string) *exec.Cmd {
		return exec.CommandContext(t.Context(), "chroot", append([]string{"--userspec=" + config.User, root}, words...)...)
	}
	if said, err := inside([]string{"/usr/bin/bayes", "--version"}).Output(); err != nil || !strings.HasPrefix(string(said), "bayes version v") {
		t.Fatalf("%s, %v", said, err)
	}
	// What docker run -v mounts there.
	token := strings.TrimSpace(run(t, filepath.Join(root, "usr/bin/bayes"), "token", filepath.Join(dir, "tokens.txt"), "--name", "x", "--scopes", "admin,read"))
	write(t, filepath.Join(root, "etc/bayes/tokens.txt"), read(t, filepath.Join(dir, "tokens.txt")))
	address := freeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	onPort := func(words []string) []string {
		return strings.Split(strings.ReplaceAll(strings.Join(words, "\x00"), ":8080", ":"+port), "\x00")
	}
	cmd := inside(append(config.Entrypoint, onPort(config.Cmd)...))
	ended := startServer(t, cmd, "http://"+address)
	health := onPort(config.Healthcheck.Test)
	if health[0] != "CMD" || !strings.Contains(strings.Join(health, " "), port) {
		t.Fatalf("the health check is %q", health)
	}
	if said, err := inside(health[1:]).Output(); err != nil || !strings.HasSuffix(string(said), "/healthz: ok\n") {
		t.Errorf("the health check says %s, %v", said, err)
	}
	csv := filepath.Join(dir, "a.csv")
	write(t, csv, "label,text\nspam,win a free prize\nham,lunch at noon\n")
	run(t, filepath.Join(root, "usr/bin/bayes"), "train", csv, "-o", filepath.Join(dir, "m.nb"))
	ask(t, "PUT", "http://"+address+"/v1/models/mail", token, "application/octet-stream", read(t, filepath.Join(dir, "m.nb")), 201, "")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if err := inside(health[1:]).Run(); err == nil {
		t.Error("a server that has ended is healthy")
	}
	if kept, err := os.ReadDir(filepath.Join(root, "var/lib/bayes")); err != nil || len(kept) != 1 {
		t.Errorf("the server keeps %v, %v", kept, err)
	}
}
