// Package null has a string type that JSON shows as null when it is empty. It also appends strings
// and numbers to JSON without reflection. It does not know the records. Begin with [Text].
package null

import "encoding/json"

// Text is a string that JSON shows as null when it is empty: a missing value is null, never "".
type Text string

// MarshalJSON returns null for an empty text.
func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}
