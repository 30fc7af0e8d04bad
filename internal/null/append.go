package null

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// AppendJSON appends the result of MarshalJSON.
func (t Text) AppendJSON(b []byte) []byte {
	if t == "" {
		return append(b, "null"...)
	}
	if !plain(string(t)) {
		text, err := t.MarshalJSON()
		if err != nil {
			panic(err) // cannot fail: a string can always be encoded
		}
		return append(b, text...)
	}
	b = append(b, '"')
	from := 0
	for i := range len(t) {
		if c := t[i]; c == '<' || c == '>' || c == '&' { // JSON escapes these for HTML
			b = append(append(b, t[from:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			from = i + 1
		}
	}
	return append(append(b, t[from:]...), '"')
}

const hex = "0123456789abcdef"

// appendPlain appends a string as JSON, but only if the string needs no escapes. The characters <,
// > and & are appended as they are. ok is false if nothing was appended.
func appendPlain(b []byte, s string) (_ []byte, ok bool) {
	if !plain(s) {
		return b, false
	}
	return append(append(append(b, '"'), s...), '"'), true
}

// AppendString appends a string as JSON. It does not escape <, > and &.
func AppendString(b []byte, s string) []byte {
	if b, ok := appendPlain(b, s); ok {
		return b
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // cannot fail: a string can always be encoded
	}
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}

// AppendNumber appends a number as JSON. The number must not be infinite or NaN.
func AppendNumber(b []byte, f float64) []byte {
	if size := math.Abs(f); f == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	text, err := json.Marshal(f) // the number has an exponent
	if err != nil {
		panic(err) // a finite number can always be encoded
	}
	return append(b, text...)
}

// plain reports whether a string needs no escapes in JSON, apart from those for HTML.
func plain(s string) bool {
	ascii := true
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == '"' || c == '\\':
			return false
		case c == 0xe2: // the first byte of the separators U+2028 and U+2029
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return ascii || utf8.ValidString(s)
}
