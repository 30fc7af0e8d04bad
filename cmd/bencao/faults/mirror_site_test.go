//go:build linux

package faults_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/csv"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bencao/indexer/sample"
	"bencao/internal/test/testkit"
	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

// publisher is a data folder that "bencao index" fills and nginx serves. [publisher.build] changes
// the sources and publishes the next snapshot.
type publisher struct {
	*site
	pkg, checklist string // folders with the data package and the checklist; checklist may be empty
	trustKeys      string // folder of the keys that sign; empty means the folder beside the data folder
	// the ids of the snapshots that [publisher.build] published, oldest first
	built []string
	nginx *nginx
}

// twoBuilds returns a publisher with the two snapshots of [sampleData]. The older one is current. A
// test makes the newer one current by a rollback, without another build.
func twoBuilds(t *testing.T) *publisher {
	t.Helper()
	p := &publisher{site: newSite(t)}
	p.rollback(t, p.older)
	p.nginx = newNginx(t, p.data)
	return p
}

// newPublisher returns a publisher before its first nightly build.
func newPublisher(t *testing.T) *publisher {
	t.Helper()
	faultsOnly(t)
	dir := t.TempDir()
	t.Cleanup(func() { must(t, clear(dir)) })
	p := &publisher{
		site: &site{data: filepath.Join(dir, "data"), access: filepath.Join(dir, "access.toml")},
		pkg:  filepath.Join(dir, "package"), checklist: filepath.Join(dir, "wcvp"),
	}
	must(t, os.CopyFS(p.pkg, sample.Package()))
	for _, c := range sample.Checklists() {
		if c.Name == "wcvp" {
			must(t, os.CopyFS(p.checklist, c.FS))
		}
	}
	p.all = p.openAll(t, "all")
	p.nginx = newNginx(t, p.data)
	return p
}

// index runs "bencao index" on the present sources and returns the id of the published snapshot.
func (p *publisher) index(t *testing.T, flags ...string) string {
	t.Helper()
	args := append([]string{"index", "--data", p.data, "--source", p.pkg, "--log", "json"}, flags...)
	// Without these flags, the checks would refuse that a third of the records changes.
	for table := range edited {
		args = append(args, "--allow", "changes="+table, "--allow", "growth="+table)
	}
	if p.checklist != "" {
		args = append(args, "--checklist", "wcvp="+p.checklist)
	}
	if p.trustKeys != "" {
		args = append(args, "--trust-keys", p.trustKeys)
	}
	bencao(t, args...)
	at, err := snapshot.At(p.data).Current()
	must(t, err)
	return at.ID
}

// edited maps each table to the column that [publisher.build] changes.
var edited = map[string]string{
	"species": "chinese_name", "synonyms": "author", "formulas": "efficacy", "papers": "title", "uses": "description", "flora": "page",
	"formula_codes": "label", "formula_ingredients": "note",
}

// build changes the sources, so that every kind of response changes, and runs a nightly build. It
// returns the snapshot's id.
func (p *publisher) build(t *testing.T, flags ...string) string {
	t.Helper()
	n := len(p.built) + 1
	for table, column := range edited {
		edit(t, filepath.Join(p.pkg, table+".csv"), column, n)
	}
	species := []string{fmt.Sprint(9000 + n), "", "夜合", "", "Lirianthe coco", "(Lour.) N.H.Xia & C.Y.Wu", "species", "Magnoliaceae", "木兰科", "Lirianthe", "", ""}
	must(t, appendCSV(filepath.Join(p.pkg, "species.csv"), [][]string{species}))
	id := p.index(t, flags...)
	p.built = append(p.built, id)
	return id
}

// edit changes a table for build number n: it sets the last character of a column in every third
// row. In the table of species it also removes the row that the previous build added.
func edit(t *testing.T, path, column string, n int) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	rows, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
	must(t, err)
	at := -1
	for i, name := range rows[0] {
		if name == column {
			at = i
		}
	}
	if at < 0 {
		t.Fatalf("%s has no column %s, only %q", path, column, rows[0])
	}
	for i := 1 + n%3; i < len(rows); i += 3 {
		rows[i][at] = strings.TrimRight(rows[i][at], "甲乙丙丁") + string([]rune("甲乙丙丁")[n%4])
	}
	if n > 1 && strings.HasSuffix(path, "species.csv") {
		rows = rows[:len(rows)-1] // the row that the previous build added
	}
	f, err := os.Create(path)
	must(t, err)
	must(t, errors.Join(csv.NewWriter(f).WriteAll(rows), f.Close()))
}

// mirror returns a mirror of p that has an empty data folder and the access file of p.
func (p *publisher) mirror(t *testing.T) *copyOf {
	t.Helper()
	return &copyOf{site: p.newMirror(t), publisher: p, url: p.nginx.http}
}

// copyOf is a mirror of a publisher.
type copyOf struct {
	*site
	publisher *publisher
	url       string
}

// command returns the command "bencao pull" for m. The command trusts nginx's certificate
// authority.
func (m *copyOf) command(flags ...string) *exec.Cmd {
	cmd := exec.Command(program(), append([]string{"pull", m.url, "--data", m.data, "--log", "json", "--json"}, flags...)...)
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+m.publisher.nginx.authority)
	return cmd
}

// pull runs "bencao pull" and returns its exit code, its report and its standard error.
func (m *copyOf) pull(t *testing.T, flags ...string) (code int, r mirror.Report, said string) {
	t.Helper()
	return m.finish(t, m.command(flags...))
}

// finish is [copyOf.pull] with a prepared command.
func (m *copyOf) finish(t *testing.T, cmd *exec.Cmd) (code int, r mirror.Report, said string) {
	t.Helper()
	out, problems := &lockedBuffer{}, &lockedBuffer{}
	cmd.Stdout, cmd.Stderr = out, problems
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
		t.Fatalf("the pull reports %q: %v\n%s", out, err, problems)
	}
	return cmd.ProcessState.ExitCode(), r, problems.String()
}

// pulled runs a pull, which must succeed, and returns its report.
func (m *copyOf) pulled(t *testing.T, flags ...string) mirror.Report {
	t.Helper()
	code, r, said := m.pull(t, flags...)
	if code != 0 {
		t.Fatalf("pull ended with %d:\n%s", code, said)
	}
	m.has(t, r.Snapshot)
	return r
}

// refused runs a pull, which must fail with reason in its message. The mirror must still have the
// snapshot id.
func (m *copyOf) refused(t *testing.T, reason, id string, flags ...string) {
	t.Helper()
	code, r, said := m.pull(t, append([]string{"--retries", "1"}, flags...)...)
	lines := strings.Split(strings.TrimSpace(said), "\n")
	want := 1
	if r.Outcome == mirror.Refused {
		want = 3
	}
	if last := lines[len(lines)-1]; code != want || !strings.HasPrefix(last, "bencao: ") || !strings.Contains(last, reason) {
		t.Errorf("exit code %d, want %d and a message with %q:\n%s", code, want, reason, said)
	}
	if r.Outcome != mirror.Failed && r.Outcome != mirror.Stale && r.Outcome != mirror.Refused || r.Snapshot != id {
		t.Errorf("the report says %s with %s, want failed with %s", r.Outcome, r.Snapshot, id)
	}
	m.has(t, id)
}

// nginx is a web server that serves a folder.
type nginx struct {
	http, https string // addresses, which stay the same after a restart
	authority   string // file with the certificate authority of nginx's certificate
	dir, data   string
	run         *exec.Cmd
	ended       chan error
}

// newNginx returns a server that is not started yet. data is the folder to serve.
func newNginx(t *testing.T, data string) *nginx {
	t.Helper()
	dir := t.TempDir()
	n := &nginx{data: data, dir: dir, authority: filepath.Join(dir, "authority.pem")}
	certify(t, dir)
	n.http, n.https = "http://"+testkit.FreeAddress(t), "https://"+testkit.FreeAddress(t)
	t.Cleanup(func() { n.kill(t) })
	return n
}

// start starts the server. A connection gets rate bytes per second; a rate of 0 means no limit.
func (n *nginx) start(t *testing.T, rate int) {
	t.Helper()
	path := tool(t, "nginx")
	text := strings.NewReplacer("HTTPS", strings.TrimPrefix(n.https, "https://"), "HTTP", strings.TrimPrefix(n.http, "http://"),
		"DIR", n.dir, "DATA", n.data, "RATE", strconv.Itoa(rate)).Replace(nginxHead + `
	server {
		listen HTTP;
		listen HTTPS ssl;
		ssl_certificate DIR/nginx.pem;
		ssl_certificate_key DIR/nginx.key;
		root DATA;
		limit_rate RATE;
	}
}
`)
	if os.Getuid() == 0 {
		text = "user root;\n" + text // the worker must be allowed to read a folder of the test
	}
	config := filepath.Join(n.dir, "config")
	must(t, os.WriteFile(config, []byte(text), 0o600))
	out := &lockedBuffer{}
	cmd := exec.Command(path, "-c", config, "-p", n.dir, "-e", "stderr")
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // in its own process group, so that a kill reaches the worker too
	must(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	n.run, n.ended = cmd, ended
	until(t, "nginx listens", func() bool {
		c, err := net.Dial("tcp", strings.TrimPrefix(n.https, "https://"))
		if err == nil {
			must(t, c.Close())
			return true
		}
		select {
		case err := <-ended:
			n.run = nil
			t.Fatalf("nginx ended at once: %v\n%s", err, out)
		default:
		}
		return false
	})
}

// kill kills nginx, which closes every connection.
func (n *nginx) kill(t *testing.T) {
	t.Helper()
	if n.run == nil {
		return
	}
	must(t, syscall.Kill(-n.run.Process.Pid, syscall.SIGKILL))
	<-n.ended // the result only says that nginx was killed
	n.run = nil
}

// restart kills nginx and starts it with another rate.
func (n *nginx) restart(t *testing.T, rate int) {
	t.Helper()
	n.kill(t)
	n.start(t, rate)
}

// certify writes a certificate authority and a certificate for nginx to files in dir.
func certify(t *testing.T, dir string) {
	t.Helper()
	write := func(file, kind string, b []byte) {
		must(t, os.WriteFile(filepath.Join(dir, file), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600))
	}
	template := func(serial int64, name string) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name},
			NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
		}
	}
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	authority := template(1, "authority")
	authority.IsCA, authority.KeyUsage = true, x509.KeyUsageCertSign
	b, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	must(t, err)
	write("authority.pem", "CERTIFICATE", b)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	own := template(2, "127.0.0.1")
	own.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	b, err = x509.CreateCertificate(rand.Reader, own, authority, key.Public(), authorityKey)
	must(t, err)
	write("nginx.pem", "CERTIFICATE", b)
	b, err = x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	write("nginx.key", "PRIVATE KEY", b)
}
