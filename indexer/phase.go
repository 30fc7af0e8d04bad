package indexer

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Progress is told how far a phase has come. Total is 0 when it is not known.
// It is called from one goroutine at a time.
type Progress func(phase string, done, total int)

// clock measures the phases of a run and tells about them.
type clock struct {
	report   *Report
	log      *slog.Logger
	progress Progress
	name     string
	began    time.Time
	cpu      time.Duration
}

// phase runs one step, measured.
func (c *clock) phase(name string, step func() error) error {
	c.name, c.began, c.cpu = name, time.Now(), cpuTime()
	if err := step(); err != nil {
		return err
	}
	p := Phase{
		Name:       name,
		Seconds:    seconds(time.Since(c.began)),
		CPUSeconds: seconds(cpuTime() - c.cpu),
		PeakBytes:  peakMemory(),
	}
	c.report.Phases = append(c.report.Phases, p)
	c.log.Info("phase done", "phase", p.Name, "seconds", p.Seconds, "cpuSeconds", p.CPUSeconds, "peakMiB", p.PeakBytes>>20)
	return nil
}

// tick reports progress inside the running phase.
func (c *clock) tick(done, total int) {
	if c.progress != nil {
		c.progress(c.name, done, total)
	}
}

func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }

// cpuTime is the processor time that the process has used, all threads.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory is the most resident memory that the process has held, in
// bytes, or 0 where the system does not tell.
func peakMemory() int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		var kib int64
		if n, err := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 && err == nil {
			return kib << 10
		}
	}
	return 0
}
