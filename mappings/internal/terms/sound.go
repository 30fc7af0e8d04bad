package terms

import (
	"strings"

	"bencao/mappings"
	"bencao/names/pinyin"
)

// Limits of the terms of pinyin.
const (
	maxPrefix = 40 // maximum letters of a prefix
	minInside = 2  // minimum letters of a part within the pinyin
)

// soundTerms adds the terms of numbered pinyin. name is the same name in characters. name is empty
// if the record does not have exactly one name in characters for each pinyin.
func soundTerms(t mappings.Tiers, value string, name []rune, add adder) {
	letters, starts := pinyin.Plain(value, nil)
	if letters == "" {
		return
	}
	ends := append(starts[1:len(starts):len(starts)], len(letters))
	add(mappings.Whole, letters)
	inside := t[mappings.AlignedInside] > 0
	isEnd := make([]bool, len(letters)+1)
	for i, start := range starts {
		isEnd[ends[i]] = true
		for _, end := range ends[i:] {
			switch {
			case i == 0 && end == len(letters) && t[mappings.Aligned] > 0:
			case i == 0 && t[mappings.Aligned] > 0:
				add(mappings.Aligned, letters[:end])
			case inside && end-start <= maxPrefix:
				add(mappings.AlignedInside, letters[start:end])
			}
		}
	}
	for i, start := range starts {
		way, least := mappings.Inside, minInside
		switch {
		case i == 0 && t[mappings.Prefix] > 0:
			way, least = mappings.Prefix, 1
		case t[mappings.Inside] == 0:
			continue
		}
		for n := least; n <= maxPrefix && start+n < len(letters); n++ {
			if !isEnd[start+n] {
				add(way, letters[start:start+n])
			}
		}
	}
	if t[mappings.NearSound] > 0 {
		sound, _ := pinyin.Near(value)
		add(mappings.NearSound, sound)
	}
	if t[mappings.OtherSound] > 0 && len(name) == len(starts) {
		for k, r := range name {
			for _, other := range pinyin.AlternateReadings(r, letters[starts[k]:ends[k]]) {
				add(mappings.OtherSound, letters[:starts[k]]+strings.ReplaceAll(other, "ü", "u")+letters[ends[k]:])
			}
		}
	}
}

// initialTerms adds the terms of the initials of numbered pinyin. zh, ch and sh count both as one
// letter and as two: rs and rsh for ren shen.
func initialTerms(t mappings.Tiers, value string, _ []rune, add adder) {
	var short, long []string
	for i := 0; i < len(value); {
		letters, _, next := pinyin.Syllable(value, i)
		one, two := pinyin.Initials(letters)
		short, long = append(short, one), append(long, two)
		i = next
	}
	for _, list := range [][]string{short, long} {
		for i := range list {
			for j := i + 1; j <= len(list); j++ {
				s, way := strings.Join(list[i:j], ""), mappings.Inside
				switch {
				case i == 0 && j == len(list):
					way = mappings.Whole
				case i == 0:
					way = mappings.Prefix
				case len(s) < minInside:
					continue
				}
				if t[way] > 0 {
					add(way, s)
				}
			}
		}
	}
}
