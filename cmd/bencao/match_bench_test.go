//go:build unix

package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bencao/internal/test/fullsize"
)

// millionRows is the number of rows in the list of the benchmark.
const millionRows = 1_000_000

// BenchmarkMatchMillion runs "bencao match" on a list of a million rows, as a user does. The rows
// are names of the full-size WCVP with their authors; in every tenth name a letter is missing. The
// snapshot has WCVP and two more checklists. The benchmark needs the full-size data.
func BenchmarkMatchMillion(b *testing.B) {
	fullSize := fullsize.Path(b, "data")
	dir := b.TempDir()
	program := filepath.Join(dir, "bencao")
	command(b, "go", "build", "-o", program, ".")
	data, list := filepath.Join(dir, "data"), filepath.Join(dir, "list.csv")
	source := filepath.Join(dir, "sample")
	command(b, program, "version")
	must(b, os.CopyFS(source, os.DirFS(filepath.Join("..", "..", "indexer", "sample", "package"))))
	args := []string{"index", "--data", data, "--source", source}
	for _, c := range []string{"wcvp=wcvp.zip", "wfo=wfo-dwca.zip", "col-china=col-china.zip"} {
		key, file, _ := strings.Cut(c, "=")
		args = append(args, "--checklist", key+"="+filepath.Join(fullSize, file))
	}
	command(b, program, args...)
	writeList(b, list, filepath.Join(fullSize, "wcvp.zip"))
	b.ResetTimer()
	for b.Loop() {
		cmd := exec.Command(program, "match", "--data", data, "--column", "name", list)
		out, err := os.Create(filepath.Join(dir, "out.csv"))
		must(b, err)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = out, &stderr
		if err := cmd.Run(); err != nil {
			b.Fatalf("%v: %s", err, &stderr)
		}
		must(b, out.Close())
		b.Log(strings.TrimSpace(stderr.String()))
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		b.ReportMetric(millionRows/(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()).Seconds(), "rows/CPU-s")
		b.ReportMetric(float64(usage.Maxrss)/1024, "peak-MiB")
	}
	b.ReportMetric(millionRows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func command(b *testing.B, name string, args ...string) {
	b.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		b.Fatalf("%s %s: %v\n%s", name, args, err, out)
	}
}

// writeList writes [millionRows] rows to a list. The names come from the WCVP zip at wcvp.
func writeList(b *testing.B, list, wcvp string) {
	b.Helper()
	z, err := zip.OpenReader(wcvp)
	must(b, err)
	defer z.Close()
	out, err := os.Create(list)
	must(b, err)
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "id,name")
	random := rand.New(rand.NewPCG(1, 1))
	for n := 0; n < millionRows; {
		f, err := z.Open("wcvp_names.csv")
		must(b, err)
		n = writeNames(b, w, f, n, random)
		must(b, f.Close())
	}
	must(b, w.Flush())
	must(b, out.Close())
}

// writeNames writes rows with the names in f, until f ends or the list has [millionRows] rows. The
// first row has the number n. It returns the number of the next row.
func writeNames(b *testing.B, w io.Writer, f io.Reader, n int, random *rand.Rand) int {
	b.Helper()
	const nameColumn, authorColumn = 21, 22
	lines := bufio.NewScanner(f)
	lines.Scan() // skips the header
	for lines.Scan() && n < millionRows {
		c := strings.Split(lines.Text(), "|")
		name := c[nameColumn]
		if random.IntN(10) == 0 {
			at := 1 + random.IntN(len(name)-1)
			name = name[:at] + name[at+1:]
		}
		if _, err := fmt.Fprintf(w, "%d,\"%s\"\n", n+1, strings.ReplaceAll(name+" "+c[authorColumn], `"`, `""`)); err != nil {
			b.Fatal(err)
		}
		n++
	}
	must(b, lines.Err())
	return n
}
