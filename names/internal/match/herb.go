package match

import (
	"cmp"
	"slices"
	"strings"

	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/written"
	"bencao/names/internal/answer"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// isPlant reports whether the herb comes from plants.
func (d *namedHerb) isPlant() bool { return d.kind == string(herb.Plant) }

// yields reports whether the text means the plants with the given labels rather than the herb: the
// herb is no plant, and the text is one of its other names and the own name of these plants, or only a
// folk name of the herb.
func (d *namedHerb) yields(labels []labelled) bool {
	return d.alias && !d.isPlant() && len(labels) > 0 && (d.folk || labels[0].kind != file.LabelAlias)
}

// labels returns the species of the herb as labels of the kind LabelAlias.
func (d *namedHerb) labels() []labelled {
	var all []labelled
	for _, u := range d.sources {
		all = append(all, labelled{u, file.LabelAlias})
	}
	return all
}

// noPlant is the kind of a herb if the data package lists no plants for it and package herb does
// not give its kind.
const noPlant = "noPlant"

// chineseHerb returns the herb that a Chinese name means, or nil. If whole is true, the text as a
// whole is also the name of a plant. No words for processing and parts are then removed from it.
func (q question) chineseHerb(text string, whole bool) *namedHerb {
	if q.checklistsOnly || han.Noted(text) {
		return nil // only floras add a note to a name, for a plant: 丹参（原变种）
	}
	if d := q.joinedHerbs(text); d != nil && !whole {
		return d
	}
	for _, r := range herb.Readings(text) {
		if whole && !r.Uncut() {
			break
		}
		if d := q.herbOf(r); d != nil {
			q.steps.note("drug: ", d.name, " (", d.kind, "), read as ", r.Base)
			return d
		}
	}
	return nil
}

// joinedHerbs returns the herbs that one word joins as one herb with the sources of all, the first of each
// before the others: 赤白芍 is 赤芍 and 白芍. Unless they come from one plant, as 生熟地 does, it is unsure
// which of them is meant. It returns nil for all other words.
func (q question) joinedHerbs(text string) *namedHerb {
	var found []herb.Match
	var names []string
	for _, drug := range written.Joined(text) {
		if m := herb.LookupProven(drug); len(m) > 0 {
			m[0].Dated = true
			names, found = append(names, m[0].Name), append(found, m[0])
		}
	}
	d := q.fromTable(found)
	if d != nil {
		d.name, d.latin = strings.Join(names, "、"), ""
		q.steps.note("the word joins several drugs: ", d.name)
	}
	return d
}

// herbOf looks up a reading in the herbs of the data package and in the table of package herb. The
// sources of the data package usually come first. The sources of the table come first if r.Base is
// the herb's main name in the table and the table has no species in common with the data package. The
// result has no sources if r.Base is the main name of a herb that is no plant. It also has none if the
// data package lists the herb without plants.
func (q question) herbOf(r herb.Reading) *namedHerb {
	known := herb.LookupReading(r)
	herbs := q.listedHerbs(r.Base)
	d := q.fromTable(known)
	if len(herbs) == 0 {
		return d
	}
	own := &namedHerb{name: r.Base, kind: noPlant, reading: r}
	for _, h := range herbs {
		if h.kind == file.LabelHerb {
			own.kind = string(herb.Plant)
			own.sources = append(own.sources, h.usage)
		}
	}
	switch {
	case d == nil:
	case own.isPlant() && !d.isPlant() && !d.alias && !d.unsure:
		return d // 饴糖 is made of barley and does not name it
	case own.isPlant() && d.isPlant():
		own.name, own.latin, own.dated, own.unsure = d.name, d.latin, d.dated, d.dated
		given := func(u uint32) int { // 1 if the table gives the source too
			if q.sharesTaxon(d.sources, u) || isSource(known, q.Name(u)) {
				return 1
			}
			return 0
		}
		shared := slices.ContainsFunc(own.sources, func(u uint32) bool { return given(u) == 1 })
		own.listed = len(own.sources)
		if !d.alias && !d.unsure { // of several sources of the data package, those that the table gives too come first
			slices.SortStableFunc(own.sources, func(a, b uint32) int { return cmp.Compare(given(b), given(a)) })
		}
		first, then := own.sources, d.sources
		if !shared && !d.alias && !d.unsure {
			first, then = then, first
			own.listed = len(first)
		}
		own.sources = slices.Clone(first)
		for _, s := range then {
			if !q.sharesTaxon(first, s) {
				own.sources = append(own.sources, s)
			}
		}
	}
	return own
}

// listedHerbs returns the herbs of the data package with a folded name.
func (q question) listedHerbs(name string) []labelled {
	return q.labels(file.LabelKey(file.LabelHerb, name), func(text string, kind uint32) bool { return kind >= file.LabelHerb && text == name })
}

// isSource reports whether one of the herbs has a source with the same genus and epithet as name.
func isSource(found []herb.Match, name string) bool {
	want := binomial(name)
	return slices.ContainsFunc(found, func(f herb.Match) bool {
		return slices.ContainsFunc(f.Species, func(s herb.Species) bool {
			return slices.ContainsFunc(s.Names, func(n string) bool { return binomial(n) == want })
		})
	})
}

// binomial returns the genus and the epithet of a name.
func binomial(name string) string {
	genus, rest, _ := strings.Cut(strings.ReplaceAll(name, "× ", ""), " ")
	epithet, _, _ := strings.Cut(rest, " ")
	return genus + " " + epithet
}

// sharesTaxon reports whether one of the usages belongs to the same concept as usage.
func (v view) sharesTaxon(usages []uint32, usage uint32) bool {
	return slices.ContainsFunc(usages, func(u uint32) bool { return v.Usages[u].Concept == v.Usages[usage].Concept })
}

// fromTable combines the herbs that package herb found for a name into one herb. If some of them
// are plants, it ignores the others. It returns nil if found is empty.
func (q question) fromTable(found []herb.Match) *namedHerb {
	if len(found) == 0 {
		return nil
	}
	plants := slices.DeleteFunc(slices.Clone(found), func(f herb.Match) bool { return !f.IsPlant() })
	if len(plants) == 0 {
		plants = found
	}
	f := plants[0]
	several := (f.Alias() || f.Dated) && len(found) > 1 && !oneSpecies(found)
	d := &namedHerb{
		name: f.Name, kind: string(f.Kind), reading: f.Reading, alias: f.Alias(),
		unsure: f.Unsure || several, folk: f.By == herb.FolkName, dated: f.Dated && several,
	}
	if len(f.Latin) > 0 {
		d.latin = f.Latin[0]
	}
	add := func(s herb.Species) {
		if u, ok := q.species(s.Names); ok && !q.sharesTaxon(d.sources, u) {
			d.sources = append(d.sources, u)
		}
	}
	if d.dated { // an answer that lists the first species only has one of each herb
		for _, f := range plants {
			add(f.Species[0])
		}
	}
	for _, f := range plants {
		for _, s := range f.Species {
			add(s)
		}
	}
	return d
}

// oneSpecies reports whether all herbs come from the same plant, as 生姜 and 干姜 do.
func oneSpecies(found []herb.Match) bool {
	for _, f := range found {
		if len(f.Species) == 0 || len(found[0].Species) == 0 || f.Species[0].Names[0] != found[0].Species[0].Names[0] {
			return false
		}
	}
	return true
}

// species returns the usage for a species, given its names. It prefers a species of the database,
// then a placed name, then any other name. Of equally good names, it takes the first. ok is false
// if the file has none of the names.
func (q question) species(names []string) (usage uint32, ok bool) {
	best := 0
	for _, name := range names {
		if u, worth := q.speciesNamed(name); worth > best {
			best, usage = worth, u
		}
	}
	return usage, best > 0
}

// speciesNamed returns the best usage of a name. best is 3 for a species of the database, 2 for a
// placed name, 1 for another name and 0 if the file does not have the name. Among homonyms that are
// equally good, it prefers the accepted one.
func (q question) speciesNamed(name string) (usage uint32, best int) {
	key, _ := spelling.AppendKey(nil, name)
	first, known := q.FindKey(key)
	if !known {
		return 0, 0
	}
	n := parse.Name{Canonical: name, Rank: spelling.RankOf(name)}
	f := finder{view: q.view, name: &n, cited: &q.buf.cited, buf: q.buf}
	for _, c := range f.fromKey(nil, first, &n, difference{like: exact}) {
		worth := 1
		switch {
		case q.inDatabase(c.concept):
			worth = 3
		case q.placed(&c):
			worth = 2
		}
		if worth > best || worth == best && q.accepted(c.usage) && !q.accepted(usage) {
			best, usage = worth, c.usage
		}
	}
	return usage, best
}

// Scores of the names of herbs. The score for a kind of name is the share of judged names of this
// kind that resolve to a species of the herb. TestJudgedHerbs measures the shares. If a herb has several
// species, all of them count as right, and the entries are marked as ambiguous.
const (
	herbScore      = 0.95
	herbSeveral    = 0.85 // each species of a herb that has several species
	herbAlias      = 0.80 // the text is an alias of the herb
	herbRule       = 0.90 // pharmaceutical Latin that only the rules of declension explain
	herbSlip       = 0.10 // deducted if slips in the Latin were corrected
	herbBesides    = 0.50 // the other species of a herb, if one of its species is the plant that has the herb's name
	herbFolk       = 0.60 // the text is only a folk name of the herb
	herbUnsure     = 0.50 // the table marks the name as unsure, or several herbs have the name
	herbDiffers    = 0.75 // the species of a herb, if none of them is the plant that has the herb's name
	herbPlant      = 0.70 // a plant that has the name of a herb but is not one of the herb's species
	herbCut        = 0.05 // deducted if words for processing or parts were removed
	herbStep       = 1e-4 // deducted for each species before this one, to keep the order of the table; rounding removes it
	herbSeveralSum = 0.15 // deducted from the score of an alias if the herb has several species
)

// plantsAndHerb adds to r the answer for a text that is the name of a herb and may also be the name
// of plants. labels are the usages of these plants.
func (q question) plantsAndHerb(r result, d *namedHerb, labels []labelled) result {
	r.herb = d
	if !d.isPlant() {
		return r
	}
	plants := q.weighLabels(labels)
	named := len(labels) > 0 && labels[0].kind != file.LabelAlias
	deciding := d.sources
	if d.listed > 0 {
		deciding = deciding[:d.listed]
	}
	same := slices.ContainsFunc(labels, func(l labelled) bool { return q.sharesTaxon(deciding, l.usage) })
	score, reason, flags := d.worth(), "name of a drug", answer.Flags(0)
	r.via = answer.ViaHerbName
	switch {
	case same && (named || d.alias):
		// The plant that has this name comes first, then the other sources of the herb.
		r.via = labelVia(labels)
		score, reason = herbBesides, "another species of the drug"
	case named && (d.alias || len(d.sources) == 0):
		r.via = labelVia(labels)
		score, flags = min(score, herbBesides), answer.HerbDiffers
	case named:
		score, flags = min(score, herbDiffers), answer.HerbDiffers
		capAll(plants, drugOfOthers)
	case len(labels) > 0 && d.alias:
		// If the text is an alias of plants and of a herb, the plants come first.
		r.via = labelVia(labels)
		score, flags = min(score, herbBesides), answer.HerbDiffers
	case len(d.sources) > 0:
		capAll(plants, drugToo)
	}
	all := slices.Clone(plants)
	for i := range all {
		all[i].flags |= flags
	}
	if d.folk {
		flags |= answer.FolkName
	}
	for i, u := range d.sources {
		s := q.scored(q.candidateOf(u))
		s.flags = flags
		s.add(reason, score-float64(i)*herbStep)
		all = append(all, s)
	}
	if len(all) == 0 {
		r.via = answer.ViaNone
	}
	r.candidates = q.order(all, false)
	return r
}

// worth returns the score that each species of the herb gets.
func (d *namedHerb) worth() float64 {
	score := herbScore
	switch {
	case d.alias && len(d.sources) > 1:
		score = herbAlias - herbSeveralSum
	case d.alias:
		score = herbAlias
	case len(d.sources) > 1:
		score = herbSeveral
	}
	if d.reading.Base != "" && !d.reading.Uncut() {
		score -= herbCut
	}
	if d.unsure {
		score = min(score, herbUnsure)
	}
	if d.folk {
		score = min(score, herbFolk)
	}
	return score
}
