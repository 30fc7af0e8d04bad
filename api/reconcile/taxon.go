package reconcile

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"bencao/names"
	"bencao/names/bulk"
	"bencao/store"
)

// taxon is an entity of the service: a species of the database, or an accepted or unplaced name that
// is in a checklist but not in the database.
type taxon struct {
	store.SpeciesDetail
	id string
}

// guid matches the ids of species. All other ids are identifiers of checklists in the form that
// names.match reads, such as wfo-0000263606, ipni:91472-1 or wcvp:146697.
var guid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// identifier returns the id of the entity that a result of names.match denotes. It returns "" for
// an accepted name from a checklist without identifiers.
func identifier(e *names.Entry) string {
	switch {
	case e.GUID != "":
		return string(e.GUID)
	case e.WFOID != "":
		return string(e.WFOID)
	case e.IPNIID != "":
		return "ipni:" + string(e.IPNIID)
	case e.WCVPID != "":
		return "wcvp:" + string(e.WCVPID)
	case e.AcceptedName == "" && e.MatchedWCVPID != "": // an unplaced name
		return "wcvp:" + string(e.MatchedWCVPID)
	}
	return ""
}

// taxon returns the entity with the given id, and whether it exists.
func (s *Service) taxon(ctx context.Context, id string) (t taxon, found bool, err error) {
	if low := strings.ToLower(id); guid.MatchString(low) {
		d, found, err := s.source.Species(ctx, low)
		return taxon{d, id}, found, err
	}
	answers, err := s.source.Match(ctx, []names.Query{{Name: id, Limit: 1}})
	if err != nil {
		return t, false, err
	}
	return s.identified(ctx, id, &answers[0])
}

// taxa returns the entities with the given ids, by id. It looks up all identifiers of checklists in
// one request, because each request to a server counts against the rate limit.
func (s *Service) taxa(ctx context.Context, ids []string) (map[string]*taxon, error) {
	all := make(map[string]*taxon, len(ids))
	var queries []names.Query
	for _, id := range ids {
		if !guid.MatchString(strings.ToLower(id)) {
			queries = append(queries, names.Query{Name: id, Limit: 1})
			continue
		}
		switch t, found, err := s.taxon(ctx, id); {
		case err != nil:
			return nil, err
		case found:
			all[id] = &t
		}
	}
	answers, err := s.source.Match(ctx, queries)
	if err != nil {
		return nil, err
	}
	for i, q := range queries {
		switch t, found, err := s.identified(ctx, q.Name, &answers[i]); {
		case err != nil:
			return nil, err
		case found:
			all[q.Name] = &t
		}
	}
	return all, nil
}

// identified returns the entity whose id is an identifier of a checklist. a is the answer of
// names.match for this id.
func (s *Service) identified(ctx context.Context, id string, a *bulk.Answer) (t taxon, found bool, err error) {
	if a.Err != nil || a.MatchedVia != "identifier" || len(a.Results) == 0 {
		return t, false, nil
	}
	e := &a.Results[0]
	if e.GUID != "" {
		d, found, err := s.source.Species(ctx, string(e.GUID))
		return taxon{d, id}, found, err
	}
	return taxon{listed(e), id}, true, nil
}

// listed returns an accepted or unplaced name of the checklists in the form of a species.
func listed(e *names.Entry) store.SpeciesDetail {
	name, author, rank := e.AcceptedName, e.AcceptedAuthor, e.AcceptedRank
	if name == "" {
		name, author, rank = e.MatchedName, e.MatchedAuthor, e.Rank
	}
	genus, _, _ := strings.Cut(string(name), " ")
	return store.SpeciesDetail{
		ChineseName: e.ChineseName, ScientificName: name, Author: author,
		Rank: rank, Family: e.AcceptedFamily, Genus: store.Text(genus),
		NameMatch: &store.NameMatchInfo{
			MatchSource: e.MatchSource, MatchType: e.MatchType, Score: &e.Score,
			AcceptedName: e.AcceptedName, AcceptedAuthor: e.AcceptedAuthor, AcceptedFamily: e.AcceptedFamily,
			TaxonStatus: store.Text(e.TaxonStatus), WCVPID: e.WCVPID, IPNIID: e.IPNIID, WFOID: e.WFOID,
			ChineseNameColChina: e.ChineseNameColChina, ChecklistVersion: e.ChecklistVersion,
		},
	}
}

// name returns the name under which an entity is shown.
func (t *taxon) name() string {
	return cmp.Or(string(t.ScientificName), string(t.ChineseName), t.id)
}

// about describes an entity in one line.
func (t *taxon) about() string {
	return line(string(t.ChineseName), string(t.Author), string(t.Family), string(t.Rank))
}

// line joins the parts that are not empty to one line.
func line(parts ...string) string {
	var filled []string
	for _, p := range parts {
		if p != "" {
			filled = append(filled, p)
		}
	}
	return strings.Join(filled, " · ")
}

// A property of an entity. Its id is the name of the API's field with the values of the property.
type property struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// of returns the values of the property: strings and whole numbers.
	of func(t *taxon) []any
}

func text(of func(t *taxon) store.Text) func(t *taxon) []any {
	return func(t *taxon) []any {
		if v := of(t); v != "" {
			return []any{string(v)}
		}
		return nil
	}
}

// matched returns a function for a property whose value comes from the match of the species with
// the checklists. If the species has no match, the property has no value.
func matched(of func(m *store.NameMatchInfo) store.Text) func(t *taxon) []any {
	return text(func(t *taxon) store.Text {
		if t.NameMatch == nil {
			return ""
		}
		return of(t.NameMatch)
	})
}

// count returns a function for a property that is a number of records, such as formulas. Only
// species of the database have such numbers.
func count(of func(t *taxon) int32) func(t *taxon) []any {
	return func(t *taxon) []any {
		if t.GUID == "" {
			return nil
		}
		return []any{of(t)}
	}
}

// withheld lists the properties that count records which only a key with a scope may read. A public
// snapshot lacks these records.
var withheld = []string{"formulas", "useRecords"}

// values returns the values of a property of an entity. If the snapshot is public, the properties in
// withheld have none.
func (s *Service) values(ctx context.Context, p property, t *taxon) ([]any, error) {
	if slices.Contains(withheld, p.ID) {
		if public, err := s.source.Public(ctx); err != nil || public {
			return nil, err
		}
	}
	return p.of(t), nil
}

// properties lists the properties of all entities.
var properties = []property{
	{"chineseName", "Chinese name 中文名", text(func(t *taxon) store.Text { return t.ChineseName })},
	{"chineseNamePinyin", "Pinyin 拼音", text(func(t *taxon) store.Text { return t.ChineseNamePinyin })},
	{"scientificName", "Scientific name 学名", text(func(t *taxon) store.Text { return t.ScientificName })},
	{"author", "Author 命名人", text(func(t *taxon) store.Text { return t.Author })},
	{"rank", "Rank 等级", text(func(t *taxon) store.Text { return t.Rank })},
	{"family", "Family 科", text(func(t *taxon) store.Text { return t.Family })},
	{"familyChinese", "Chinese name of the family 科中文名", text(func(t *taxon) store.Text { return t.FamilyChinese })},
	{"kingdom", "Kingdom 界", text(func(*taxon) store.Text { return "Plantae" })},
	{"genus", "Genus 属", text(func(t *taxon) store.Text { return t.Genus })},
	{"genusChinese", "Chinese name of the genus 属中文名", text(func(t *taxon) store.Text { return t.GenusChinese })},
	{"region", "Region 产地", text(func(t *taxon) store.Text {
		if t.GUID == "" {
			return ""
		}
		return names.RegionChina // names.match assumes that every species of the database occurs in China
	})},
	{"acceptedName", "Accepted name 接受名", matched(func(m *store.NameMatchInfo) store.Text { return m.AcceptedName })},
	{"acceptedAuthor", "Author of the accepted name 接受名命名人", matched(func(m *store.NameMatchInfo) store.Text { return m.AcceptedAuthor })},
	{"acceptedFamily", "Family of the accepted name 接受名的科", matched(func(m *store.NameMatchInfo) store.Text { return m.AcceptedFamily })},
	{"taxonStatus", "Status 状态", matched(func(m *store.NameMatchInfo) store.Text { return m.TaxonStatus })},
	{"wcvpId", "WCVP id", matched(func(m *store.NameMatchInfo) store.Text { return m.WCVPID })},
	{"ipniId", "IPNI id", matched(func(m *store.NameMatchInfo) store.Text { return m.IPNIID })},
	{"wfoId", "World Flora Online id", matched(func(m *store.NameMatchInfo) store.Text { return m.WFOID })},
	{"chineseNameColChina", "Chinese name in Catalogue of Life China 中国生物物种名录中文名", matched(func(m *store.NameMatchInfo) store.Text { return m.ChineseNameColChina })},
	{"checklistVersion", "Checklist 名录", matched(func(m *store.NameMatchInfo) store.Text { return m.ChecklistVersion })},
	{"synonyms", "Synonyms 异名", func(t *taxon) (values []any) {
		for _, name := range t.Synonyms {
			values = append(values, name)
		}
		return values
	}},
	{"formulas", "Number of formulas 方剂数", count(func(t *taxon) int32 { return t.Formulas })},
	{"papers", "Number of papers 文献数", count(func(t *taxon) int32 { return t.Papers })},
	{"useRecords", "Number of uses 用途数", count(func(t *taxon) int32 { return t.UseRecords })},
	{"floraTreatments", "Number of treatments in floras 植物志记载数", count(func(t *taxon) int32 { return t.FloraTreatments })},
	{"url", "Page 网页", text(func(t *taxon) store.Text { return store.Text(t.URL) })},
}

// propertyOf returns the property with an id.
func propertyOf(id string) (property, bool) {
	for _, p := range properties {
		if p.ID == id {
			return p, true
		}
	}
	return property{}, false
}
