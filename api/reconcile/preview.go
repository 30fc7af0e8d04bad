package reconcile

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"net/http"

	"bencao/internal/invisible"
)

// previewWidth and previewHeight are the size of the preview of an entity, in pixels.
const previewWidth, previewHeight = 420, 260

var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{{.Name}}</title>
<style>body{font:14px/1.4 sans-serif;margin:8px}h1{font-size:16px;margin:0 0 6px}dt{color:#555;float:left;clear:left;width:9em}dd{margin:0 0 2px 9.5em}</style>
</head><body><h1><i>{{.Name}}</i></h1><dl>{{range .Lines}}<dt>{{.Name}}</dt><dd>{{.Value}}</dd>{{end}}</dl></body></html>
`))

var flyout = template.Must(template.New("flyout").Parse(`<p><b>{{.Name}}</b><br>{{.About}}</p>`))

// previewed lists the ids of the properties that the preview of an entity shows.
var previewed = []string{"chineseName", "author", "family", "rank", "acceptedName", "taxonStatus", "wcvpId", "wfoId", "checklistVersion", "formulas", "papers"}

// preview serves a small page about an entity, which programs such as OpenRefine show in a frame.
func (s *Service) preview(w http.ResponseWriter, r *http.Request) {
	t, found, err := s.taxon(r.Context(), r.URL.Query().Get("id"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.show(w, r, &t, found)
}

// show writes the preview page of an entity, or a page that says that the entity was not found.
func (s *Service) show(w http.ResponseWriter, r *http.Request, t *taxon, found bool) {
	type line struct {
		Name  string
		Value any
	}
	status, name := http.StatusNotFound, "nothing has this id"
	var lines []line
	if found {
		status, name = http.StatusOK, t.name()
		for _, id := range previewed {
			p, _ := propertyOf(id)
			values, err := s.values(r.Context(), p, t)
			if err != nil {
				s.fail(w, r, err)
				return
			}
			for _, v := range values {
				lines = append(lines, line{p.Name, v})
			}
		}
	}
	var b bytes.Buffer
	if err := page.Execute(&b, map[string]any{"Name": name, "Lines": lines}); err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.WriteHeader(status)
	if _, err := w.Write(invisible.DropBytes(b.Bytes())); err != nil {
		s.opt.Log.Debug("reconcile: the client has gone", "path", r.URL.Path, "error", err)
	}
}

// flown is the answer to a flyout request, which asks for a short description of an entity.
type flown struct {
	ID   string `json:"id"`
	HTML string `json:"html"`
}

func fly(id, name, about string) (any, error) {
	var b bytes.Buffer
	if err := flyout.Execute(&b, map[string]string{"Name": name, "About": about}); err != nil {
		return nil, fmt.Errorf("flyout of %s: %w", id, err)
	}
	return flown{id, invisible.Drop(b.String())}, nil
}

func (s *Service) flyoutEntity(ctx context.Context, r *http.Request) (any, error) {
	id := r.URL.Query().Get("id")
	t, found, err := s.taxon(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, badf("nothing has the id %.80q", id)
	}
	return fly(id, t.name(), t.about())
}

func flyoutProperty(_ context.Context, r *http.Request) (any, error) {
	id := r.URL.Query().Get("id")
	p, known := propertyOf(id)
	if !known {
		return nil, badf("there is no property %.80q; /properties lists them", id)
	}
	return fly(id, p.Name, p.ID)
}

func flyoutType(_ context.Context, r *http.Request) (any, error) {
	id := r.URL.Query().Get("id")
	for _, k := range kinds {
		if k.ID == id {
			return fly(id, k.Name, k.ID)
		}
	}
	return nil, badf("there is no type %.80q; /suggest/type lists them", id)
}
