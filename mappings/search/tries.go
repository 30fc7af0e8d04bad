package search

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/matchers"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/complaint"
	"bencao/names/han"
	"bencao/names/herb/written"
)

// attempt is a query while its readings are tried one after another. The first that finds something
// wins.
type attempt struct {
	*Searcher
	ctx     context.Context
	b       *buffers
	q       Query
	text    string
	allowed []uint64 // bit set of the records that pass the filters; nil means all
	record  *recorder
	lexicon *lexicon
	whole   whole
}

// whole tells how the whole text was found as a name.
type whole struct {
	found   bool
	best    int
	verdict mappings.Verdict
}

// isName reports whether the text is a whole name, in characters or in letters.
func (w whole) isName() bool { return w.found && w.verdict == mappings.Verdict{} }

// strict searches for a text as a name among some records, without forgiving anything; nil means
// all records. It reports whether it found any of them, also one that a filter excludes: filters must
// not change how a query is read.
func (a *attempt) strict(text string, among []uint64) (bool, error) {
	q := a.q
	q.Unforgiving = true
	a.record.restart()
	if err := a.find(a.ctx, a.b, q, text, a.passing(among), a.record); err != nil {
		return false, err
	}
	return a.b.Hits.Within(among), nil
}

// all returns what [attempt.strict] finds, with the records that the filters exclude.
func (a *attempt) all(text string, among []uint64) ([]uint64, error) {
	unfiltered := *a
	unfiltered.allowed = nil
	_, err := unfiltered.strict(text, among)
	return a.b.Hits.All(), err
}

// passing returns those of some records that pass the filters.
func (a *attempt) passing(among []uint64) []uint64 {
	if among == nil || a.allowed == nil {
		return either(among, a.allowed)
	}
	both := slices.Clone(among)
	intersect(both, a.allowed)
	return both
}

// try runs a query with all its readings.
func (a *attempt) try() error {
	if text := withoutSigns(a.text); a.q.In == inIndications && complaint.Known(text) {
		found, err := a.against([]string{text}, nil, nil)
		if a.b.rewrite = (mappings.Rewrite{}); found && !isHan(text) {
			a.b.rewrite = mappings.Rewrite{ReadAs: a.b.names[0], In: inIndications}
		}
		if found || err != nil {
			return err
		}
	}
	if a.q.In != "" || !a.named {
		return a.forgiving(a.text, nil)
	}
	lexicon, err := a.lazy.lexiconOf()
	if err != nil {
		return err
	}
	if a.lexicon = lexicon; a.q.NoHerbs {
		own := *lexicon
		own.noHerbs = true
		a.lexicon = &own
	}
	if a.lexicon.plain(a.text) {
		return a.forgiving(a.text, nil)
	}
	var meanings []meaning
	if !a.q.NamesAlone || strings.ContainsFunc(a.text, separates) {
		meanings = a.lexicon.meanings(&a.q, a.text)
	}
	if done, err := a.otherScripts(meanings); done || err != nil {
		return err
	}
	if len(meanings) == 0 {
		return a.forgiving(a.text, nil)
	}
	if _, err := a.strict(a.text, nil); err != nil {
		return err
	}
	a.whole = whole{a.b.Hits.Any(), a.b.Hits.Best(), a.b.Hits.Verdict()}
	// A book and a formula with a space between them are these two, even if a longer name has the same
	// characters. In pinyin, a space tells nothing.
	apart := isHan(a.text) && strings.ContainsFunc(a.text, separates)
	if m := &meanings[0]; a.whole.isName() && !m.quoted && !(len(m.restricted) > 0 && len(m.names) > 0 && apart) {
		return nil
	}
	for i := range meanings {
		if found, err := a.meant(&meanings[i]); found || err != nil {
			return err
		}
	}
	if found, err := a.titled(&meanings[0]); found || err != nil {
		return err
	}
	first := a.lexicon.withAbsentHerbs(&meanings[0])
	if drugs := first.withoutInstructions(); drugs != nil && !a.q.Unforgiving {
		if found, err := a.meant(drugs); found || err != nil {
			return err
		}
		first = drugs
	}
	return a.last(first)
}

// titled searches for the formula that a reading names beside a list of herbs, if a formula of this name
// has no other herbs. Many old formulas are known to lack some that the text may have. It reports whether
// it found any.
func (a *attempt) titled(m *meaning) (bool, error) {
	if m.formulas == 0 || m.formulas < len(m.names) || len(m.herbs) < 2 {
		return false, nil
	}
	name := strings.Join(m.names, " ")
	if found, err := a.strict(name, a.meets(m)); !found || err != nil {
		return false, err
	}
	asked, noted := a.lexicon.asked(m.together(a.q.Forms).herbs)
	for at := range records(a.b.Hits.All()) {
		if len(a.lexicon.herbs.Of(at)) > 1 && a.lexicon.others(at, asked, noted[at]) == 0 {
			a.b.rewrite = mappings.Rewrite{ReadAs: name, Question: true}
			return true, nil
		}
	}
	return false, nil
}

// withoutInstructions returns the reading of a list of herbs without the texts that are no herbs, if they
// say how to take the drugs (水煎服), or if the herbs are enough for a prescription. It returns nil for other
// readings.
func (m *meaning) withoutInstructions() *meaning {
	other := func(text string) bool { return len(m.herbs) < leastMost && !written.Instructs(text) }
	if len(m.herbs) < 2 || len(m.names) == 0 || slices.ContainsFunc(m.names, other) {
		return nil
	}
	drugs := *m
	named := func(text string) bool { return slices.Contains(m.names, text) }
	drugs.names, drugs.left, drugs.rewritten = nil, true, true
	drugs.all, drugs.said = slices.DeleteFunc(slices.Clone(m.all), named), slices.DeleteFunc(slices.Clone(m.said), named)
	return &drugs
}

// meant tries one reading. It reports whether it found something, or whether the whole text is meant as a
// name.
func (a *attempt) meant(m *meaning) (bool, error) {
	switch {
	case len(m.taxa) > 0:
		return a.inTaxa(m)
	case !m.recognises() && len(m.complaints) == 0 && m.form == "":
		if a.whole.found { // a name with such words, not a question
			return a.asWhole()
		}
		return a.name(m)
	case !m.recognises() && len(m.complaints) == 1 && len(m.names) == 0 && (m.asks == "" || m.asks == "record"):
		return false, nil // a complaint alone is searched in the names, and counted elsewhere
	case len(m.parts) == 1 && len(m.others)+len(m.names) == 0 && m.asks != "formulas" && m.asks != "herb" && m.asks != "complaint":
		switch lone, err := a.lone(m); {
		case err != nil:
			return false, err
		case !lone && m.slip && !a.whole.found && !a.q.Unforgiving:
			return a.miswritten(m)
		case !lone:
			return a.asWhole()
		}
	}
	if together := m.together(a.q.Forms); m.list() && !a.q.Unforgiving && !a.exactly(m) && a.exactly(together) {
		a.b.how = formsTogether
		return a.filtered(together)
	}
	found, err := a.filtered(m)
	if found && m.slip {
		a.b.how = mappings.LookAlike.Verdict().Forgiven
	}
	return found, err
}

// miswritten searches the names for a herb whose name the text miswrites: 人叁.
func (a *attempt) miswritten(m *meaning) (bool, error) {
	found, err := a.strict(m.herbNames[0], nil)
	if found {
		a.b.how, a.b.rewrite = mappings.LookAlike.Verdict().Forgiven, mappings.Rewrite{ReadAs: m.herbNames[0]}
	}
	return found, err
}

// exactly reports whether any formula has exactly the herbs of a list, of those that the rest of the
// reading lets pass.
func (a *attempt) exactly(m *meaning) bool {
	having := a.lexicon.having(m.herbs)
	intersect(having, a.meets(m))
	asked, noted := a.lexicon.asked(m.herbs)
	for at := range records(having) {
		if a.lexicon.incomplete[at/64]>>(at%64)&1 == 0 && a.lexicon.others(at, asked, noted[at]) == 0 {
			return true
		}
	}
	return false
}

// asWhole searches for the whole text as a name once more, if it was found as one.
func (a *attempt) asWhole() (bool, error) {
	if !a.whole.found {
		return false, nil
	}
	_, err := a.strict(a.text, nil)
	return true, err
}

// name tries the names of a reading without anything else.
func (a *attempt) name(m *meaning) (bool, error) {
	name, found, err := a.oneOf(m, nil)
	if found {
		a.b.rewrite = mappings.Rewrite{ReadAs: name, Question: m.left}
	}
	return found, err
}

// oneOf searches for the names of a reading together and, if they are whole names of formulas, for the
// first that is found.
func (a *attempt) oneOf(m *meaning, among []uint64) (string, bool, error) {
	names := m.inName()
	texts := []string{strings.Join(names, " ")}
	if m.formulas == len(names) && len(names) > 1 {
		texts = append(texts, names[:min(len(names), mostFormulas)]...)
	}
	for _, text := range texts {
		if found, err := a.strict(text, among); found || err != nil {
			return text, found, err
		}
	}
	return "", false, nil
}

// inName returns the texts that names must have: the names of a reading and its dose form.
func (m *meaning) inName() []string {
	if m.form == "" {
		return m.names
	}
	return append(slices.Clone(m.names), m.form)
}

// mostFormulas is the largest number of names of formulas that one query searches for one by one.
const mostFormulas = 3

// lone reports whether a book, an author, a dynasty or a herb that formulas must not have is meant as
// such when nothing else is in the query.
func (a *attempt) lone(m *meaning) (bool, error) {
	switch m.parts[0].Field {
	case mappings.HerbsField:
		return false, nil
	case mappings.WithoutField:
		return !a.whole.found, nil
	case mappings.DynastyField:
		if part := m.parts[0].Text; utf8.RuneCountInString(part) == 1 { // 元 is rather a part of names, 唐 the dynasty
			ofDynasty := a.b.Hits.None()
			a.lexicon.dynasties.Find(terms.ChineseKey(part), ofDynasty)
			named, err := a.count(a.ctx, a.b, part, ofNames, nil)
			return named*clearly <= size(ofDynasty), err
		}
		return true, nil
	}
	contained := a.whole.found && a.whole.verdict.Forgiven == ""
	r := m.restricted[0]
	single := utf8.RuneCountInString(m.parts[0].Text) == 1
	return !single && (m.quoted || m.asks == "record" || !contained || isWhole(a.lexicon.named(r.field), r.values, mappings.TitleKey(mappings.PersonKey(r.key)))), nil
}

// meets returns the records that the filters of a reading let pass, without its herbs; nil means all.
func (a *attempt) meets(m *meaning) []uint64 {
	var allowed []uint64
	narrow := func(set []uint64) {
		intersect(set, allowed)
		allowed = set
	}
	for _, r := range m.restricted {
		set := a.b.Hits.None()
		switch r.field {
		case mappings.DynastyField:
			a.lexicon.dynasties.Find(r.key, set)
		case aYear:
			a.lexicon.years.Between(&r.year, &r.year, set)
		}
		for _, v := range r.values {
			a.lexicon.named(r.field).Records(v, set)
		}
		narrow(set)
	}
	for _, herb := range m.without {
		set := a.b.Hits.None()
		for _, name := range herb {
			a.lexicon.herbs.FindValue(name, set)
		}
		invert(set)
		for at := a.Len(); at < len(set)*64; at++ {
			set[at/64] &^= 1 << (at % 64)
		}
		narrow(set)
	}
	return allowed
}

// filtered tries a reading with filters.
func (a *attempt) filtered(m *meaning) (bool, error) {
	allowed := a.meets(m)
	withHerbs := allowed
	if len(m.herbs) > 0 {
		withHerbs = a.lexicon.having(m.herbs)
		intersect(withHerbs, allowed)
	}
	a.b.recognised, a.b.parts = m.parts, m.others
	a.b.rewrite = mappings.Rewrite{ReadAs: m.readAs(), Question: m.left}
	found, err := a.filteredBy(m, allowed, withHerbs)
	if !found {
		a.b.recognised, a.b.parts, a.b.rewrite = nil, nil, mappings.Rewrite{}
	}
	return found, err
}

func (a *attempt) filteredBy(m *meaning, allowed, withHerbs []uint64) (bool, error) {
	names := m.inName()
	if len(m.complaints) > 0 {
		found, err := a.against(m.complaints, names, withHerbs)
		if found && len(m.herbs) > 0 {
			a.b.Hits.Reset(a.b.Hits.All(), a.record.best())
			a.lexicon.collect(a.Searcher, m.herbs, a.b.Hits)
		}
		if found {
			a.b.rewrite = mappings.Rewrite{ReadAs: strings.Join(m.complaints, " "), In: inIndications, Question: m.left}
		}
		return found, err
	}
	if len(names) > 0 {
		if whole := strings.Join(m.all, " "); len(m.herbs) > 0 { // the herbs are rather a part of the name
			if found, err := a.strict(whole, allowed); found || err != nil {
				if a.b.recognised = slices.DeleteFunc(slices.Clone(m.parts), ofHerb); whole == a.text {
					a.b.rewrite = mappings.Rewrite{}
				}
				return found, err
			}
		}
		if _, found, err := a.oneOf(m, withHerbs); found || err != nil {
			return found, err
		}
		if len(m.names) == 0 || len(m.names) > mostComplaints || m.form != "" {
			return false, nil
		}
		for _, name := range m.names { // a text that no name has may be a complaint
			named, err := a.count(a.ctx, a.b, name, ofNames, nil)
			if named > 0 || !isHan(name) || len(m.herbs) > 1 && written.Instructs(name) || err != nil {
				return false, err
			}
		}
		found, err := a.against(m.names, nil, withHerbs)
		if found {
			a.b.rewrite = mappings.Rewrite{ReadAs: strings.Join(m.names, " "), In: inIndications, Question: m.left}
		}
		return found, err
	}
	return size(withHerbs) > 0, a.list(m, allowed, withHerbs)
}

// list collects the records that the filters of a reading let pass, and those with the same text in
// their names.
func (a *attempt) list(m *meaning, allowed, withHerbs []uint64) error {
	collect := func(among []uint64) {
		a.b.Hits.Reset(a.passing(among), a.record.best())
		if len(m.herbs) > 0 {
			a.lexicon.collect(a.Searcher, m.herbs, a.b.Hits)
			return
		}
		for at := range records(withHerbs) {
			a.b.Hits.Add(at, hits.Why{Tier: mappings.MaxTier, Row: a.lexicon.herbsRow, Way: mappings.AllHerbs})
		}
	}
	a.record.restart()
	collect(withHerbs)
	named, among := strings.Join(m.herbNames, " "), allowed // also finds the records among these whose names have this text
	switch {
	case len(m.herbs) == 1 && len(m.parts) > 1:
		among = withHerbs
	case len(m.herbs) == 0:
		if slices.ContainsFunc(m.parts, ofBook) {
			a.b.sort = "year" // the formulas of a book have its order
		}
		if among = nil; len(m.parts) == 1 && !m.rewritten && m.parts[0].Field != mappings.WithoutField && a.whole.found && a.whole.verdict.Forgiven == "" {
			named = a.text
		}
	}
	if named == "" {
		return nil
	}
	found := a.b.Hits.All()
	collect(among)
	a.b.reading = reading.Read(named)
	a.record.read(&a.b.reading, a.index.Rows)
	if err := a.finder.Find(a.ctx, a.b.Scratch, matchers.Request{Reading: &a.b.reading, Unforgiving: true, PageEnd: math.MaxInt, Trace: a.record.tracing()}); err != nil {
		return err
	}
	for i, w := range a.b.Hits.All() {
		a.b.named += bits.OnesCount64(w &^ found[i])
	}
	a.b.first = found
	return nil
}

// against searches the indications of some formulas for complaints, all of them, each by any of its
// names. names are texts that the names of the formulas must have. It reports whether it found
// anything, also what a filter excludes.
func (a *attempt) against(complaints, names []string, among []uint64) (found bool, err error) {
	for _, name := range names {
		if among, err = a.all(name, among); size(among) == 0 || err != nil {
			return false, err
		}
	}
	a.record.restart()
	var all []string // the names of the complaints
	for i, c := range complaints {
		last := i == len(complaints)-1
		if a.b.Hits.Reset(among, nil); last {
			a.b.Hits.Reset(a.passing(among), a.record.best())
		}
		if err := a.addComplaint(a.ctx, a.b, complaint.Names(c), a.record); err != nil {
			return false, err
		}
		all = append(all, a.b.names...)
		if !last {
			among = a.b.Hits.All()
		}
	}
	if !a.b.Hits.Within(among) {
		a.b.names = nil
		return false, nil
	}
	a.b.rewrite.In, a.b.names = inIndications, all
	return true, nil
}

// inTaxa searches for a name beside that of its family or genus: 蔷薇科 悬钩子属, Nerium (Apocynaceae),
// 芍药属 牡丹. It reports whether it found anything.
func (a *attempt) inTaxa(m *meaning) (bool, error) {
	var allowed []uint64
	for kind, column := range map[string]*columns.Column{aFamily: a.lexicon.families, aGenus: a.lexicon.genera} {
		among, any := a.b.Hits.None(), false
		for _, taxon := range m.taxa {
			if taxon.Field == kind {
				column.Find(taxon.Text, among)
				any = true
			}
		}
		if any {
			intersect(among, allowed)
			allowed = among
		}
	}
	if len(m.names) == 0 && a.whole.found {
		return a.asWhole()
	}
	found, err := a.strict(strings.Join(m.names, " "), allowed)
	if found {
		a.b.parts = m.others
	}
	return found, err
}

// last tries what remains when no reading finds anything: for a list of drugs other forms and formulas
// with most of them, for all else the ways that tolerate mistakes.
func (a *attempt) last(m *meaning) error {
	if m.list() && !a.q.Unforgiving {
		return a.most(m)
	}
	if len(m.names) > 0 && (m.left || len(m.restricted) > 0) && len(m.complaints) == 0 && m.form == "" {
		among := a.meets(m)
		a.record.restart()
		if err := a.forgiving(strings.Join(m.names, " "), among); err != nil {
			return err
		}
		if a.b.Hits.Within(among) {
			a.b.recognised = slices.DeleteFunc(slices.Clone(m.parts), ofHerb)
			if a.b.rewrite.ReadAs == "" {
				a.b.rewrite = mappings.Rewrite{ReadAs: m.readAs(), Question: m.left}
			}
			return nil
		}
	}
	a.record.restart()
	if err := a.forgiving(a.text, nil); err != nil {
		return err
	}
	if !a.b.Hits.Any() && len(m.parts)+len(m.others) > 1 {
		a.b.recognised, a.b.parts = m.parts, m.others
	}
	return nil
}

// most tries a list of herbs that no formula has as written: with the processed forms and parts of each,
// then the formulas with most of them.
func (a *attempt) most(m *meaning) error {
	other := m.together(a.q.Forms)
	if found, err := a.filtered(other); found || err != nil {
		a.b.how = formsTogether
		return err
	}
	a.record.restart()
	a.b.Hits.Reset(a.passing(a.meets(other)), a.record.best())
	if len(m.complaints) == 0 {
		a.lexicon.collectNear(a.Searcher, other.herbs, a.b.Hits)
	}
	a.b.recognised, a.b.parts, a.b.rewrite = other.parts, m.others, mappings.Rewrite{ReadAs: m.readAs(), Question: m.left}
	return nil
}

// together returns the reading with the names of all herbs that count as the same drug.
func (m *meaning) together(forms func(herb string) []string) *meaning {
	other := *m
	if forms == nil {
		return &other
	}
	other.herbs, other.parts = slices.Clone(m.herbs), slices.Clone(m.parts)
	n := 0
	for i := range other.parts {
		part := &other.parts[i]
		if !ofHerb(*part) {
			continue
		}
		for _, name := range part.Values {
			for _, form := range forms(name) {
				if !slices.Contains(part.Values, form) {
					part.Values = append(slices.Clip(part.Values), form)
				}
			}
		}
		other.herbs[n] = part.Values
		n++
	}
	return &other
}

// formsTogether is the word in answers for herbs that stand for their processed forms and parts.
const formsTogether = "forms"

// forgiving searches for a text as a name or a title, in all ways that the query permits.
func (a *attempt) forgiving(text string, among []uint64) error {
	if done, err := a.beside(text, among); done || err != nil {
		return err
	}
	a.record.restart()
	if err := a.find(a.ctx, a.b, a.q, text, a.passing(among), a.record); err != nil {
		return err
	}
	switch {
	case !a.named && !(a.b.Hits.Any() && a.b.Hits.Verdict().Forgiven == ""):
		return a.runCited(a.ctx, a.b, a.q, text, a.allowed, a.record)
	case a.lexicon != nil && a.lexicon.properties != nil && !a.b.Hits.Any():
		return a.withForm(text, among)
	}
	return nil
}

// The dose forms that most names of formulas end with, and the lengths of the names, in characters, to
// which one of them is added. A shorter name with a form and a mistake is nearly any name.
const usualForms, leastStem, mostStem = "汤散丸饮", 4, 8

// withForm searches for the name of a formula without its dose form, if a character of it is wrong:
// 桃核承气 for 桃仁承气汤.
func (a *attempt) withForm(text string, among []uint64) error {
	n := utf8.RuneCountInString(text)
	if last, _ := utf8.DecodeLastRuneInString(text); n < leastStem || n > mostStem || strings.ContainsRune(usualForms, last) || strings.ContainsFunc(text, func(r rune) bool { return !han.Is(r) }) {
		return nil
	}
	for _, form := range usualForms {
		a.record.restart()
		if err := a.find(a.ctx, a.b, a.q, text+string(form), a.passing(among), a.record); err != nil {
			return err
		}
		if a.b.Hits.Within(among) && a.b.Hits.Verdict() == mappings.OneCharacterOff.Verdict() {
			a.b.rewrite = mappings.Rewrite{ReadAs: text + string(form)}
			return nil
		}
	}
	a.record.restart()
	a.b.Hits.Reset(a.passing(among), a.record.best())
	return nil
}
