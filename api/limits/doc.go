// Package limits counts the requests of several servers together, in Redis, so
// that a limit is the same however many servers stand behind a balancer.
//
// A limit that is shared is the one that [access.Memory] has: a window begins
// with its first request and lasts [access.Window]. One script does all of it,
// so no two servers can let the same request through. While Redis is away, and
// also while it is slow, each server counts for itself: nobody's request fails
// and nobody waits for it.
package limits
