package limits

import "time"

// SetWindow makes windows end sooner than tests would wait for.
func (r *Redis) SetWindow(d time.Duration) { r.window = d }

// Alone is how many requests were counted without Redis.
func (r *Redis) Alone() int64 { return r.alone.Load() }
