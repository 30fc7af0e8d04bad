package rows

import (
	"strconv"
	"strings"
)

// Defuse returns a cell that no spreadsheet runs as a formula. If needed, it puts an apostrophe in
// front. It does not change numbers.
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
