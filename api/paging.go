package api

import "strconv"

// Paging selects a page of a list.
type Paging struct {
	Page     int32 `query:"page" min:"1" max:"2147483647" default:"1" doc:"Page, from 1. A page past the end is empty."`
	PageSize int32 `query:"pageSize" min:"1" max:"100" default:"20" doc:"Items per page, 1 to 100."`
}

// window returns the first and last position (exclusive) of the page's items in a list of total
// items.
func (p Paging) window(total int) (from, to int) {
	first := (int64(p.Page) - 1) * int64(p.PageSize)
	from = int(min(first, int64(total)))
	to = int(min(first+int64(p.PageSize), int64(total)))
	return from, to
}

// last returns the number of the last page with items, or 1 if there are none.
func (p Paging) last(total int) int64 {
	size := int64(p.PageSize)
	return max(1, (int64(total)+size-1)/size)
}

// appendLinks appends the entries of the header Link for the neighbouring pages. It calls at to
// append the address of a page.
func (p Paging) appendLinks(dst []byte, total int, at func(dst []byte, page int64) []byte) []byte {
	here, last := int64(p.Page), p.last(total)
	link := func(page int64, rel string) {
		dst = at(append(dst, '<'), page)
		dst = append(append(append(dst, `>; rel="`...), rel...), `", `...)
	}
	link(1, "first")
	link(last, "last")
	if here > 1 {
		link(min(here-1, last), "prev")
	}
	if here < last {
		link(here+1, "next")
	}
	return dst[:len(dst)-len(", ")]
}

// beginPage appends the JSON of a page up to its first item. endPage appends the rest.
func beginPage(dst []byte, at Paging, total int) []byte {
	dst = append(dst, `{"page":`...)
	dst = strconv.AppendInt(dst, int64(at.Page), 10)
	dst = append(dst, `,"pageSize":`...)
	dst = strconv.AppendInt(dst, int64(at.PageSize), 10)
	dst = append(dst, `,"total":`...)
	dst = strconv.AppendInt(dst, int64(total), 10)
	return append(dst, `,"items":[`...)
}

func endPage(dst []byte) []byte { return append(dst, "]}"...) }
