package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
)

// Measure is one thing that the gates looked at. The report lists those of
// tables, and those of columns in which something differs from last night.
type Measure struct {
	Name   string `json:"name"`
	Table  string `json:"table"`
	Column string `json:"column,omitempty"`
	// Value is tonight's: a share in [0, 1] of what is amiss, or the net loss
	// over so many nights.
	Value float64 `json:"value"`
	// Count of Of are amiss.
	Count int `json:"count"`
	Of    int `json:"of"`
	// Limit is what Count may be.
	Limit  float64 `json:"limit"`
	Nights int     `json:"nights"`
	// Verdict is ok, refused or allowed.
	Verdict string `json:"verdict"`
}

// verdict is a measure that is being judged.
type verdict struct {
	measure, table, column string
	// bad of all are amiss; bad may be negative when things got better.
	bad, all int
	// limit is the share that may be, small how many may be in a table so small
	// that the share is less; never more than three fourths of all.
	limit float64
	small int
	// least is how many must be amiss to say anything. Zero is 1.
	least int
	// drift adds the nights before.
	drift bool
	// tell is how many must be amiss to be reported when they are within the limit.
	// Zero reports none.
	reportFrom int
	scale      int // rows that one of all stands for
	flag       flag
	code       finding.Code
	file       string
	lines      []int
	// follows is the table for which the operator lifted a gate tonight, if what
	// is amiss here follows from that.
	follows string
	// message says what is wrong, hint how to mend it.
	message, hint string
}

// nights is how many nights are remembered.
const maxPastBuilds = 30

// ledger collects what the gates find in a run.
type ledger struct {
	limits   Limits
	log      *finding.Log
	measures []Measure
	refused  []string
	// noticed are what is within its limit and reported.
	noticed []finding.Finding
	flags   []string
	// before are the nights before, the last one first.
	before  []pastBuild
	current pastBuild
	// lifted are the tables for which a gate was lifted tonight.
	allowed []string
}

// spread is how much larger a limit is over n nights than over one.
func spread(n int) float64 { return min(3, math.Sqrt(float64(n))) }

// allowed is how many of all may be amiss over n nights.
func (v verdict) allowed(n int) float64 {
	small := min(float64(v.small), 0.75*float64(v.all))
	return spread(n) * max(v.limit*float64(v.all), small)
}

// judge holds a verdict against its limit.
func (l *ledger) judge(v verdict) {
	if v.all == 0 {
		return
	}
	key := v.measure + " " + v.table + " " + v.column
	value, over, worst := float64(v.bad), 1, v.allowed(1)
	closed := value > worst && v.bad >= max(1, v.least)
	if v.drift {
		if l.current.Loss == nil {
			l.current.Loss = map[string]float64{}
		}
		if v.bad != 0 {
			l.current.Loss[key] = float64(v.bad) / float64(v.all)
		}
		sum := value
		for i, n := range l.before {
			if closed || slices.Contains(n.Reset, key) {
				break
			}
			sum += n.Loss[key] * float64(v.all)
			if limit := v.allowed(i + 2); sum > limit && v.bad > 0 {
				value, over, worst, closed = sum, i+2, limit, true
			}
		}
	}
	m := Measure{Name: v.measure, Table: v.table, Column: v.column, Value: round4(value / float64(v.all)), Count: int(math.Round(value)), Of: v.all,
		Limit: round4(worst), Nights: over, Verdict: "ok"}
	if closed {
		m.Verdict = l.refuseOrAllow(v, key, over)
	} else if v.reportFrom > 0 && v.bad >= v.reportFrom {
		l.notice(v)
	}
	if closed || v.column == "" || v.bad != 0 {
		l.measures = append(l.measures, m)
	}
}

// notice reports what is within its limit.
func (l *ledger) notice(v verdict) {
	f := v.finding(finding.Warn)
	f.Hint = "no gate refused this; if it is not meant: " + v.hint
	// Where the values went says more than that there are others.
	known := slices.ContainsFunc(l.noticed, func(n finding.Finding) bool {
		return n == f || v.measure == "values" && n.Table == f.Table && n.Column == f.Column
	})
	if !known {
		l.noticed = append(l.noticed, f)
		l.log.Add(f)
	}
}

// finding says what is amiss.
func (v verdict) finding(s finding.Severity) finding.Finding {
	f := finding.Finding{Severity: s, Code: v.code, Table: v.table, File: v.file, Column: v.column, Message: v.message, Hint: v.hint}
	if len(v.lines) > 0 {
		f.Line = v.lines[0]
		f.Message += "; the first are on lines " + lineList(v.lines)
	}
	return f
}

// worthTelling is the share of a table or a column that must be amiss to be
// reported when it is within the limit.
const reportShare = 0.0075

// tellOf is how many of all must be amiss to be reported: two at least.
func reportThreshold(all int) int { return max(2, int(math.Ceil(reportShare*float64(all)))) }

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// close says that a gate is closed, or lifted by the operator.
func (l *ledger) refuseOrAllow(v verdict, key string, over int) string {
	f := v.finding(finding.Fatal)
	if over > 1 {
		f.Message += fmt.Sprintf("; this sums up what went in the last %d nights", over)
	}
	flag := v.flag.withTable(v.table)
	lifted := v.flag.allows(&l.limits, v.table, v.column)
	if lifted || v.follows != "" {
		f.Severity, f.Hint = finding.Warn, "allowed by "+flag
		if lifted {
			l.allowed = append(l.allowed, v.table)
		} else {
			f.Hint = "it follows from what was allowed of " + v.follows
		}
		l.current.Reset = append(l.current.Reset, key)
		l.log.Add(f)
		return "allowed"
	}
	f.Hint = fmt.Sprintf("%s, or allow it with %s", v.hint, flag)
	place := v.table + "." + v.column
	switch {
	case v.column != "":
	case strings.Contains(v.table, ":"):
		place = v.table
	default:
		place = "table " + v.table
	}
	l.refused = append(l.refused, fmt.Sprintf("%s: %s (%s)", place, f.Message, f.Hint))
	if !slices.Contains(l.flags, flag) {
		l.flags = append(l.flags, flag)
	}
	l.log.Add(f)
	return "refused"
}

func lineList(lines []int) string {
	text := ""
	for i, n := range lines {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}

// shrink judges how many rows of a table are gone, those not counted that went
// with the record they belong to. A table of a dozen rows may lose two or three.
func (l *ledger) judgeShrink(table string, before, after int) {
	limit := 100 * l.limits.MaxShrink
	l.judge(verdict{
		measure: "shrink", table: table, bad: before - after, all: before, limit: l.limits.MaxShrink, small: min(3, before/5), drift: true, reportFrom: reportThreshold(before),
		flag: allowShrink, code: finding.Shrink, hint: "mend the source",
		message: fmt.Sprintf("%d rows where the snapshot before has %d, %.1f %% fewer where %.1f %% are allowed",
			after, before, 100*float64(before-after)/float64(before), limit),
	})
}

// follows is the first of the tables for which a gate was lifted tonight that
// the function takes, or "".
func (l *ledger) follows(from func(table string) bool) string {
	if i := slices.IndexFunc(l.allowed, from); i >= 0 {
		return l.allowed[i]
	}
	return ""
}

// err is a [*Error] if a gate is closed.
func (l *ledger) err() error {
	if len(l.refused) == 0 {
		return nil
	}
	return &Error{Reasons: l.refused, Flags: l.flags}
}

// history is what the next night finds: tonight and those before.
func (l *ledger) history() []pastBuild {
	all := append([]pastBuild{l.current}, l.before...)
	return all[:min(len(all), maxPastBuilds)]
}

// Tables holds tables that have been read against the limits and against the
// last good snapshot's counts.
func (c *Checker) Tables(tables []datapackage.Table) error {
	for _, t := range tables {
		if t.Rows > 0 {
			c.ledger.judge(verdict{
				measure: "rejected", table: t.Name, bad: t.Rejected, all: t.Rows, limit: c.limits.MaxRejected, flag: allowRejects, code: finding.Rejects,
				message: fmt.Sprintf("%d of %d rows are rejected, %.1f %% where %.1f %% are allowed",
					t.Rejected, t.Rows, 100*t.RejectedShare(), 100*c.limits.MaxRejected),
				hint: "mend the source",
			})
		}
		if c.before != nil && c.before.Tables[t.Name] > 0 {
			c.ledger.judgeShrink(t.Name, c.before.Tables[t.Name], t.Kept+c.orphans[t.Name])
		}
	}
	return c.ledger.err()
}
