package main

import (
	"errors"
	"log/slog"

	"bencao/api"
	"bencao/indexer/export"
)

// optionalParts holds the parts that the program can be built without. A nil field means that this
// program lacks the part.
//
// The variable parts has this type. standard.go sets all of its fields. minimal.go, for the build
// tag minimal, sets none.
type optionalParts struct {
	// redis is the limiter whose counts several servers share through a Redis.
	redis *redisPart
	// sqlite is the export format "sqlite" of package indexer/export/sqlite.
	sqlite *export.Format
}

// redisPart holds the functions of package api/limits/redis.
type redisPart struct {
	// check returns an error if address is not the address of a Redis.
	check func(address string) error
	// open returns a limiter that counts in the Redis at address. An empty password means that the
	// Redis needs none.
	open func(address, password string, log *slog.Logger) (api.SharedLimiter, error)
}

var errNoSQLite = errors.New("this program was built without SQLite; use another --format, or install the standard program")

var errNoRedis = errors.New("this program was built without Redis limits; leave out --redis, or install the standard program")
