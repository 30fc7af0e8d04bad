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

// Languages are the codes of those that a night can be written in, the one for
// whoever says nothing first.
var Languages = []string{"en", "zh"}

var catalogues = map[string]*catalogue.Catalogue{
	"en": catalogue.Read(texts, "en.txt"),
	"zh": catalogue.Read(texts, "zh.txt"),
}

var printers = map[string]*message.Printer{
	"en": message.NewPrinter(language.English),
	"zh": message.NewPrinter(language.SimplifiedChinese),
}

// words writes in one language.
type words struct {
	*catalogue.Catalogue
	code    string
	numbers *message.Printer
}

// count writes a number as the language does.
func (w words) count(n int) string { return w.numbers.Sprint(n) }

// number is a cell with a number.
func (w words) number(n int) cell { return cell{Text: w.count(n), Number: true} }

// columns are headings of columns.
func (w words) columns(keys ...string) []string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = w.Say("column." + key)
	}
	return out
}

// join puts items behind each other.
func (w words) join(items []string) string { return strings.Join(items, w.Say("comma")) }

// day is the day of a time, or nothing.
func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// minute is a time in UTC.
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// maxSaid is how many characters of a value are shown.
const maxSaid = 120

// clip cuts a long value.
func clip(s string) string {
	if r := []rune(s); len(r) > maxSaid {
		return string(r[:maxSaid]) + "…"
	}
	return s
}

// clipped are the first items, and how many are left out.
func clipped(items []string) (first []string, more int) {
	const most = 6
	for _, s := range items[:min(len(items), most)] {
		first = append(first, clip(s))
	}
	return slices.Clip(first), max(0, len(items)-most)
}
