package match

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"bencao/internal/null"
	"bencao/names/internal/answer"
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
)

// writer writes the entries of a response.
type writer struct {
	view
	texts *texts
	// taxa asks for [answer.Entry.Taxa].
	taxa bool
}

// entries returns the first candidates as entries. It returns at most limit entries.
func (w *writer) entries(all []scored, limit int) []answer.Entry {
	out := make([]answer.Entry, min(len(all), limit))
	for i := range out {
		w.entry(&out[i], &all[i])
	}
	return out
}

// entry fills the empty entry e with the answer for c.
func (w *writer) entry(e *answer.Entry, c *scored) {
	u, head := &w.Usages[c.usage], &w.Usages[c.concept]
	ids := w.ids(c.usage)
	e.MatchedName, e.MatchedAuthor, e.MatchedWCVPID = w.text(c.usage, file.Name), w.authorOf(c.usage), w.id(ids.wcvp)
	e.Rank, e.TaxonStatus = w.word(u.Rank), null.Text(u.Status.Word())
	e.MatchType, e.EditDistance, e.AuthorMatch = c.like.String(), c.edits, c.author.String()
	e.Score = rounded(c.score)
	source := u
	if w.placed(&c.candidate) {
		source = head
		if c.concept == c.usage {
			e.AcceptedName, e.AcceptedAuthor, e.AcceptedRank, e.WCVPID = e.MatchedName, e.MatchedAuthor, e.Rank, e.MatchedWCVPID
		} else {
			ids = w.ids(c.concept)
			e.WCVPID = w.id(ids.wcvp)
			e.AcceptedName, e.AcceptedAuthor, e.AcceptedRank = w.text(c.concept, file.Name), w.authorOf(c.concept), w.word(head.Rank)
		}
		e.IPNIID, e.WFOID = w.id(ids.ipni), w.id(ids.wfo)
	}
	e.AcceptedFamily = w.word(source.Family)
	if w.ofHerbs(u) {
		source = u
	}
	e.MatchSource, e.ChecklistVersion = w.Checklists[source.Checklist].Source, w.Versions[source.Checklist]
	col, rec := w.members(&c.candidate)
	flags := c.flags
	if col.name != file.None {
		e.ChineseNameColChina, e.AcceptedNameColChina = w.text(col.name, file.Chinese), w.text(col.name, file.Name)
		if !col.agrees && !flags.Has(answer.AutonymOfSpecies) {
			flags |= answer.Disagree
		}
	}
	if rec != file.None {
		r := w.Records[w.RecordOf(rec)-1]
		id := int32(r.EntryID)
		e.EntryID, e.GUID, e.ChineseName = &id, w.texts.clone(w.SharedText(r.GUID)), w.text(r.Usage, file.Chinese)
	}
	if e.ChineseName == "" {
		e.ChineseName = e.ChineseNameColChina
	}
	e.Flags = flags.Words()
	if w.taxa {
		e.Taxa = w.listed(&c.candidate)
	}
	if c.why != nil {
		e.ScoreParts, e.Steps = c.why.parts, slices.Concat(c.why.steps, w.edges(&c.candidate))
	}
}

// listed returns where the checklists have the accepted name of a candidate, or its own name if it has
// none, one place for each list. For a species of the database, a list that lacks the accepted name
// counts if it has the candidate's own name.
func (w *writer) listed(c *candidate) (all []answer.ListedAs) {
	if w.placed(c) {
		all = w.appendListed(all, c.concept)
	}
	if len(all) == 0 || w.checklistsOnly {
		all = w.appendListed(all, c.usage)
	}
	return all
}

// appendListed appends where the checklists have the name of a usage: first the usage itself, then the
// other lists in their order. It leaves out lists that are there already.
func (w *writer) appendListed(all []answer.ListedAs, usage uint32) []answer.ListedAs {
	add := func(i uint32) {
		u := &w.Usages[i]
		if int(u.Checklist) == w.Database || w.ofHerbs(u) || !w.HasID(i, file.ID) || !w.sameName(i, usage) ||
			slices.ContainsFunc(all, func(l answer.ListedAs) bool { return l.List == u.Checklist }) {
			return
		}
		id := w.texts.clone(string(w.AppendID(nil, i, file.ID)))
		all = append(all, answer.ListedAs{List: u.Checklist, Source: w.Checklists[u.Checklist].Source, Release: string(w.Versions[u.Checklist]), ID: string(id)})
	}
	add(usage)
	for i, to := w.Namesakes(usage); i < to; i++ {
		add(i)
	}
	return all
}

func (w *writer) text(usage uint32, which file.TextName) null.Text {
	return w.texts.clone(w.Text(usage, which))
}

func (w *writer) word(n uint16) null.Text { return w.texts.clone(w.Word(n)) }

func (w *writer) id(at placeOfID) null.Text {
	if at == (placeOfID{}) {
		return ""
	}
	var buf [64]byte
	id := w.AppendID(buf[:0], at.usage, at.which)
	return w.texts.clone(unsafe.String(unsafe.SliceData(id), len(id)))
}

// authorOf returns a copy of the author of a usage.
func (w *writer) authorOf(usage uint32) null.Text { return w.texts.clone(w.citedAuthor(usage)) }

// citedAuthor returns the author of a usage. If the usage's checklist gives no author, citedAuthor
// returns the author that another list gives for the name.
func (v view) citedAuthor(usage uint32) string {
	if own := v.Text(usage, file.Author); own != "" {
		return own
	}
	for i, to := v.Namesakes(usage); i < to; i++ {
		if v.Usages[i].Group == v.Usages[usage].Group {
			if other := v.Text(i, file.Author); other != "" {
				return other
			}
		}
	}
	return ""
}

// placeOfID is the place at which an identifier is stored. The zero value means no identifier.
type placeOfID struct {
	usage uint32
	which file.IDName
}

// placeOf returns the place of one of a usage's identifiers.
func (v view) placeOf(usage uint32, which file.IDName) placeOfID {
	if v.HasID(usage, which) {
		return placeOfID{usage, which}
	}
	return placeOfID{}
}

// nameIDs holds the identifiers of one name in the checklists.
type nameIDs struct{ wcvp, ipni, wfo placeOfID }

func (w *writer) ids(usage uint32) nameIDs {
	var ids nameIDs
	none := placeOfID{}
	for i, to := w.Namesakes(usage); i < to; i++ {
		v := &w.Usages[i]
		if v.Group != w.Usages[usage].Group {
			continue
		}
		switch w.Checklists[v.Checklist].Source {
		case checklist.SourceWCVP:
			if ids.wcvp == none || i == usage {
				ids.wcvp = w.placeOf(i, file.ID)
			}
		case checklist.SourceWFO:
			if ids.wfo == none {
				ids.wfo = w.placeOf(i, file.ID)
			}
		case checklist.SourceIPNI:
			if ids.ipni == none {
				ids.ipni = w.placeOf(i, file.ID)
			}
		}
		if own := w.placeOf(i, file.IPNI); ids.ipni == none || i == usage && own != none {
			ids.ipni = own
		}
		if ids.wfo == none {
			ids.wfo = w.placeOf(i, file.WFO)
		}
	}
	return ids
}

// colName is the name that Catalogue of Life China uses for a taxon. name is None if the catalogue
// does not have the taxon.
type colName struct {
	name uint32
	// agrees is true if one of the catalogue's names for the taxon is the accepted name.
	agrees bool
}

// members returns the names that Catalogue of Life China and the database use for the taxon of a
// candidate. Either is None if there is no such name. members prefers the matched name, then the
// accepted name, then any other.
func (v view) members(c *candidate) (col colName, rec uint32) {
	col.name, rec = file.None, file.None
	for _, n := range v.MembersOf(c.concept) {
		if !v.own(n) {
			col.name = v.nearer(c, col.name, n)
			col.agrees = col.agrees || v.SameKey(n, c.concept)
		} else {
			rec = v.nearer(c, rec, n)
		}
	}
	// If the matched name is a synonym in the database, use the species that has this synonym.
	if r := v.RecordOf(c.usage); r != 0 {
		rec = v.Records[r-1].Usage
	} else if rec == file.None || v.nearness(c, rec) < 2 {
		if own := v.recordOf(c.usage); own != file.None {
			rec = own
		}
	}
	if col.name == file.None && rec != file.None && !v.checklistsOnly {
		// The catalogue may have the taxon under the name that the database accepts.
		for _, n := range v.MembersOf(v.Usages[rec].Concept) {
			if !v.own(n) {
				col.name = v.nearer(c, col.name, n)
			}
		}
	}
	return col, rec
}

// nearness returns 2 if n is the matched name of c, 1 if it is the accepted name, and 0 otherwise.
func (v view) nearness(c *candidate, n uint32) int {
	switch {
	case v.SameKey(n, c.usage):
		return 2
	case v.SameKey(n, c.concept):
		return 1
	}
	return 0
}

// nearer returns whichever of the names a and b is nearer to the names of c; a may be None.
func (v view) nearer(c *candidate, a, b uint32) uint32 {
	if a == file.None || v.nearness(c, b) > v.nearness(c, a) {
		return b
	}
	return a
}

// recordOf returns the species of the database that has the name of usage as a synonym, or None.
func (v view) recordOf(usage uint32) uint32 {
	group := v.Usages[usage].Group
	for i, to := v.Namesakes(usage); i < to; i++ {
		if u := &v.Usages[i]; u.Group == group && v.own(i) && !misapplied(u) {
			return v.Records[v.RecordOf(i)-1].Usage
		}
	}
	return file.None
}

// edgeReasons has the explanation for each reason of an edge. The three names in an explanation are
// the name itself, the name that is the evidence, and the accepted name.
var edgeReasons = [...]string{
	file.ByAutonym:  "joined: %s is the autonym of %s, so it belongs to %s",
	file.BySynonym:  "joined: in the database %s has the synonym %s, which resolves to %s",
	file.BySpelling: "joined: the author of %s spells it %s elsewhere, which resolves to %s",
	file.ByBasionym: "possible: %s seems to have the type of %s, which resolves to %s",
	file.ByOpinion:  "possible: %s includes %s in the opinion of the database, which resolves to %s",
}

// edges explains why the name of a candidate belongs to a concept in which its own checklist does
// not place it.
func (v view) edges(c *candidate) []string {
	e, ok := v.EdgeOf(c.usage)
	if !ok || e.To != c.concept {
		return nil
	}
	cited := func(n uint32) string {
		return fmt.Sprintf("%q (%s)", strings.TrimSpace(v.Name(n)+" "+v.Text(n, file.Author)), v.Checklists[v.Usages[n].Checklist].Source)
	}
	return []string{fmt.Sprintf(edgeReasons[e.Reason], cited(c.usage), cited(e.Via), cited(e.To))}
}

// chunkSize is the number of bytes of text that are allocated at a time.
const chunkSize = 2048

// texts copies the texts of answers into shared chunks of memory. The texts of one response are in
// one or two chunks, so a response that is kept holds only these chunks in memory.
type texts struct{ chunk []byte }

// clone copies a text of the file, because the file may be closed while the answer is still in use.
func (t *texts) clone(s string) null.Text {
	if s == "" {
		return ""
	}
	if len(t.chunk)+len(s) > cap(t.chunk) {
		t.chunk = make([]byte, 0, max(chunkSize, len(s)))
	}
	start := len(t.chunk)
	t.chunk = append(t.chunk, s...)
	return null.Text(unsafe.String(&t.chunk[start], len(s)))
}
