package reconcile

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"bencao/mappings/search"
)

// kind is a type of entities. Every entity has the type taxon and the type of its rank.
type kind struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Broader []kind `json:"broader,omitempty"`
}

var anyTaxon = kind{ID: "taxon", Name: "Plant name 植物名称"}

// kinds lists the types that the service suggests.
var kinds = []kind{
	anyTaxon,
	{"family", "Family 科", []kind{anyTaxon}},
	{"genus", "Genus 属", []kind{anyTaxon}},
	{"species", "Species 种", []kind{anyTaxon}},
	{"subspecies", "Subspecies 亚种", []kind{anyTaxon}},
	{"variety", "Variety 变种", []kind{anyTaxon}},
	{"form", "Form 变型", []kind{anyTaxon}},
}

// kindsOf returns the types of an entity of the given rank.
func kindsOf(rank string) []kind {
	for _, k := range kinds[1:] {
		if k.ID == rank {
			return []kind{{ID: k.ID, Name: k.Name}, anyTaxon}
		}
	}
	return []kind{anyTaxon}
}

// suggested is one suggested entity.
type suggested struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Notable     []kind `json:"notable,omitempty"`
}

// perPage is the number of suggestions in an answer.
const perPage = 10

// prefixed reads the parameters of a suggestion request: the text typed so far, and the number of
// suggestions to skip.
func prefixed(r *http.Request) (prefix string, from int, err error) {
	in := r.URL.Query()
	prefix = strings.TrimSpace(in.Get("prefix"))
	if cursor := in.Get("cursor"); cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil || from < 0 || from > maxCursor {
			return "", 0, badf("cursor is %.80q; use a whole number from 0 to %d", cursor, maxCursor)
		}
	}
	if runes := []rune(prefix); len(runes) > search.MaxQuery {
		return "", 0, badf("prefix is longer than %d characters; shorten it", search.MaxQuery)
	}
	return prefix, from, nil
}

// maxCursor is the largest number of suggestions that a request may skip.
const maxCursor = 10_000

// suggestEntities suggests entities for the typed text. The text may be an id, or a query that the
// search of species understands.
func (s *Service) suggestEntities(ctx context.Context, r *http.Request) (any, error) {
	prefix, from, err := prefixed(r)
	list := []suggested{}
	if err != nil || prefix == "" {
		return results{list}, err
	}
	if t, found, err := s.taxon(ctx, prefix); err != nil || found {
		if found && from == 0 {
			list = append(list, suggested{t.id, t.name(), t.about(), kindsOf(string(t.Rank))})
		}
		return results{list}, err
	}
	species, err := s.source.Search(ctx, prefix, from, perPage)
	for _, sp := range species {
		t := taxon{id: sp.GUID}
		t.ChineseName, t.ScientificName, t.Author, t.Family = sp.ChineseName, sp.ScientificName, sp.Author, sp.Family
		list = append(list, suggested{t.id, t.name(), t.about(), []kind{anyTaxon}})
	}
	return results{list}, err
}

// results is the form of every answer to a suggestion request.
type results struct {
	Result any `json:"result"`
}

func (s *Service) suggestProperties(_ context.Context, r *http.Request) (any, error) {
	return suggestFrom(r, properties, func(p property) []string { return []string{p.ID, p.Name} })
}

func (s *Service) suggestTypes(_ context.Context, r *http.Request) (any, error) {
	return suggestFrom(r, kinds, func(k kind) []string { return []string{k.ID, k.Name} })
}

// suggestFrom suggests elements of the list all: those with a text that contains the typed text.
// The function texts returns the texts of an element.
func suggestFrom[T any](r *http.Request, all []T, texts func(T) []string) (any, error) {
	prefix, from, err := prefixed(r)
	list := []T{}
	for _, one := range all {
		if holds(prefix, texts(one)...) {
			list = append(list, one)
		}
	}
	return results{list[min(from, len(list)):]}, err
}

// holds reports whether one of texts contains part, ignoring case.
func holds(part string, texts ...string) bool {
	for _, t := range texts {
		if strings.Contains(strings.ToLower(t), strings.ToLower(part)) {
			return true
		}
	}
	return false
}

// propose lists the properties that an extension query may ask for.
func (s *Service) propose(_ context.Context, r *http.Request) (any, error) {
	in := r.URL.Query()
	list := properties
	if n, err := strconv.Atoi(in.Get("limit")); err == nil && n > 0 {
		list = list[:min(n, len(list))]
	}
	out := struct {
		Properties []property `json:"properties"`
		Type       string     `json:"type,omitempty"`
	}{list, in.Get("type")}
	return out, nil
}
