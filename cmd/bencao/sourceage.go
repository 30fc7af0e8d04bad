package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

// runSource is a source in the report of a run.
type runSource struct {
	Key          string     `json:"key"` // package, or checklist:wcvp
	Dated        *time.Time `json:"dated"`
	NewestRecord *time.Time `json:"newestRecord"`
	Modified     *time.Time `json:"modified"`
}

// made is when the source was made: as it says itself, else when its newest
// record was, else when its newest file was written. A copy of old data has new
// files.
func (r runSource) made() *time.Time {
	return cmp.Or(r.Dated, r.NewestRecord, r.Modified)
}

// String says how old the source is.
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

// maxAgeOf is how old a source may be; zero is any age.
func maxAgeOf(s *settings, key string) time.Duration {
	if key == "package" {
		return s.maxSourceAge
	}
	for _, l := range s.checklistFiles {
		if "checklist:"+l.Name == key {
			age, err := l.maxAge()
			if err != nil {
				return 0 // the configuration has been refused
			}
			return age
		}
	}
	return 0
}

// overdue says which source of the last run is older than it may be, or nil.
func overdue(s *settings, sources []runSource, now time.Time) error {
	var errs []error
	for _, r := range sources {
		limit, made := maxAgeOf(s, r.Key), r.made()
		if limit == 0 || made == nil || now.Sub(*made) <= limit {
			continue
		}
		errs = append(errs, fmt.Errorf("the source %s is no longer refreshed: %s, which is %s ago, and %s are allowed",
			r.Key, r, now.Sub(*made).Round(time.Hour), limit))
	}
	return errors.Join(errs...)
}
