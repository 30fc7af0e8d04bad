package spelling

// misreadings are groups of letters that a machine reads for each other from
// print.
var misreadings = [][2]string{
	{"rn", "m"}, {"cl", "d"}, {"el", "d"}, {"li", "h"}, {"ni", "m"}, {"in", "m"}, {"nn", "m"}, {"ri", "n"}, {"ti", "n"}, {"vv", "w"}, {"ii", "u"}, {"il", "u"},
}

// Misreadings calls yield with what a word may have been in print, where one
// group of its letters was read as another: ligustrum for ligustrurn. The word
// holds until yield returns.
func Misreadings(word []byte, yield func([]byte)) {
	var buf [64]byte
	for _, pair := range misreadings {
		for way, read := range pair {
			printed := pair[1-way]
			for i := 0; i+len(read) <= len(word); i++ {
				if string(word[i:i+len(read)]) != read {
					continue
				}
				w := append(buf[:0], word[:i]...)
				w = append(w, printed...)
				yield(append(w, word[i+len(read):]...))
			}
		}
	}
}
