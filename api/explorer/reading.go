package explorer

import (
	"cmp"
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
	written := formOf(r.Q, way)
	if written == "" && r.Found.Total == 0 {
		return
	}
	r.Reading = v.say("read." + cmp.Or(written, "words"))
	parts := partsOf(v, ex)
	if len(parts) > 0 {
		r.Reading = v.say("read.parts", strings.Join(parts, v.say("cite.comma")))
	}
	if ex.ReadAs != "" {
		read := v.say("read.as."+ex.In, string(ex.ReadAs))
		switch {
		case len(ex.Recognised) == 0 && len(parts) > 0 && ex.In == "name": // a year alone
		case len(parts) == 0 || ex.In != "indications":
			r.Reading = read
		case v.Code() == "zh":
			r.Reading += "；" + read
		default:
			r.Reading += ". " + read
		}
	}
	if len(ex.Names) > 1 {
		r.Reading += v.say("read.names", strings.Join(ex.Names[1:], v.say("cite.comma")))
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
	r.describeForgiven(v, ex)
}

// formOf returns the form in which a query is written: characters, pinyin and so on, or "" if the form
// is not known. way is the field in which the first result has the query.
func formOf(q, way string) string {
	switch {
	case doiForm.MatchString(q):
		return "doi"
	case pubmedForm.MatchString(q):
		return "pubmed"
	case way == "englishName" || way == "englishNoun" || way == "otherName":
		return "everyday"
	case way == "drug" || way == "drugAlias":
		return "drug"
	case han.Has(q):
		return "characters"
	case strings.Contains(way, "nitials"):
		return "initials"
	case strings.Contains(strings.ToLower(way), "pinyin") && toned.MatchString(q):
		return "toned"
	case strings.Contains(strings.ToLower(way), "pinyin"):
		return "pinyin"
	case way == "scientificName" || way == "synonym":
		return "latin"
	}
	return ""
}

// describeForgiven describes in words how the results deviate from the query.
func (r *results) describeForgiven(v *visit, ex *api.Explanation) {
	if ex.Forgiven == "" || len(ex.Items) == 0 {
		return
	}
	if r.Forgiven = v.lang.Known("forgiven."+string(ex.Forgiven), v.say("forgiven.other")); ex.ReadAs != "" && ex.Forgiven != "herbsLeftOut" {
		r.Forgiven = v.say("read.as."+ex.In, string(ex.ReadAs)) + v.say("read.end")
	}
	for _, name := range ex.DidYouMean {
		if slices.ContainsFunc(ex.Items, func(i api.ItemExplanation) bool { return strings.EqualFold(string(i.Text), name) }) {
			continue // the page already shows this name
		}
		r.DidYouMean = append(r.DidYouMean, navLink{Text: name, Address: v.link("/search", "q", name)})
	}
}

// partsOf tells which parts of a query were recognised as herbs, books, authors, dynasties and more.
// Complaints are left out if the answer says how it searched for them.
func partsOf(v *visit, ex *api.Explanation) (list []string) {
	for _, p := range ex.Recognised {
		text := p.Text
		if len(p.Values) == 1 && p.As != "dynasty" {
			text = p.Values[0]
		}
		list = append(list, v.say("read."+p.As, text))
	}
	for _, p := range ex.Parts {
		if p.As != "complaint" || ex.In != "indications" {
			list = append(list, v.say("read."+p.As, p.Values[0]))
		}
	}
	return list
}
