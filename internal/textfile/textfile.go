// Package textfile writes the results of a job as gauges for the textfile collector of Prometheus'
// node exporter.
//
// A job ends before Prometheus could query it, so it writes a file. Each run copies the time of the
// last success from the previous file, so that a failed run does not lose it. The package does not
// know the jobs. Begin with [New].
package textfile

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"bencao/internal/durable"
)

// Gauges is the content of a metrics file.
type Gauges struct {
	path string
	text strings.Builder
}

// New returns Gauges without metrics. [Gauges.Write] writes them to path.
func New(path string) *Gauges { return &Gauges{path: path} }

// Gauge adds a metric. The returned function adds a sample of the metric. labels are the names and
// values of the sample's labels in turn: name, value, name, value …
func (g *Gauges) Gauge(name, help string) func(value float64, labels ...string) {
	fmt.Fprintf(&g.text, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
	return func(value float64, labels ...string) {
		g.text.WriteString(name)
		for i := 0; i < len(labels); i += 2 {
			sep := ","
			if i == 0 {
				sep = "{"
			}
			fmt.Fprintf(&g.text, "%s%s=%s", sep, labels[i], quote(labels[i+1]))
		}
		if len(labels) > 0 {
			g.text.WriteString("}")
		}
		g.text.WriteString(" " + strconv.FormatFloat(value, 'f', -1, 64) + "\n")
	}
}

// Time adds a metric whose value is a time.
func (g *Gauges) Time(name, help string, at time.Time) { g.Gauge(name, help)(float64(at.Unix())) }

// OneOf adds a metric with one sample for each of values. The parameter "is" is the current value.
// Its sample is 1, and the other samples are 0.
func (g *Gauges) OneOf(name, help, label, is string, values ...string) {
	sample := g.Gauge(name, help)
	for _, v := range values {
		truth := 0.0
		if v == is {
			truth = 1
		}
		sample(truth, label, v)
	}
}

// Last adds the time at which a condition was last true. so tells whether the condition is true
// now. If it is, the time is at. Otherwise Last takes the time from the previous file. Without a
// previous time, it adds nothing.
func (g *Gauges) Last(name, help string, so bool, at time.Time) {
	value, known := float64(at.Unix()), true
	if !so {
		value, known = g.before(name)
	}
	if known {
		g.Gauge(name, help)(value)
	}
}

// maxBefore is the largest number of bytes that are read from the previous file.
const maxBefore = 4 << 20

// before returns the value that a metric has in the previous file. The metric must have no labels.
func (g *Gauges) before(name string) (value float64, known bool) {
	f, err := os.Open(g.path)
	if err != nil {
		return 0, false // this is the first run
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxBefore))
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, name+" "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			return n, err == nil
		}
	}
	return 0, false
}

// Write replaces the file atomically.
func (g *Gauges) Write() error {
	if err := durable.WriteFile(g.path, []byte(g.text.String()), durable.Options{}); err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	return nil
}

var escape = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func quote(v string) string { return `"` + escape.Replace(v) + `"` }
