package file

import "strings"

// symbols lists common parts of identifiers. An identifier that consists of symbols is packed: each
// symbol takes half a byte. A symbol must come before symbols that are prefixes of it.
//
//	77000014-1      7 7 0 0 0 0 1 4 -1 ·
//	wfo-0000390578  wfo-0000 3 9 0 5 7 8 ·
var symbols = [16]string{
	"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-1", "-2", "-", "wfo-0000", "wfo-",
	filler: "",
}

// filler is the second half of the last byte if the number of symbols is odd.
const filler = 15

// pairs maps a byte to the text of its two symbols.
var pairs = func() (all [256]string) {
	for b := range all {
		all[b] = symbols[b>>4] + symbols[b&15]
	}
	return all
}()

// appendPacked appends an identifier, packed if possible. It returns packedBit if it packed the
// identifier, and 0 otherwise.
func appendPacked(dst []byte, id string) (_ []byte, packed byte) {
	start, high := len(dst), true
	for rest := id; rest != ""; high = !high {
		n := symbolOf(rest)
		if n == filler {
			return append(dst[:start], id...), 0
		}
		rest = rest[len(symbols[n]):]
		if high {
			dst = append(dst, n<<4|filler)
		} else {
			dst[len(dst)-1] &= 0xF0 | n
		}
	}
	if id == "" {
		return dst, 0
	}
	return dst, packedBit
}

// symbolOf returns the number of the symbol at the start of s, or filler if there is none.
func symbolOf(s string) byte {
	if c := s[0]; c >= '0' && c <= '9' {
		return c - '0'
	}
	for n, symbol := range symbols[10:filler] {
		if strings.HasPrefix(s, symbol) {
			return byte(10 + n)
		}
	}
	return filler
}

// appendUnpacked appends the identifier that was packed into b.
func appendUnpacked(dst, b []byte) []byte {
	for _, c := range b {
		dst = append(dst, pairs[c]...)
	}
	return dst
}
