//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bencao/internal/test/testkit"
)

// TestDockerfile checks the important instructions of the Dockerfile.
func TestDockerfile(t *testing.T) {
	text := read(t, deploy("docker", "Dockerfile"))
	mod := read(t, filepath.Join("..", "..", "go.mod"))
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(mod)
	for want, why := range map[string]string{
		"FROM golang:" + version[1]:        "go.mod requires that version",
		"FROM scratch":                     "nothing but the program belongs into the image",
		"CGO_ENABLED=0":                    "there is no libc in the image",
		"USER 65532:65532":                 "the program needs no rights",
		"STOPSIGNAL SIGTERM":               "requests that are under way shall end",
		"ENTRYPOINT [\"/bencao\"]":         "a shell form needs a shell",
		"CMD [\"/bencao\", \"ready\"]":     "a health check that does not ask the server is none",
		"COPY --from=build /out/bencao /b": "the program is the image",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the Dockerfile lacks %q: %s", want, why)
		}
	}
	if at := strings.Index(text, "USER "); at > strings.Index(text, "ENTRYPOINT") || strings.Contains(text, ":latest") || strings.Contains(text, "ADD ") {
		t.Error("the Dockerfile changes the user too late, uses :latest, or has ADD instead of COPY")
	}
}

// TestDockerChecks runs "docker build --check" on the Dockerfile. It needs a running Docker engine.
func TestDockerChecks(t *testing.T) {
	docker, err := exec.LookPath("docker")
	if err != nil || exec.Command(docker, "buildx", "version").Run() != nil {
		t.Skip("SKIPPED: docker's own check of the Dockerfile needs docker with buildx")
	}
	if b, err := exec.Command(docker, "info").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: docker's own check of the Dockerfile needs its engine: %v: %.300s", err, b)
	}
	out(t, docker, "buildx", "build", "--check", "-f", deploy("docker", "Dockerfile"), filepath.Join("..", ".."))
}

// TestDockerfileLints runs a linter from npm on the Dockerfile. It checks instructions, flags and
// their order.
func TestDockerfileLints(t *testing.T) {
	if os.Getenv("BENCAO_NODE") != "1" {
		t.Skip("SKIPPED: the Dockerfile is not linted; set BENCAO_NODE=1, with node and npm, to do it")
	}
	npm := need(t, "npm", "npm")
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
		copyTo(t, filepath.Join("testdata", "dockerfile", name), filepath.Join(dir, name))
	}
	copyTo(t, deploy("docker", "Dockerfile"), filepath.Join(dir, "Dockerfile"))
	lint := func(args ...string) (string, error) {
		cmd := exec.Command(npm, args...)
		cmd.Dir = dir
		b, err := cmd.CombinedOutput()
		return string(b), err
	}
	if said, err := lint("ci", "--ignore-scripts", "--loglevel=error"); err != nil {
		t.Fatalf("npm: %v\n%s", err, said)
	}
	if said, err := lint("run", "--silent", "lint"); err != nil || strings.TrimSpace(said) != "" {
		t.Errorf("the linter says of the Dockerfile: %v\n%s", err, said)
	}
	// The linter must report a broken Dockerfile.
	broken := strings.Replace(read(t, deploy("docker", "Dockerfile")), "STOPSIGNAL", "STOPSIGN", 1)
	must(t, os.WriteFile(filepath.Join(dir, "Dockerfile"), []byte(broken), 0o644))
	if said, err := lint("run", "--silent", "lint"); err == nil || !strings.Contains(said, "STOPSIGN") {
		t.Errorf("the linter accepts an unknown instruction: %v\n%s", err, said)
	}
}

func copyTo(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.WriteFile(to, []byte(read(t, from)), 0o644))
}

// image is a folder that imitates the image of the Dockerfile. It has the program, certificates,
// /data and /tmp, the files that every engine adds to a container, and /in with the sample data.
type image struct{ root string }

// inside is a shell script that runs a command in an image, as a user without privileges who cannot
// gain any. Only /data is writable. It imitates "docker run --read-only --cap-drop ALL
// --security-opt no-new-privileges".
const inside = `
set -e
root=$1; shift
mount --bind "$root" "$root"
mount --bind "$root/data" "$root/data"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs --bounding-set=-all,+setuid,+setgid,+sys_chroot chroot --userspec=65532:65532 "$root" "$@"
`

// run returns a command that runs args in a container of the image.
func (i image) run(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(need(t, "unshare", "util-linux"), append([]string{"--mount", "--pid", "--fork", "--propagation", "private", "sh", "-c", inside, "inside", i.root}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH") + ":/usr/sbin:/sbin"}
	for _, m := range regexp.MustCompile(`(BENCAO_\w+)=(\S+)`).FindAllStringSubmatch(read(t, deploy("docker", "Dockerfile")), -1) {
		cmd.Env = append(cmd.Env, m[0])
	}
	return cmd
}

// buildImage builds the program as the Dockerfile does and returns an image with it.
func buildImage(t *testing.T) image {
	t.Helper()
	build := regexp.MustCompile(`(?m)^RUN (CGO_ENABLED=0) (go build .*) -o /out/bencao (\./cmd/bencao)`).FindStringSubmatch(read(t, deploy("docker", "Dockerfile")))
	if build == nil {
		t.Fatal("the test finds no command in the Dockerfile that builds bencao")
	}
	i := image{t.TempDir()}
	args := append(strings.Fields(build[2])[1:], "-buildvcs=false", "-o", filepath.Join(i.root, "bencao"), build[3])
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), build[1])
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %q: %v\n%s", args, err, b)
	}
	for _, dir := range []string{"data", "tmp", "in", "proc", "etc"} {
		must(t, os.Mkdir(filepath.Join(i.root, dir), 0o755))
		if dir != "data" && dir != "tmp" {
			continue
		}
		must(t, os.Chown(filepath.Join(i.root, dir), 65532, 65532))
	}
	must(t, os.WriteFile(filepath.Join(i.root, "etc", "hosts"), []byte("127.0.0.1 localhost\n"), 0o644))
	return i
}

// TestDockerImage runs the commands of the image. The image must contain no other program, and the
// program must have no privileges and write only to /data.
func TestDockerImage(t *testing.T) {
	if os.Getenv("BENCAO_FAULTS") != "1" || os.Getuid() != 0 {
		t.Skip("SKIPPED: the image is not tried; BENCAO_FAULTS=1 as root does it")
	}
	need(t, "setpriv", "util-linux")
	i := buildImage(t)
	t.Cleanup(func() { out(t, "chmod", "-R", "u+w", i.root) })
	must(t, os.CopyFS(filepath.Join(i.root, "in"), os.DirFS(filepath.Join("..", "..", "indexer", "sample"))))
	do := func(args ...string) (string, error) {
		b, err := i.run(t, append([]string{"/bencao"}, args...)...).CombinedOutput()
		return string(b), err
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--version"}, "snapshot format"},
		{[]string{"index", "--source", "/in/package", "--checklist", "wcvp=/in/checklists/wcvp"}, "published, current snapshot"},
		{[]string{"init", "--container", "--config", "/data/bencao.toml", "--id", "lab", "--key-file", "-"}, "bencao_"},
		{[]string{"snapshots"}, "current"},
		{[]string{"verify", "--deep"}, "is intact"},
		{[]string{"export", "--out", "/data/package.zip"}, "holds snapshot"},
	} {
		if said, err := do(c.args...); err != nil || !strings.Contains(said, c.want) {
			t.Fatalf("bencao %q in the image: %v, want %q:\n%s", c.args, err, c.want, said)
		}
	}
	// Nothing outside /data can be written, and the image contains no other program.
	if said, err := do("export", "--out", "/tmp/package.zip"); err == nil || !strings.Contains(said, "read-only file system") {
		t.Errorf("a command can write outside /data: %v\n%s", err, said)
	}
	entries, err := os.ReadDir(i.root)
	if err != nil || len(entries) != 6 {
		t.Errorf("the image has %v (%v), want bencao, data, etc, in, proc and tmp", entries, err)
	}

	listen, admin := testkit.FreeAddress(t), testkit.FreeAddress(t)
	health := regexp.MustCompile(`HEALTHCHECK .*CMD \["/bencao", "(.*)"\]`).FindStringSubmatch(read(t, deploy("docker", "Dockerfile")))
	if said, err := do(health[1], "--admin", admin); err == nil {
		t.Errorf("without a server, the health check succeeds: %s", said)
	}
	server := i.run(t, "/bencao", "serve", "--listen", listen, "--admin", admin)
	server.Stderr = t.Output()
	must(t, server.Start())
	program := 0 // the process id of the server; a kill of unshare would not end the server
	t.Cleanup(func() {
		if program == 0 {
			program = server.Process.Pid
		}
		if err := syscall.Kill(program, syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := server.Wait(); err != nil && !t.Failed() {
			t.Errorf("the server in the image ended with %v, want exit code 0", err)
		}
	})
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		said, err := do(health[1], "--admin", admin)
		if err == nil && strings.Contains(said, "ready, snapshot 2") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the health check never succeeds: %v\n%s", err, said)
		}
	}
	program = child(t, server.Process.Pid)
	status := read(t, fmt.Sprintf("/proc/%d/status", program))
	for _, want := range []string{"Uid:\t65532\t65532\t65532\t65532", "Gid:\t65532\t65532\t65532\t65532", "CapEff:\t0000000000000000", "CapPrm:\t0000000000000000", "NoNewPrivs:\t1"} {
		if !strings.Contains(status, want) {
			t.Errorf("the status of the server in the image lacks %q:\n%s", want, status)
		}
	}
}

// child returns the id of the only child process of pid.
func child(t *testing.T, pid int) int {
	t.Helper()
	text := read(t, fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatalf("process %d has the children %q, want one", pid, text)
	}
	return n
}
