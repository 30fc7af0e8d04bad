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
func (ex *explanation) explain(b *strings.Builder, l *language) {
	switch {
	case ex.Script == string(search.Everything):
		b.WriteString(l.say("%q asks for everything, in answer order", ex.Query))
	case ex.Script == string(search.Nothing):
		b.WriteString(l.say("%q has no letter or digit and finds nothing", ex.Query))
	case ex.DOI != "":
		b.WriteString(l.say("%q is the DOI %s, or its beginning", ex.Query, ex.DOI))
	case ex.Number != "":
		b.WriteString(l.say("%q is the number %s, or a word", ex.Query, ex.Number))
	case ex.Script == string(search.Mixed):
		b.WriteString(l.say("%q is characters and letters together", ex.Query))
	default:
		b.WriteString(l.say("%q is %s", ex.Query, l.word(ex.Script)))
	}
	if ex.Read != "" && ex.Read != ex.Query {
		b.WriteString(l.say(", compared as %q", ex.Read))
	}
	if len(ex.Syllables) > 0 {
		b.WriteString(l.say(", syllables %s", strings.Join(ex.Syllables, " ")))
	}
	if len(ex.Words) > 0 {
		b.WriteString(l.say(", words %s", strings.Join(ex.Words, " ")))
	}
	if ex.Literal {
		b.WriteString(l.word("; its * stands for itself, and no name has one"))
	}
	if ex.Dynasty != "" {
		b.WriteString(l.say("; only of the dynasty %s", ex.Dynasty))
	}
	b.WriteString("\n")
	for i, stage := range ex.Tried {
		if len(stage) == 0 {
			continue
		}
		var tiers []int
		for _, a := range stage {
			tiers = append(tiers, a.Tier)
		}
		slices.Sort(tiers)
		tiers = slices.Compact(tiers)
		slices.Reverse(tiers)
		tried := strings.Trim(fmt.Sprint(tiers), "[]")
		if i < len(ex.Tried)-1 || len(ex.Tiers) == 0 {
			b.WriteString(l.say("tried tiers %s: nothing", tried) + "\n")
			continue
		}
		var counts []string
		for _, t := range ex.Tiers {
			counts = append(counts, l.say("%d in %d", t.Count, t.Tier))
		}
		b.WriteString(l.say("tried tiers %s: %s", tried, strings.Join(counts, ", ")) + "\n")
	}
}
