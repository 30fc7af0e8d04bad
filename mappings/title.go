package mappings

import "strings"

// englishTitles maps English titles of books, in lower case and without articles, to Chinese ones. The titles
// are those in common use; the models were the list of classics in the WHO International Standard
// Terminologies on Traditional Medicine in the Western Pacific Region (2007) and Bensky and others,
// Formulas and Strategies (2009).
var englishTitles = map[string]string{
	"treatise on cold damage": "伤寒论", "treatise on cold damage diseases": "伤寒论", "discussion of cold damage": "伤寒论", "on cold damage": "伤寒论",
	"essentials from golden cabinet": "金匮要略", "essential prescriptions of golden cabinet": "金匮要略", "essential prescriptions from golden cabinet": "金匮要略",
	"synopsis of golden chamber": "金匮要略", "synopsis of prescriptions of golden chamber": "金匮要略", "golden cabinet": "金匮要略",
	"essential prescriptions worth thousand gold": "备急千金要方", "important formulas worth thousand gold pieces for emergency": "备急千金要方",
	"thousand ducat formulas": "备急千金要方", "thousand ducat prescriptions": "备急千金要方", "essential prescriptions for emergencies": "备急千金要方",
	"supplement to essential prescriptions worth thousand gold": "千金翼方", "supplement to thousand ducat formulas": "千金翼方", "supplement to important formulas worth thousand gold pieces": "千金翼方",
	"arcane essentials from imperial library": "外台秘要", "essentials from imperial library": "外台秘要",
	"taiping holy prescriptions for universal relief": "太平圣惠方", "formulas from benevolent sages compiled during taiping era": "太平圣惠方",
	"formulary of taiping peoples welfare dispensary": "太平惠民和剂局方", "formulary of taiping welfare dispensary bureau": "太平惠民和剂局方",
	"formulary of bureau of medicines of taiping era": "太平惠民和剂局方", "imperial grace formulary of tai ping era": "太平惠民和剂局方",
	"prescriptions of bureau of taiping peoples welfare pharmacy": "太平惠民和剂局方",
	"formulas from works of universal benefit":                    "普济本事方", "formulas of universal benefit from my practice": "普济本事方", "experiential prescriptions for universal relief": "普济本事方",
	"formulas to aid living": "严氏济生方", "prescriptions for saving lives": "严氏济生方",
	"fine formulas for women": "妇人大全良方", "complete compendium of fine formulas for women": "妇人大全良方", "compendium of effective prescriptions for women": "妇人大全良方",
	"discussion of illnesses patterns and formulas related to unification of three etiologies": "三因极一病证方论",
	"treatise on three categories of pathogenic factors":                                       "三因极一病证方论",
	"effective formulas from generations of physicians":                                        "世医得效方", "effective formulas handed down for generations": "世医得效方",
	"investigations of medical formulas": "医方考", "medical formulas gathered and explained": "医方集解", "collected exegesis of formulas": "医方集解",
	"analytic collection of medical formulas": "医方集解", "correction of errors among physicians": "医林改错", "correction of errors in medical classics": "医林改错",
	"systematic differentiation of warm diseases": "温病条辨", "systematic differentiation of warm pathogen diseases": "温病条辨",
	"detailed analysis of epidemic warm diseases": "温病条辨", "differentiation of warm diseases": "温病条辨",
	"discussion of famous physicians formulas past and present": "古今名医方论", "fine formulas of su and shen": "苏沈良方",
	"secret formulas to manage trauma and reconnect fractures received from immortal": "仙授理伤续断秘方",
}

// TitleInChinese returns the Chinese title of a book that has an English one, or "".
func TitleInChinese(english string) string {
	words := strings.FieldsFunc(strings.ToLower(strings.NewReplacer("'", "", "’", "").Replace(english)), func(r rune) bool { return r < 'a' || r > 'z' })
	kept := words[:0]
	for _, w := range words {
		if w != "the" && w != "a" && w != "an" {
			kept = append(kept, w)
		}
	}
	return englishTitles[strings.Join(kept, " ")]
}
