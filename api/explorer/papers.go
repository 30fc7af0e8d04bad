package explorer

import (
	"bytes"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/cite"
	"bencao/api/problem"
	"bencao/names/han"
	"bencao/store"
)

// paperView is what the page of a paper shows.
type paperView struct {
	store.PaperDetail
	AuthorList []string
	// Breaks is the DOI with places where a line may end.
	Breaks template.HTML
	// Words is the paper as it is cited.
	Words      string
	DOILink    string
	PubMedLink string
	Files      []navLink
	JSON       string
}

// paperID is the id in the address: the rest of it, which may hold slashes.
func paperID(v *visit) string { return strings.TrimPrefix(v.Param("id"), "/") }

func paperPage(v *visit) (*page, error) {
	p, err := ask[store.PaperDetail](v, "papers.detail", "", "id", paperID(v))
	if err != nil {
		return nil, err
	}
	s := p.Summary()
	reference := cite.Paper(&s)
	if form := v.query.Get("as"); form != "" {
		return v.references(form, "paper", reference)
	}
	view := &paperView{PaperDetail: p, Words: reference.Words(), AuthorList: cite.Authors(string(p.Authors)), JSON: paperJSON(v)}
	for i := range p.Species {
		p.Species[i].URL = store.Text(v.ours(string(p.Species[i].URL)))
	}
	view.Breaks = template.HTML(strings.NewReplacer("/", "/<wbr>", ".", ".<wbr>").Replace(escape(string(p.DOI))))
	if doi := cite.DOI(string(p.DOI)); doi != "" {
		view.DOILink = "https://doi.org/" + strings.ReplaceAll(url.PathEscape(doi), "%2F", "/")
	}
	if p.PubMedID != "" {
		view.PubMedLink = "https://pubmed.ncbi.nlm.nih.gov/" + url.PathEscape(string(p.PubMedID)) + "/"
	}
	for _, f := range cite.Forms {
		view.Files = append(view.Files, navLink{Text: f.Name, Address: v.r.URL.EscapedPath() + "?as=" + f.End})
	}
	title := paperTitle(v, string(p.Title), string(p.DOI))
	meta := []string{"citation_title", title, "citation_journal_title", string(p.Source), "citation_publication_date", string(p.Year), "citation_doi", cite.DOI(string(p.DOI)), "citation_pmid", string(p.PubMedID)}
	for _, a := range view.AuthorList {
		meta = append(meta, "citation_author", a)
	}
	linked := map[string]any{"@context": "https://schema.org", "@type": "ScholarlyArticle", "@id": p.URL, "url": p.URL, "name": title, "datePublished": string(p.Year), "sameAs": view.DOILink}
	return &page{template: "paper", Title: title, Data: view, meta: meta, Linked: linked}, nil
}

// paperTitle is a paper's title, or what stands for it.
func paperTitle(v *visit, title, doi string) string {
	if title == "" {
		return v.say("paper.untitled", doi)
	}
	return title
}

func paperJSON(v *visit) string {
	return "/api/v1/papers/detail?id=" + url.QueryEscape(paperID(v))
}

// recordReference is a record of ours as it is cited.
func recordReference(v *visit, id, title, address string) cite.Reference {
	return cite.Reference{ID: id, Dataset: true, Title: title, Source: "Bencao 本草", Year: v.Meta().Built.UTC().Format("2006"), Version: v.Meta().ID, URL: address}
}

// references gives references as a file.
func (v *visit) references(form, name string, all ...cite.Reference) (*page, error) {
	f, ok := cite.FormOf(form)
	if !ok {
		return nil, noPage(v)
	}
	var out bytes.Buffer
	if err := f.Write(&out, all); err != nil {
		return nil, err
	}
	return &page{file: &file{name: "bencao-" + name + "." + f.End, kind: f.Media + f.Charset, content: out.Bytes()}}, nil
}

// noPage is the answer for an address that there is not.
func noPage(v *visit) error {
	return problem.New(problem.NotFound, problem.NoPage.With(problem.Quote(v.r.URL.Path)))
}

func findPapers(v *visit, k *kind, params []string) (*found, error) {
	l, err := ask[list[store.PaperSummary]](v, k.op, "", params...)
	if err != nil {
		return nil, err
	}
	f := &found{Total: l.Total, explanation: l.Explanation}
	for i, p := range l.Items {
		h := hit{Address: v.ours(p.URL)}
		h.Name = f.why(i).mark(paperTitle(v, string(p.Title), string(p.DOI)))
		for _, note := range []string{string(p.Authors), string(p.Source), string(p.Year)} {
			if note != "" {
				h.Notes = append(h.Notes, chinese(note))
			}
		}
		f.Hits = append(f.Hits, h)
	}
	return f, nil
}

// read says how the query was understood, and what was forgiven.
func (r *results) read(v *visit) {
	ex := r.Found.explanation
	if r.Q == "" || ex == nil {
		return
	}
	way := ""
	if len(ex.Items) > 0 {
		way = ex.Items[0].Field
	}
	switch {
	case doiForm.MatchString(r.Q):
		r.Reading = "doi"
	case pubmedForm.MatchString(r.Q):
		r.Reading = "pubmed"
	case way == "drug" || way == "drugAlias":
		r.Reading = "drug"
	case han.Has(r.Q):
		r.Reading = "characters"
	case strings.Contains(way, "nitials"):
		r.Reading = "initials"
	case strings.Contains(strings.ToLower(way), "pinyin") && toned.MatchString(r.Q):
		r.Reading = "toned"
	case strings.Contains(strings.ToLower(way), "pinyin"):
		r.Reading = "pinyin"
	case way == "scientificName" || way == "synonym":
		r.Reading = "latin"
	case r.Found.Total == 0:
		return
	default:
		r.Reading = "words"
	}
	r.Reading = v.say("read." + r.Reading)
	switch {
	case ex.Group != "":
		r.Reading += v.say("read.group." + string(ex.Group))
	case ex.Part != "" && ex.Forgiven == "" && r.Found.Total > 0:
		r.Reading += v.say("read.part." + string(ex.Part))
	}
	if ex.Forgiven != "" && len(ex.Items) > 0 {
		r.Forgiven = v.lang.Known("forgiven."+string(ex.Forgiven), v.say("forgiven.other"))
		for _, name := range ex.DidYouMean {
			if slices.ContainsFunc(ex.Items, func(i api.ItemExplanation) bool { return strings.EqualFold(string(i.Text), name) }) {
				continue // it is what is shown
			}
			r.DidYouMean = append(r.DidYouMean, navLink{Text: name, Address: v.link("/search", "q", name)})
		}
	}
}

// suggest says where else there is something, and what is linked with the plant
// that the query names: papers and formulas are found by their own names alone.
func (r *results) suggest(v *visit, k *kind) error {
	if r.Nothing = v.say("search.empty"); r.Q != "" {
		r.Nothing = v.say("search.none."+k.name, r.Q)
	}
	for _, q := range []string{"人参", "guizhitang", "Panax"} {
		if q != r.Q && r.Found.Total == 0 && len(r.Elsewhere) == 0 {
			r.Examples = append(r.Examples, navLink{Text: q, Address: v.link("/search", "q", q)})
		}
	}
	if r.Q == "" || k.name != "papers" && k.name != "formulas" || v.query.Get("species") != "" {
		return nil
	}
	l, err := ask[list[store.SpeciesSummary]](v, "species.search", "", "q", r.Q, "pageSize", "1", "explain", "true")
	if err != nil || len(l.Items) == 0 || l.Explanation.Forgiven != "" || !(&found{explanation: l.Explanation}).why(0).whole() {
		return err
	}
	plant := l.Items[0]
	f, err := k.count(v, "species", plant.GUID)
	if refused(err) {
		return nil
	}
	if err == nil && f.Total > 0 {
		name := strings.TrimSpace(string(plant.ChineseName) + " " + string(plant.ScientificName))
		r.Linked = &navLink{Text: v.say("search.linked."+k.name, thousands(f.Total), name), Address: v.link("/search", "kind", k.name, "species", plant.GUID)}
	}
	return err
}

// beside finds the address where formulas of a name stand side by side.
func (h *hit) beside(v *visit) {
	if len(h.Others) < 2 || !v.may(access.PrescriptionComposition) {
		return
	}
	var guids []string
	for _, o := range h.Others[:min(mostCompared, len(h.Others))] {
		guids = append(guids, o.GUID)
	}
	h.Compare = v.link("/compare", "formulas", strings.Join(guids, ","))
}
