package api

import (
	"errors"
	"maps"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"bencao/api/access"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics are the counters of a server. Each server has its own registry.
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
	byKey    keyMetrics
	// outcomes caches the counters by operation and status, because finding them by their labels
	// takes longer. The map is never changed: to add a counter, the pointer is set to a larger
	// copy.
	outcomes atomic.Pointer[map[answered]outcome]
}

// keyMetrics count by the id of a key. The ids come from the access file, so clients cannot create
// new time series by sending other keys.
type keyMetrics struct{ requests, refused, names, bytes *prometheus.CounterVec }

// answered is an operation with the status of an answer.
type answered struct {
	op     string
	status int
}

// outcome has the counters of all answers of an operation with the same status.
type outcome struct {
	requests prometheus.Counter
	seconds  prometheus.Observer
}

// buckets cover durations from 0.1 ms to the deadline.
var buckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2, 5}

// newMetrics returns metrics that include the collectors in others. logDropped returns the number
// of lines missing in the log.
func newMetrics(logDropped func() int64, others ...prometheus.Collector) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bencao_http_requests_total", Help: "Requests answered; the operation is \"none\" where no route matches.",
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
			Name: "bencao_http_refused_total", Help: "Requests answered with 401 or 403, and connections closed because their address has too many, by reason.",
		}, []string{"reason"}),
		ahead: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "bencao_http_version_ahead_total", Help: "Requests answered with 503 because they ask for a version of the data that is not here yet.",
		}),
		open: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "bencao_http_connections_open", Help: "Open connections.",
		}),
		byKey: keyMetrics{
			requests: prometheus.NewCounterVec(prometheus.CounterOpts{
				Name: "bencao_key_requests_total", Help: "Requests by key, refused ones among them.",
			}, []string{"key"}),
			refused: prometheus.NewCounterVec(prometheus.CounterOpts{
				Name: "bencao_key_refused_total", Help: "Requests by key that were answered with 401, 403 or 429.",
			}, []string{"key", "status"}),
			names: prometheus.NewCounterVec(prometheus.CounterOpts{
				Name: "bencao_key_names_total", Help: "Names to match by key.",
			}, []string{"key"}),
			bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
				Name: "bencao_key_response_bytes_total", Help: "Bytes of bodies sent by key, as they went out.",
			}, []string{"key"}),
		},
	}
	dropped := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "bencao_log_dropped_lines_total", Help: "Log lines that were dropped because they were not read in time.",
	}, func() float64 { return float64(logDropped()) })
	m.registry.MustRegister(dropped, m.requests, m.seconds, m.bytes, m.inFlight, m.limited, m.refused, m.ahead, m.open,
		m.byKey.requests, m.byKey.refused, m.byKey.names, m.byKey.bytes,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(others...)
	m.outcomes.Store(&map[answered]outcome{})
	return m
}

// request counts a request that was answered, with the bytes sent and the time taken.
func (m *metrics) request(of answered, bytes int64, took time.Duration) {
	m.inFlight.Dec()
	counts := m.outcome(of)
	counts.requests.Inc()
	counts.seconds.Observe(took.Seconds())
	m.bytes.Add(float64(bytes))
}

// key counts a request that was answered, by the id of its key. names is the number of names that
// the request asked to match.
func (m *metrics) key(id string, status int, names, bytes int64) {
	m.byKey.requests.WithLabelValues(id).Inc()
	m.byKey.bytes.WithLabelValues(id).Add(float64(bytes))
	if names > 0 {
		m.byKey.names.WithLabelValues(id).Add(float64(names))
	}
	if status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusTooManyRequests {
		m.byKey.refused.WithLabelValues(id, strconv.Itoa(status)).Inc()
	}
}

// outcome returns the counters of an operation and a status.
func (m *metrics) outcome(a answered) outcome {
	for {
		old := m.outcomes.Load()
		if of, ok := (*old)[a]; ok {
			return of
		}
		all := maps.Clone(*old)
		all[a] = outcome{m.requests.WithLabelValues(a.op, strconv.Itoa(a.status)), m.seconds.WithLabelValues(a.op)}
		m.outcomes.CompareAndSwap(old, &all) // if this fails, another goroutine has replaced the map: try again
	}
}

// refusal counts a request that was not admitted, and returns one word for the reason.
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

// connection counts open connections. The HTTP server calls it when a connection changes its state.
func (m *metrics) connection(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		m.open.Inc()
	case http.StateClosed, http.StateHijacked:
		m.open.Dec()
	}
}
