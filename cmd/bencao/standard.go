//go:build !minimal

package main

import (
	"log/slog"

	"bencao/api"
	"bencao/api/limits/redis"
	"bencao/indexer/export/sqlite"
)

// parts lists all optional parts.
var parts = optionalParts{
	redis: &redisPart{
		check: redis.CheckURL,
		open: func(address, password string, log *slog.Logger) (api.SharedLimiter, error) {
			return redis.New(address, redis.Options{Password: password, Log: log})
		},
	},
	sqlite: new(sqlite.Format()),
}
