package herb

import (
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/names/han"
)

// alsoAlike lists further characters that writers of prescriptions take for each other.
const alsoAlike = "通桶 芽牙 膏羔高 藜黎 蓉容 夷荑 诃呵 萝罗 砂沙 楞愣 柏相 豉支 仲冲 炙灸 芩岑 艽芄 蓝兰 韦苇 肤夫 腥星 菟兔"

// lookAlikes returns the characters for which a character is taken in the names of herbs.
func lookAlikes(r rune) []rune {
	all := slices.Clone(han.LookAlikes(r))
	for group := range strings.FieldsSeq(alsoAlike) {
		if strings.ContainsRune(group, r) {
			all = append(all, []rune(strings.ReplaceAll(group, string(r), ""))...)
		}
	}
	return all
}

// Slip returns the name of a herb that a folded text miswrites, and "" if the text is a name of any kind
// or may miswrite the names of several herbs. One character of the text stands for another one that looks
// like it ([han.LookAlikes] and alsoAlike): 木桶 for 木通. Folk names and names of some years are not miswritten, and
// neither the sound nor the order of characters counts: by these 桃红 would be 栀子.
func Slip(text string) string {
	if utf8.RuneCountInString(text) < 2 || utf8.RuneCountInString(text) > maxHerbName || HasRecord(text) || Lookup(text) != nil {
		return ""
	}
	meant := ""
	runes := []rune(text)
	for i, r := range runes {
		for _, other := range lookAlikes(r) {
			runes[i] = other
			name := han.Fold(string(runes))
			switch found := herbNamed(name); {
			case found == "" || found == meant:
			case meant != "":
				return ""
			default:
				meant = found
			}
		}
		runes[i] = r
	}
	return meant
}

// herbNamed returns the standard name of the herb that a folded name means in all years and for sure, or
// "".
func herbNamed(name string) string {
	if standard := Standard(name); standard != "" {
		return standard
	}
	if main := loaded().names[name]; len(main) == 1 && !main[0].unsure {
		return main[0].herb.Name
	}
	if HasRecord(name) {
		return name
	}
	return ""
}
