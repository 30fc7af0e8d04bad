package check

import (
	"regexp"
	"strings"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
)

// madeAt is when the source says that it was made.
func (s Source) madeAt() *time.Time {
	if s.Key == Package {
		if created, err := datapackage.Created(s.Archive); err == nil {
			if t, err := time.Parse(time.RFC3339, created); err == nil {
				return &t
			}
			if t := dateIn(created); t != nil {
				return t
			}
		}
	}
	if s.dated() {
		return nil
	}
	return dateIn(s.Version)
}

// Newest says when the newest record of a source was made or changed, as its
// rows say; nil when none does. It is tonight's when the shapes were taken, else
// that of the snapshot that was remembered.
func (c *Checker) Newest(source string) *time.Time {
	shapes := c.profiles
	if len(shapes) == 0 {
		shapes = c.past.Profiles
	}
	last := ""
	for table, p := range shapes {
		if sourceOf(table) == source {
			last = max(last, p.Newest)
		}
	}
	if t, err := time.Parse(time.DateOnly, last); err == nil {
		return &t
	}
	return nil
}

// sourceOf is the source that a shape is of.
func sourceOf(table string) string {
	if !strings.HasPrefix(table, Checklist("")) {
		return Package
	}
	table, _, _ = strings.Cut(table, "/")
	return table
}

// newest is when the newest file of a source was written; nil when nobody says.
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

// days are dates in versions, with a day or without.
var dateInVersion = regexp.MustCompile(`(?:^|\D)((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])(?:[-_.]?([0-2]\d|3[01]))?(?:\D|$)`)

// dateIn is the date that a version states; that of a month is its first day.
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
