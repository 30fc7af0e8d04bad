package api

import "fmt"

// Paging is which page of a list is asked for.
type Paging struct {
	Page     int32 `query:"page" min:"1" max:"2147483647" default:"1" doc:"Page, from 1. A page past the end is empty."`
	PageSize int32 `query:"pageSize" min:"1" max:"100" default:"20" doc:"Items a page, 1 to 100."`
}

// window is the part of a list of total items that the page shows.
func (p Paging) window(total int) (from, to int) {
	first := (int64(p.Page) - 1) * int64(p.PageSize)
	from = int(min(first, int64(total)))
	to = int(min(first+int64(p.PageSize), int64(total)))
	return from, to
}

// last is the last page that has items, 1 if there are none.
func (p Paging) last(total int) int64 {
	size := int64(p.PageSize)
	return max(1, (int64(total)+size-1)/size)
}

// links returns the Link header's entries for the pages round the one shown,
// with the addresses that at gives.
func (p Paging) links(total int, at func(page int64) string) []string {
	here, last := int64(p.Page), p.last(total)
	link := func(page int64, rel string) string { return fmt.Sprintf("<%s>; rel=%q", at(page), rel) }
	links := []string{link(1, "first"), link(last, "last")}
	if here > 1 {
		links = append(links, link(min(here-1, last), "prev"))
	}
	if here < last {
		links = append(links, link(here+1, "next"))
	}
	return links
}
