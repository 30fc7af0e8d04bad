package api

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"bencao/api/params"
)

// etag returns the ETag of an answer without computing the answer. It is a hash of everything that
// determines the answer: the program, the snapshot, the scopes, the format and the parameters. The
// tag is weak because the answer may be compressed.
func etag(program string, r *route, call *call, vals params.Values, form format) string {
	data := call.backend.etag
	if r.public() {
		data = r.version
	}
	var room [512]byte // on the stack; large enough for most requests
	question := room[:0]
	for _, part := range [...]string{program, call.terms.license, call.terms.citeAs, r.op, data, string(form)} {
		question = append(append(question, part...), 0)
	}
	question = strconv.AppendInt(question, int64(call.scopes()), 10)
	if r.listsVersions {
		question = append(append(question, 0), strings.Join(call.server.versions(), " ")...)
	}
	for _, part := range vals {
		question = append(append(question, 0), part...)
	}
	sum := sha256.Sum256(question)
	tag := append(room[:0], `W/"`...)
	tag = base64.RawURLEncoding.AppendEncode(tag, sum[:15])
	return string(append(tag, '"'))
}

// matches reports whether a header If-None-Match contains a tag, by weak comparison.
func matches(header []string, tag string) bool {
	for _, line := range header {
		for one := range strings.SplitSeq(line, ",") {
			if strings.TrimPrefix(strings.TrimSpace(one), "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}
