package access

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The largest lengths of an id, and of a name or note, in characters.
const (
	maxID    = 64
	maxProse = 500
)

// CheckID returns an error unless id is 1 to 64 lower-case letters, digits, dots, hyphens and
// underscores, the first a letter or digit.
func CheckID(id string) error {
	ok := id != "" && len(id) <= maxID
	for i, c := range []byte(id) {
		letter := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '.' && c != '-' && c != '_') {
			ok = false
		}
	}
	if !ok {
		return fmt.Errorf("id %q cannot name a key; use 1 to %d lower-case letters, digits, dots, hyphens and underscores, the first a letter or digit, such as \"lab-2\"", cut(id), maxID)
	}
	return nil
}

// CheckProse returns an error unless text can be a name or a note: one line of up to 500
// characters. field is the name of the setting, for the error.
func CheckProse(field, text string) error {
	switch {
	case utf8.RuneCountInString(text) > maxProse:
		return fmt.Errorf("%s is longer than %d characters; shorten it, or write it as a comment", field, maxProse)
	case strings.ContainsFunc(text, unicode.IsControl):
		return fmt.Errorf("%s has a line break or another control character; write one line", field)
	case !utf8.ValidString(text):
		return fmt.Errorf("%s is not UTF-8", field)
	case holdsKey(text):
		return fmt.Errorf("%s holds a key in the clear, but only hashes may be kept", field)
	}
	return nil
}

// ParseExpiry reads a date, which means 00:00 UTC on that day, or a date and time with a zone as in
// RFC 3339.
func ParseExpiry(text string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t, err = time.Parse(time.RFC3339, text)
	}
	switch {
	case err != nil:
		return time.Time{}, fmt.Errorf("expires is %q; write a date such as 2027-01-01, or a moment such as 2027-01-01T18:00:00+08:00", cut(text))
	case t.Year() < 2000:
		// The zero time, in the year 1, means that a key does not expire. Dates before the year
		// 2000 are refused, so no date can be taken for the zero time.
		return time.Time{}, fmt.Errorf("expires is %q, before there were keys; write a date such as 2027-01-01", cut(text))
	}
	return t.UTC(), nil
}

// ExpiryText returns t in the form that [ParseExpiry] reads, or "" for the zero time.
func ExpiryText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	if t = t.UTC(); t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}
