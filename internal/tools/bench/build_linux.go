package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"bencao/internal/tools/bench/made"

	"golang.org/x/sys/unix"
)

func buildCommand(ctx context.Context, f *flag.FlagSet, args []string, _ io.Reader, out io.Writer) error {
	program := f.String("program", "bin/bencao", "the program that is measured")
	sources := f.String("sources", "", "folder that \"bench data\" wrote")
	data := f.String("data", "", "data folder that is written, empty or not there")
	path := f.String("out", "", "where the result goes, without .md and .json")
	scale := f.Float64("scale", 0, "scale of the sources, for the result")
	if err := parse(f, args, "sources", "data", "out"); err != nil {
		return err
	}
	if err := made.Empty(*data); err != nil { // the measured build starts without data
		return err
	}
	r := newResult("A night and a start", "wall s", "CPU s", "peak MiB", "MiB", "limit")
	r.Scale = *scale
	if err := nights(ctx, *program, *sources, *data, r); err != nil {
		return err
	}
	if err := starts(ctx, *program, *data, r); err != nil {
		return err
	}
	return r.write(*path, out)
}

// Limits at full size. Smaller values are better.
const (
	limitNight     = 240  // s
	limitUnchanged = 5    // s
	limitReady     = 3    // s
	limitResident  = 600  // MiB
	limitPeak      = 3072 // MiB
	limitSize      = 1.6  // multiple of the size of the sources' text
)

const mib = 1 << 20

// nights measures a nightly build, and another with unchanged sources.
func nights(ctx context.Context, program, sources, data string, r *result) error {
	first, err := night(ctx, program, sources, data, "--first")
	if err != nil {
		return err
	}
	text, err := bytesIn(sources)
	if err != nil {
		return err
	}
	r.Rows = append(r.Rows, row{Name: "night", Figures: figures(first.wall, first.cpu, first.peak, -1, limitNight)})
	again, err := night(ctx, program, sources, data)
	if err != nil {
		return err
	}
	r.Rows = append(r.Rows, row{Name: "unchanged night", Figures: figures(again.wall, again.cpu, again.peak, -1, limitUnchanged)})
	snapshot, report, err := reported(data)
	if err != nil {
		return err
	}
	for _, p := range report.Phases {
		r.Rows = append(r.Rows, row{Name: "phase " + p.Name, Figures: figures(p.Seconds, p.CPUSeconds, p.PeakBytes/mib, -1, -1)})
	}
	r.Rows = append(r.Rows, row{Name: "text of the sources", Figures: figures(-1, -1, -1, text/mib, -1)})
	return sizes(snapshot, text, r)
}

// report is the report of a nightly build.
type report struct {
	Program               string
	StartedAt, FinishedAt time.Time
	Phases                []struct {
		Name       string
		Seconds    float64
		CPUSeconds float64 `json:"cpuSeconds"`
		PeakBytes  float64 `json:"peakBytes"`
	}
}

// reported returns the folder of the only snapshot in a data folder, and the report of its build.
func reported(data string) (dir string, r report, err error) {
	found, err := filepath.Glob(filepath.Join(data, "snapshots", "*", "report.json"))
	if err != nil || len(found) != 1 {
		return "", r, errors.Join(err, fmt.Errorf("%s has %d snapshots, want the one that was built", data, len(found)))
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		return "", r, err
	}
	return filepath.Dir(found[0]), r, json.Unmarshal(b, &r)
}

// sizes adds the size of each file of a snapshot.
func sizes(snapshot string, text float64, r *result) error {
	whole, err := bytesIn(snapshot)
	if err != nil {
		return err
	}
	r.Rows = append(r.Rows, row{Name: "snapshot", Figures: figures(-1, -1, -1, whole/mib, limitSize*text/mib)})
	list, err := os.ReadDir(snapshot)
	if err != nil {
		return err
	}
	for _, e := range list {
		size, err := bytesIn(filepath.Join(snapshot, e.Name()))
		if err != nil {
			return err
		}
		r.Rows = append(r.Rows, row{Name: "file " + e.Name(), Figures: figures(-1, -1, -1, size/mib, -1)})
	}
	r.note("The snapshot has %.2f times the bytes of the sources' text; the limit is %.1f, of memory at night %d MiB.", whole/text, limitSize, limitPeak)
	return nil
}

// figures returns the figures of a row. A negative number means that a figure was not measured.
func figures(list ...float64) []*float64 {
	out := make([]*float64, len(list))
	for i, f := range list {
		if f >= 0 {
			out[i] = &f
		}
	}
	return out
}

// spent holds the cost of a process: times in seconds, memory in MiB.
type spent struct{ wall, cpu, peak float64 }

// night runs "bencao index" over complete sources.
func night(ctx context.Context, program, sources, data string, more ...string) (spent, error) {
	if err := made.Whole(sources); err != nil {
		return spent{}, err
	}
	args := []string{"index", "--source", filepath.Join(sources, made.PackageDir), "--checklist", "wcvp=" + filepath.Join(sources, made.WCVPDir),
		"--checklist", "wfo=" + filepath.Join(sources, made.WFODir), "--checklist", "col-china=" + filepath.Join(sources, made.ChinaDir),
		"--data", data}
	return taken(exec.CommandContext(ctx, program, append(args, more...)...))
}

// taken runs a program and returns its cost. An error contains the program's output.
func taken(cmd *exec.Cmd) (spent, error) {
	var said bytes.Buffer
	cmd.Stderr = &said
	if cmd.Stdout == nil {
		cmd.Stdout = &said
	}
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return spent{}, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said.Bytes())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return spent{
		wall: time.Since(start).Seconds(),
		cpu:  (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		peak: float64(usage.Maxrss) / 1024,
	}, nil
}

// bytesIn returns the size in bytes of a file, or of all files in a folder.
func bytesIn(dir string) (sum float64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			sum += float64(info.Size())
		}
		return err
	})
	return sum, err
}

// starts measures the time until a server is ready, first with none of its files in the system's
// cache and then with all of them.
func starts(ctx context.Context, program, data string, r *result) (err error) {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, name := range []string{"ready, cold", "ready, warm"} {
		if name == "ready, cold" {
			if err := forget(data); err != nil {
				return err
			}
		}
		s, err := serve(ctx, program, data, dir, 1)
		if err != nil {
			return err
		}
		cpu, err := s.cpu()
		if err != nil {
			return errors.Join(err, s.stop())
		}
		own, _, err := s.resident()
		r.Rows = append(r.Rows, row{Name: name, Figures: figures(s.ready.Seconds(), cpu.Seconds(), own/mib, -1, limitReady)})
		if err := errors.Join(err, s.stop()); err != nil {
			return err
		}
	}
	return resident(ctx, program, data, dir, r)
}

// resident sends each question of every kind once and then measures the memory.
func resident(ctx context.Context, program, data, dir string, r *result) (err error) {
	s, err := serve(ctx, program, data, dir, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	c := newClient(s.address, s.keys[0])
	defer c.close()
	d, err := newDeck(c)
	if err != nil {
		return err
	}
	for _, k := range kinds {
		for _, q := range k.make(d) {
			if _, err := c.ask(q); err != nil {
				return err
			}
		}
	}
	own, files, err := s.resident()
	r.Rows = append(r.Rows, row{Name: "resident after all kinds", Figures: figures(-1, -1, own/mib, (own+files)/mib, limitResident)})
	r.note("Resident: peak is memory of the server's own, MiB with the pages of its files that the system holds for it.")
	return err
}

// forget removes the files of a folder from the system's cache.
func forget(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED), f.Close())
	})
}
