package profile

import (
	"strings"
	"time"
)

// dating tells that a column says when its record was made or changed: created
// and modified of Dublin Core, https://www.dublincore.org/specifications/dublin-core/dcmi-terms/,
// which Darwin Core and the Catalogue of Life use too, whatever stands before
// the term (dcterms:modified, http://purl.org/dc/terms/modified).
func dating(label string) bool {
	label = strings.ToLower(label[strings.LastIndexAny(label, ":/#")+1:])
	return label == "created" || label == "modified"
}

// day is the day of a date or a time as ISO 8601 writes them; "" for another
// text, and for a day after the last one that is believed.
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
