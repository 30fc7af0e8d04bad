package snapshotfiles

import (
	"errors"
	"slices"

	"bencao/internal/null"
	"bencao/names"
	"bencao/store"
)

// Match matches a name. It knows the region of the query by the places in the checklists. If the query
// has Distribution, it sets that of the candidates. The first checklist that lists areas says where
// the plant grows; without one, the first that says anything.
func (f *Files) Match(q names.Query) (r names.Response, err error) {
	if q.Region == "" || q.Region == names.RegionChina {
		r, err = f.Names.Match(q)
	} else {
		r, err = f.matchIn(q, q.Region)
	}
	if err == nil && q.Distribution {
		err = f.addRanges(&r)
	}
	return r, err
}

// matchIn matches a name of a plant that grows in the region with a code.
func (f *Files) matchIn(q names.Query, code string) (names.Response, error) {
	var unread error
	q.Grows = func(l names.ListedAs) bool {
		t, err := f.Taxa.Find(l.List, l.ID)
		unread = errors.Join(unread, err)
		return slices.ContainsFunc(t.Places, func(p store.Place) bool { return p.Code == code })
	}
	r, err := f.Names.Match(q)
	return r, errors.Join(err, unread)
}

func (f *Files) addRanges(r *names.Response) error {
	for i := range r.Results {
		e := &r.Results[i]
		for _, l := range e.Taxa {
			t, err := f.Taxa.Find(l.List, l.ID)
			if err != nil {
				return err
			}
			if len(t.Names) == 0 || e.Distribution != nil && (e.Listed() || len(t.Places) == 0) {
				continue
			}
			e.Distribution = rangeOf(&t, l)
		}
	}
	return nil
}

// rangeOf returns what a checklist says about a taxon, or nil if it says nothing but names.
func rangeOf(t *store.ListTaxon, l names.ListedAs) *names.Range {
	n := &t.Names[0]
	d := &names.Range{
		Native: []string{}, Introduced: []string{}, Extinct: []string{}, Doubtful: []string{}, Area: null.Text(n.Area), LifeForm: null.Text(n.LifeForm),
		Publication: null.Text(n.Publication), Published: null.Text(n.Published), Source: l.Source, Release: null.Text(l.Release),
	}
	for _, p := range t.Places {
		list := &d.Native
		switch {
		case p.Status == store.Extinct:
			list = &d.Extinct
		case p.Status == store.Doubtful:
			list = &d.Doubtful
		case p.Introduced:
			list = &d.Introduced
		}
		code := p.Code
		if code == "" {
			code = p.Name
		}
		if !slices.Contains(*list, code) {
			*list = append(*list, code)
		}
	}
	if len(t.Places) == 0 && n.Area+n.LifeForm+n.Publication+n.Published == "" {
		return nil
	}
	return d
}
