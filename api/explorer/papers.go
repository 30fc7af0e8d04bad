package explorer

import (
	"cmp"
	"html/template"
	"net/url"
	"strings"

	"bencao/api/cite"
	"bencao/api/explorer/typeset"
	"bencao/store"
)

// paperView is the data of the page of a paper.
type paperView struct {
	store.PaperDetail
	AuthorList []string
	// Breaks is the DOI as HTML, with marks at the places where a line may break.
	Breaks template.HTML
	// Words is the citation of the paper as text.
	Words      string
	DOILink    string
	PubMedLink string
	Files      []navLink
	JSON       string
}

// paperID returns the id of the paper in the address. The whole rest of the path is the id, because
// an id may contain slashes.
func paperID(v *visit) string { return strings.TrimPrefix(v.Param("id"), "/") }

func paperPage(v *visit) (*page, error) {
	p, err := ask[store.PaperDetail](v, "papers.detail", "", "id", paperID(v))
	if err != nil {
		return nil, err
	}
	s := p.PaperSummary
	reference := cite.Paper(&s)
	if form := v.query.Get("as"); form != "" {
		return v.references(form, "paper", reference)
	}
	view := &paperView{PaperDetail: p, Words: reference.Words(), AuthorList: cite.Authors(string(p.Authors)), JSON: v.asJSON()}
	for i := range p.Species {
		p.Species[i].URL = store.Text(v.ours(string(p.Species[i].URL)))
	}
	view.Breaks = template.HTML(strings.NewReplacer("/", "/<wbr>", ".", ".<wbr>").Replace(typeset.Escape(string(p.DOI))))
	if doi := cite.DOI(string(p.DOI)); doi != "" {
		view.DOILink = "https://doi.org/" + strings.ReplaceAll(url.PathEscape(doi), "%2F", "/")
	}
	if p.PubMedID != "" {
		view.PubMedLink = "https://pubmed.ncbi.nlm.nih.gov/" + url.PathEscape(string(p.PubMedID)) + "/"
	}
	for _, f := range cite.Forms {
		view.Files = append(view.Files, navLink{Text: f.Name, Address: v.fileAt(v.path(), url.Values{"as": {f.End}})})
	}
	title := paperTitle(v, &s)
	meta := []metaTag{{"citation_title", title}, {"citation_journal_title", string(p.Source)}, {"citation_publication_date", string(p.Year)}, {"citation_doi", cite.DOI(string(p.DOI))}, {"citation_pmid", string(p.PubMedID)}}
	for _, a := range view.AuthorList {
		meta = append(meta, metaTag{"citation_author", a})
	}
	return &page{template: "paper", Title: title, Data: view, Meta: meta}, nil
}

// paperTitle returns the title of a paper. If the paper has no title, it returns a text that says so,
// with the DOI.
func paperTitle(v *visit, p *store.PaperSummary) string {
	if p.Title == "" {
		return v.say("paper.untitled", cmp.Or(string(p.DOI), p.ID))
	}
	return string(p.Title)
}

func findPapers(v *visit, k *kind, params []string) (*found, error) {
	return foundOf(v, k, params, func(p store.PaperSummary, why explanation) hit {
		title := paperTitle(v, &p)
		h := hit{Address: v.ours(p.URL), Name: typeset.Marked(title, why.within(title))}
		for _, note := range []string{string(p.Authors), string(p.Source), string(p.Year)} {
			if note != "" {
				h.Notes = append(h.Notes, typeset.Chinese(note))
			}
		}
		return h
	})
}
