package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/testkit"
)

// deploy returns the path of a file in the repository's folder deploy.
func deploy(elem ...string) string {
	return filepath.Join(append([]string{"..", "..", "deploy"}, elem...)...)
}

// need returns the path of a tool. If the tool is missing, need skips the test. Under CI with
// BENCAO_FAULTS=1, where all tools must be installed, it fails the test. from names the package to
// install.
func need(t *testing.T, name, from string) string {
	t.Helper()
	for _, p := range []string{name, "/usr/sbin/" + name} {
		if path, err := exec.LookPath(p); err == nil {
			return path
		}
	}
	if os.Getenv("BENCAO_FAULTS") == "1" && os.Getenv("CI") == "true" {
		t.Fatalf("%s is needed for this test; install %s", name, from)
	}
	t.Skipf("SKIPPED: %s is needed for this test; install %s", name, from)
	return ""
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return string(b)
}

// out runs a command and returns its output. The test fails if the command fails.
func out(t *testing.T, name string, args ...string) string {
	t.Helper()
	b, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, b)
	}
	return string(b)
}

// TestUnits checks the systemd units with "systemd-analyze verify" and "systemd-analyze security".
// The copies that it checks start /bin/true, because bencao may not be installed.
func TestUnits(t *testing.T) {
	analyze := need(t, "systemd-analyze", "systemd")
	dir := t.TempDir()
	units, err := filepath.Glob(deploy("systemd", "bencao*"))
	if err != nil || len(units) != 8 {
		t.Fatalf("%d units (%v), want 8", len(units), err)
	}
	var copies []string
	for _, u := range units {
		text := strings.NewReplacer("ExecStart=bencao ", "ExecStart=/bin/true ", "ExecStartPre=bencao ", "ExecStartPre=/bin/true ", "/usr/lib/bencao/bencao-push", "/bin/true").Replace(read(t, u))
		to := filepath.Join(dir, filepath.Base(u))
		must(t, os.WriteFile(to, []byte(text), 0o644))
		copies = append(copies, to)
	}
	cmd := exec.Command(analyze, append([]string{"verify"}, copies...)...)
	b, err := cmd.CombinedOutput()
	// systemd also reports errors in the system's own units. Only lines with the name bencao count.
	for line := range strings.Lines(string(b)) {
		if strings.Contains(line, "bencao") {
			t.Errorf("systemd-analyze verify: %s", line)
		}
	}
	if err != nil && !t.Failed() {
		t.Errorf("systemd-analyze verify: %v\n%s", err, b)
	}
	for _, u := range copies {
		// bencao-report.service starts a set-id sendmail, which needs more privileges than the test
		// allows.
		if !strings.HasSuffix(u, ".service") || filepath.Base(u) == "bencao-report.service" {
			continue
		}
		// systemd rates the exposure of a unit from 0 (safest) to 10 (unprotected). The threshold
		// is ten times the highest rating that passes.
		b, err := exec.Command(analyze, "security", "--offline=true", "--threshold=15", "--no-pager", u).CombinedOutput()
		if err != nil {
			t.Errorf("%s is exposed more than 1.5 of 10: %v\n%s", filepath.Base(u), err, b)
		}
	}
}

// TestUnitsRunTheProgram checks that the program accepts the command and flags of each unit.
func TestUnitsRunTheProgram(t *testing.T) {
	root := newRoot()
	for _, name := range []string{"bencao-serve.service", "bencao-index.service", "bencao-pull.service", "bencao-report.service"} {
		line := regexp.MustCompile(`(?m)^ExecStart=bencao (.*)$`).FindStringSubmatch(read(t, deploy("systemd", name)))
		if line == nil {
			t.Errorf("%s does not start bencao", name)
			continue
		}
		cmd, rest, err := root.Find(strings.Fields(line[1]))
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err == nil {
			err = cmd.ValidateArgs(cmd.Flags().Args())
		}
		if err != nil || cmd == root {
			t.Errorf("%s: bencao %s: %v", name, line[1], err)
		}
	}
}

// TestExampleConfiguration checks that the program accepts the example configuration file.
func TestExampleConfiguration(t *testing.T) {
	var file configFile
	if err := file.read(deploy("bencao.toml")); err != nil {
		t.Error(err)
	}
}

func TestRules(t *testing.T) {
	promtool := need(t, "promtool", "prometheus")
	out(t, promtool, "check", "rules", deploy("prometheus", "bencao.rules.yml"))
	out(t, promtool, "test", "rules", deploy("prometheus", "bencao.rules.test.yml"))
}

var metricName = regexp.MustCompile(`\b(?:bencao|go|process)_[a-z0-9_]+\b`)

// TestMetricsExist checks that the rules and the dashboard use only metrics that the program
// exports.
func TestMetricsExist(t *testing.T) {
	exported := exportedMetrics(t)
	var dashboard any
	must(t, json.Unmarshal([]byte(read(t, deploy("grafana", "bencao.json"))), &dashboard))
	for file, text := range map[string]string{
		"bencao.rules.yml": read(t, deploy("prometheus", "bencao.rules.yml")),
		"bencao.json":      strings.Join(expressions(dashboard), "\n"),
	} {
		names := metricName.FindAllString(text, -1)
		if len(names) < 8 {
			t.Errorf("%s uses %d metrics, want at least 8", file, len(names))
		}
		for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
			if !slices.Contains(exported, name) {
				t.Errorf("%s uses %s, which the program does not export; it exports %s", file, name, strings.Join(exported, " "))
			}
		}
	}
}

// expressions returns every "expr" and "query" of a dashboard.
func expressions(v any) (all []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if text, ok := value.(string); ok && (key == "expr" || key == "query") {
				all = append(all, text)
			}
			all = append(all, expressions(value)...)
		}
	case []any:
		for _, value := range v {
			all = append(all, expressions(value)...)
		}
	}
	return all
}

// exportedMetrics returns the names of the metrics that a build, a pull and a server export.
func exportedMetrics(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() { out(t, "chmod", "-R", "u+w", dir) })
	prom := filepath.Join(dir, "bencao.prom")
	// One metric exists only with a root of trust.
	data := filepath.Join(dir, "data")
	output(t, "trust", "init", "--data", data)
	text := indexedSample(t, dir, "--metrics-file", prom) + read(t, prom)
	web := httptest.NewServer(http.FileServer(http.Dir(data)))
	defer web.Close()
	output(t, "pull", web.URL, "--data", filepath.Join(dir, "mirror"), "--metrics-file", prom)
	text += read(t, prom)
	// Some metrics exist only on servers that share their limits through Redis. No Redis runs at
	// this address; the server exports the metrics anyway.
	admin := serveSample(t, dir, "--redis", "redis://"+testkit.FreeAddress(t))
	// A metric with labels appears only after its first event.
	for _, key := range []string{"", "wrong"} {
		for range 70 { // more requests than the limit for an address
			req, err := http.NewRequest(http.MethodGet, "http://"+admin.listen+"/api/v1/stats", nil)
			must(t, err)
			req.Header.Set("X-Api-Key", key)
			body(t, req)
		}
	}
	req, err := http.NewRequest(http.MethodGet, "http://"+admin.admin+"/metrics", nil)
	must(t, err)
	text += body(t, req)
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^(?:# TYPE )?((?:bencao|go|process)_[a-z0-9_]+)[ {]`).FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// output runs bencao with args, which must succeed, and returns the standard output.
func output(t *testing.T, args ...string) []byte {
	t.Helper()
	b, err := self(t, args...).Output()
	if err != nil {
		t.Fatalf("bencao %s: %v\n%s", strings.Join(args, " "), err, b)
	}
	return b
}

// running holds the addresses of a running server.
type running struct{ listen, admin string }

// self returns a command that runs the test binary through a link with the name bencao. Under this
// name the test binary behaves as the program.
func self(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bencao")
	exe, err := os.Executable()
	must(t, err)
	must(t, os.Symlink(exe, program))
	cmd := exec.Command(program, args...)
	cmd.Stderr = t.Output()
	return cmd
}

func indexedSample(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	cmd := self(t, append([]string{"index", "--data", filepath.Join(dir, "data"), "--source", filepath.Join("..", "..", "indexer", "sample", "package")}, flags...)...)
	b, err := cmd.Output()
	if err != nil {
		t.Fatalf("index: %v\n%s", err, b)
	}
	return string(b)
}

// serveSample starts a server for the data folder data in dir. The access file has a key with the
// id x; the key is in dir/x.key.
func serveSample(t *testing.T, dir string, flags ...string) running {
	t.Helper()
	access := filepath.Join(dir, "access.toml")
	key, err := self(t, "keys", "create", "--access", access, "--id", "x", "--network", "127.0.0.0/8", "--expires", "2099-01-01").Output()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "x.key"), key, 0o600)
	}
	if err != nil {
		t.Fatalf("keys: %v", err)
	}
	r := running{testkit.FreeAddress(t), testkit.FreeAddress(t)}
	cmd := self(t, append([]string{"serve", "--data", filepath.Join(dir, "data"), "--access", access, "--listen", r.listen, "--admin", r.admin}, flags...)...)
	cmd.Stderr = nil // the log has a line for each request
	must(t, cmd.Start())
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // the error says that the server was killed
	})
	req, err := http.NewRequest(http.MethodGet, "http://"+r.admin+"/healthz", nil)
	must(t, err)
	if err := patient(t, req).Body.Close(); err != nil {
		t.Error(err)
	}
	return r
}

// body sends a request and returns the body of the response, whatever its status.
func body(t *testing.T, req *http.Request) string {
	t.Helper()
	resp, err := http.DefaultClient.Do(req)
	must(t, err)
	defer resp.Body.Close()
	var b strings.Builder
	must(t, resp.Write(&b))
	return b.String()
}

// TestInstallCommands checks that the owners and groups in the "install" commands of the
// documentation are those that the package creates.
func TestInstallCommands(t *testing.T) {
	created := read(t, deploy("package", "postinst.sh"))
	users := strings.Fields(regexp.MustCompile(`for user in ([^;\n]+)`).FindStringSubmatch(created)[1])
	groups := []string{regexp.MustCompile(`groupadd --system (\S+)`).FindStringSubmatch(created)[1]}
	found := 0
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	must(t, err)
	for _, page := range pages {
		for _, m := range regexp.MustCompile(`(?m)^install .*-o (\S+) -g (\S+) `).FindAllStringSubmatch(read(t, page), -1) {
			found++
			if !slices.Contains(users, m[1]) || !slices.Contains(groups, m[2]) {
				t.Errorf("%s: %q: the package creates the users %q and the groups %q", page, m[0], users, groups)
			}
		}
	}
	if found == 0 {
		t.Error("no page has such a command")
	}
}
