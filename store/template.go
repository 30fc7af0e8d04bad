package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Parts are the parts of an answer that a key may see.
type Parts uint8

const (
	// Composition is a formula's ingredients and codes, and which herbs it
	// shares with similar ones.
	Composition Parts = 1 << iota
	// Similarity is the lists of similar formulas.
	Similarity
)

// Template is an answer as JSON, rendered at night, with the places marked
// that are known only when it goes out. The marks are control bytes, which
// JSON never holds unescaped:
//
//	01          the site's address
//	02 … 03     shown with [Composition], else null
//	04 … 05     shown with [Similarity], else null; may hold 02 … 03
type Template []byte

const (
	markSite = iota + 1
	markComposition
	endComposition
	markSimilarity
	endSimilarity
)

// Append renders the template behind dst. Site is the site's address without
// a trailing slash, as [EscapeSite] gives it.
func (t Template) Append(dst []byte, site string, show Parts) []byte {
	start := 0
	for i := 0; i < len(t); i++ {
		var end byte
		switch t[i] {
		case markSite:
			dst = append(append(dst, t[start:i]...), site...)
			start = i + 1
			continue
		case endComposition, endSimilarity:
			dst = append(dst, t[start:i]...)
			start = i + 1
			continue
		case markComposition:
			if show&Composition == 0 {
				end = endComposition
			}
		case markSimilarity:
			if show&Similarity == 0 {
				end = endSimilarity
			}
		default:
			continue
		}
		dst = append(dst, t[start:i]...)
		if end != 0 {
			dst = append(dst, "null"...)
			length := bytes.IndexByte(t[i:], end)
			if length < 0 { // damaged: better too little is shown
				return dst
			}
			i += length
		}
		start = i + 1
	}
	return append(dst, t[start:]...)
}

// EscapeSite gives an address the form in which [Template.Append] wants it.
func EscapeSite(site string) string {
	quoted, err := encode(strings.TrimRight(site, "/"))
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(quoted[1 : len(quoted)-1])
}

// siteURL is the address of one of our own pages, with the mark for the site.
func siteURL(path string) string { return "\x01" + path }

// render encodes an answer whose addresses were made with siteURL and marks
// them. It returns an error if the answer holds another U+0001.
func render(answer any, addresses int) (Template, error) {
	escaped, err := encode(answer)
	if err != nil {
		return nil, err
	}
	const mark = `\u0001`
	out := escaped[:0]
	for i := 0; i < len(escaped); i++ {
		c := escaped[i]
		if c != '\\' {
			out = append(out, c)
			continue
		}
		if bytes.HasPrefix(escaped[i:], []byte(mark)) {
			out = append(out, markSite)
			addresses--
			i += len(mark) - 1
			continue
		}
		out = append(out, c, escaped[i+1])
		i++
	}
	if addresses != 0 {
		return nil, fmt.Errorf("record holds the control character U+0001; remove it from the source")
	}
	return out, nil
}

// encode is json.Marshal without HTML escapes, which an API needs not.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
