package main

import (
	"errors"
	"log/slog"

	"bencao/api"
	"bencao/indexer/export"
)

// optionalParts holds the parts that the program can be built without. A nil field is a part that
// this program lacks.
//
// The variable parts has this type. standard.go sets all of its fields. minimal.go, for the build
// tag minimal, sets none.
type optionalParts struct {
	// redis is the limiter that counts in a Redis, which several servers share.
	redis *redisPart
	// sqlite is the export format "sqlite" of package indexer/export/sqlite.
	sqlite *export.Format
}

// redisPart is package api/limits/redis.
type redisPart struct {
	// check returns an error if address is not the address of a Redis.
	check func(address string) error
	// open returns a limiter that counts in the Redis at address. If password is empty, none is
	// sent.
	open func(address, password string, log *slog.Logger) (api.SharedLimiter, error)
}

var errNoSQLite = errors.New("this program was built without SQLite; use another --format, or install the standard program")

var errNoRedis = errors.New("this program was built without Redis limits; leave out --redis, or install the standard program")
