package vernacular

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// kana maps the hiragana of one sign to Hepburn romanization.
var kana = func() map[rune]string {
	all := map[rune]string{'し': "shi", 'ち': "chi", 'つ': "tsu", 'ふ': "fu", 'じ': "ji", 'ぢ': "ji", 'づ': "zu", 'ん': "n", 'や': "ya", 'ゆ': "yu", 'よ': "yo", 'わ': "wa", 'を': "o"}
	for consonant, signs := range map[string]string{
		"": "あいうえお", "k": "かきくけこ", "s": "さしすせそ", "t": "たちつてと", "n": "なにぬねの", "h": "はひふへほ", "m": "まみむめも", "r": "らりるれろ",
		"g": "がぎぐげご", "z": "ざじずぜぞ", "d": "だぢづでど", "b": "ばびぶべぼ", "p": "ぱぴぷぺぽ",
	} {
		for i, sign := range []rune(signs) {
			if all[sign] == "" {
				all[sign] = consonant + "aiueo"[i:i+1]
			}
		}
	}
	return all
}()

// writtenForms maps the dose forms that may follow a name in kana to kana.
var writtenForms = map[string]string{"湯": "とう", "散": "さん", "丸": "がん", "飲": "いん"}

// Romanized returns a Japanese name in kana in Latin letters: kakkontou for かっこんとう, カッコントウ, ｶｯｺﾝﾄｳ,
// かっこん湯 or かっこんとうエキス顆粒. It returns "" for other texts.
func Romanized(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(text))
	text, _, _ = strings.Cut(text, "エキス")
	for form, sound := range writtenForms {
		if name, ok := strings.CutSuffix(text, form); ok && name != "" {
			text = name + sound
		}
	}
	var out strings.Builder
	double := false // after っ, which doubles the next consonant
	for _, sign := range text {
		if 'ァ' <= sign && sign <= 'ヶ' {
			sign -= 'ァ' - 'ぁ'
		}
		letters := kana[sign]
		if at := strings.IndexRune("ゃゅょ", sign); at >= 0 { // きょ is kyo, しょ is sho
			before, ok := strings.CutSuffix(out.String(), "i")
			if !ok {
				return ""
			}
			out.Reset()
			out.WriteString(before)
			if !strings.HasSuffix(before, "sh") && !strings.HasSuffix(before, "ch") && !strings.HasSuffix(before, "j") {
				out.WriteByte('y')
			}
			letters = string("auo"[at/len("ゃ")])
		}
		switch {
		case sign == 'っ':
			double = true
			continue
		case sign == 'ー' && out.Len() > 0:
			letters = out.String()[out.Len()-1:]
		case letters == "":
			return ""
		case double:
			letters = letters[:1] + letters
		}
		double = false
		out.WriteString(letters)
	}
	return out.String()
}
