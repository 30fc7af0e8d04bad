package bulk

import (
	"slices"
	"strings"
	"unicode"

	"bencao/names/han"
)

// role is the meaning of a column of the list.
type role int

// The roles of columns. The roles from infraspecific on are epithets below species.
const (
	roleName role = iota
	roleAuthor
	roleFamily
	roleChinese
	roleGenus
	roleEpithet
	roleRank
	roleInfraspecific
	roleSubspecies
	roleVariety
	roleForm
	roleBelowAuthor // the author of the epithet below species
	roleQualifier   // cf. or aff.
	roleKingdom
	numRoles
)

// usual lists the usual headers of each role, the preferred ones first. They are in lower case and
// simplified characters, without separators and brackets. The cells tell most columns; a header decides
// between columns of the same kind, and in a list of few rows or of names that no checklist has. To
// support another header, add it here.
var usual = [numRoles][]string{
	roleName: {"verbatimname", "sciname", "ラテン名", "种拉丁名", "name", "speciesname", "species", "taxon", "taxa", "canonicalname", "binomial", "espèce", "espece", "especie", "especies", "espécie", "specie", "вид", "종명",
		"物种", "物种名称", "种名", "种", "plant", "plants", "植物名称", "植物种类", "植物名", "植物", "树种", "中文名", "中文学名", "药名", "名称"},
	roleAuthor: {"scientificnameauthorship", "作者", "命名者", "定名者", "authorship", "author", "authors", "authority", "taxonauthor", "taxonauthors", "nameauthor", "命名人", "定名人",
		"命名人名", "auteur", "autor", "autore", "автор", "명명자"},
	roleFamily: {"family", "familyname", "familylatin", "科拉丁名", "科学名", "科名", "科", "科中文名", "familychinese", "famille", "familia", "семейство", "과명", "과", "família", "familie", "famili", "rodzina", "famiglia"},
	roleChinese: {"chinesename", "中文名", "中文名称", "中文学名", "中文种名", "中文正名", "物种中文名", "种中文名", "植物中文名", "植物名称", "植物名", "中名", "汉名", "chinese", "vernacularname",
		"commonname", "species", "speciesname", "物种", "物种名称", "种名", "种", "植物", "树种", "药名", "名称", "name"},
	roleGenus:         {"genus", "genusname", "genericname", "属拉丁名", "拉丁属名", "属学名", "属名", "属", "genre", "род", "속명", "género", "genero", "gênero", "genere", "gattung"},
	roleEpithet:       {"specificepithet", "speciesepithet", "epithet", "种加词", "种小名", "species", "种拉丁名", "种名", "种", "sp", "espèce", "espece", "especie", "espécie", "specie", "art", "вид", "종소명", "종명"},
	roleRank:          {"infraspecificrank", "verbatimtaxonrank", "taxonrank", "rank", "等级", "种下等级", "rang", "rango", "ранг", "ランク"},
	roleBelowAuthor:   {"infraspecificauthor", "infraspecificauthorship", "infraauthor", "subspeciesauthor", "varietyauthor"},
	roleInfraspecific: {"infraspecificepithet", "infraspecificname", "infraspecies", "ssp/var", "subsp/var", "种下加词", "种下名"},
	roleSubspecies:    {"subspecies", "subspeciesepithet", "ssp", "subsp", "亚种", "sousespèce", "subespecie", "subespécie", "sottospecie", "unterart", "подвид", "아종"},
	roleVariety:       {"variety", "var", "变种", "variété", "variedad", "variedade", "varietà", "varietät", "разновидность", "변종"},
	roleForm:          {"form", "forma", "变型", "forme", "форма"},
	roleQualifier:     {"identificationqualifier", "qualifier", "cf"},
	roleKingdom:       {"kingdom", "界"},
}

// fit returns how well a header fits a role, by its forms: 0 for not at all, more for a preferred one.
// One with words that only headers of names have is usual too.
func fit(r role, forms []string) int {
	if rank := nameRank(forms); r == roleName && rank >= surely && !isListed(forms[:1]) {
		return len(usual[r]) + rank
	}
	for i, h := range usual[r] {
		if slices.Contains(forms, h) {
			return len(usual[r]) - i
		}
	}
	return 0
}

// isListed reports whether a header is in the table of usual ones.
func isListed(forms []string) bool {
	return slices.ContainsFunc(usual[:], func(list []string) bool {
		return slices.ContainsFunc(list, func(h string) bool { return slices.Contains(forms, h) })
	})
}

// surely is the weight of a header that is plainly one of names.
const surely = 5

// nameWords are the words that headers of names have in many languages, with their weight. The
// last ones tell that a column of names is not the one that is meant.
var nameWords = []struct {
	word   string
	weight int
}{
	{"cientifi", 5}, {"científi", 5}, {"wissenschaftlich", 5}, {"latin", 5}, {"学名", 5}, {"拉丁", 5}, {"학명", 5}, {"латин", 5}, {"научн", 5}, {"łaciń", 5}, {"ilmiah", 5}, {"tudományos", 5}, {"botani", 4}, {"species", 4}, {"taxon", 4}, {"name", 4}, {"plant", 4}, {"organism", 3}, {"nom", 3},
	{"ラテン", 3}, {"full", 1}, {"acc", 1}, {"current", 1},
	{"taxonomy", -4}, {"synonym", -6}, {"异名", -6}, {"别名", -6}, {"orig", -3}, {"old", -3}, {"previous", -3}, {"former", -3}, {"basionym", -6}, {"source", -3}, {"common", -6}, {"host", -6}, {"pathogen", -8}, {"pest", -8}, {"원", -1},
}

// nameRank returns how well a header fits a column of names, by the words in it.
func nameRank(forms []string) int {
	rank := 0
	for _, w := range nameWords {
		if strings.Contains(forms[0], w.word) {
			rank += w.weight
		}
	}
	return rank
}

var separators = strings.NewReplacer(" ", "", "_", "", "-", "", ".", "", "\u3000", "", "*", "")

// headerForms returns the forms of a header cell that are compared with the usual headers: the
// whole cell, the cell without a prefix such as dwc:, the text before brackets and the text inside
// brackets. A cell with Chinese characters also has two forms by script: only its Chinese
// characters, and only its other letters.
func headerForms(cell string) []string {
	whole := strings.ToLower(strings.TrimSpace(cell))
	forms := []string{whole}
	if _, local, prefixed := strings.Cut(whole, ":"); prefixed {
		forms = append(forms, local)
	}
	if before, in, found := strings.Cut(strings.NewReplacer("（", "(", "）", ")").Replace(whole), "("); found {
		forms = append(forms, before, strings.TrimSuffix(in, ")"))
	}
	if han.Has(whole) {
		other := func(r rune) bool { return unicode.IsLetter(r) && !han.Is(r) }
		forms = append(forms, strings.Map(func(r rune) rune {
			if other(r) {
				return -1
			}
			return r
		}, whole), strings.Map(func(r rune) rune {
			if other(r) || r == ' ' {
				return r
			}
			return -1
		}, whole))
	}
	for i, f := range forms {
		forms[i] = han.Fold(separators.Replace(f))
	}
	return forms
}
