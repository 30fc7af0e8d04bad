package indexer

import (
	"regexp"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
)

// reportSources says what the run reads, and how old it is.
func (r *run) reportSources() {
	for i, s := range r.sources.all {
		out := SourceReport{Key: packageSource, Kind: s.Kind, Name: s.Name, Version: s.Version, Path: s.File, SHA256: s.SHA256, Bytes: s.Bytes}
		src := r.sources.pkg
		if i > 0 {
			src = r.sources.lists[i-1].src
			out.Key = checklistTable(r.sources.lists[i-1].key)
		}
		out.Modified = newest(src)
		if !r.dated(i, s.Version) {
			out.Dated = dateIn(s.Version)
		}
		if created, err := datapackage.Created(src); i == 0 && err == nil {
			if t, err := time.Parse(time.RFC3339, created); err == nil {
				out.Dated = &t
			} else if t := dateIn(created); t != nil {
				out.Dated = t
			}
		}
		r.report.Sources = append(r.report.Sources, out)
	}
}

// newest is when the newest file of a source was written; nil when nobody says.
func newest(src *archive.Archive) *time.Time {
	var last time.Time
	for _, f := range src.Files() {
		if t := src.Modified(f); t.After(last) {
			last = t
		}
	}
	if last.IsZero() {
		return nil
	}
	last = last.UTC()
	return &last
}

// days are dates in versions, with a day or without.
var days = regexp.MustCompile(`(?:^|\D)((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])(?:[-_.]?([0-2]\d|3[01]))?(?:\D|$)`)

// dateIn is the date that a version states; that of a month is its first day.
func dateIn(version string) *time.Time {
	m := days.FindStringSubmatch(version)
	if m == nil {
		return nil
	}
	day := m[3]
	if day == "" {
		day = "01"
	}
	t, err := time.Parse(time.DateOnly, m[1]+"-"+m[2]+"-"+day)
	if err != nil {
		return nil
	}
	return &t
}
