package usage

import "github.com/prometheus/client_golang/prometheus"

// collector tells the counts of the keys that there are, and of nobody else: so
// there are as many series as the access file has keys, whatever is asked.
type collector struct {
	book *Book
	keys func() []string
}

// Collector tells what was asked, since the book was opened, by the keys that
// keys lists, by whom brings none where none is needed, and by all others.
func (b *Book) Collector(keys func() []string) prometheus.Collector { return collector{b, keys} }

var (
	descRequests = prometheus.NewDesc("bencao_key_requests_total", "Requests by key, refused ones among them.", []string{"key"}, nil)
	descRefused  = prometheus.NewDesc("bencao_key_refused_total", "Requests by key that were answered with 401, 403 or 429.", []string{"key", "status"}, nil)
	descNames    = prometheus.NewDesc("bencao_key_names_total", "Names to match by key.", []string{"key"}, nil)
	descBytes    = prometheus.NewDesc("bencao_key_response_bytes_total", "Bytes of bodies sent by key, as they went out.", []string{"key"}, nil)
)

// Describe lists what Collect tells.
func (c collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descRequests, descRefused, descNames, descBytes} {
		ch <- d
	}
}

// Collect tells the counts as they are now.
func (c collector) Collect(ch chan<- prometheus.Metric) {
	for _, key := range append(c.keys(), Anonymous, Other) {
		sum := c.book.total(key)
		tell := func(d *prometheus.Desc, n int64, labels ...string) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), append([]string{key}, labels...)...)
		}
		tell(descRequests, sum.Requests)
		tell(descRefused, sum.Unauthorized, "401")
		tell(descRefused, sum.Forbidden, "403")
		tell(descRefused, sum.Limited, "429")
		tell(descNames, sum.Names)
		tell(descBytes, sum.Bytes)
	}
}
