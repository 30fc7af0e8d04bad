package spelling

import "bytes"

// misreadings lists pairs of groups of letters that optical character recognition confuses.
var misreadings = [][2]string{
	{"rn", "m"}, {"cl", "d"}, {"el", "d"}, {"li", "h"}, {"ni", "m"}, {"in", "m"}, {"nn", "m"}, {"ri", "n"}, {"ti", "n"}, {"vv", "w"}, {"ii", "u"}, {"il", "u"},
}

// Misreading is a group of letters in a word that optical character recognition may have read
// wrongly.
type Misreading struct {
	at, end int    // position of the group in the word
	printed string // the letters that may have been printed instead
}

// AppendMisreadings appends the possible misreadings in a word: in ligustrurn, rn may be a misread
// m.
func AppendMisreadings(dst []Misreading, word []byte) []Misreading {
	for i := range misreadings {
		pair := &misreadings[i]
		for way, read := range pair {
			for at := 0; at+len(read) <= len(word); at++ {
				if word[at] == read[0] && string(word[at:at+len(read)]) == read {
					dst = append(dst, Misreading{at, at + len(read), pair[1-way]})
				}
			}
		}
	}
	return dst
}

// MisreadThroughout calls yield with each name that may have been printed, assuming that one group
// of letters was misread wherever it occurs: rheurn palrnatum for rheum palmatum. The group must
// occur at least twice; times is the number of occurrences.
func MisreadThroughout(text []byte, yield func(printed []byte, times int)) {
	for i := range misreadings {
		pair := &misreadings[i]
		for way, read := range pair {
			if times := bytes.Count(text, []byte(read)); times > 1 {
				yield(bytes.ReplaceAll(text, []byte(read), []byte(pair[1-way])), times)
			}
		}
	}
}

// AppendPrinted appends the word as it may have been printed.
func (m Misreading) AppendPrinted(dst, word []byte) []byte {
	return append(append(append(dst, word[:m.at]...), m.printed...), word[m.end:]...)
}
