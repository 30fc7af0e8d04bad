package main

import (
	"cmp"
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

// lastRun is the outcome of the last run of "bencao index" or "bencao pull", as its report states
// it.
type lastRun struct {
	Command    string    `json:"-"`
	Outcome    string    `json:"outcome"`
	Error      string    `json:"error"`
	FinishedAt time.Time `json:"finishedAt"`
	// NoTrust reports whether the current snapshot comes from a pull with --no-trust.
	NoTrust bool `json:"noTrust"`
	// Sources lists the sources that "bencao index" read. It is empty after "bencao pull".
	Sources []runSource `json:"sources"`
}

// lastReports lists the commands that leave a report in the data folder, with the names of the
// reports.
var lastReports = []struct{ command, file string }{
	{"bencao index", indexer.LastReport},
	{"bencao pull", mirror.LastReport},
}

// leftBehind describes how a run failed, by outcome. It lists the outcomes after which the old
// snapshot is still current.
var leftBehind = map[string]string{
	string(indexer.Failed):  "failed",
	string(indexer.Refused): "was refused",
	string(indexer.Held):    "was held",
	string(mirror.Stale):    "found the publisher stale",
}

// unsigned describes the current snapshot after a pull with --no-trust.
const unsigned = "pulled with --no-trust: the current snapshot is not checked against a root of trust"

// readLastRun reads the report of the last run. It returns [fs.ErrNotExist] if there is no report.
// If both commands left a report, the later run counts.
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

// maxReport is the largest size of a report, in bytes.
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

// bad reports whether the run published no snapshot, so that the old one is still current.
func (r lastRun) bad() bool { return leftBehind[r.Outcome] != "" }

// String describes how a bad run ended, for /readyz.
func (r lastRun) String() string {
	text := fmt.Sprintf("the last %q %s at %s", r.Command, leftBehind[r.Outcome], r.FinishedAt.Format(time.RFC3339))
	if r.Error != "" {
		text += ": " + strings.ReplaceAll(r.Error, "\n", "; ")
	}
	return text
}

// runSource is a source in the report of a run.
type runSource struct {
	Key          string     `json:"key"` // package, or checklist: and a name, such as checklist:wcvp
	Dated        *time.Time `json:"dated"`
	NewestRecord *time.Time `json:"newestRecord"`
	Modified     *time.Time `json:"modified"`
}

// made returns the date of the source. It prefers the date that the source states, then the date of
// the newest record, then the date of the newest file. The date of a file is the least reliable,
// because a copy of old data has new files.
func (r runSource) made() *time.Time {
	return cmp.Or(r.Dated, r.NewestRecord, r.Modified)
}

// String describes the dates of the source.
func (r runSource) String() string {
	var parts []string
	if r.Dated != nil {
		parts = append(parts, "dated "+r.Dated.Format(time.DateOnly))
	}
	if r.NewestRecord != nil {
		parts = append(parts, "newest record of "+r.NewestRecord.Format(time.DateOnly))
	}
	if r.Modified != nil {
		parts = append(parts, "files of "+r.Modified.Format(time.RFC3339))
	}
	if parts == nil {
		return "of no known date"
	}
	return strings.Join(parts, ", ")
}

// maxAgeOf returns the age at which the source with this key becomes stale; 0 means never.
func maxAgeOf(s *settings, key string) time.Duration {
	if key == "package" {
		return s.maxSourceAge
	}
	for _, l := range s.checklistFiles {
		if "checklist:"+l.Name == key {
			age, err := l.maxAge()
			if err != nil {
				return 0 // [settings.load] has refused such a configuration
			}
			return age
		}
	}
	return 0
}

// overdue returns an error that names the stale sources of the last run, or nil.
func overdue(s *settings, sources []runSource, now time.Time) error {
	var errs []error
	for _, r := range sources {
		limit, made := maxAgeOf(s, r.Key), r.made()
		if limit == 0 || made == nil {
			continue
		}
		switch age := now.Sub(*made); {
		case age < -24*time.Hour:
			errs = append(errs, fmt.Errorf("the source %s has a date in the future, so its age is unknown: %s", r.Key, r))
		case age > limit:
			errs = append(errs, fmt.Errorf("the source %s is no longer refreshed: %s, which is %s ago, and %s are allowed",
				r.Key, r, age.Round(time.Hour), limit))
		}
	}
	return errors.Join(errs...)
}
