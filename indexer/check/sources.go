package check

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/internal/messages"
	"bencao/store/snapshot"
)

// compareSets judges tables and checklists that the previous snapshot has and this build lacks.
func (c *Checker) compareSets(all []*file) {
	present := map[string]bool{}
	for _, s := range all {
		present[s.table] = true
	}
	was := map[string]int{}
	if c.before != nil {
		maps.Copy(was, c.before.Tables)
	}
	for name, p := range c.past.Files {
		was[name] = p.Rows
	}
	var fresh []string
	for name := range present {
		if _, known := was[name]; !known && len(was) > 0 {
			fresh = append(fresh, name)
		}
	}
	slices.Sort(fresh)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if was[name] == 0 || present[name] {
			continue
		}
		message := fmt.Sprintf("%s had %s in the previous snapshot and is missing now", name, messages.Count(was[name], "row"))
		if len(fresh) > 0 {
			message += "; new is " + strings.Join(fresh, ", ")
		}
		hint := "put the table back into the package, under its name in datapackage.json"
		if strings.HasPrefix(name, Checklist("")) {
			hint = "put the checklist back into the configuration, under the same name"
		}
		c.ledger.judge("present", place{table: name}, count{bad: was[name], all: was[name], message: message, hint: hint})
	}
}

// compareSources compares the names, versions and dates that the sources state.
func (c *Checker) compareSources() {
	for _, s := range c.sources {
		if made := s.madeAt(); made != nil && made.After(c.now.AddDate(0, 0, 1)) {
			c.log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Source, Table: s.Key,
				Message: fmt.Sprintf("the source is dated %s, which is in the future", made.Format(time.DateOnly)),
				Hint:    "correct the date: later files would count as older, and nobody would see that the source is no longer refreshed"})
		}
	}
	if c.before == nil {
		return
	}
	before := sourcesByKey(*c.before)
	for _, s := range c.sources {
		key := s.Key
		was, known := before[key]
		if !known {
			continue
		}
		if withoutVersion(was.Name) != withoutVersion(s.Name) {
			c.log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Source, Table: key,
				Message: fmt.Sprintf("the source calls itself %q, in the previous snapshot %q", s.Name, was.Name), Hint: "is it the right file?"})
		}
		c.compareAge(key, "version", was.Version, s.Version, s.dated() || was.Version == s.Version)
	}
	_, _, created := datapackage.Describe(c.sources[0].Archive)
	c.compareAge(Package, "created", c.past.Created, created, false)
}

// dated reports whether a checklist's version is only the modification date of its file. That date
// changes when the file is copied.
func (s Source) dated() bool {
	return s.Key != Package && slices.ContainsFunc(s.Archive.Files(), func(f string) bool {
		return s.Archive.Modified(f).UTC().Format(time.DateOnly) == s.Version
	})
}

func (c *Checker) compareAge(key, what, was, now string, skip bool) {
	if skip || !older(now, was) {
		return
	}
	c.ledger.judge(what, place{table: key}, count{bad: 1, all: 1,
		message: fmt.Sprintf("the source's %s is %s, older than %s in the previous snapshot", what, now, was)})
}

// sourcesByKey returns a snapshot's sources by the operator's names for them.
func sourcesByKey(m snapshot.Manifest) map[string]snapshot.Source {
	out := map[string]snapshot.Source{}
	for i, s := range m.Sources {
		if i == 0 {
			out[Package] = s
		} else if key := m.Settings[fmt.Sprintf("checklist %d", i)]; key != "" {
			out[Checklist(key)] = s
		}
	}
	return out
}

// versionNumbers matches a version number in a name, with or without a "v" before it.
var versionNumbers = regexp.MustCompile(`(?i)\bv?\.?\d[\d.\-_]*`)

// withoutVersion removes the version from a source's name.
func withoutVersion(name string) string {
	return strings.Join(strings.Fields(strings.ToLower(versionNumbers.ReplaceAllString(name, " "))), " ")
}

var (
	number    = regexp.MustCompile(`\d+`)
	separator = strings.NewReplacer("-", ".", "_", ".", "/", ".")
	// yearFirst matches a version that begins with a year, such as 2026.11 or v2026-11-26.
	yearFirst = regexp.MustCompile(`^\D*(?:19|20)\d\d(?:\d{4})?(?:\D|$)`)
	// yearLast matches a date that ends with its year, such as 27/11/2026 or 27.11.26, also before a
	// time.
	yearLast = regexp.MustCompile(`(?:\D(?:19|20)\d\d|^\d\d?/\d\d?/\d\d|^\d\d[.-]\d\d[.-]\d\d)(?:[^\d./_-]|$)`)
)

// older compares the present version of a source with the previous one. It reports whether now is
// older than was. For versions in different notations, which are not comparable, it returns false.
// Only dates that begin with the year are comparable if their separators differ.
func older(now, was string) bool {
	if a, err := time.Parse(time.RFC3339, now); err == nil {
		if b, err := time.Parse(time.RFC3339, was); err == nil {
			return a.Before(b)
		}
	}
	switch dated := yearFirst.MatchString(now); {
	case dated != yearFirst.MatchString(was), !dated && (yearLast.MatchString(now) || yearLast.MatchString(was)):
		return false
	case dated:
		now, was = separator.Replace(now), separator.Replace(was)
	}
	if now == "" || was == "" || number.ReplaceAllString(now, "#") != number.ReplaceAllString(was, "#") {
		return false
	}
	a, b := number.FindAllString(now, -1), number.FindAllString(was, -1)
	for i := range a {
		x, errX := strconv.ParseUint(a[i], 10, 64)
		y, errY := strconv.ParseUint(b[i], 10, 64)
		if errX != nil || errY != nil || x > y {
			return false
		}
		if x < y {
			return true
		}
	}
	return false
}
