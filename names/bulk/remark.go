package bulk

import (
	"strconv"
	"strings"

	"bencao/names"
)

// remarkWords maps the codes of remarks to their English words. A flag that is not listed adds
// nothing to the remark.
var remarkWords = []struct{ code, english string }{
	{"remark.none", "no name fits"},
	{"remark.noPlant", "a known drug, no plant of the lists"},
	{"remark.unread", "not read"},
	{"remark.letters", "letters that differ"},
	{"via.synonym", "the name given is a synonym"},
	{"via.unplacedName", "no checklist says where the name belongs"},
	{"via.misappliedName", "a name that was misapplied"},
	{"via.chineseName", "given as a Chinese name"},
	{"via.chineseAlias", "given as another Chinese name"},
	{"via.pinyin", "given as pinyin"},
	{"via.drugName", "given as the name of a drug"},
	{"via.identifier", "given as an identifier"},
	{"via.hybridFormula", "a parent of the hybrid that was given"},
	{"type.variant", "another spelling"},
	{"type.higherRank", "a higher rank"},
	{"author.differs", "author differs"},
	{"flag.ambiguous", "several taxa are possible"},
	{"flag.homonym", "a homonym"},
	{"flag.proParte", "in part"},
	{"flag.rankDiffers", "at another rank"},
	{"flag.openNomenclature", "not named to the species"},
	{"flag.qualifier", "your list has a doubt (cf. or ?)"},
	{"flag.aggregate", "species in the wide sense"},
	{"flag.cultivarIgnored", "cultivar ignored"},
	{"flag.annotationIgnored", "a remark was ignored"},
	{"flag.familyDiffers", "another family"},
	{"flag.checklistsDisagree", "checklists disagree"},
	{"flag.possible", "possible, no more"},
	{"flag.drugDiffersFromPlant", "the drug is of another plant"},
	{"flag.chineseNameDiffers", "the Chinese name is another plant's"},
	{"flag.nameNotFound", "found only by the Chinese name"},
	{"flag.folkName", "only a folk name of the herb"},
	{"flag.rowAbove", "completed from a row above"},
}

// wordsOf returns a map from the codes of remarks to their translated words.
func wordsOf(translate func(code, english string) string) map[string]string {
	words := map[string]string{}
	for _, w := range remarkWords {
		words[w.code] = w.english
		if translate != nil {
			words[w.code] = translate(w.code, w.english)
		}
	}
	return words
}

// remark describes the answer to a row in words. It is "" for an accepted name that is spelt as in
// the checklists.
func (j *job) remark(m *matched) string {
	if m.problem != "" {
		return m.problem
	}
	var said []string
	say := func(code, more string) {
		if word := j.words[code]; word != "" {
			said = append(said, word+more)
		}
	}
	if e := m.entry; e == nil && m.response.HerbName != "" {
		say("remark.noPlant", ": "+string(m.response.HerbName))
	} else if e == nil {
		say("remark.none", "")
	} else {
		say("via."+string(m.response.MatchedVia), "")
		say("type."+e.MatchType, "")
		if e.MatchType == names.MatchFuzzy {
			say("remark.letters", ": "+strconv.Itoa(e.EditDistance))
		}
		say("author."+e.AuthorMatch, "")
		for _, flag := range e.Flags {
			say("flag."+flag, "")
		}
	}
	if unread := m.response.Unread; unread != "" {
		say("remark.unread", ": "+string(unread))
	}
	return strings.Join(said, "; ")
}
