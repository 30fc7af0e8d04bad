package api

import (
	"fmt"
	"time"

	"bencao/api/access"
	"bencao/store/snapshot"

	"github.com/prometheus/client_golang/prometheus"
)

// skew is how far the clock of another machine, such as the publisher's, may be ahead of this one.
const skew = 10 * time.Minute

// late returns an error if the snapshot is older than the operator allows. age is the time since
// the snapshot was built or last confirmed. An age below -skew is an error as well: that time is in
// the future, so the true age is unknown.
func (o Options) late(age time.Duration) error {
	switch {
	case o.MaxAge == 0 || -skew <= age && age <= o.MaxAge:
		return nil
	case age < 0:
		return fmt.Errorf("the snapshot was last found up to date at a time that is %s in the future, so its age is unknown; set the clock and run \"bencao index\" again", (-age).Round(time.Minute))
	}
	return fmt.Errorf("the snapshot was last found up to date %s ago, and %s are allowed; check the nightly build, or \"bencao pull\" on a mirror", age.Round(time.Minute), o.MaxAge)
}

// vitalsCollector exports metrics of the snapshot and of the access file.
type vitalsCollector struct {
	live *snapshot.Live[*Backend]
	opt  Options
	keys func() *access.Table
}

// The metrics of a vitalsCollector.
var (
	descSnapshot = prometheus.NewDesc("bencao_snapshot_info", "The snapshot that answers.", []string{"snapshot"}, nil)
	descStale    = prometheus.NewDesc("bencao_snapshot_stale", "1 if a newer snapshot could not be opened.", nil, nil)
	descChecked  = prometheus.NewDesc("bencao_snapshot_checked_age_seconds", "Time since the snapshot was built or last confirmed to be up to date.", nil, nil)
	descLate     = prometheus.NewDesc("bencao_snapshot_late", "1 if the snapshot is older than --max-age.", nil, nil)
	descNight    = prometheus.NewDesc("bencao_snapshot_night_failed", "1 if the last bencao index or bencao pull left an older snapshot in place.", nil, nil)
	descSwaps    = prometheus.NewDesc("bencao_snapshot_swaps_total", "Switches to another snapshot.", nil, nil)
	descSwapFail = prometheus.NewDesc("bencao_snapshot_swap_failures_total", "Failed attempts to open another snapshot.", nil, nil)
	descAccess   = prometheus.NewDesc("bencao_access_stale", "1 if the access file is invalid and its previous contents are in force.", nil, nil)
	descExpires  = prometheus.NewDesc("bencao_key_expires_timestamp_seconds", "When a key expires; keys that are disabled or never expire are not listed.", []string{"key"}, nil)
	descReadFail = prometheus.NewDesc("bencao_access_reload_failures_total", "Times that a changed access file was invalid.", nil, nil)
)

// Describe implements [prometheus.Collector].
func (v vitalsCollector) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(v, ch) }

// Collect implements [prometheus.Collector].
func (v vitalsCollector) Collect(ch chan<- prometheus.Metric) {
	backend, release := v.live.Acquire()
	defer release()
	now := v.opt.Health.now()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value int) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value))
	}
	gauge(descSnapshot, 1, backend.meta.ID)
	age := v.opt.Age(backend.meta.ID, backend.meta.Built)
	gauge(descChecked, age.Seconds())
	gauge(descLate, truth(v.opt.late(age) != nil))
	gauge(descNight, truth(v.opt.StaleReason() != nil))
	gauge(descStale, truth(now.stale != nil))
	counter(descSwaps, now.swaps)
	counter(descSwapFail, now.swapFailures)
	gauge(descAccess, truth(now.access != nil))
	counter(descReadFail, now.accessFailures)
	for _, e := range v.keys().Entries() {
		if !e.Disabled && !e.Expires.IsZero() {
			gauge(descExpires, float64(e.Expires.Unix()), e.ID)
		}
	}
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
