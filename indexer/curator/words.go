package curator

import (
	"embed"
	"slices"
	"strings"
	"time"

	"bencao/internal/catalogue"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed *.txt
var texts embed.FS

var catalogues = map[string]*catalogue.Catalogue{
	"en": catalogue.Read(texts, "en.txt"),
	"zh": catalogue.Read(texts, "zh.txt"),
}

var printers = map[string]*message.Printer{
	"en": message.NewPrinter(language.English),
	"zh": message.NewPrinter(language.SimplifiedChinese),
}

// words formats texts and numbers in one language.
type words struct {
	*catalogue.Catalogue
	code    string
	numbers *message.Printer
}

// count formats a number by the rules of the language.
func (w words) count(n int) string { return w.numbers.Sprint(n) }

// number returns a cell with a number.
func (w words) number(n int) cell { return cell{Text: w.count(n), Number: true} }

// columns returns the column headings with the given keys.
func (w words) columns(keys ...string) []string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = w.Say("column." + key)
	}
	return out
}

// join joins items with the comma of the language.
func (w words) join(items []string) string { return strings.Join(items, w.Say("comma")) }

// day formats the date of a time in UTC. It returns "" for nil.
func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// minute formats a time in UTC to the minute.
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// maxValue is the maximum number of characters of a value that the report shows.
const maxValue = 120

// clip shortens a text of more than maxValue characters and adds an ellipsis.
func clip(s string) string {
	if r := []rune(s); len(r) > maxValue {
		return string(r[:maxValue]) + "…"
	}
	return s
}

// clipped returns the first items, each shortened by clip. more is the number of items that it
// leaves out.
func clipped(items []string) (first []string, more int) {
	const limit = 6
	for _, s := range items[:min(len(items), limit)] {
		first = append(first, clip(s))
	}
	return slices.Clip(first), max(0, len(items)-limit)
}
