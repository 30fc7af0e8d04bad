package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/store/snapshot"
)

// bucketStore is s3rver, an S3 store, with the bucket "plants". Requests reach it through a proxy. As
// in a public bucket of S3 that strangers may not list, a request without a signature gets 403 for an
// object that is missing.
type bucketStore struct {
	url    string
	folder string // of the bucket, on the disk

	mu     sync.Mutex // guards the fields below
	writes []string   // the written and removed objects of the bucket, in order
	left   int        // number of writes after which the store refuses every request; below 0 is never
}

// startBucket starts a store with an empty bucket.
func startBucket(t *testing.T) *bucketStore {
	t.Helper()
	need(t, "rclone", "rclone")
	program := need(t, "s3rver", "it by \"npm install -g s3rver@3.7.1\"")
	root := t.TempDir()
	folder := filepath.Join(root, "plants")
	must(t, os.Mkdir(folder, 0o755))
	address := testkit.FreeAddress(t)
	host, port, _ := strings.Cut(address, ":")
	background(t, exec.Command(program, "--directory", root, "--address", host, "--port", port, "--no-vhost-buckets", "--silent"))
	to, err := url.Parse("http://" + address)
	must(t, err)
	s := &bucketStore{folder: folder, left: -1}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(r *http.Response) error {
		if r.StatusCode == http.StatusNotFound && r.Request.Header.Get("Authorization") == "" {
			r.StatusCode, r.Status = http.StatusForbidden, "403 Forbidden"
		}
		return nil
	}
	web := httptest.NewServer(s.between(proxy))
	t.Cleanup(web.Close)
	s.url = web.URL + "/plants/"
	req, err := http.NewRequest(http.MethodGet, to.String(), nil)
	must(t, err)
	if err := patient(t, req).Body.Close(); err != nil {
		t.Error(err)
	}
	return s
}

// between returns a handler that records writes and passes requests on to the store.
func (s *bucketStore) between(store http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		write := r.Method == http.MethodPut || r.Method == http.MethodDelete
		refused := s.left == 0
		if write && !refused {
			s.left--
			s.writes = append(s.writes, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/plants/"))
		}
		s.mu.Unlock()
		if refused {
			panic(http.ErrAbortHandler)
		}
		store.ServeHTTP(w, r)
	}
}

// stopAfter makes the store refuse every request after n writes. Below 0 is never.
func (s *bucketStore) stopAfter(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = n
}

// written returns the writes since the last call.
func (s *bucketStore) written() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.writes
	s.writes = nil
	return all
}

// environment returns the environment of rclone.
func (s *bucketStore) environment(t *testing.T, more ...string) []string {
	t.Helper()
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AWS_") || strings.HasPrefix(v, "RCLONE_") })
	return append(append(env, "RCLONE_CONFIG=/dev/null", "RCLONE_S3_PROVIDER=Other", "RCLONE_S3_ENV_AUTH=true", "RCLONE_S3_ENDPOINT="+strings.TrimSuffix(s.url, "/plants/"),
		"AWS_ACCESS_KEY_ID=S3RVER", "AWS_SECRET_ACCESS_KEY=S3RVER", "RCLONE_RETRIES=1", "RCLONE_LOW_LEVEL_RETRIES=1",
		"PATH="+filepath.Dir(self(t).Path)+":"+os.Getenv("PATH")), more...)
}

// push runs the script bencao-push. It returns the exit status and the output.
func (s *bucketStore) push(t *testing.T, data, folder string, more ...string) (int, string) {
	t.Helper()
	return push(t, data, ":s3:plants/"+folder, s.environment(t, more...))
}

// pushed runs the script, which must succeed.
func (s *bucketStore) pushed(t *testing.T, data, folder string, more ...string) {
	t.Helper()
	if code, said := s.push(t, data, folder, more...); code != 0 {
		t.Fatalf("bencao-push %s %s: exit code %d\n%s", data, folder, code, said)
	}
}

// pulled returns the id of the snapshot that a new mirror of a folder in the bucket gets. The mirror
// checks every byte and the signatures.
func (s *bucketStore) pulled(t *testing.T, folder, root string) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() { clearAway(dir) })
	out(t, self(t).Path, "pull", s.url+folder, "--data", filepath.Join(dir, "data"), "--trust-root", root, "--retries", "1")
	at, err := snapshot.At(filepath.Join(dir, "data")).Current()
	must(t, err)
	return at.ID
}

// push runs the script bencao-push with an environment. It returns the exit status and the output.
func push(t *testing.T, data, to string, env []string) (int, string) {
	t.Helper()
	cmd := exec.Command(deploy("rclone", "bencao-push"), data, to)
	cmd.Env = env
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(said)
}

// pushers returns two states of a publisher with a root of trust: each is a data folder, and the
// second one has a later snapshot too.
func pushers(t *testing.T) (older, newer string) {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() { clearAway(dir) })
	older, newer = filepath.Join(dir, "older"), filepath.Join(dir, "newer")
	out(t, self(t).Path, "trust", "init", "--data", newer)
	out(t, self(t).Path, "index", "--data", newer, "--source", fewSpecies(t, ""))
	must(t, testkit.CopyFolder(newer, older))
	out(t, self(t).Path, "index", "--data", newer, "--source", fewSpecies(t, "3,Glycyrrhiza uralensis,甘草,species\n"))
	return older, newer
}

// fewSpecies returns a data package with two species and those in more.
func fewSpecies(t *testing.T, more string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"datapackage.json": `{"name": "few", "version": "1", "resources": [{"name": "species", "path": "species.csv"}]}`,
		"species.csv":      "entry_id,scientific_name,chinese_name,rank\n1,Panax ginseng,人参,species\n2,Ginkgo biloba,银杏,species\n" + more,
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

// currentOf returns the id of the current snapshot of a data folder.
func currentOf(t *testing.T, data string) string {
	t.Helper()
	at, err := snapshot.At(data).Current()
	must(t, err)
	return at.ID
}

// TestPush sends two snapshots to a bucket. It checks the order of the writes, the headers, what
// mirrors get, and that old snapshots stay for an hour.
func TestPush(t *testing.T) {
	s := startBucket(t)
	older, newer := pushers(t)
	root := filepath.Join(older, "tuf", "1.root.json")
	s.pushed(t, older, "b")
	if got := s.pulled(t, "b", root); got != currentOf(t, older) {
		t.Errorf("a mirror gets %s, want %s", got, currentOf(t, older))
	}
	s.written()
	s.pushed(t, newer, "b")
	id := currentOf(t, newer)
	var order []string
	for _, w := range s.written() {
		kind := strings.TrimPrefix(w, "PUT b/")
		switch {
		case strings.HasSuffix(kind, "/manifest.json"):
			kind = "manifest"
		case strings.HasPrefix(kind, "snapshots/"+id+"/"):
			kind = "file"
		case strings.HasSuffix(kind, ".targets.json"), strings.HasSuffix(kind, ".snapshot.json"):
			kind = "signed"
		}
		if len(order) == 0 || order[len(order)-1] != kind {
			order = append(order, kind)
		}
	}
	if want := []string{"file", "manifest", "signed", "tuf/timestamp.json", "CURRENT"}; !slices.Equal(slices.DeleteFunc(order, func(k string) bool { return k == "CHECKED" }), want) {
		t.Errorf("the script writes %q, want %q", order, want)
	}
	if got := s.pulled(t, "b", root); got != id {
		t.Errorf("a mirror gets %s, want %s", got, id)
	}
	for path, want := range map[string]string{
		"CURRENT": "public, max-age=60", "tuf/timestamp.json": "public, max-age=60", "tuf/root.json": "public, max-age=60", "tuf/1.root.json": "public, max-age=31536000, immutable",
		"snapshots/" + id + "/manifest.json": "public, max-age=31536000, immutable", "snapshots/" + id + "/store.bolt": "public, max-age=31536000, immutable",
	} {
		resp, err := http.Get(s.url + "b/" + path)
		must(t, err)
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
		if got := resp.Header.Get("Cache-Control"); resp.StatusCode != http.StatusOK || got != want {
			t.Errorf("%s has status %d and Cache-Control %q, want %q", path, resp.StatusCode, got, want)
		}
	}

	// Nothing is sent again. The old snapshot is removed only if the bucket has shown the new one
	// for long enough.
	s.pushed(t, newer, "b")
	if all := s.written(); all != nil {
		t.Errorf("a script that has nothing to send writes %q", all)
	}
	s.pushed(t, newer, "b", "BENCAO_PUSH_AGE=0s")
	all := s.written()
	if len(all) == 0 || all[0] != "DELETE b/snapshots/"+currentOf(t, older)+"/manifest.json" || slices.ContainsFunc(all, func(w string) bool { return !strings.HasPrefix(w, "DELETE b/snapshots/"+currentOf(t, older)+"/") }) {
		t.Errorf("the script writes %q, want only that it removes the old snapshot, its manifest first", all)
	}
	if got := s.pulled(t, "b", root); got != id {
		t.Errorf("a mirror gets %s, want %s", got, id)
	}
}

// TestPushStopped stops the store before some writes of a push, among them the last ones, which name
// the new snapshot. A mirror must get the old or the new snapshot, complete. The next push must
// finish the work.
func TestPushStopped(t *testing.T) {
	s := startBucket(t)
	older, newer := pushers(t)
	root := filepath.Join(older, "tuf", "1.root.json")
	s.pushed(t, older, "old")
	must(t, testkit.CopyFolder(filepath.Join(s.folder, "old"), filepath.Join(s.folder, "whole")))
	s.written()
	s.pushed(t, newer, "whole")
	total := len(s.written())
	seen := map[string]int{}
	for _, at := range []int{total - 8, total - 5, total - 4, total - 3, total - 2, total - 1} {
		folder := fmt.Sprint("stopped-", at)
		must(t, testkit.CopyFolder(filepath.Join(s.folder, "old"), filepath.Join(s.folder, folder)))
		s.stopAfter(at)
		code, said := s.push(t, newer, folder)
		s.stopAfter(-1)
		if code != 1 {
			t.Errorf("a push that is stopped after %d of %d writes ends with exit code %d:\n%s", at, total, code, said)
		}
		got := s.pulled(t, folder, root)
		seen[got]++
		if got != currentOf(t, older) && got != currentOf(t, newer) {
			t.Errorf("after %d of %d writes a mirror gets %s", at, total, got)
		}
		s.pushed(t, newer, folder)
		if got := s.pulled(t, folder, root); got != currentOf(t, newer) {
			t.Errorf("after the next push a mirror gets %s, want %s", got, currentOf(t, newer))
		}
	}
	if len(seen) != 2 {
		t.Errorf("mirrors get %v, want both snapshots at some time", seen)
	}
}

// TestPushRefused tries pushes that the bucket must not show. The script ends with exit code 3 and
// writes nothing.
func TestPushRefused(t *testing.T) {
	s := startBucket(t)
	older, newer := pushers(t)
	unsigned, forked := filepath.Join(t.TempDir(), "unsigned"), filepath.Join(t.TempDir(), "forked")
	t.Cleanup(func() { clearAway(filepath.Dir(unsigned)); clearAway(filepath.Dir(forked)) })
	must(t, errors.Join(testkit.CopyFolder(older, unsigned), os.RemoveAll(filepath.Join(unsigned, "tuf")), testkit.CopyFolder(newer, forked)))
	name := filepath.Join(forked, "tuf", "timestamp.json")
	must(t, os.WriteFile(name, []byte(strings.Replace(read(t, name), `"expires":"2`, `"expires":"3`, 1)), 0o644))
	dir := t.TempDir()
	t.Cleanup(func() { clearAway(dir) })
	whole, public := filepath.Join(dir, "whole"), filepath.Join(dir, "public")
	out(t, self(t).Path, "index", "--data", whole, "--source", fewSpecies(t, ""), "--public", public)
	// A second snapshot of a folder gets a later time than the first, even within the same second.
	later := filepath.Join(dir, "later")
	for _, row := range []string{"", "3,Glycyrrhiza uralensis,甘草,species\n"} {
		out(t, self(t).Path, "index", "--data", later, "--source", fewSpecies(t, row))
	}

	s.pushed(t, newer, "signed")
	s.pushed(t, later, "plain")
	s.pushed(t, public, "public")
	for _, tt := range []struct{ name, data, folder, want string }{
		{"an older signed state", older, "signed", "the bucket has version "},
		{"a state without signatures over a signed one", unsigned, "signed", "has none"},
		{"another state of the same version", forked, "signed", "differs from the one in"},
		{"an older snapshot", whole, "plain", "which is later than " + currentOf(t, whole)},
		{"all data over public data", whole, "public", "the bucket has public snapshots"},
	} {
		s.written()
		code, said := s.push(t, tt.data, tt.folder, "BENCAO_PUSH_AGE=0s")
		if code != 3 || !strings.Contains(said, tt.want) || s.written() != nil {
			t.Errorf("%s: exit code %d, want 3 with %q and no writes:\n%s", tt.name, code, tt.want, said)
		}
	}

	// Without CURRENT in the bucket, an older state may be sent, but never all data.
	remove, err := http.NewRequest(http.MethodDelete, s.url+"public/CURRENT", nil)
	must(t, err)
	if err := patient(t, remove).Body.Close(); err != nil {
		t.Error(err)
	}
	if code, said := s.push(t, whole, "public"); code != 3 || !strings.Contains(said, "the bucket has public snapshots") {
		t.Errorf("all data into a bucket that shows nothing but has public data: exit code %d, want 3:\n%s", code, said)
	}
	s.pushed(t, public, "public")

	// A rollback goes to the bucket.
	out(t, self(t).Path, "index", "--data", later, "--source", fewSpecies(t, "3,Glycyrrhiza uralensis,甘草,species\n"))
	s.pushed(t, later, "plain")
	var ids []string
	list, err := snapshot.At(later).List()
	must(t, err)
	for _, i := range list {
		ids = append(ids, i.ID)
	}
	out(t, self(t).Path, "rollback", ids[1], "--data", later)
	s.pushed(t, later, "plain")
}

// TestPrivateBucket runs the commands of docs/mirrors.md that copy complete data from a bucket with
// credentials. They must make a snapshot current only if each file is as the manifest says.
func TestPrivateBucket(t *testing.T) {
	s := startBucket(t)
	older, newer := pushers(t)
	_, text, _ := strings.Cut(read(t, filepath.Join("..", "..", "docs", "mirrors.md")), "**Complete data**")
	commands := strings.TrimPrefix(strings.Split(text, "```")[1], "sh\n")
	data := filepath.Join(t.TempDir(), "mirror")
	t.Cleanup(func() { clearAway(data) })
	must(t, os.Mkdir(data, 0o755))
	mirror := func(env ...string) error {
		cmd := exec.Command("sh", "-c", strings.ReplaceAll(commands, "/var/lib/bencao", data))
		cmd.Env = s.environment(t, env...)
		b, err := cmd.CombinedOutput()
		t.Logf("%s", b)
		return err
	}
	for _, publisher := range []string{older, newer, newer} {
		s.pushed(t, publisher, "bencao")
		must(t, mirror())
		if got := currentOf(t, data); got != currentOf(t, publisher) {
			t.Errorf("the mirror has %s, want %s", got, currentOf(t, publisher))
		}
	}

	// The store alters a file of a third snapshot.
	out(t, self(t).Path, "index", "--data", newer, "--source", fewSpecies(t, "3,Glycyrrhiza glabra,光果甘草,species\n"), "--allow", "changes=species")
	s.pushed(t, newer, "bencao")
	put, err := http.NewRequest(http.MethodPut, s.url+"bencao/snapshots/"+currentOf(t, newer)+"/names.idx", strings.NewReader("altered"))
	must(t, err)
	if err := patient(t, put).Body.Close(); err != nil {
		t.Error(err)
	}
	before := currentOf(t, data)
	if err := mirror(); err == nil || currentOf(t, data) != before {
		t.Errorf("an altered snapshot: %v, and %s is current, want an error and %s", err, currentOf(t, data), before)
	}
}

// TestPodPulls runs rclone with the arguments of the container that serves a bucket to its pod. In
// place of the bucket it has a folder, because s3rver lists no folder beside files. A mirror of that
// rclone must get each state that bencao-push sends.
func TestPodPulls(t *testing.T) {
	need(t, "rclone", "rclone")
	older, newer := pushers(t)
	args := regexp.MustCompile(`args: \[(serve, http, .*)\]`).FindStringSubmatch(read(t, deploy("kubernetes", "bucket", "serve.yaml")))
	if args == nil {
		t.Fatal("no container serves the bucket")
	}
	bucket, address, env := filepath.Join(t.TempDir(), "bucket"), testkit.FreeAddress(t), append(os.Environ(), "RCLONE_CONFIG=/dev/null")
	pod := filepath.Join(t.TempDir(), "pod")
	t.Cleanup(func() { clearAway(pod) })
	pull := func() string {
		out(t, self(t).Path, "pull", "http://"+address, "--data", pod, "--trust-root", filepath.Join(older, "tuf", "1.root.json"))
		return currentOf(t, pod)
	}
	for i, publisher := range []string{older, newer} {
		if code, said := push(t, publisher, bucket, env); code != 0 {
			t.Fatalf("bencao-push: exit code %d\n%s", code, said)
		}
		if i == 0 {
			serve := exec.Command("rclone", strings.Split(strings.NewReplacer(`"`, "", "127.0.0.1:8082", address, ":s3:plants/bencao", bucket).Replace(args[1]), ", ")...)
			serve.Env = env
			background(t, serve)
		}
		testkit.WaitFor(t, testkit.Patience, "the pod has the publisher's snapshot", func() bool { return pull() == currentOf(t, publisher) })
	}
}
