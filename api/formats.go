package api

import (
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"strings"

	"bencao/api/cite"
)

// format is the media type of an answer.
type format string

const (
	formatJSON format = "application/json"
	formatCSV  format = "text/csv"
	// formatLines is NDJSON: one JSON object per line.
	formatLines format = "application/x-ndjson"
	// formatGraphML is the format of networks for Cytoscape and Gephi
	// (http://graphml.graphdrawing.org).
	formatGraphML format = "application/graphml+xml"
	// formatHTML is the format of pages.
	formatHTML format = "text/html"
)

// fileHeader is the response header that suggests a file name to browsers.
const fileHeader = "Content-Disposition"

// word returns the value of the parameter format.
func (f format) word() string {
	switch f {
	case formatJSON:
		return "json"
	case formatCSV:
		return "csv"
	case formatLines:
		return "ndjson"
	case formatGraphML:
		return "graphml"
	}
	for _, c := range cite.Forms {
		if c.Media == string(f) {
			return c.Word
		}
	}
	return string(f)
}

// contentType returns the value of Content-Type.
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

// fileName returns the file name that is suggested to browsers for an operation's answer.
func (f format) fileName(op string) string {
	end := f.word()
	if c, ok := cite.FormOf(end); ok {
		end = c.End
	}
	return "bencao-" + strings.ReplaceAll(op, ".", "-") + "." + end
}

// chosen returns the format that a request selects by the parameter format, or else by Accept. It
// returns false if Accept excludes all formats.
func chosen(formats []format, word string, accept []string) (format, bool) {
	for _, f := range formats {
		if f.word() == word {
			return f, true
		}
	}
	return negotiate(accept, formats...)
}

// negotiate returns the format with the highest quality in the Accept header. Among formats of
// equal quality it prefers the one that the header names more exactly, and then the one offered
// first. A missing header and a header without elements accept everything. negotiate returns false
// if the header excludes all formats.
func negotiate(accept []string, offered ...format) (format, bool) {
	header := strings.Join(accept, ",")
	if strings.Trim(header, ", \t") == "" {
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

// quality returns the quality, from 0 to 1, that an Accept header gives to a format. The most
// specific media range that covers the format decides. exactness is 3 if that range is a media
// type, 2 if it is a family such as text/*, 1 for */*, and 0 if no range covers the format.
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

// weight returns the q of a media range's parameters. A missing or unreadable q counts as 1, since
// the client has named the range.
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

// offered lists formats for an error message.
func offered(formats []format) string {
	var words []string
	for _, f := range formats {
		words = append(words, string(f))
	}
	return strings.Join(words, " or ")
}

// rowOptions are the options of CSV.
type rowOptions struct {
	bom      bool // begin with a byte order mark
	headless bool // omit the line of field names
}

// writeLines writes rows as NDJSON.
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
