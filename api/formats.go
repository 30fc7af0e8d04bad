package api

import (
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"strings"

	"bencao/api/cite"
)

// format is a form that an answer can go out in.
type format string

const (
	formatJSON format = "application/json"
	formatCSV  format = "text/csv"
	// formatLines is NDJSON: a JSON object a line.
	formatLines format = "application/x-ndjson"
)

// fileHeader names the file that an answer is to be kept as.
const fileHeader = "Content-Disposition"

// word is what a format is called in an address.
func (f format) word() string {
	switch f {
	case formatJSON:
		return "json"
	case formatCSV:
		return "csv"
	case formatLines:
		return "ndjson"
	}
	for _, c := range cite.Forms {
		if c.Media == string(f) {
			return c.Word
		}
	}
	return string(f)
}

// contentType is the header for what goes out in the format.
func (f format) contentType(rows rowOptions) string {
	switch {
	case f == formatCSV && rows.headless:
		return "text/csv; charset=utf-8; header=absent"
	case f == formatCSV:
		return "text/csv; charset=utf-8; header=present"
	}
	if c, ok := cite.FormOf(f.word()); ok {
		return c.Media + c.Charset
	}
	return string(f)
}

// fileName is what a browser keeps an operation's answer in the format as.
func (f format) fileName(op string) string {
	end := f.word()
	if c, ok := cite.FormOf(end); ok {
		end = c.End
	}
	return "bencao-" + strings.ReplaceAll(op, ".", "-") + "." + end
}

// chosen is the one of the formats that a request asks for: that of its address,
// or else of its Accept.
func chosen(formats []format, word string, accept []string) (format, bool) {
	for _, f := range formats {
		if f.word() == word {
			return f, true
		}
	}
	return negotiate(accept, formats...)
}

// negotiate picks the form that the Accept header likes best: of several that
// it likes alike the one that it names more exactly, and then the first one
// offered. It reports false when the header rules all of them out. No header
// means anything.
func negotiate(accept []string, offered ...format) (format, bool) {
	header := strings.Join(accept, ",")
	if strings.TrimSpace(header) == "" {
		return offered[0], true
	}
	var best format
	var most float64
	var closest int
	for _, f := range offered {
		q, exactness := quality(header, f)
		if q > most || q == most && q > 0 && exactness > closest {
			best, most, closest = f, q, exactness
		}
	}
	return best, most > 0
}

// quality is how much an Accept header likes a form, from 0 to 1: what the
// most exact range that covers it says, and how exact that one is.
func quality(header string, f format) (q float64, exactness int) {
	family, _, _ := strings.Cut(string(f), "/")
	for part := range strings.SplitSeq(header, ",") {
		media, rest, _ := strings.Cut(part, ";")
		level := 0
		switch media = strings.ToLower(strings.TrimSpace(media)); media {
		case string(f):
			level = 3
		case family + "/*":
			level = 2
		case "*/*":
			level = 1
		}
		if level > exactness {
			exactness, q = level, weight(rest)
		}
	}
	return q, exactness
}

// weight reads the q of a media range's parameters; an unreadable one counts
// as 1, since the client did name the range.
func weight(params string) float64 {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if !strings.EqualFold(name, "q") {
			continue
		}
		if q, err := strconv.ParseFloat(value, 64); err == nil && q >= 0 && q <= 1 {
			return q
		}
	}
	return 1
}

// offered lists formats for an error.
func offered(formats []format) string {
	var words []string
	for _, f := range formats {
		words = append(words, string(f))
	}
	return strings.Join(words, " or ")
}

// rowOptions say how rows are written as CSV.
type rowOptions struct {
	bom      bool // a byte order mark first
	headless bool // no line of field names
}

// writeLines writes rows as JSON, a row a line.
func writeLines[T any](w io.Writer, rows iter.Seq2[T, error]) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}
