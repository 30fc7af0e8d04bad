package names

import (
	"slices"
	"unsafe"
)

// entry fills e, which is empty, from c. Texts are cloned in one piece: the file may be closed
// before the entry is used up.
func (m *matcher) entry(e *Entry, c *candidate) {
	ix := m.ix
	u := &ix.usages[c.usage]
	ids := m.ids(c.usage)
	e.MatchedName, e.MatchedAuthor, e.MatchedWCVPID = m.clone(ix.name(c.usage)), m.matchedAuthor(c.usage), m.clone(ids.wcvp)
	e.Rank, e.TaxonStatus = m.clone(ix.text(u.Rank)), Text(statuses[u.Status])
	e.MatchType, e.EditDistance, e.AuthorMatch = likenessNames[c.like], c.edits, c.author.String()
	e.MatchSource, e.ChecklistVersion = ix.lists[u.Checklist].Source, m.version(u.Checklist)
	e.Score = float64(int(c.score*100+0.5)) / 100
	head := c.concept
	if h := &ix.usages[head]; h.Bits&bitPlaced != 0 {
		if head == c.usage {
			e.AcceptedName, e.AcceptedAuthor, e.AcceptedRank, e.WCVPID = e.MatchedName, e.MatchedAuthor, e.Rank, e.MatchedWCVPID
		} else {
			ids = m.ids(head)
			e.WCVPID = m.clone(ids.wcvp)
			e.AcceptedName, e.AcceptedAuthor, e.AcceptedRank = m.clone(ix.name(head)), m.matchedAuthor(head), m.clone(ix.text(h.Rank))
		}
		e.AcceptedFamily = m.clone(ix.text(h.Family))
		e.IPNIID, e.WFOID = m.clone(ids.ipni), m.clone(ids.wfo)
		e.MatchSource, e.ChecklistVersion = ix.lists[h.Checklist].Source, m.version(h.Checklist)
	} else {
		e.AcceptedFamily = m.clone(ix.text(u.Family))
	}
	m.known(e, c, head)
	e.Flags = c.flags.Words()
	if m.explain {
		e.ScoreParts = c.parts
		e.Steps = slices.Clone(m.steps)
	}
}

// matchedAuthor is the author of a usage, or of the same name in another
// list.
func (m *matcher) matchedAuthor(usage uint32) Text {
	ix := m.ix
	if own := ix.usageText(usage, textAuthor); own != "" {
		return m.clone(own)
	}
	for i, to := ix.namesakes(usage); i < to; i++ {
		if ix.usages[i].Group == ix.usages[usage].Group {
			if other := ix.usageText(i, textAuthor); other != "" {
				return m.clone(other)
			}
		}
	}
	return ""
}

// nameIDs are the identifiers of one name in the lists.
type nameIDs struct{ wcvp, ipni, wfo string }

func (m *matcher) ids(usage uint32) nameIDs {
	ix := m.ix
	var ids nameIDs
	for i, to := ix.namesakes(usage); i < to; i++ {
		v := &ix.usages[i]
		if v.Group != ix.usages[usage].Group {
			continue
		}
		switch ix.lists[v.Checklist].Source {
		case SourceWCVP:
			if ids.wcvp == "" || i == usage {
				ids.wcvp = ix.usageText(i, textID)
			}
		case SourceWFO:
			if ids.wfo == "" {
				ids.wfo = ix.usageText(i, textID)
			}
		case SourceIPNI:
			if ids.ipni == "" {
				ids.ipni = ix.usageText(i, textID)
			}
		}
		if own := ix.usageText(i, textIPNI); ids.ipni == "" || i == usage && own != "" {
			ids.ipni = own
		}
		if ids.wfo == "" {
			ids.wfo = ix.usageText(i, textWFO)
		}
	}
	return ids
}

// known fills in the names under which Catalogue of Life China and the
// database have the taxon: that of the matched name before that of the
// accepted one before others.
func (m *matcher) known(e *Entry, c *candidate, head uint32) {
	ix := m.ix
	var col, rec uint32 = none, none
	colAgrees := false
	rate := func(n uint32) int {
		switch {
		case ix.usages[n].Key == ix.usages[c.usage].Key:
			return 2
		case ix.usages[n].Key == ix.usages[head].Key:
			return 1
		}
		return 0
	}
	pick := func(old, n uint32) uint32 {
		if old == none || rate(n) > rate(old) {
			return n
		}
		return old
	}
	for _, n := range ix.membersOf(c.concept) {
		u := &ix.usages[n]
		if u.Record == 0 {
			col = pick(col, n)
			colAgrees = colAgrees || u.Key == ix.usages[head].Key
			continue
		}
		rec = pick(rec, n)
	}
	// A synonym of the database leads to its own species.
	if u := &ix.usages[c.usage]; u.Record != 0 {
		rec = ix.records[u.Record-1].Usage
	} else if rec == none || rate(rec) < 2 {
		if own := m.recordOf(c); own != none {
			rec = own
		}
	}
	if col == none && rec != none && !m.skipDatabase {
		// The list has the taxon under the name that the database prefers.
		for _, n := range ix.membersOf(ix.usages[rec].Concept) {
			if ix.usages[n].Record == 0 {
				col = pick(col, n)
			}
		}
	}
	if col != none {
		e.ChineseNameColChina, e.AcceptedNameColChina = m.clone(ix.usageText(col, textChinese)), m.clone(ix.name(col))
		if !colAgrees {
			c.flags |= fDisagree
		}
	}
	if rec != none {
		r := ix.records[ix.usages[rec].Record-1]
		id := int32(r.EntryID)
		e.EntryID, e.GUID, e.ChineseName = &id, m.clone(ix.text(r.GUID)), m.clone(ix.usageText(r.Usage, textChinese))
	}
	if e.ChineseName == "" {
		e.ChineseName = e.ChineseNameColChina
	}
}

// recordOf returns the name of the species whose synonym, in the database,
// the matched name is, or none.
func (m *matcher) recordOf(c *candidate) uint32 {
	ix := m.ix
	u := &ix.usages[c.usage]
	for i, to := ix.namesakes(c.usage); i < to; i++ {
		if v := &ix.usages[i]; v.Group == u.Group && v.Record != 0 && statuses[v.Status] != Misapplied {
			return ix.records[v.Record-1].Usage
		}
	}
	return none
}

func (m *matcher) version(list uint8) Text { return m.ix.versions[list] }

// chunkSize is how many bytes of texts are allocated at once.
const chunkSize = 2048

// clone copies a text out of the file, which may be closed before the answer
// is used up. Texts share an allocation: a response keeps no more than a
// chunk or two.
func (m *matcher) clone(s string) Text {
	if s == "" {
		return ""
	}
	if len(m.chunk)+len(s) > cap(m.chunk) {
		m.chunk = make([]byte, 0, max(chunkSize, len(s)))
	}
	start := len(m.chunk)
	m.chunk = append(m.chunk, s...)
	return Text(unsafe.String(&m.chunk[start], len(s)))
}
