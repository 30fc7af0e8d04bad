package indexer

import (
	"log/slog"
	"time"

	"bencao/internal/system"
)

// Progress is called as a phase advances. done counts finished units of work and total all of them;
// total is 0 if it is unknown. Calls do not overlap.
type Progress func(phase string, done, total int)

// clock measures the phases of a run. It logs each phase and reports its progress.
type clock struct {
	report   *Report
	log      *slog.Logger
	progress Progress
	name     string
	began    time.Time
	cpu      time.Duration
}

// phase runs and measures one step.
func (c *clock) phase(name string, step func() error) error {
	c.name, c.began, c.cpu = name, time.Now(), system.CPUTime()
	if err := step(); err != nil {
		return err
	}
	p := Phase{
		Name:       name,
		Seconds:    seconds(time.Since(c.began)),
		CPUSeconds: seconds(system.CPUTime() - c.cpu),
		PeakBytes:  system.PeakMemory(),
	}
	c.report.Phases = append(c.report.Phases, p)
	c.log.Info("phase done", "phase", p.Name, "seconds", p.Seconds, "cpuSeconds", p.CPUSeconds, "peakMiB", p.PeakBytes>>20)
	return nil
}

// tick reports the progress of the running phase.
func (c *clock) tick(done, total int) {
	if c.progress != nil {
		c.progress(c.name, done, total)
	}
}

func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }
