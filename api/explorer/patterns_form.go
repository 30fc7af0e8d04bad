package explorer

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/internal/messages"
	"bencao/mappings"
	"bencao/mappings/patterns"
	"bencao/names/complaint"
)

// populationFilters are the parameters of the page that select a population, which is the set of
// formulas to examine. With otherPrefix before their names, the same parameters select the other
// population, with which the first is compared.
var populationFilters = append([]mappings.Filter{{Name: indication, Kind: mappings.InPart}}, slices.DeleteFunc(slices.Clone(mappings.Filters["formulas"]), func(f mappings.Filter) bool { return !f.Population })...)

// indication is the parameter for a text in the indications of formulas.
const indication = "indication"

// pairFields are the parameters of the page for a herb or a pair of herbs.
var pairFields = []string{"herb", "with"}

// patternWords are the parameters of the page that choose how formulas are counted and shown, with
// their values besides "". A nil list permits every number.
var patternWords = map[string][]string{
	"distinct": {"composition"},
	"forms":    {"together"},
	"sort":     {string(patterns.ByOddsRatio), string(patterns.ByQ)},
	"drugs":    nil,
	"least":    nil,
	"lang":     nil,
	"version":  nil,
}

// patternForm is the form that selects formulas, and what was typed in it.
type patternForm struct {
	Fields, Others, Pair []patternField
	Choices              []choices
	Values               map[string]string // the parameters of the API, as the fields were read
	Unknown              []string          // parameters in the address that the page does not know
	Instead              *navLink          // a link to what such parameters may have asked for
}

// patternField is a field of the form.
type patternField struct {
	Name, Label string
	Typed       string
	Choices     string // the name of the list of values to choose from, or ""
	reading
}

// reading is how the text of a field was read.
type reading struct {
	value string    // the value for the API; "" if the text cannot be used
	Read  string    // says what the text was read as, if that is not the text itself
	Wrong string    // says why the text cannot be used
	Hint  string    // introduces the links
	Links []navLink // other values for the field
}

// Said reports whether the page says something at the field.
func (r reading) Said() bool { return r.Read != "" || r.Wrong != "" || len(r.Links) > 0 }

// readForm reads the fields of the form from the address of the page.
func (v *visit) readForm() (*patternForm, error) {
	form := &patternForm{Values: map[string]string{}}
	known := map[string]bool{}
	counted, err := facets(v, "formulas.facets", "dynasty,source,author,herbs", mostOffered)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		list := choices{Name: name}
		for _, c := range counted[name].Counts {
			list.Values = append(list.Values, c.Value)
		}
		form.Choices = append(form.Choices, list)
	}
	for _, prefix := range []string{"", otherPrefix} {
		typed := v.years(prefix)
		for _, filter := range populationFilters {
			name := prefix + filter.Name
			if scope, err := access.ParseScope(filter.Scope); filter.Scope != "" && (err != nil || !v.may(scope)) {
				continue
			}
			known[name] = true
			f := patternField{Name: name, Label: v.say("patterns.field." + filter.Name), Typed: v.typed(name)}
			switch filter.Kind {
			case mappings.HasValue:
				f.Choices = filter.Name
			case mappings.WithHerbs, mappings.WithoutHerbs:
				f.Choices = "herbs"
			}
			if f.reading, err = v.readFilter(filter, prefix, typed[filter.Name]); err != nil {
				return nil, err
			}
			form.Values[name] = f.value
			if prefix == "" {
				form.Fields = append(form.Fields, f)
			} else {
				form.Others = append(form.Others, f)
			}
		}
	}
	for _, name := range pairFields {
		known[name] = true
		f := patternField{Name: name, Label: v.say("patterns.field." + name), Typed: v.typed(name), Choices: "herbs"}
		if f.reading, err = v.readFilter(mappings.Filter{Name: "herbs"}, "", f.Typed); err != nil {
			return nil, err
		}
		form.Values[name] = f.value
		form.Pair = append(form.Pair, f)
	}
	if form.Values["with"] != "" && form.Values["herb"] == "" {
		form.Values["herb"], form.Values["with"] = form.Values["with"], ""
	}
	form.findUnknown(v, known)
	return form, nil
}

// choices is a list of values to choose from. Several fields may share it.
type choices struct {
	Name   string
	Values []string
}

// typed returns the text of a field.
func (v *visit) typed(name string) string {
	return strings.ToValidUTF8(strings.TrimSpace(v.query.Get(name)), "\uFFFD")
}

// findUnknown lists the parameters in the address that are not known, or whose value is not.
func (form *patternForm) findUnknown(v *visit, known map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(v.query)) {
		value := v.query.Get(name)
		words, word := patternWords[name]
		switch {
		case known[name] || word && (words == nil || value == "" || slices.Contains(words, value)):
			continue
		case word:
			form.Unknown = append(form.Unknown, name+"="+value)
		default:
			form.Unknown = append(form.Unknown, name)
		}
	}
	if q := strings.TrimSpace(v.query.Get("q")); q != "" {
		form.Instead = &navLink{Text: v.say("patterns.is.indication", q), Address: v.again("q", "", "in", "", indication, q)}
	}
}

// fieldWrong is the error about a file that was requested with a wrong field.
var fieldWrong = messages.Define("field-wrong", "%v: %v")

// wrongField returns the first field whose text cannot be used, or nil if there is none.
func (form *patternForm) wrongField() *patternField {
	for _, fields := range [][]patternField{form.Fields, form.Others, form.Pair} {
		for i := range fields {
			if fields[i].Wrong != "" {
				return &fields[i]
			}
		}
	}
	return nil
}

// Wrong reports whether the text of a field cannot be used.
func (form *patternForm) Wrong() bool { return form.wrongField() != nil }

// word returns the value of a parameter of patternWords, or "" if the page does not know the value.
func (v *visit) word(name string) string {
	if value := v.query.Get(name); slices.Contains(patternWords[name], value) {
		return value
	}
	return ""
}

// population returns the parameters of formulas.search for a population. prefix is "" or
// otherPrefix.
func (form *patternForm) population(prefix string) []string {
	var out []string
	for _, f := range populationFilters {
		value := form.Values[prefix+f.Name]
		if f.Name == indication {
			if value != "" {
				out = append(out, "q", value, "in", "indications")
			}
			continue
		}
		out = append(out, f.Name, value)
	}
	return out
}

// nameOf describes in words the population that the filters with the given prefix select.
func (form *patternForm) nameOf(v *visit, prefix string) string {
	var parts []string
	for _, f := range populationFilters {
		if value := form.Values[prefix+f.Name]; value != "" {
			parts = append(parts, v.say("patterns.is."+f.Name, v.shown(f.Name, value)))
		}
	}
	if len(parts) == 0 {
		return v.say("patterns.everything")
	}
	return strings.Join(parts, v.say("patterns.and"))
}

// active returns a link for each field with a usable text, which removes that text.
func (form *patternForm) active(v *visit) (links []navLink) {
	for _, fields := range [][]patternField{form.Fields, form.Others} {
		for _, f := range fields {
			if f.value == "" {
				continue
			}
			name, other := strings.CutPrefix(f.Name, otherPrefix)
			text := v.say("patterns.is."+name, v.shown(name, f.value))
			if other {
				text = v.say("patterns.versus", text)
			}
			links = append(links, navLink{Text: text, Address: v.again(f.Name, "", "least", "")})
		}
	}
	return links
}

// rangeOfYears matches two years with a dash or 至 between them.
var rangeOfYears = regexp.MustCompile(`^(-?\d{1,4})\s*年?\s*(?:-|–|—|~|～|至|到|to)\s*(-?\d{1,4})\s*年?$`)

// years returns what was typed in the fields of a population. If one field of years has a range of
// years and the other is empty, each of them gets its year.
func (v *visit) years(prefix string) map[string]string {
	typed := map[string]string{}
	for _, f := range populationFilters {
		typed[f.Name] = strings.TrimSpace(v.query.Get(prefix + f.Name))
	}
	from, to := typed["fromYear"], typed["toYear"]
	if m := rangeOfYears.FindStringSubmatch(from + to); m != nil && (from == "" || to == "") {
		typed["fromYear"], typed["toYear"] = m[1], m[2]
	}
	return typed
}

// readFilter reads the text of a field for a filter of formulas, as the API does.
func (v *visit) readFilter(f mappings.Filter, prefix, typed string) (r reading, err error) {
	name := prefix + f.Name
	switch {
	case typed == "":
		return r, nil
	case f.Name == indication:
		return v.readIndication(name, typed)
	case f.IsNumber():
		return v.readYear(f, prefix, typed), nil
	}
	l, err := ask[list[struct{}]](v, "formulas.search", "", f.Name, typed, "pageSize", "1", "explain", "true")
	if err != nil {
		return v.wrong(name, err)
	}
	if unknown := l.Explanation.Unknown; len(unknown) > 0 {
		r.Wrong = v.say("patterns.unknown."+f.Name, typed)
		r.Links = v.instead(name, unknown[0].Value, unknown[0].Close, "least", "")
		return r, nil
	}
	r.value = typed
	read := typed
	for _, part := range l.Explanation.Readings {
		read = strings.Replace(read, part.Value, strings.Join(part.Means, "、"), 1)
		if len(part.Means) == 1 {
			r.value = strings.Replace(r.value, part.Value, part.Means[0], 1)
		}
	}
	if read != typed {
		r.Read = v.say("patterns.readAs", read)
	}
	return r, nil
}

// mostOffered is the number of values to choose from in a field.
const mostOffered = 100

// wrong returns the reading of a field whose text the API refused. Any other error is returned.
func (v *visit) wrong(field string, err error) (r reading, _ error) {
	var f *problem.Fault
	if !wrongText(err) || !errors.As(err, &f) {
		return r, err
	}
	if r.Wrong = v.lang.Tell(err); f.Value != "" {
		r.Wrong = v.say("patterns.unknown.herb", f.Value)
	}
	r.Links = v.instead(field, f.Value, f.Close, "least", "")
	return r, nil
}

// readYear reads a year.
func (v *visit) readYear(f mappings.Filter, prefix, typed string) (r reading) {
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(typed, "年")))
	if err != nil || n < int(f.Min) || n > int(f.Max) {
		r.Wrong = v.say("patterns.noYear", typed)
		return r
	}
	if from, err := strconv.Atoi(v.years(prefix)["fromYear"]); f.Kind == mappings.ToYear && err == nil && from > n {
		r.Wrong = v.say("patterns.exchanged", from, n)
		r.Links = []navLink{{Text: v.say("patterns.fromTo", n, from), Address: v.again(prefix+"fromYear", strconv.Itoa(n), prefix+"toYear", strconv.Itoa(from))}}
		return r
	}
	r.value = strconv.Itoa(n)
	if r.value != strings.TrimSpace(v.query.Get(prefix+f.Name)) {
		r.Read = v.say("patterns.readAs", r.value)
	}
	return r
}

// readIndication reads a text in the indications of formulas. If old books have other names for a
// complaint, it links to them.
func (v *visit) readIndication(name, typed string) (r reading, err error) {
	all, err := kindNamed("formulas").count(v, "q", typed, "in", "indications", "explain", "true")
	if err != nil {
		return v.wrong(name, err)
	}
	if r.value = typed; all.Total == 0 {
		r.value, r.Wrong = "", v.say("patterns.unknown.indication", typed)
	} else if as := string(all.explanation.ReadAs); as != "" {
		r.Read = v.say("patterns.readAs", as)
	} else if names := all.explanation.Names; len(names) > 1 {
		r.Read = v.say("patterns.readAs", strings.Join(names, "、"))
	}
	r.Links, err = v.olderNames(typed, func(old string) string { return v.again(name, old, "least", "") })
	if len(r.Links) > 0 {
		r.Hint = v.say("patterns.older")
	}
	return r, err
}

// olderNames returns links to the old names of a complaint that formulas have, with the numbers of
// these formulas. address returns the address for a name.
func (v *visit) olderNames(modern string, address func(old string) string) (links []navLink, err error) {
	for _, old := range complaint.Older(modern) {
		all, err := kindNamed("formulas").count(v, "q", old, "in", "indications", "explain", "true")
		if err != nil {
			return nil, err
		}
		if all.Total > 0 && all.explanation.ReadAs == "" {
			links = append(links, navLink{Text: v.say("patterns.olderName", old, all.Total), Address: address(old)})
		}
	}
	return links, nil
}
