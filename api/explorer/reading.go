package explorer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"bencao/api"
	"bencao/mappings"
	"bencao/names/han"
)

var (
	doiForm    = regexp.MustCompile(`^(?i)(https?://(dx\.)?doi\.org/|doi:\s*)?10\.\d{4,9}/\S+$`)
	pubmedForm = regexp.MustCompile(`^(?i)(pmid:?\s*)?\d{5,9}$`)
	inParts    = regexp.MustCompile(`\p{Han}[\s、，,;；《》·]+\p{Han}`)
	toned      = regexp.MustCompile(`[a-zA-Zü]+[1-5]`)
)

// separates reports whether a character separates the parts of a query.
func separates(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("、，,;；《》·", r)
}

// describeQuery describes in words how the query was understood and how the results deviate from
// it.
func (r *results) describeQuery(v *visit) {
	ex := r.Found.explanation
	if r.Q == "" || ex == nil {
		return
	}
	way := ""
	if len(ex.Items) > 0 {
		way = ex.Items[0].Field
	}
	switch {
	case doiForm.MatchString(r.Q):
		r.Reading = "doi"
	case pubmedForm.MatchString(r.Q):
		r.Reading = "pubmed"
	case way == "englishName" || way == "englishNoun" || way == "otherName":
		r.Reading = "everyday"
	case way == "drug" || way == "drugAlias":
		r.Reading = "drug"
	case han.Has(r.Q):
		r.Reading = "characters"
	case strings.Contains(way, "nitials"):
		r.Reading = "initials"
	case strings.Contains(strings.ToLower(way), "pinyin") && toned.MatchString(r.Q):
		r.Reading = "toned"
	case strings.Contains(strings.ToLower(way), "pinyin"):
		r.Reading = "pinyin"
	case way == "scientificName" || way == "synonym":
		r.Reading = "latin"
	case r.Found.Total == 0:
		return
	default:
		r.Reading = "words"
	}
	r.Reading = v.say("read." + r.Reading)
	if len(ex.Recognised) > 0 {
		r.Reading = describeParts(v, ex.Recognised)
	}
	if ex.ReadAs != "" {
		read := v.say("read.as."+ex.In, string(ex.ReadAs))
		switch {
		case len(ex.Recognised) == 0 || ex.In != "indications":
			r.Reading = read
		case v.Code() == "zh":
			r.Reading += "；" + read
		default:
			r.Reading += ". " + read
		}
	}
	if len(ex.Recognised) == 1 && ex.Recognised[0].As == "source" && way == mappings.HerbsField && v.query.Get("sort") == "" {
		r.Reading += v.say("read.order")
	}
	switch {
	case ex.Group != "":
		r.Reading += v.say("read.group." + string(ex.Group))
	case ex.Part != "" && ex.Forgiven == "" && len(ex.Recognised) == 0 && r.Found.Total > 0: // or else the names need not have it
		r.Reading += v.say("read.part." + string(ex.Part))
	}
	if ex.Forgiven != "" && len(ex.Items) > 0 {
		if r.Forgiven = v.lang.Known("forgiven."+string(ex.Forgiven), v.say("forgiven.other")); ex.ReadAs != "" {
			r.Forgiven = v.say("read.as."+ex.In, string(ex.ReadAs)) + v.say("read.end")
		}
		for _, name := range ex.DidYouMean {
			if slices.ContainsFunc(ex.Items, func(i api.ItemExplanation) bool { return strings.EqualFold(string(i.Text), name) }) {
				continue // the page already shows this name
			}
			r.DidYouMean = append(r.DidYouMean, navLink{Text: name, Address: v.link("/search", "q", name)})
		}
	}
}

// describeParts tells which parts of a query were recognised as herbs, books, authors and
// dynasties.
func describeParts(v *visit, parts []api.Recognition) string {
	var list []string
	for _, p := range parts {
		text := p.Text
		if len(p.Values) == 1 && p.As != "dynasty" {
			text = p.Values[0]
		}
		list = append(list, v.say("read."+p.As, text))
	}
	return v.say("read.parts", strings.Join(list, v.say("cite.comma")))
}
