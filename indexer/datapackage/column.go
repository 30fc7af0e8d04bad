package datapackage

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bencao/indexer/finding"
	"bencao/names/herb/dose"

	"github.com/google/uuid"
)

// column describes how a column is read into a record and written back.
type column[R any] struct {
	name string
	typ  string // type in the Table Schema; empty is "string"
	role Role
	// A required column must exist, and its cells must not be empty.
	required bool
	// A present column must exist, but its cells may be empty.
	present bool
	// A filled column may be missing, but if it exists, its cells must not be empty.
	filled bool
	// words is the column's vocabulary, or nil if it has none. A word that is not in the vocabulary
	// gets a warning.
	words []string
	// set stores a non-empty value in the record.
	set setter[R]
	// get returns the record's value as text that set can read; it returns "" if there is no value.
	get func(r *R) string
}

// setter stores a value in a record. It returns the problem with the value, or nil if there is
// none.
type setter[R any] func(r *R, value string) *problem

// problem is a finding without its location.
type problem struct {
	severity      finding.Severity
	code          finding.Code
	message, hint string
}

// Role says what the values of a column mean for a comparison of two versions of a table.
type Role string

// The roles of columns.
const (
	RolePlain     Role = ""          // describes the record
	RoleIdentity  Role = "identity"  // people recognise the record by it
	RoleGUID      Role = "guid"      // the permanent identifier
	RoleID        Role = "id"        // identifies the record without describing it
	RoleReference Role = "reference" // the number of a record of another table
	RoleNumber    Role = "number"    // a number or a dose
)

// as gives a column its role.
func as[R any](role Role, c column[R]) column[R] {
	c.role = role
	return c
}

// required makes a column required.
func required[R any](c column[R]) column[R] {
	c.required = true
	return c
}

// present makes a column present: it must exist, but its cells may be empty.
func present[R any](c column[R]) column[R] {
	c.present = true
	return c
}

// filled makes a column filled: if it exists, its cells must not be empty.
func filled[R any](c column[R]) column[R] {
	c.filled = true
	return c
}

// oneOf gives a column its vocabulary.
func oneOf[R any](words []string, c column[R]) column[R] {
	c.words = words
	return c
}

// text returns a column for arbitrary text.
func text[R any, S ~string](name string, field func(*R) *S) column[R] {
	return checked(name, func(string) *problem { return nil }, field)
}

// checked returns a text column. look returns the problem with a value, or nil. A problem becomes a
// warning and does not reject the row.
func checked[R any, S ~string](name string, look func(string) *problem, field func(*R) *S) column[R] {
	return column[R]{name: name, get: func(r *R) string { return string(*field(r)) }, set: func(r *R, v string) *problem {
		*field(r) = S(v)
		return look(v)
	}}
}

// integer returns a column of whole numbers.
func integer[R any, N int32 | int64](name string, field func(*R) *N) column[R] {
	bits := 32
	if _, ok := any(N(0)).(int64); ok {
		bits = 64
	}
	get := func(r *R) string { return strconv.FormatInt(int64(*field(r)), 10) }
	return column[R]{name: name, typ: "integer", get: get, set: func(r *R, v string) *problem {
		n, err := strconv.ParseInt(v, 10, bits)
		if err != nil {
			return &problem{finding.Reject, finding.Type, name + " is not a whole number",
				fmt.Sprintf("write digits only, up to %d", uint64(1)<<(bits-1)-1)}
		}
		*field(r) = N(n)
		return nil
	}}
}

// number returns a column of decimal numbers. The function get returns nil if the record has no
// value.
func number[R any](name string, get func(*R) *float64, set func(*R, float64)) column[R] {
	written := func(r *R) string {
		if x := get(r); x != nil {
			return strconv.FormatFloat(*x, 'g', -1, 64)
		}
		return ""
	}
	return column[R]{name: name, typ: "number", get: written, set: func(r *R, v string) *problem {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return &problem{finding.Reject, finding.Type, name + " is not a number", "write it like 0.25"}
		}
		set(r, x)
		return nil
	}}
}

// boolean returns a column of true and false. An empty cell is nil.
func boolean[R any](name string, field func(*R) **bool) column[R] {
	get := func(r *R) string {
		if yes := *field(r); yes != nil {
			return strconv.FormatBool(*yes)
		}
		return ""
	}
	return column[R]{name: name, typ: "boolean", get: get, set: func(r *R, v string) *problem {
		yes := false
		switch strings.ToLower(v) {
		case "true", "1", "yes":
			yes = true
		case "false", "0", "no":
		default:
			return &problem{finding.Reject, finding.Type, name + " is neither true nor false", "write true or false"}
		}
		*field(r) = &yes
		return nil
	}}
}

// guid returns a column of UUIDs. They are stored in lower case.
func guid[R any](field func(*R) *string) column[R] {
	return column[R]{name: "guid", role: RoleGUID, get: func(r *R) string { return *field(r) }, set: func(r *R, v string) *problem {
		u, err := uuid.Parse(v)
		if err != nil {
			return &problem{finding.Reject, finding.Type, "guid is not a UUID",
				"write it like 89786201-e69b-5049-a01b-d47ed69ada7b, or leave it empty and bencao makes one"}
		}
		*field(r) = u.String()
		return nil
	}}
}

// Years outside these limits get a warning. The oldest formulas are about 2,200 years old. The
// limits also catch a year with an extra digit.
const (
	firstYear = -3000
	lastYear  = 2100
)

// year returns a column of years, which are negative before the common era. An unreadable year is
// left out of the record, and the row is kept.
func year[R any](name string, field func(*R) **int32) column[R] {
	get := func(r *R) string {
		if y := *field(r); y != nil {
			return strconv.Itoa(int(*y))
		}
		return ""
	}
	return column[R]{name: name, typ: "integer", get: get, set: func(r *R, v string) *problem {
		n, err := strconv.ParseInt(v, 10, 32)
		if err != nil {
			return &problem{finding.Warn, finding.Year, name + " is not a whole number and is left out",
				"write digits only, with a minus sign before the common era"}
		}
		y := int32(n)
		*field(r) = &y
		if y == 0 || y < firstYear || y > lastYear {
			return &problem{finding.Warn, finding.Year, "an odd " + name, "there is no year 0, and none after now"}
		}
		return nil
	}}
}

// printedYear checks a year that is stored as text, such as 1998 or 1998–2001.
func printedYear(v string) *problem {
	digits := 0
	for i, c := range v {
		if c < '0' || c > '9' {
			digits = 0
			continue
		}
		if digits++; digits == 4 && v[i-3:i+1] >= "1000" && v[i-3:i+1] <= strconv.Itoa(lastYear) {
			return nil
		}
	}
	return &problem{finding.Warn, finding.Year, "an odd year", "write four digits"}
}

// link returns a column of web addresses. Another value is left out of the record.
func link[R any, S ~string](name string, field func(*R) *S) column[R] {
	return identifier(name, isWebAddress, "hold no web address and are left out", "write the whole address, with https://", field)
}

// identifier returns a text column. A value for which valid is false is left out of the record.
func identifier[R any, S ~string](name string, valid func(string) bool, message, hint string, field func(*R) *S) column[R] {
	return column[R]{name: name, get: func(r *R) string { return string(*field(r)) }, set: func(r *R, v string) *problem {
		if !valid(v) {
			return &problem{finding.Warn, finding.Link, message, hint}
		}
		*field(r) = S(v)
		return nil
	}}
}

// isWebAddress reports whether a text is the address of a page on the web. The name of a computer
// in a local network is no such address.
func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.Contains(strings.Trim(u.Hostname(), "."), ".") && !strings.HasPrefix(u.Hostname(), "127.")
}

// isDOI reports whether a text contains a DOI.
func isDOI(s string) bool { return strings.Contains(s, "10.") }

// isPubMedID reports whether a text is the number of a record of PubMed.
func isPubMedID(s string) bool { return strings.Trim(s, "0123456789") == "" }

// readableDose checks whether a dose can be read as a number and a unit. The comparison of formulas
// needs this.
func readableDose(v string) *problem {
	if _, err := dose.Parse(v); err != nil {
		return &problem{finding.Warn, finding.Dose, errors.Unwrap(err).Error(), "the dose counts as unknown"}
	}
	return nil
}

// families lists the eight family names that do not end in -aceae (ICN Art. 18.5).
var families = []string{"Compositae", "Cruciferae", "Gramineae", "Guttiferae", "Labiatae", "Leguminosae", "Palmae", "Umbelliferae"}

// familyName checks the scientific name of a family.
func familyName(v string) *problem {
	if strings.HasSuffix(v, "aceae") || slices.Contains(families, v) {
		return nil
	}
	return &problem{finding.Warn, finding.Family, "a family name that does not end in -aceae", "is it an order, a genus or a slip?"}
}

// scientificName checks the form of a name. A name whose form gives a warning is still matched with
// the checklists.
func scientificName(v string) *problem {
	odd := func(message, hint string) *problem { return &problem{finding.Warn, finding.Name, message, hint} }
	switch {
	case strings.ContainsAny(v, "\n\t"):
		return odd("a line break or a tab in a name", "write a space")
	case strings.Contains(v, "  "):
		return odd("two spaces in a name", "write one")
	case strings.HasSuffix(v, "."):
		return odd("a full stop at the end of a name", "take it off; authors have a column of their own")
	case strings.ContainsAny(v, "0123456789<>&;"):
		return odd("a sign in a name that no name has", "write the name alone; authors have a column of their own")
	}
	return nil
}

// chineseName warns if a character of a name could not be encoded. The name may describe the
// character by its parts ([艹／洽]草), contain a character of a private font, or have lost the
// character (？) when the text was converted.
func chineseName(v string) *problem {
	odd := func(message, hint string) *problem { return &problem{finding.Warn, finding.Glyph, message, hint} }
	switch {
	case strings.ContainsAny(v, "／[［"):
		return odd("a character described by its parts", "write the character itself, or ask for it to be added to Unicode")
	case strings.ContainsFunc(v, func(r rune) bool { return unicode.Is(unicode.Co, r) }):
		return odd("a character of a private font, which others can't see", "write the character itself, or describe it by its parts: [艹／洽]")
	case strings.ContainsAny(v, "?？□\uFFFD"):
		return odd("a character was lost", "look it up in the source; it is often a rare one")
	}
	return nil
}
