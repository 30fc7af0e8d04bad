package api

import (
	"errors"
	"maps"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/store/snapshot"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics counts what the server does. Every server has a registry of its own.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	bytes    prometheus.Counter
	inFlight prometheus.Gauge
	limited  *prometheus.CounterVec
	refused  *prometheus.CounterVec
	ahead    prometheus.Counter
	open     prometheus.Gauge
	accepted prometheus.Counter
	// outcomes are the counters of all that was answered so far, which to look up by labels takes
	// longer. The map is never changed, but replaced.
	outcomes atomic.Pointer[map[answered]outcome]
}

// answered is an operation and the status that it was answered with.
type answered struct {
	op     string
	status int
}

// outcome is what counts such answers.
type outcome struct {
	requests prometheus.Counter
	seconds  prometheus.Observer
}

// buckets fit answers that take from 0.1 ms to the deadline.
var buckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2, 5}

func newMetrics(live *snapshot.Live[*Backend], gate *access.Gate, opt Options) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bencao_http_requests_total", Help: "Requests answered; the operation is none where no route fits.",
		}, []string{"operation", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "bencao_http_request_duration_seconds", Help: "Time from a request's header to the end of its answer.", Buckets: buckets,
		}, []string{"operation"}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "bencao_http_response_bytes_total", Help: "Bytes of bodies sent, as they went out.",
		}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "bencao_http_requests_in_flight", Help: "Requests being answered.",
		}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bencao_http_rate_limited_total", Help: "Requests answered with 429, by what their limit counts.",
		}, []string{"by"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bencao_http_refused_total", Help: "Requests answered with 401 or 403, by reason.",
		}, []string{"reason"}),
		ahead: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "bencao_http_version_ahead_total", Help: "Requests answered with 503 because they ask for a version of the data that is not here yet.",
		}),
		open: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "bencao_http_connections_open", Help: "Open connections.",
		}),
		accepted: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "bencao_http_connections_total", Help: "Connections accepted.",
		}),
	}
	dropped := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "bencao_log_dropped_lines_total", Help: "Lines that are missing in the log, because nobody took them in time.",
	}, func() float64 { return float64(opt.LogDropped()) })
	m.registry.MustRegister(dropped, m.requests, m.seconds, m.bytes, m.inFlight, m.limited, m.refused, m.ahead, m.open, m.accepted,
		vitalsCollector{live, opt}, opt.Usage.Collector(func() []string { return gate.Table().IDs() }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(opt.Collectors...)
	m.outcomes.Store(&map[answered]outcome{})
	return m
}

// request counts an answered request.
func (m *metrics) request(c *call, took time.Duration) {
	m.inFlight.Dec()
	of := m.outcome(answered{c.op, c.status})
	of.requests.Inc()
	of.seconds.Observe(took.Seconds())
	m.bytes.Add(float64(c.bytes))
	if c.lacking != nil && c.lacking.Kind == problem.VersionAhead && c.status == problem.VersionAhead.Status {
		m.ahead.Inc()
	}
}

func (m *metrics) outcome(a answered) outcome {
	for {
		old := m.outcomes.Load()
		if of, ok := (*old)[a]; ok {
			return of
		}
		all := maps.Clone(*old)
		all[a] = outcome{m.requests.WithLabelValues(a.op, strconv.Itoa(a.status)), m.seconds.WithLabelValues(a.op)}
		m.outcomes.CompareAndSwap(old, &all) // if somebody was faster, his has to be looked at
	}
}

// refusal counts why the gate did not let a request pass, and returns it in a
// word.
func (m *metrics) refusal(a access.Admission, err error) (reason string) {
	var key *access.KeyError
	switch {
	case errors.Is(err, access.ErrLimit):
		by := "address"
		if a.Counted.Key != "" {
			by = "key"
		}
		m.limited.WithLabelValues(by).Inc()
		return "limit"
	case errors.As(err, &key):
		reason = "key_" + string(key.Reason)
	case errors.Is(err, access.ErrNetwork):
		reason = "network"
	case errors.Is(err, access.ErrScope):
		reason = "scope"
	case errors.Is(err, access.ErrClient):
		reason = "client"
	default:
		return "other"
	}
	m.refused.WithLabelValues(reason).Inc()
	return reason
}

// connection follows the states of a connection.
func (m *metrics) connection(state http.ConnState) {
	switch state {
	case http.StateNew:
		m.accepted.Inc()
		m.open.Inc()
	case http.StateClosed, http.StateHijacked:
		m.open.Dec()
	}
}

// vitalsCollector reads the state of snapshot and access file when asked.
type vitalsCollector struct {
	live *snapshot.Live[*Backend]
	opt  Options
}

// What a vitalsCollector tells.
var (
	descSnapshot = prometheus.NewDesc("bencao_snapshot_info", "The snapshot that answers.", []string{"snapshot"}, nil)
	descAge      = prometheus.NewDesc("bencao_snapshot_age_seconds", "Time since the snapshot was built.", nil, nil)
	descStale    = prometheus.NewDesc("bencao_snapshot_stale", "1 if a newer snapshot could not be taken.", nil, nil)
	descChecked  = prometheus.NewDesc("bencao_snapshot_checked_age_seconds", "Time since the snapshot was built, or found to be that of its sources.", nil, nil)
	descLate     = prometheus.NewDesc("bencao_snapshot_late", "1 if that is longer ago than the operator allows.", nil, nil)
	descNight    = prometheus.NewDesc("bencao_snapshot_night_failed", "1 if the last bencao index or bencao pull left an older snapshot in place.", nil, nil)
	descSwaps    = prometheus.NewDesc("bencao_snapshot_swaps_total", "Changes to another snapshot.", nil, nil)
	descSwapFail = prometheus.NewDesc("bencao_snapshot_swap_failures_total", "Attempts at another snapshot that failed.", nil, nil)
	descAccess   = prometheus.NewDesc("bencao_access_stale", "1 if the access file is invalid and what it said before is in force.", nil, nil)
	descReloads  = prometheus.NewDesc("bencao_access_reloads_total", "Times that a changed access file was read.", nil, nil)
	descReadFail = prometheus.NewDesc("bencao_access_reload_failures_total", "Times that a changed access file was invalid.", nil, nil)
)

// Describe lists what Collect tells.
func (v vitalsCollector) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(v, ch) }

// Collect tells how things stand now.
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
	if !backend.meta.Built.IsZero() {
		gauge(descAge, time.Since(backend.meta.Built).Seconds())
	}
	age := v.opt.Age(backend.meta.ID, backend.meta.Built)
	gauge(descChecked, age.Seconds())
	gauge(descLate, truth(v.opt.late(age) != nil))
	gauge(descNight, truth(v.opt.Night() != nil))
	gauge(descStale, truth(now.stale != nil))
	counter(descSwaps, now.swaps)
	counter(descSwapFail, now.swapFailures)
	gauge(descAccess, truth(now.access != nil))
	counter(descReloads, now.accessReloads)
	counter(descReadFail, now.accessFailures)
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
