package explorer

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"bencao/api/explorer/cite"
	"bencao/api/problem"
	"bencao/store"
)

// paperView is what the page of a paper shows.
type paperView struct {
	store.PaperDetail
	AuthorList []string
	DOILink    string
	PubMedLink string
	Files      []navLink
	JSON       string
}

// doiOf is a DOI without the address that some sources write before it.
func doiOf(text string) string {
	if i := strings.Index(text, "10."); i >= 0 {
		return text[i:]
	}
	return text
}

// paperID is the id in the address: the rest of it, which may hold slashes.
func paperID(v *visit) string { return strings.TrimPrefix(v.Param("id"), "/") }

// formats of references, by the end of an address.
var formats = []struct{ end, name string }{{"bib", "BibTeX"}, {"ris", "RIS"}, {"json", "CSL-JSON"}}

func paperPage(v *visit) (*page, error) {
	p, err := ask[store.PaperDetail](v, "papers.detail", "", "id", paperID(v))
	if err != nil {
		return nil, err
	}
	if form := v.query.Get("as"); form != "" {
		return v.references(form, "paper", detailReference(&p))
	}
	view := &paperView{PaperDetail: p, AuthorList: cite.Authors(string(p.Authors)), JSON: paperJSON(v)}
	for i := range p.Species {
		p.Species[i].URL = store.Text(v.ours(string(p.Species[i].URL)))
	}
	if doi := doiOf(string(p.DOI)); doi != "" {
		view.DOILink = "https://doi.org/" + strings.ReplaceAll(url.PathEscape(doi), "%2F", "/")
	}
	if p.PubMedID != "" {
		view.PubMedLink = "https://pubmed.ncbi.nlm.nih.gov/" + url.PathEscape(string(p.PubMedID)) + "/"
	}
	for _, f := range formats {
		view.Files = append(view.Files, navLink{Text: f.name, Address: v.r.URL.EscapedPath() + "?as=" + f.end})
	}
	title := paperTitle(v, string(p.Title), string(p.DOI))
	meta := []string{"citation_title", title, "citation_journal_title", string(p.Source), "citation_publication_date", string(p.Year), "citation_doi", doiOf(string(p.DOI)), "citation_pmid", string(p.PubMedID)}
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

// paperReference is a paper as it is cited.
func paperReference(p *store.PaperSummary) cite.Reference {
	return cite.Reference{ID: p.ID, Title: string(p.Title), Authors: cite.Authors(string(p.Authors)), Source: string(p.Source), Year: string(p.Year), DOI: doiOf(string(p.DOI)), PubMed: string(p.PubMedID), URL: p.URL}
}

func detailReference(p *store.PaperDetail) cite.Reference {
	return paperReference(&store.PaperSummary{ID: p.ID, Title: p.Title, Authors: p.Authors, Source: p.Source, Year: p.Year, DOI: p.DOI, PubMedID: p.PubMedID, URL: p.URL})
}

// recordReference is a record of ours as it is cited.
func recordReference(v *visit, id, title, address string) cite.Reference {
	return cite.Reference{ID: id, Dataset: true, Title: title, Source: "Bencao 本草", Year: v.Meta().Built.UTC().Format("2006"), Version: v.Meta().ID, URL: address}
}

// references gives references as a file.
func (v *visit) references(form, name string, all ...cite.Reference) (*page, error) {
	var out bytes.Buffer
	kind := "application/x-bibtex; charset=utf-8"
	switch form {
	case "bib":
		for _, r := range all {
			out.WriteString(r.BibTeX())
		}
	case "ris":
		kind = "application/x-research-info-systems; charset=utf-8"
		for _, r := range all {
			out.WriteString(r.RIS())
		}
	case "json":
		kind = "application/vnd.citationstyles.csl+json"
		items := []json.RawMessage{}
		for _, r := range all {
			item, err := r.CSL()
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		text, err := json.MarshalIndent(items, "", "  ")
		if err != nil {
			return nil, err
		}
		out.Write(text)
	default:
		return nil, noPage(v)
	}
	return &page{file: &file{name: "bencao-" + name + "." + form, kind: kind, content: out.Bytes()}}, nil
}

// noPage is the answer for an address that there is not.
func noPage(v *visit) error {
	return problem.Newf(problem.NotFound, "there is no %s here", problem.Quote(v.r.URL.Path))
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
