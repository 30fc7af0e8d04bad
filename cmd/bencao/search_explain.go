package main

import (
	"fmt"
	"slices"
	"strings"

	"bencao/mappings/search"
)

// explanation is a [search.Explanation] as a machine reads it.
type explanation struct {
	Query     string      `json:"query"`
	Script    string      `json:"script"`
	Read      string      `json:"read"`
	Syllables []string    `json:"syllables"`
	Words     []string    `json:"words"`
	DOI       string      `json:"doi,omitempty"`
	Number    string      `json:"number,omitempty"`
	Literal   bool        `json:"literal,omitempty"`
	Dynasty   string      `json:"dynasty,omitempty"`
	Forgiven  string      `json:"forgiven,omitempty"` // what was, such as sameSound
	Instead   []string    `json:"didYouMean,omitempty"`
	Tried     [][]reason  `json:"tried"` // stage by stage
	Tiers     []tierCount `json:"tiers"`
	Hits      []reason    `json:"hits"` // in the order of the items
}

type tierCount struct {
	Tier  int `json:"tier"`
	Count int `json:"count"`
}

type reason struct {
	Tier  int    `json:"tier"`
	Field string `json:"field"`
	Way   string `json:"way"`
	// Text is the name that was found, and Ranges the characters of it that answer
	// the query: from the first to before the last.
	Text   string         `json:"text,omitempty"`
	Ranges []search.Range `json:"ranges,omitempty"`
}

func explained(ex search.Explanation) *explanation {
	out := &explanation{
		Query: ex.Query, Script: string(ex.Script), Read: ex.Read, DOI: ex.DOI, Number: ex.Number, Literal: ex.Literal, Dynasty: ex.Dynasty,
		Forgiven: ex.Forgiven, Instead: ex.DidYouMean,
		Syllables: append([]string{}, ex.Syllables...), Words: append([]string{}, ex.Words...),
		Tried: [][]reason{}, Tiers: []tierCount{}, Hits: []reason{},
	}
	for _, stage := range ex.Tried {
		attempts := []reason{}
		for _, a := range stage {
			attempts = append(attempts, reason{Tier: a.Tier, Field: a.Field, Way: a.Way})
		}
		out.Tried = append(out.Tried, attempts)
	}
	for _, t := range ex.Tiers {
		out.Tiers = append(out.Tiers, tierCount(t))
	}
	for _, h := range ex.Hits {
		out.Hits = append(out.Hits, reason{h.Tier, h.Field, h.Way, h.Text, h.Ranges})
	}
	return out
}

// explain says in words how the query was read and what was tried.
func (ex *explanation) explain(b *strings.Builder) {
	fmt.Fprintf(b, "%q ", ex.Query)
	switch {
	case ex.Script == string(search.Everything):
		b.WriteString("asks for everything, in answer order")
	case ex.Script == string(search.Nothing):
		b.WriteString("has no letter or digit and finds nothing")
	case ex.DOI != "":
		fmt.Fprintf(b, "is the DOI %s, or its beginning", ex.DOI)
	case ex.Number != "":
		fmt.Fprintf(b, "is the number %s, or a word", ex.Number)
	case ex.Script == string(search.Mixed):
		b.WriteString("is characters and letters together")
	default:
		fmt.Fprintf(b, "is %s", ex.Script)
	}
	if ex.Read != "" && ex.Read != ex.Query {
		fmt.Fprintf(b, ", compared as %q", ex.Read)
	}
	if len(ex.Syllables) > 0 {
		fmt.Fprintf(b, ", syllables %s", strings.Join(ex.Syllables, " "))
	}
	if len(ex.Words) > 0 {
		fmt.Fprintf(b, ", words %s", strings.Join(ex.Words, " "))
	}
	if ex.Literal {
		b.WriteString("; its * stands for itself, and no name has one")
	}
	if ex.Dynasty != "" {
		fmt.Fprintf(b, "; only of the dynasty %s", ex.Dynasty)
	}
	b.WriteString("\n")
	for i, stage := range ex.Tried {
		if len(stage) == 0 {
			continue
		}
		b.WriteString("tried tiers")
		var tiers []int
		for _, a := range stage {
			tiers = append(tiers, a.Tier)
		}
		slices.Sort(tiers)
		for _, t := range slices.Backward(slices.Compact(tiers)) {
			fmt.Fprintf(b, " %d", t)
		}
		if i < len(ex.Tried)-1 || len(ex.Tiers) == 0 {
			b.WriteString(": nothing\n")
			continue
		}
		b.WriteString(":")
		for k, t := range ex.Tiers {
			if k > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(b, " %d in %d", t.Count, t.Tier)
		}
		b.WriteString("\n")
	}
}
