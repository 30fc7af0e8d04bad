package answer

import (
	"strconv"

	"bencao/internal/null"
)

// AppendJSON appends the response as encoding/json would encode it, in a sixth of the time.
// Encoding with encoding/json took half of the time of an exact match.
func (r *Response) AppendJSON(b []byte) []byte {
	b = r.CanonicalName.AppendJSON(append(b, `{"canonicalName":`...))
	b = null.AppendString(append(b, `,"matchedVia":`...), r.MatchedVia)
	b = r.Unread.AppendJSON(append(b, `,"unread":`...))
	b = r.HerbName.AppendJSON(append(b, `,"drugName":`...))
	b = r.HerbLatin.AppendJSON(append(b, `,"drugLatin":`...))
	b = r.HerbKind.AppendJSON(append(b, `,"drugKind":`...))
	b = appendList(append(b, `,"results":`...), r.Results, appendEntry)
	return append(b, '}')
}

func appendEntry(b []byte, e *Entry) []byte {
	b = append(b, `{"entryId":`...)
	if e.EntryID == nil {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, int64(*e.EntryID), 10)
	}
	b = e.GUID.AppendJSON(append(b, `,"guid":`...))
	b = e.ChineseName.AppendJSON(append(b, `,"chineseName":`...))
	b = e.MatchedName.AppendJSON(append(b, `,"matchedName":`...))
	b = e.MatchedAuthor.AppendJSON(append(b, `,"matchedAuthor":`...))
	b = e.MatchedWCVPID.AppendJSON(append(b, `,"matchedWcvpId":`...))
	b = e.Rank.AppendJSON(append(b, `,"rank":`...))
	b = e.TaxonStatus.AppendJSON(append(b, `,"taxonStatus":`...))
	b = e.AcceptedName.AppendJSON(append(b, `,"acceptedName":`...))
	b = e.AcceptedAuthor.AppendJSON(append(b, `,"acceptedAuthor":`...))
	b = e.AcceptedRank.AppendJSON(append(b, `,"acceptedRank":`...))
	b = e.AcceptedFamily.AppendJSON(append(b, `,"acceptedFamily":`...))
	b = e.WCVPID.AppendJSON(append(b, `,"wcvpId":`...))
	b = e.IPNIID.AppendJSON(append(b, `,"ipniId":`...))
	b = e.WFOID.AppendJSON(append(b, `,"wfoId":`...))
	b = e.ChineseNameColChina.AppendJSON(append(b, `,"chineseNameColChina":`...))
	b = e.AcceptedNameColChina.AppendJSON(append(b, `,"acceptedNameColChina":`...))
	b = null.AppendString(append(b, `,"matchType":`...), e.MatchType)
	b = null.AppendString(append(b, `,"matchSource":`...), e.MatchSource)
	b = e.ChecklistVersion.AppendJSON(append(b, `,"checklistVersion":`...))
	b = null.AppendNumber(append(b, `,"score":`...), e.Score)
	b = strconv.AppendInt(append(b, `,"editDistance":`...), int64(e.EditDistance), 10)
	b = null.AppendString(append(b, `,"authorMatch":`...), e.AuthorMatch)
	b = appendList(append(b, `,"flags":`...), e.Flags, appendWord)
	b = e.URL.AppendJSON(append(b, `,"url":`...))
	if e.Distribution != nil {
		b = appendRange(append(b, `,"distribution":`...), e.Distribution)
	}
	if len(e.ScoreParts) > 0 {
		b = appendList(append(b, `,"scoreParts":`...), e.ScoreParts, appendPart)
	}
	if len(e.Steps) > 0 {
		b = appendList(append(b, `,"steps":`...), e.Steps, appendWord)
	}
	return append(b, '}')
}

func appendRange(b []byte, f *Range) []byte {
	b = appendList(append(b, `{"native":`...), f.Native, appendWord)
	b = appendList(append(b, `,"introduced":`...), f.Introduced, appendWord)
	b = appendList(append(b, `,"extinct":`...), f.Extinct, appendWord)
	b = appendList(append(b, `,"doubtful":`...), f.Doubtful, appendWord)
	b = f.Area.AppendJSON(append(b, `,"area":`...))
	b = f.LifeForm.AppendJSON(append(b, `,"lifeForm":`...))
	b = f.Publication.AppendJSON(append(b, `,"publication":`...))
	b = f.Published.AppendJSON(append(b, `,"published":`...))
	b = null.AppendString(append(b, `,"source":`...), f.Source)
	b = f.Release.AppendJSON(append(b, `,"release":`...))
	return append(b, '}')
}

func appendPart(b []byte, p *ScorePart) []byte {
	b = null.AppendString(append(b, `{"reason":`...), p.Reason)
	return append(null.AppendNumber(append(b, `,"value":`...), p.Value), '}')
}

func appendWord(b []byte, word *string) []byte { return null.AppendString(b, *word) }

func appendList[T any](b []byte, list []T, add func([]byte, *T) []byte) []byte {
	if list == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = add(b, &list[i])
	}
	return append(b, ']')
}
