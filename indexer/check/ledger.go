package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
)

// Measure is the result of one check. The report lists the results for whole tables, and for
// columns that differ.
type Measure struct {
	Name   string `json:"name"`
	Table  string `json:"table"`
	Column string `json:"column,omitempty"`
	// Value is the share of rows or cells that fail, in [0, 1]. For a check that adds the losses of
	// several builds, Value is the net loss.
	Value float64 `json:"value"`
	// Count is the number of rows or cells that fail, and Of is the number of all rows or cells.
	Count int `json:"count"`
	Of    int `json:"of"`
	// Limit is the maximum number of failures that is accepted in the last Nights builds together.
	Limit  float64 `json:"limit"`
	Nights int     `json:"nights"`
	// Verdict is ok, refused or allowed.
	Verdict string `json:"verdict"`
}

// verdict is the result of a measurement, before it is compared with its limit.
type verdict struct {
	measure, table, column string
	// bad is the number of rows or cells that fail, and all is the number of all rows or cells. bad
	// is negative if fewer fail than in the previous build.
	bad, all int
	// limit is the maximum share of rows or cells that may fail. small is a number of rows or cells
	// that may fail even if it exceeds that share. However, small never allows more than three
	// quarters of all to fail.
	limit float64
	small int
	// least is the minimum number of failures that can refuse the build. Zero means 1.
	least int
	// drift is true if the losses of earlier builds are added to those of this build.
	drift bool
	// reportFrom is a number of failures. At least this many failures are reported even if they are
	// within the limit. Zero means that failures within the limit are not reported.
	reportFrom int
	flag       exception
	code       finding.Code
	file       string
	lines      []int
	// follows is the table, if any, whose changes the operator allowed and whose changes caused
	// this failure. The failure then does not refuse the build. follows is "" if there is no such
	// table.
	follows string
	// message describes the problem, hint the remedy.
	message, hint string
}

// maxPastBuilds is the number of builds whose losses are kept.
const maxPastBuilds = 30

// ledger collects the results of the checks.
type ledger struct {
	limits   Limits
	log      *finding.Log
	measures []Measure
	refused  []string
	// noticed lists the reported differences that are within their limits.
	noticed []finding.Finding
	flags   []string
	// before lists the earlier builds, the newest first.
	before  []pastBuild
	current pastBuild
	// allowed lists the tables whose failures the operator allowed in this build.
	allowed []string
}

// spread returns the factor by which the limit for n builds is larger than the limit for one build.
func spread(n int) float64 { return min(3, math.Sqrt(float64(n))) }

// allowed returns the maximum number of failures that are accepted in n builds together.
func (v verdict) allowed(n int) float64 {
	small := min(float64(v.small), 0.75*float64(v.all))
	return spread(n) * max(v.limit*float64(v.all), small)
}

// judge compares a verdict with its limit.
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

// notice reports a difference that is within its limit.
func (l *ledger) notice(v verdict) {
	f := v.finding(finding.Warn)
	f.Hint = "no check refused this; if it is not intended: " + v.hint
	// Skip the check "values" of a column if another finding already tells where its values went.
	known := slices.ContainsFunc(l.noticed, func(n finding.Finding) bool {
		return n == f || v.measure == "values" && n.Table == f.Table && n.Column == f.Column
	})
	if !known {
		l.noticed = append(l.noticed, f)
		l.log.Add(f)
	}
}

// finding returns the verdict as a finding of severity s.
func (v verdict) finding(s finding.Severity) finding.Finding {
	f := finding.Finding{Severity: s, Code: v.code, Table: v.table, File: v.file, Column: v.column, Message: v.message, Hint: v.hint}
	if len(v.lines) > 0 {
		f.Line = v.lines[0]
		f.Message += "; the first are on lines " + lineList(v.lines)
	}
	return f
}

// reportShare is a share of a table's rows or of a column's cells. If at least this share differs,
// the difference is reported even if it is within the limit.
const reportShare = 0.0075

// reportThreshold returns a number of differences that is at least two. At least this many
// differences are reported even if they are within the limit. all is the number of all rows or
// cells.
func reportThreshold(all int) int { return max(2, int(math.Ceil(reportShare*float64(all)))) }

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// refuseOrAllow records a failed check: as a refusal, or as a warning if the operator allowed it.
// It returns the verdict for the measure.
func (l *ledger) refuseOrAllow(v verdict, key string, over int) string {
	f := v.finding(finding.Fatal)
	if over > 1 {
		f.Message += fmt.Sprintf("; this sums up the losses in the last %d builds", over)
	}
	flag := v.flag.withTable(v.table)
	lifted := v.flag.allows(&l.limits, v.table, v.column)
	if lifted || v.follows != "" {
		f.Severity, f.Hint = finding.Warn, "allowed by "+flag
		if lifted {
			l.allowed = append(l.allowed, v.table)
		} else {
			f.Hint = "it follows from the allowed change of " + v.follows
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

// judgeShrink judges the number of removed rows. The caller must leave out rows that were removed
// together with the record to which they refer. A small table may lose up to three rows, but at
// most a fifth of its rows.
func (l *ledger) judgeShrink(table string, before, after int) {
	limit := 100 * l.limits.MaxShrink
	l.judge(verdict{
		measure: "shrink", table: table, bad: before - after, all: before, limit: l.limits.MaxShrink, small: min(3, before/5), drift: true, reportFrom: reportThreshold(before),
		flag: allowShrink, code: finding.Shrink, hint: "fix the source",
		message: fmt.Sprintf("%d rows where the previous snapshot has %d, %.1f %% fewer where %.1f %% are allowed",
			after, before, 100*float64(before-after)/float64(before), limit),
	})
}

// follows returns the first table that was allowed to fail in this build and that from selects. It
// returns "" if there is none.
func (l *ledger) follows(from func(table string) bool) string {
	if i := slices.IndexFunc(l.allowed, from); i >= 0 {
		return l.allowed[i]
	}
	return ""
}

// err returns an [*Error] if a check refused the build.
func (l *ledger) err() error {
	if len(l.refused) == 0 {
		return nil
	}
	return &Error{Reasons: l.refused, Flags: l.flags}
}

// history returns the losses of this build and of earlier builds, for the checks of later builds.
func (l *ledger) history() []pastBuild {
	all := append([]pastBuild{l.current}, l.before...)
	return all[:min(len(all), maxPastBuilds)]
}

// Tables judges the number of rejected rows, and compares the row counts with those of the previous
// snapshot.
func (c *Checker) Tables(tables []datapackage.Table) error {
	for _, t := range tables {
		if t.Rows > 0 {
			c.ledger.judge(verdict{
				measure: "rejected", table: t.Name, bad: t.Rejected, all: t.Rows, limit: c.limits.MaxRejected, flag: allowRejects, code: finding.Rejects,
				message: fmt.Sprintf("%d of %d rows are rejected, %.1f %% where %.1f %% are allowed",
					t.Rejected, t.Rows, 100*t.RejectedShare(), 100*c.limits.MaxRejected),
				hint: "fix the source",
			})
		}
		if c.before != nil && c.before.Tables[t.Name] > 0 {
			c.ledger.judgeShrink(t.Name, c.before.Tables[t.Name], t.Kept+c.orphans[t.Name])
		}
	}
	return c.ledger.err()
}
