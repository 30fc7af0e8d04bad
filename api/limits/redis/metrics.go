package redis

import "github.com/prometheus/client_golang/prometheus"

// Collectors returns the limiter's metrics.
func (r *Limiter) Collectors() []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "bencao_limits_shared", Help: "1 while Redis counts for all servers, 0 while it is unreachable and this server counts alone.",
		}, func() float64 {
			if r.away.Load() {
				return 0
			}
			return 1
		}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "bencao_limits_local_total", Help: "Requests that this server counted alone, because Redis was unreachable or replied with an error.",
		}, func() float64 { return float64(r.unshared.Load()) }),
	}
}
