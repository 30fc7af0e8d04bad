package names

import "bencao/names/pinyin"

// labelKey is what a label is looked up by: pinyin without its tones, so that
// both toned and plain readings find it.
func labelKey(kind uint32, text string) string {
	if kind >= labelPinyin {
		return "~" + pinyin.WithoutTones(text)
	}
	return text
}
