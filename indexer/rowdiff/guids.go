package rowdiff

import "strings"

// movedGUIDs finds GUIDs that belong to another record than before.
//
// A candidate is a row with the GUID of an old record, a, but with other content and another
// identity. If it has the key of no old record, and less than half of its identity is that of a, it
// is a new record, and the GUID has moved to it. If it has the content of another old record, b, the
// GUID has moved from record a if
//
//   - the row has the key of record b, or
//   - the GUID of record b also belongs to another record now, or
//   - record a still exists under another GUID.
//
// Merging the two records does not count, nor does repeating record b by mistake.
func (c *comparison) movedGUIDs() []MovedGUID {
	guidWas, guidIs := c.old.Index(c.spec.GUID), c.now.Index(c.spec.GUID)
	if c.spec.GUID == "" || guidWas < 0 || guidIs < 0 {
		return nil
	}
	r := &records{comparison: c, contentKnown: map[uint64][]int{}, identityKnown: map[uint64][]int{}}
	r.contentWas, r.contentIs = c.content()
	r.identityWas, _ = c.old.indexes(c.spec.Identity)
	r.identityIs, _ = c.now.indexes(c.spec.Identity)
	keyWas, _ := c.old.indexes(c.spec.Key)
	keyIs, _ := c.now.indexes(c.spec.Key)
	r.keyIs, r.keys = keyIs, map[uint64]bool{}
	before := byGUID(c.old, guidWas)
	tonight := byGUID(c.now, guidIs)
	type suspect struct{ a, row int }
	var suspects []suspect
	for row := range c.now.Rows() {
		a, known := before[plainGUID(c.now.Cell(row, guidIs))]
		if known && !r.equal(a, row, r.contentWas, r.contentIs) && !r.equal(a, row, r.identityWas, r.identityIs) {
			suspects = append(suspects, suspect{a, row})
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	for i := range c.old.Rows() {
		r.keys[c.old.hash(i, keyWas)] = true
		h, n := c.old.hash(i, r.contentWas), c.old.hash(i, r.identityWas)
		r.contentKnown[h] = append(r.contentKnown[h], i)
		r.identityKnown[n] = append(r.identityKnown[n], i)
	}
	here := map[uint64]bool{} // the hashes of the contents of all new records
	for i := range c.now.Rows() {
		here[c.now.hash(i, r.contentIs)] = true
	}
	var moved []MovedGUID
	add := func(s suspect) {
		moved = append(moved, MovedGUID{
			GUID: c.now.Cell(s.row, guidIs), Line: c.now.Line(s.row),
			Was: c.old.label(s.a, r.identityWas), Is: c.now.label(s.row, r.identityIs),
		})
	}
	for _, s := range suspects {
		b, ok := r.find(s.row, s.a)
		if !ok {
			if r.isNew(s.row, s.a) {
				add(s)
			}
			continue
		}
		other, there := tonight[plainGUID(c.old.Cell(b, guidWas))]
		isB := there && (r.equal(b, other, r.contentWas, r.contentIs) || r.equal(b, other, r.identityWas, r.identityIs))
		switch {
		case len(keyWas) > 0 && r.equal(b, s.row, keyWas, keyIs):
		case there && !isB:
		case !there && here[c.old.hash(s.a, r.contentWas)]:
		default:
			continue
		}
		add(s)
	}
	return moved
}

// records finds old records by their content or by their identity.
type records struct {
	*comparison
	// the columns of the content and of the identity, in both versions
	contentWas, contentIs, identityWas, identityIs []int
	// old rows by the hash of their content and identity
	contentKnown, identityKnown map[uint64][]int
	// the key columns in the new version, and the hashes of the keys of all old rows
	keyIs []int
	keys  map[uint64]bool
}

// isNew reports whether a row with the GUID of the old record a is a new record.
func (r *records) isNew(row, a int) bool {
	if r.keys[r.now.hash(row, r.keyIs)] {
		return false
	}
	same := 0
	for i := range r.identityWas {
		if v := r.now.Cell(row, r.identityIs[i]); v != "" && v == r.old.Cell(a, r.identityWas[i]) {
			same++
		}
	}
	return 2*same < len(r.identityWas)
}

func byGUID(t *Table, column int) map[string]int {
	at := make(map[string]int, t.Rows())
	for i := range t.Rows() {
		if g := plainGUID(t.Cell(i, column)); g != "" {
			at[g] = i
		}
	}
	return at
}

// plainGUID returns the digits of a GUID in any notation: {…}, urn:uuid:….
func plainGUID(s string) string {
	return strings.ReplaceAll(strings.Trim(strings.TrimPrefix(strings.ToLower(s), "urn:uuid:"), "{}"), "-", "")
}

// equal reports whether an old and a new row have the same cells.
func (r *records) equal(old, now int, was, is []int) bool {
	for i := range was {
		if r.old.Cell(old, was[i]) != r.now.Cell(now, is[i]) {
			return false
		}
	}
	return len(was) > 0
}

// find returns an old record that has the same content or identity as a new row. It never returns
// the old record a.
func (r *records) find(row, a int) (int, bool) {
	for _, old := range r.contentKnown[r.now.hash(row, r.contentIs)] {
		if old != a {
			return old, true
		}
	}
	if same := r.identityKnown[r.now.hash(row, r.identityIs)]; len(same) == 1 && same[0] != a && r.now.label(row, r.identityIs) != "" {
		return same[0], true
	}
	return 0, false
}
