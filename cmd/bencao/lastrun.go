package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bencao/indexer"
	"bencao/store/snapshot/mirror"
)

// lastRun is what the report of the last run says of itself, be it
// "bencao index" or "bencao pull".
type lastRun struct {
	Command    string    `json:"-"`
	Outcome    string    `json:"outcome"`
	Error      string    `json:"error"`
	FinishedAt time.Time `json:"finishedAt"`
	// Sources are those of a run of "bencao index".
	Sources []runSource `json:"sources"`
}

// lastReports lists the reports that runs leave in the data folder.
var lastReports = []struct{ command, file string }{
	{"bencao index", indexer.LastReport},
	{"bencao pull", mirror.LastReport},
}

// leftBehind says what a run did that left an older snapshot in place, by its
// outcome.
var leftBehind = map[string]string{
	string(indexer.Failed):  "failed",
	string(indexer.Refused): "was refused",
	string(mirror.Stale):    "found the publisher stale",
}

// readLastRun reads the report of the last run. None gives [fs.ErrNotExist].
// In a folder that became a mirror, or was one, the later run counts.
func readLastRun(data string) (lastRun, error) {
	last, found := lastRun{}, false
	for _, r := range lastReports {
		one, err := readRun(filepath.Join(data, r.file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return lastRun{}, err
		}
		if one.Command = r.command; !found || one.FinishedAt.After(last.FinishedAt) {
			last, found = one, true
		}
	}
	if !found {
		return lastRun{}, fmt.Errorf("%s has no report of a run: %w", data, fs.ErrNotExist)
	}
	return last, nil
}

// maxReport bounds what is read of a report.
const maxReport = 16 << 20

func readRun(path string) (lastRun, error) {
	info, err := os.Stat(path)
	if err != nil {
		return lastRun{}, err
	}
	if info.Size() > maxReport || !info.Mode().IsRegular() {
		return lastRun{}, fmt.Errorf("%s is no report: %d bytes, mode %v", path, info.Size(), info.Mode())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return lastRun{}, err
	}
	var r lastRun
	if err := json.Unmarshal(b, &r); err != nil {
		return lastRun{}, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// bad tells that the run left an older snapshot in place.
func (r lastRun) bad() bool { return leftBehind[r.Outcome] != "" }

// String says how a bad run ended, for /readyz.
func (r lastRun) String() string {
	text := fmt.Sprintf("the last %q %s at %s", r.Command, leftBehind[r.Outcome], r.FinishedAt.Format(time.RFC3339))
	if r.Error != "" {
		text += ": " + strings.ReplaceAll(r.Error, "\n", "; ")
	}
	return text
}
