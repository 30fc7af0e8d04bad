package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/indexer/sample"
	"bencao/internal/test/testkit"
	"bencao/store/snapshot"
	"bencao/store/snapshot/mirror"
)

// TestRsync runs the commands of "What a night costs" in docs/mirrors.md after a night with one new
// species, with the documented configuration of rsync's daemon. If rsync works, the pull downloads
// no file, and rsync transfers less than the changed files. Otherwise the pull downloads the files
// that are missing or altered.
func TestRsync(t *testing.T) {
	rsync := need(t, "rsync", "rsync")
	need(t, "curl", "curl")
	_, text, _ := strings.Cut(read(t, filepath.Join("..", "..", "docs", "mirrors.md")), "## What a night costs\n")
	blocks := strings.Split(text, "```")
	commands, conf := strings.TrimPrefix(blocks[1], "sh\n"), blocks[3]
	if !strings.Contains(commands, "--copy-dest=") || !strings.Contains(conf, "[bencao]") {
		t.Fatalf("docs/mirrors.md has other commands than expected: %q, %q", commands, conf)
	}
	for _, tt := range []struct {
		name    string
		harm    func(t *testing.T, conf, new string) // harms what rsync transfers
		fetches bool                                 // whether the pull then downloads files
	}{
		{"as documented", nil, false},
		{"rsync is refused", func(t *testing.T, conf, _ string) {
			must(t, os.WriteFile(conf, nil, 0o644))
		}, true},
		{"rsync sends an altered file", func(t *testing.T, _, new string) {
			name := filepath.Join(new, "store.bolt")
			b := []byte(read(t, name))
			b[len(b)/2] ^= 1
			must(t, errors.Join(os.Remove(name), os.WriteFile(name, b, 0o644)))
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Cleanup(func() { clearAway(dir) })
			data, copied, daemon := filepath.Join(dir, "data"), filepath.Join(dir, "mirror"), filepath.Join(dir, "daemon")
			must(t, copySample(data))
			web := httptest.NewServer(http.FileServer(http.Dir(data)))
			defer web.Close()
			out(t, self(t).Path, "pull", web.URL, "--data", copied)

			makeOlder(t, copied)
			addSpecies(t, filepath.Join(dir, "package"))
			out(t, self(t).Path, "index", "--data", data, "--source", filepath.Join(dir, "package"))
			current, err := snapshot.At(data).Published()
			must(t, err)
			if err := testkit.CopyFolder(data, daemon); err != nil { // rsync's own copy, which may be harmed
				t.Fatal(err)
			}
			address := testkit.FreeAddress(t)
			host, port, _ := strings.Cut(address, ":")
			config := filepath.Join(dir, "rsyncd.conf")
			must(t, os.WriteFile(config, []byte("use chroot = no\n"+strings.ReplaceAll(conf, "/var/lib/bencao", daemon)), 0o644))
			if tt.harm != nil {
				tt.harm(t, config, filepath.Join(daemon, "snapshots", current.ID))
			}
			background(t, exec.Command(rsync, "--daemon", "--no-detach", "--config", config, "--address", host, "--port", port, "--log-file", filepath.Join(dir, "log")))
			testkit.WaitFor(t, patience, "rsync listens", func() bool {
				return exec.Command(rsync, "rsync://"+address).Run() == nil
			})

			run := exec.Command("sh", "-c", strings.NewReplacer("https://plants.example/bencao", web.URL, "rsync://plants.example", "rsync://"+address, "/var/lib/bencao", copied).Replace(commands))
			programs := filepath.Dir(self(t).Path)
			must(t, os.WriteFile(filepath.Join(programs, "rsync"), []byte("#!/bin/sh\nexec "+rsync+" --stats \"$@\"\n"), 0o755))
			run.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"))
			said, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			if at, err := snapshot.At(copied).Published(); err != nil || at.ID != current.ID {
				t.Errorf("the mirror has %s (%v), want %s", at.ID, err, current.ID)
			}
			out(t, self(t).Path, "verify", "--deep", "--data", copied)
			var report mirror.Report
			must(t, json.Unmarshal([]byte(read(t, filepath.Join(copied, mirror.LastReport))), &report))
			if report.Fetched > 0 != tt.fetches || report.Outcome != mirror.Published {
				t.Errorf("the pull reports %+v, want downloads: %v", report, tt.fetches)
			}
			if tt.harm == nil {
				_, counts, _ := strings.Cut(strings.ReplaceAll(string(said), ",", ""), "Total file size: ")
				var total, received int64
				_, err := fmt.Sscanf(counts, "%d bytes", &total)
				_, counts, _ = strings.Cut(counts, "Total bytes received: ")
				if _, err2 := fmt.Sscanf(counts, "%d", &received); err != nil || err2 != nil || received > total/5 {
					t.Errorf("rsync received %d bytes for files of %d (%v, %v), want less than a fifth:\n%s", received, total, err, err2, said)
				}
			}
		})
	}
}

// addSpecies writes the sample package with one more species into a folder.
func addSpecies(t *testing.T, folder string) {
	t.Helper()
	must(t, os.CopyFS(folder, sample.Package()))
	name := filepath.Join(folder, "species.csv")
	text := read(t, name) + "9999,,仙草,xiān cǎo,Platostoma palustre,(Blume) A.J.Paton,species,Lamiaceae,唇形科,Platostoma,逐风草属,\n"
	must(t, os.WriteFile(name, []byte(text), 0o644))
}

// makeOlder sets the times of the files in a folder to a day before. rsync takes files of the same
// size and time for equal, and the builds of a test may be in the same second.
func makeOlder(t *testing.T, folder string) {
	t.Helper()
	yesterday := time.Now().Add(-24 * time.Hour)
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(name, yesterday, yesterday))
	})
	must(t, err)
}
