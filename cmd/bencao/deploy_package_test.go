//go:build unix

package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"bencao/internal/test/testkit"

	"github.com/goccy/go-yaml"
)

// nfpm is the package builder inside goreleaser, in the version that goreleaser uses.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2"

// release is the part of .goreleaser.yaml that the tests use.
type release struct {
	Builds []struct {
		Main                string
		Env, Flags, Ldflags []string
	}
	Nfpms []map[string]any
}

// checkout is a clone of the commit at HEAD, with the built program and its manual.
type checkout struct {
	dir     string
	release release
}

func newCheckout(t *testing.T, dir string) checkout {
	t.Helper()
	out(t, "git", "clone", "--quiet", "--shared", filepath.Join("..", ".."), dir)
	c := checkout{dir: dir}
	date := strings.TrimSpace(out(t, "git", "-C", dir, "log", "-1", "--format=%cI"))
	// nfpm, which makes the packages in this test, does not know two things of goreleaser: the
	// template with the date, and the key dependencies, which nfpm calls depends.
	text := strings.NewReplacer("{{ .CommitDate }}", date, "dependencies:", "depends:").Replace(read(t, filepath.Join(dir, ".goreleaser.yaml")))
	must(t, yaml.Unmarshal([]byte(text), &c.release))
	c.run(t, c.release.Builds[0].Env, "go", append(append([]string{"build", "-buildvcs=true", "-o", "bin/bencao", "-ldflags", strings.Join(c.release.Builds[0].Ldflags, " ")},
		c.release.Builds[0].Flags...), c.release.Builds[0].Main)...)
	c.run(t, nil, "make", "manual")
	return c
}

// run runs a command in the checkout.
func (c checkout) run(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS="), env...)
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, b)
	}
}

// pack builds a package as goreleaser does and returns its path. format is deb or rpm. It hardly
// compresses, because compression takes ten seconds for each package.
func (c checkout) pack(t *testing.T, format, version string) string {
	t.Helper()
	config := map[string]any{}
	for key, value := range c.release.Nfpms[0] {
		config[key] = value
	}
	contents := append([]any{}, config["contents"].([]any)...)
	config["contents"] = append(contents, map[string]any{
		"src": "bin/bencao", "dst": config["bindir"].(string) + "/bencao", "file_info": map[string]any{"mode": 0o755},
	})
	config["name"], config["arch"], config["version"] = config["package_name"], runtime.GOARCH, version
	for _, goreleasers := range []string{"package_name", "bindir", "formats"} {
		delete(config, goreleasers)
	}
	config["deb"] = map[string]any{"compression": "none"}
	rpm := map[string]any{"compression": "gzip:1"}
	maps.Copy(rpm, config["rpm"].(map[string]any))
	config["rpm"] = rpm
	text, err := yaml.Marshal(config)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(c.dir, "bin", "nfpm.yaml"), text, 0o644))
	target := "bin/" + version + "." + format
	args := []string{"package", "--packager", format, "--config", "bin/nfpm.yaml", "--target", target}
	if program, err := exec.LookPath("nfpm"); err == nil {
		c.run(t, nil, program, args...)
	} else {
		c.run(t, nil, "go", append([]string{"run", nfpm}, args...)...)
	}
	return filepath.Join(c.dir, target)
}

// copied is a shell script. It runs a command in a temporary copy of the whole system, where a
// folder of the test is mounted at /in. A package that the command installs does not change this
// system.
const copied = `
set -e
copy=$1 in=$2; shift 2
mount -t tmpfs tmpfs "$copy"
mkdir "$copy/up" "$copy/work" "$copy/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$copy/up,workdir=$copy/work" "$copy/root"
mkdir -p "$copy/root/in"
mount --bind "$in" "$copy/root/in"
mount --rbind /dev "$copy/root/dev"
mount -t proc proc "$copy/root/proc"
exec chroot "$copy/root" "$@"
`

// packaged lists files that both packages contain.
var packaged = []string{
	"/usr/bin/bencao", "/usr/lib/bencao/bencao-push", "/usr/share/doc/bencao/examples/bencao.toml", "/usr/share/doc/bencao/README.zh.md", "/usr/share/doc/bencao/docs/zh/api.md", "/usr/share/doc/bencao/changelog.gz", "/usr/lib/systemd/system/bencao-serve.service", "/usr/lib/systemd/system/bencao.socket",
	"/usr/share/man/man1/bencao-keys-create.1.gz", "/usr/share/bash-completion/completions/bencao",
	"/usr/share/doc/bencao/copyright", "/usr/share/doc/bencao/NOTICE", "/usr/share/doc/bencao/THIRD_PARTY_NOTICES.txt", "/usr/share/doc/bencao/examples/nginx/bencao.conf", "/usr/share/doc/bencao/examples/haproxy/bencao.cfg",
}

// TestPackage checks the packages for Debian and Red Hat. Packages that are built in different
// folders must have the same bytes. Both packages can be installed, run, upgraded and removed.
func TestPackage(t *testing.T) {
	if os.Getenv("BENCAO_FAULTS") != "1" || os.Getuid() != 0 {
		t.Skip("SKIPPED: the packages are not tried; BENCAO_FAULTS=1 as root does it")
	}
	for _, tool := range []string{"dpkg", "rpm", "setpriv", "curl"} {
		need(t, tool, "dpkg, rpm, util-linux and curl, on Debian")
	}
	t.Setenv("SOURCE_DATE_EPOCH", strings.TrimSpace(out(t, "git", "log", "-1", "--format=%ct")))
	one := newCheckout(t, filepath.Join(t.TempDir(), "one"))
	two := newCheckout(t, filepath.Join(t.TempDir(), "two", "of", "them"))
	deb, rpm := one.pack(t, "deb", "1.0.0"), one.pack(t, "rpm", "1.0.0")
	same := map[string]string{filepath.Join(one.dir, "bin", "bencao"): filepath.Join(two.dir, "bin", "bencao")}
	same[deb], same[rpm] = two.pack(t, "deb", "1.0.0"), two.pack(t, "rpm", "1.0.0")
	for name, other := range same {
		if read(t, name) != read(t, other) {
			t.Errorf("%s and %s, made from one commit in two folders, differ", name, other)
		}
	}
	// The package must not reveal the name of the host that built it.
	if host := out(t, "rpm", "--query", "--queryformat", "%{BUILDHOST}", "--package", rpm); host != "bencao" {
		t.Errorf("the RPM names the host %s", host)
	}

	for list, zsh := range map[string]string{
		out(t, "dpkg-deb", "--contents", deb):                "/usr/share/zsh/vendor-completions/_bencao",
		out(t, "rpm", "--query", "--list", "--package", rpm): "/usr/share/zsh/site-functions/_bencao",
	} {
		for _, want := range append(packaged, zsh) {
			if !strings.Contains(list, want+"\n") {
				t.Errorf("a package lacks %s; it has\n%s", want, list)
			}
		}
	}

	// lintian, Debian's package checker, must find nothing. This package is not compressed, unlike
	// released ones, so the complaint about that is suppressed. lintian leaves temporary files, so
	// it gets a folder of the test.
	if said := out(t, "env", "TMPDIR="+t.TempDir(), need(t, "lintian", "lintian"), "--allow-root", "--tag-display-limit", "0",
		"--suppress-tags", "uses-no-compression-for-data-tarball", deb); said != "" {
		t.Errorf("lintian finds\n%s", said)
	}
	if says := out(t, "dpkg-deb", "--field", deb, "Recommends"); !strings.Contains(says, "ca-certificates") {
		t.Errorf("the package recommends %q, want ca-certificates", says)
	}

	in := t.TempDir()
	for to, from := range map[string]string{"1.deb": deb, "1.rpm": rpm, "2.deb": one.pack(t, "deb", "1.1.0"), "2.rpm": one.pack(t, "rpm", "1.1.0")} {
		must(t, os.Rename(from, filepath.Join(in, to)))
	}
	copyTo(t, filepath.Join("testdata", "package", "life.sh"), filepath.Join(in, "life.sh"))
	copyTo(t, filepath.Join("..", "..", "docs", "backup.md"), filepath.Join(in, "backup.md"))
	must(t, os.CopyFS(filepath.Join(in, "sample"), os.DirFS(filepath.Join("..", "..", "indexer", "sample"))))
	out(t, "chmod", "-R", "a+rX", in)
	cmd := exec.Command(need(t, "unshare", "util-linux"), "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private", "sh", "-c", copied, "copied",
		t.TempDir(), in, "/bin/sh", "/in/life.sh", testkit.FreeAddress(t), testkit.FreeAddress(t))
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8"}
	b, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(b), "== all is well\n") {
		t.Fatalf("installing, running, upgrading, removing: %v\n%s", err, b)
	}
	t.Logf("%s", b)
}
