package wordlist

import "strings"

// Words yields the words of each kind.
func Words(yield func(Kind, string) bool) {
	for kind, list := range lists {
		for w := range strings.FieldsSeq(list) {
			if !yield(kind, w) {
				return
			}
		}
	}
}

// Without takes a word out of a kind until restore is called.
func Without(kind Kind, word string) (restore func()) {
	was := kinds[word]
	kinds[word] &^= kind
	return func() { kinds[word] = was }
}

// Kingdoms and Crops are the tables of these names.
var (
	Kingdoms = kingdoms
	Crops    = crops
)
