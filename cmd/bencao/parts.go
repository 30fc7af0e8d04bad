package main

import (
	"errors"
	"log/slog"

	"bencao/api"
	"bencao/indexer/export"
)

// optionalParts lists the parts that a small program can be built without. A nil field is a part
// that this program lacks.
//
// The variable parts holds them: standard.go links all of them, and minimal.go links none (build
// tag minimal).
type optionalParts struct {
	// redis counts limits in a Redis that several servers share.
	redis *redisPart
	// sqlite is the export format "sqlite" of package indexer/export/sqlite.
	sqlite *export.Format
}

// redisPart is package api/limits/redis.
type redisPart struct {
	// check returns an error if address is not the address of a Redis.
	check func(address string) error
	// open returns a limiter. An empty password is none.
	open func(address, password string, log *slog.Logger) (api.SharedLimiter, error)
}

var errNoSQLite = errors.New("this program was built without SQLite; use another --format, or install the standard program")

var errNoRedis = errors.New("this program was built without Redis limits; leave out --redis, or install the standard program")
