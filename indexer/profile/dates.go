package profile

import (
	"strings"
	"time"
)

// isDate reports whether a column has the date on which a record was created or modified. It looks
// for terms of Dublin Core, https://www.dublincore.org/specifications/dublin-core/dcmi-terms/,
// which Darwin Core and the Catalogue of Life use too. It ignores a prefix (dcterms:modified,
// http://purl.org/dc/terms/modified).
func isDate(label string) bool {
	label = strings.ToLower(label[strings.LastIndexAny(label, ":/#")+1:])
	return label == "created" || label == "modified"
}

// day returns the day of an ISO 8601 date or time. until is the latest plausible day. day returns
// "" for a later day and for other text.
func day(cell, until string) string {
	if cell = strings.TrimSpace(cell); len(cell) < len(time.DateOnly) {
		return ""
	}
	cell = cell[:len(time.DateOnly)]
	if cell > until {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, cell); err != nil {
		return ""
	}
	return cell
}
