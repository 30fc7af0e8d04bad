package usage

import "github.com/prometheus/client_golang/prometheus"

// collector exports only the counts of keys that are in the access file, so clients cannot create
// new time series by sending other keys.
type collector struct {
	counter *Counter
	keys    func() []string
}

// Collector returns metrics of the counts since [Open]. They cover [Anonymous], [Other] and the
// keys whose ids are returned by keys.
func (c *Counter) Collector(keys func() []string) prometheus.Collector { return collector{c, keys} }

var (
	descRequests = prometheus.NewDesc("bencao_key_requests_total", "Requests by key, refused ones among them.", []string{"key"}, nil)
	descRefused  = prometheus.NewDesc("bencao_key_refused_total", "Requests by key that were answered with 401, 403 or 429.", []string{"key", "status"}, nil)
	descNames    = prometheus.NewDesc("bencao_key_names_total", "Names to match by key.", []string{"key"}, nil)
	descBytes    = prometheus.NewDesc("bencao_key_response_bytes_total", "Bytes of bodies sent by key, as they went out.", []string{"key"}, nil)
)

// Describe implements [prometheus.Collector].
func (c collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descRequests, descRefused, descNames, descBytes} {
		ch <- d
	}
}

// Collect implements [prometheus.Collector].
func (c collector) Collect(ch chan<- prometheus.Metric) {
	c.counter.mu.Lock()
	defer c.counter.mu.Unlock()
	for _, key := range append(c.keys(), Anonymous, Other) {
		sum := c.counter.total[key]
		send := func(d *prometheus.Desc, n int64, labels ...string) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), append([]string{key}, labels...)...)
		}
		send(descRequests, sum.Requests)
		send(descRefused, sum.Unauthorized, "401")
		send(descRefused, sum.Forbidden, "403")
		send(descRefused, sum.Limited, "429")
		send(descNames, sum.Names)
		send(descBytes, sum.Bytes)
	}
}
