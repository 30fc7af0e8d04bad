package rows

import (
	"strconv"
	"strings"
)

// Defuse returns a cell that no spreadsheet runs as a formula: it puts an apostrophe before it if
// needed. Numbers stay.
func Defuse(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	_, err := strconv.ParseFloat(cell, 64)
	if err == nil && !strings.ContainsAny(cell, "nN") { // spreadsheets do not take NaN and infinities for numbers
		return cell
	}
	return "'" + cell
}
