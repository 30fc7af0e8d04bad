package check

import (
	"regexp"
	"strings"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
)

// madeAt returns the date that the source states, or nil if it states none.
func (s Source) madeAt() *time.Time {
	if s.Key == Package {
		_, _, created := datapackage.Describe(s.Archive)
		if t, err := time.Parse(time.RFC3339, created); err == nil {
			return &t
		}
		if t := dateIn(created); t != nil {
			return t
		}
	}
	if s.dated() {
		return nil
	}
	return dateIn(s.Version)
}

// Newest returns the newest date among a source's records, or nil if they have no dates. It takes
// the dates from the files of this build. If they have not been read yet, it takes them from the
// previous snapshot.
func (c *Checker) Newest(source string) *time.Time {
	files := c.past.Files
	if len(c.files) > 0 {
		files = c.profiles()
	}
	last := ""
	for table, p := range files {
		if sourceOf(table) == source {
			last = max(last, p.Newest)
		}
	}
	if t, err := time.Parse(time.DateOnly, last); err == nil {
		return &t
	}
	return nil
}

// sourceOf returns the source to which a table belongs.
func sourceOf(table string) string {
	if !strings.HasPrefix(table, Checklist("")) {
		return Package
	}
	table, _, _ = strings.Cut(table, "/")
	return table
}

// newestFile returns the modification time of a source's newest file, or nil if it is unknown.
func newestFile(src *archive.Archive) *time.Time {
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

// dateInVersion matches dates in versions, with or without a day.
var dateInVersion = regexp.MustCompile(`(?:^|\D)((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])(?:[-_.]?([0-2]\d|3[01]))?(?:\D|$)`)

// dateIn returns the date that a version contains. If the version gives only a month, dateIn
// returns the first day of that month.
func dateIn(version string) *time.Time {
	m := dateInVersion.FindStringSubmatch(version)
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
