// Package null has the text that JSON shows as null when it is empty.
package null

import "encoding/json"

// Text is a string that JSON shows as null when it is empty: what a record
// lacks is null, never "".
type Text string

// MarshalJSON renders an empty text as null.
func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}
