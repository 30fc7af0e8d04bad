package rows

import (
	"strconv"
	"strings"
)

// Defuse puts an apostrophe before the text of a cell that a spreadsheet would run as a formula. It
// returns other cells, such as numbers, unchanged.
func Defuse(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	_, err := strconv.ParseFloat(cell, 64)
	if err == nil && !strings.ContainsAny(cell, "nN") { // spreadsheets do not read NaN and infinities as numbers
		return cell
	}
	return "'" + cell
}
