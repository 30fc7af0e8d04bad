package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
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
//	04 … 05     shown with [Similarity], else null; empty as it rests: see appendDetail
type Template []byte

const (
	markSite = iota + 1
	markComposition
	endComposition
	markSimilarity
	endSimilarity
)

// Marks of links, in the detail of a formula as it rests:
//
//	06 number    a [HerbSpecies]
//	07 number    a [HerbLink]
//
// A number is a varint. No [Template] that leaves the package has such a mark.
const (
	markSpecies = endSimilarity + 1 + iota
	markHerb
)

// isLink tells whether a byte is the mark of a link.
func isLink(mark byte) bool { return mark == markSpecies || mark == markHerb }

// Append renders the template behind dst. Site is the site's address without
// a trailing slash, as [EscapeSite] gives it.
func (t Template) Append(dst []byte, site string, show Parts) []byte {
	for len(t) > 0 {
		var text []byte
		var insert string
		text, insert, t = t.next(site, show)
		dst = append(append(dst, text...), insert...)
	}
	return dst
}

// next splits a template at its first mark: into what stands before it, what
// goes out in its place, and the rest.
func (t Template) next(site string, show Parts) (text []byte, insert string, rest Template) {
	for i := firstMark(t); i < len(t); i += 1 + firstMark(t[i+1:]) {
		var part Parts
		switch t[i] {
		case markSite:
			return t[:i], site, t[i+1:]
		case endComposition, endSimilarity:
			return t[:i], "", t[i+1:]
		case markComposition:
			part = Composition
		case markSimilarity:
			part = Similarity
		default:
			continue
		}
		if show&part != 0 {
			return t[:i], "", t[i+1:]
		}
		return t[:i], "null", t[i+partEnd(t[i:]):]
	}
	return t, "", nil
}

// partEnd is where the part ends that a template begins with, behind its mark; the length if it
// has no end, for better too little of what is damaged is shown. Numbers of links may look like
// marks.
func partEnd(t Template) int {
	for i := 1; i < len(t); i++ {
		if i += firstMark(t[i:]); i == len(t) {
			break
		}
		switch mark := t[i]; {
		case mark == t[0]+1: // see Template
			return i + 1
		case isLink(mark):
			_, digits := binary.Uvarint(t[i+1:])
			i += max(0, digits)
		}
	}
	return len(t)
}

// Text is a text of an answer's own fields, or "" if it is null.
func (t Template) Text(field string) (string, error) {
	// A quote inside a text is escaped, so only the field itself fits.
	at := bytes.Index(t, []byte(`"`+field+`":`))
	if at < 0 {
		return "", fmt.Errorf("answer has no field %s: %w", field, ErrDamaged)
	}
	value := t[at+len(field)+len(`"":`):]
	if !bytes.HasPrefix(value, []byte{'"'}) {
		return "", nil
	}
	end := 1
	for end < len(value) && value[end] != '"' {
		if value[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(value) {
		return "", fmt.Errorf("field %s has no end: %w", field, ErrDamaged)
	}
	if !bytes.Contains(value[:end], []byte{'\\'}) {
		return string(value[1:end]), nil
	}
	var text string
	err := json.Unmarshal(value[:end+1], &text)
	return text, err
}

// firstMark is where the first byte stands that may be a mark, or else the length.
// It looks at eight bytes at a time: a byte below 8 is the lowest that borrows when 8
// is taken from each, and has no high bit of its own.
func firstMark(t []byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; len(t)-i >= 8; i += 8 {
		x := binary.LittleEndian.Uint64(t[i:])
		if low := (x - 8*each) &^ x & high; low != 0 {
			return i + bits.TrailingZeros64(low)/8
		}
	}
	for ; i < len(t) && t[i] >= 8; i++ {
	}
	return i
}

// length is how many bytes [Template.Append] appends.
func (t Template) length(site string, show Parts) (n int) {
	for len(t) > 0 {
		var text []byte
		var insert string
		text, insert, t = t.next(site, show)
		n += len(text) + len(insert)
	}
	return n
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
