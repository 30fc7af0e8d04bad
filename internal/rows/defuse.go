package rows

import (
	"strconv"
	"strings"
)

// Defuse puts an apostrophe before a cell that a spreadsheet would run instead of
// showing it. A number is shown.
func Defuse(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	_, err := strconv.ParseFloat(cell, 64)
	if err == nil && !strings.ContainsAny(cell, "nN") { // NaN and infinities are numbers to us alone
		return cell
	}
	return "'" + cell
}
