package main

import (
	"errors"
	"log/slog"

	"bencao/api"
	"bencao/api/access"
	"bencao/store/snapshot"
)

// reportAccess tells the log and /readyz what became of the access file.
func reportAccess(health *api.Health, log *slog.Logger) func(access.Change) {
	return func(c access.Change) {
		health.Access(c)
		switch {
		case errors.Is(c.Err, access.ErrDoubt):
			log.Warn("access file in doubt, it only takes rights away", "error", c.Err)
			return
		case c.Err != nil:
			log.Error("access file refused, what was in force stays", "error", c.Err)
			return
		}
		for _, w := range c.Table.Warnings() {
			log.Warn("access file", "warning", w)
		}
		log.Info("access file read", "keys", len(c.Table.Entries()))
	}
}

// reportSnapshot tells the log and /readyz which snapshot answers.
func reportSnapshot(health *api.Health, log *slog.Logger) func(snapshot.Status) {
	var before string
	return func(st snapshot.Status) {
		health.Snapshot(st)
		if st.Serving.ID != before {
			before = st.Serving.ID
			log.Info("snapshot taken", "snapshot", before)
		}
		switch {
		case errors.Is(st.Err, snapshot.ErrGone):
			log.Error("current snapshot is gone from the disk, and answers as long as this server runs", "error", st.Err)
		case st.Err != nil && before == "":
			log.Error("current snapshot refused", "error", st.Err)
		case st.Err != nil:
			log.Error("current snapshot refused, another one answers", "serving", before, "error", st.Err)
		}
	}
}

// reportUsage tells the log whether the counts of what keys ask are kept.
func reportUsage(log *slog.Logger) func(error) {
	return func(err error) {
		if err != nil {
			log.Warn("requests are counted by key in memory only, and the counts are lost when the server ends; name a folder for them with --usage", "error", err)
			return
		}
		log.Info("the counts of requests by key are saved again")
	}
}
