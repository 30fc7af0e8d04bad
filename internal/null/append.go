package null

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// AppendJSON appends what MarshalJSON returns.
func (t Text) AppendJSON(b []byte) []byte {
	if t == "" {
		return append(b, "null"...)
	}
	if plain(string(t)) && !strings.ContainsAny(string(t), "<>&") {
		return appendQuoted(b, string(t))
	}
	text, err := t.MarshalJSON()
	if err != nil {
		panic(err) // a string always encodes
	}
	return append(b, text...)
}

// AppendString appends a string as JSON, in which <, > and & stand as they are.
func AppendString(b []byte, s string) []byte {
	if plain(s) {
		return appendQuoted(b, s)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // likewise
	}
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}

func appendQuoted(b []byte, s string) []byte {
	return append(append(append(b, '"'), s...), '"')
}

// plain tells whether a string stands in JSON as it is.
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
