// Package textfile writes what a job did as gauges, for the textfile collector
// of Prometheus' node exporter.
//
// A job ends before anybody could ask it. So it leaves a file behind, and what
// must outlive a run that failed, the time of the last success, is carried
// over from the file before.
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

// Gauges is the content of such a file while it is put together.
type Gauges struct {
	path string
	text strings.Builder
}

// New begins the file that will be at path.
func New(path string) *Gauges { return &Gauges{path: path} }

// Gauge begins a metric. The function that it returns adds a value to it, with
// labels as name, value, name, value …
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

// Time adds a metric that is a time.
func (g *Gauges) Time(name, help string, at time.Time) { g.Gauge(name, help)(float64(at.Unix())) }

// OneOf adds a metric that is 1 for one of the values of a label, and 0 for
// the others.
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

// Last adds the time at which something was last so: at if it is so now, else
// the one that the file before has. Without either there is no such metric.
func (g *Gauges) Last(name, help string, so bool, at time.Time) {
	value, known := float64(at.Unix()), true
	if !so {
		value, known = g.before(name)
	}
	if known {
		g.Gauge(name, help)(value)
	}
}

// maxBefore bounds what is read of the file before.
const maxBefore = 4 << 20

// before reads the value of a metric without labels from the file before.
func (g *Gauges) before(name string) (value float64, known bool) {
	f, err := os.Open(g.path)
	if err != nil {
		return 0, false // the first run
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

// Write puts the file in place, so that a collector sees the old one or the
// new one, whole.
func (g *Gauges) Write() error {
	if err := durable.WriteFile(g.path, []byte(g.text.String()), durable.Options{}); err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	return nil
}

var escape = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func quote(v string) string { return `"` + escape.Replace(v) + `"` }
