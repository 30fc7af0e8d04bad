// Package redis is a rate limiter whose counts several servers share through Redis. A key then has
// one limit, however many servers a load balancer spreads its requests over.
//
// The rules are those of [access.Memory]: a window begins with its first request and lasts
// [access.Window]. One Lua script (take.lua) checks the limit and counts the request in one step,
// so two servers cannot both admit the last request of a window. While Redis fails or is slow, each
// server counts alone. No request is refused because of such a failure, and none waits for Redis
// longer than 45 ms.
//
// The package is an optional part of the program: only cmd/bencao/standard.go imports it. Begin
// with [New] and [Limiter.Take].
package redis
