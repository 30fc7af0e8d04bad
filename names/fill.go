package names

import (
	"slices"
	"unsafe"

	"bencao/names/internal/file"
)

// entry fills e, which is empty, from c. Texts are cloned in one piece: the file may be closed
// before the entry is used up.
func (m *matcher) entry(e *Entry, c *candidate) {
	ix := m.ix
	u := &ix.Usages[c.usage]
	ids := m.ids(c.usage)
	e.MatchedName, e.MatchedAuthor, e.MatchedWCVPID = m.clone(ix.Name(c.usage)), m.matchedAuthor(c.usage), m.clone(ids.wcvp)
	e.Rank, e.TaxonStatus = m.clone(ix.SharedText(u.Rank)), Text(u.Status.Word())
	e.MatchType, e.EditDistance, e.AuthorMatch = likenessNames[c.like], c.edits, c.author.String()
	e.MatchSource, e.ChecklistVersion = ix.File.Checklists[u.Checklist].Source, m.version(u.Checklist)
	e.Score = float64(int(c.score*100+0.5)) / 100
	head := c.concept
	if h := &ix.Usages[head]; h.Bits&file.Placed != 0 {
		if head == c.usage {
			e.AcceptedName, e.AcceptedAuthor, e.AcceptedRank, e.WCVPID = e.MatchedName, e.MatchedAuthor, e.Rank, e.MatchedWCVPID
		} else {
			ids = m.ids(head)
			e.WCVPID = m.clone(ids.wcvp)
			e.AcceptedName, e.AcceptedAuthor, e.AcceptedRank = m.clone(ix.Name(head)), m.matchedAuthor(head), m.clone(ix.SharedText(h.Rank))
		}
		e.AcceptedFamily = m.clone(ix.SharedText(h.Family))
		e.IPNIID, e.WFOID = m.clone(ids.ipni), m.clone(ids.wfo)
		e.MatchSource, e.ChecklistVersion = ix.File.Checklists[h.Checklist].Source, m.version(h.Checklist)
	} else {
		e.AcceptedFamily = m.clone(ix.SharedText(u.Family))
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
	if own := ix.Text(usage, file.Author); own != "" {
		return m.clone(own)
	}
	for i, to := ix.Namesakes(usage); i < to; i++ {
		if ix.Usages[i].Group == ix.Usages[usage].Group {
			if other := ix.Text(i, file.Author); other != "" {
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
	for i, to := ix.Namesakes(usage); i < to; i++ {
		v := &ix.Usages[i]
		if v.Group != ix.Usages[usage].Group {
			continue
		}
		switch ix.File.Checklists[v.Checklist].Source {
		case SourceWCVP:
			if ids.wcvp == "" || i == usage {
				ids.wcvp = ix.Text(i, file.ID)
			}
		case SourceWFO:
			if ids.wfo == "" {
				ids.wfo = ix.Text(i, file.ID)
			}
		case SourceIPNI:
			if ids.ipni == "" {
				ids.ipni = ix.Text(i, file.ID)
			}
		}
		if own := ix.Text(i, file.IPNI); ids.ipni == "" || i == usage && own != "" {
			ids.ipni = own
		}
		if ids.wfo == "" {
			ids.wfo = ix.Text(i, file.WFO)
		}
	}
	return ids
}

// known fills in the names under which Catalogue of Life China and the
// database have the taxon: that of the matched name before that of the
// accepted one before others.
func (m *matcher) known(e *Entry, c *candidate, head uint32) {
	ix := m.ix
	var col, rec uint32 = file.None, file.None
	colAgrees := false
	rate := func(n uint32) int {
		switch {
		case ix.Usages[n].Key == ix.Usages[c.usage].Key:
			return 2
		case ix.Usages[n].Key == ix.Usages[head].Key:
			return 1
		}
		return 0
	}
	pick := func(old, n uint32) uint32 {
		if old == file.None || rate(n) > rate(old) {
			return n
		}
		return old
	}
	for _, n := range ix.MembersOf(c.concept) {
		u := &ix.Usages[n]
		if u.Record == 0 {
			col = pick(col, n)
			colAgrees = colAgrees || u.Key == ix.Usages[head].Key
			continue
		}
		rec = pick(rec, n)
	}
	// A synonym of the database leads to its own species.
	if u := &ix.Usages[c.usage]; u.Record != 0 {
		rec = ix.Records[u.Record-1].Usage
	} else if rec == file.None || rate(rec) < 2 {
		if own := m.recordOf(c); own != file.None {
			rec = own
		}
	}
	if col == file.None && rec != file.None && !m.skipDatabase {
		// The list has the taxon under the name that the database prefers.
		for _, n := range ix.MembersOf(ix.Usages[rec].Concept) {
			if ix.Usages[n].Record == 0 {
				col = pick(col, n)
			}
		}
	}
	if col != file.None {
		e.ChineseNameColChina, e.AcceptedNameColChina = m.clone(ix.Text(col, file.Chinese)), m.clone(ix.Name(col))
		if !colAgrees {
			c.flags |= fDisagree
		}
	}
	if rec != file.None {
		r := ix.Records[ix.Usages[rec].Record-1]
		id := int32(r.EntryID)
		e.EntryID, e.GUID, e.ChineseName = &id, m.clone(ix.SharedText(r.GUID)), m.clone(ix.Text(r.Usage, file.Chinese))
	}
	if e.ChineseName == "" {
		e.ChineseName = e.ChineseNameColChina
	}
}

// recordOf returns the name of the species whose synonym, in the database,
// the matched name is, or none.
func (m *matcher) recordOf(c *candidate) uint32 {
	ix := m.ix
	u := &ix.Usages[c.usage]
	for i, to := ix.Namesakes(c.usage); i < to; i++ {
		if v := &ix.Usages[i]; v.Group == u.Group && v.Record != 0 && v.Status.Word() != Misapplied {
			return ix.Records[v.Record-1].Usage
		}
	}
	return file.None
}

func (m *matcher) version(list uint8) Text { return m.ix.Versions[list] }

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
