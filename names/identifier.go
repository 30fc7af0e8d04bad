package names

import "strings"

// ipniPrefix is how IPNI's identifiers begin when written out.
const ipniPrefix = "urn:lsid:ipni.org:names:"

// identifiers lists what a usage is found by, each with the name of what
// gave it.
func (b *Builder) identifiers(u *draft) []string {
	source := strings.ToLower(b.lists[u.Checklist].Source)
	ids := make([]string, 0, 3)
	if u.ID != 0 && int(u.Checklist) != b.db {
		ids = append(ids, source+":"+b.text.get(u.ID))
	}
	if u.IPNI != 0 && source != "ipni" {
		ids = append(ids, "ipni:"+b.text.get(u.IPNI))
	}
	if u.WFO != 0 && source != "wfo" {
		ids = append(ids, "wfo:"+b.text.get(u.WFO))
	}
	return ids
}

// parseIdentifier recognises an identifier or the address of a name's page
// and returns it in the form in which the index holds it.
func parseIdentifier(s string) (id string, ok bool) {
	if len(s) < 3 || len(s) > 200 || strings.IndexByte(s, ' ') >= 0 {
		return "", false
	}
	return bareIdentifier(lastOfAddress(s))
}

// lastOfAddress returns the part of a web address that names the page: the
// last segment of its path, or the last value of its query. Another text is
// returned as it is.
func lastOfAddress(s string) string {
	l := strings.ToLower(s)
	if !strings.HasPrefix(l, "http://") && !strings.HasPrefix(l, "https://") && !strings.HasPrefix(l, "www.") {
		return s
	}
	s, _, _ = strings.Cut(s, "#")
	if path, query, ok := strings.Cut(s, "?"); ok {
		// An address such as …/search?id=…
		if i := strings.LastIndexByte(query, '='); i >= 0 {
			return query[i+1:]
		}
		s = path
	}
	s = strings.TrimRight(s, "/")
	s = s[strings.LastIndexByte(s, '/')+1:]
	return strings.NewReplacer("%3a", ":", "%3A", ":").Replace(s)
}

func bareIdentifier(s string) (id string, ok bool) {
	l := strings.ToLower(s)
	switch {
	case strings.HasPrefix(l, ipniPrefix):
		l = l[len(ipniPrefix):]
		return "ipni:" + l, isIPNI(l)
	case strings.HasPrefix(l, "ipni:"):
		return l, isIPNI(l[len("ipni:"):])
	case strings.HasPrefix(l, "wfo:"):
		return l, true
	case strings.HasPrefix(l, "wfo-") && len(l) > 4 && isDigit(l[4]):
		// WFO's pages carry the date of the release behind the identifier.
		if i := strings.IndexByte(l[4:], '-'); i > 0 {
			l = l[:4+i]
		}
		return "wfo:" + l, true
	case strings.HasPrefix(l, "wcvp:"):
		return l, true
	case isIPNI(l):
		return "ipni:" + l, true
	}
	// The identifier of another checklist: name:id, without spaces.
	if i := strings.IndexByte(l, ':'); i > 1 && i < len(l)-1 && strings.IndexFunc(l, func(r rune) bool { return r >= 0x80 }) < 0 {
		return l[:i] + ":" + s[i+1:], true
	}
	return "", false
}

// isIPNI says whether s looks like 91472-1.
func isIPNI(s string) bool {
	head, tail, ok := strings.Cut(s, "-")
	return ok && len(head) >= 1 && len(tail) == 1 && strings.Trim(head+tail, "0123456789") == ""
}
