package check

import (
	"cmp"
	"fmt"
	"maps"
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
	// Value is the share of rows or cells that fail, in [0, 1]. If a check refuses the sum over
	// several builds, Value is that sum.
	Value float64 `json:"value"`
	// Count is the number of rows or cells that fail, and Of is the number of all rows or cells.
	Count int `json:"count"`
	Of    int `json:"of"`
	// Limit is the maximum number of failures that is accepted.
	Limit float64 `json:"limit"`
	// Verdict is ok, refused or allowed.
	Verdict string `json:"verdict"`
}

// place is the table that a check judges, and its file or "".
type place struct{ table, file string }

// count is the number of rows or cells that fail a check.
type count struct {
	column string
	// bad is the number of rows or cells that fail, and all is the number of all rows or cells. bad
	// is negative if fewer fail than in the previous build.
	bad, all int
	// back is the number of cells among bad that have a value again that an earlier build changed.
	back  int
	lines []int
	// message describes the problem, hint the remedy. An empty hint is that of the rule.
	message, hint string
	// harmless means that the failures are reported, but do not refuse the build.
	harmless bool
	// follows is the table, if any, whose changes the operator allowed and whose changes caused
	// this failure. The failure then does not refuse the build.
	follows string
}

// ledger collects the results of the checks.
type ledger struct {
	limits   Limits
	log      *finding.Log
	measures []Measure
	refused  []refusal
	// noticed lists the reported differences that are within their limits.
	noticed []finding.Finding
	flags   []string
	// before and current have the sums of the previous build and of this one; see [past.Sums].
	before, current map[string]float64
	// allowed lists the tables whose failures the operator allowed in this build.
	allowed []string
}

// refusal is the reason why a table refuses the build.
type refusal struct{ table, reason string }

// decay is the factor by which the sum of the earlier builds counts less in each build. So a sum is
// about that of the last thirty builds.
const decay = 0.97

// judge compares a count with the limit of a check.
func (l *ledger) judge(check string, at place, n count) {
	if n.all == 0 {
		return
	}
	r := ruleOf(check)
	key := check + " " + at.table + " " + n.column
	least := r.least(n.all)
	worst := r.limit(l.limits) * float64(n.all)
	value, growing := float64(n.bad), false
	refuse := value > worst && n.bad >= least && !n.harmless
	if r.sums > 0 {
		sum := value - 2*float64(n.back) + decay*l.before[key]*float64(n.all)
		if l.current == nil {
			l.current = map[string]float64{}
		}
		l.current[key] = max(0, sum/float64(n.all))
		// A sum above half of its limit is reported if most of it is of earlier builds.
		limit := r.sums * max(worst, float64(least-1))
		if exceeds := sum > limit; !refuse && n.bad > 0 && (exceeds || 2*sum > limit && sum > 2*value) {
			n.message += fmt.Sprintf("; this sums up with the earlier builds to %.1f %%, where %.1f %% are allowed", 100*sum/float64(n.all), 100*limit/float64(n.all))
			if refuse, growing = exceeds, !exceeds; refuse {
				value, worst = sum, limit
			}
		}
	}
	m := Measure{Name: check, Table: at.table, Column: n.column, Value: round4(value / float64(n.all)), Count: int(math.Round(value)), Of: n.all,
		Limit: round4(max(worst, float64(least-1))), Verdict: "ok"}
	if refuse {
		m.Verdict = l.refuseOrAllow(r, at, n, key)
	} else if growing || r.reported != nil && n.bad >= r.reported(n.all) {
		l.notice(r, at, n)
	}
	if refuse || n.column == "" || n.bad != 0 {
		l.measures = append(l.measures, m)
	}
}

// sums returns the sums for the next build.
func (l *ledger) sums() map[string]float64 {
	out := map[string]float64{}
	for key, sum := range l.before {
		out[key] = decay * sum
	}
	maps.Copy(out, l.current)
	maps.DeleteFunc(out, func(_ string, sum float64) bool { return sum < 1e-6 })
	return out
}

// notice reports a difference that is within its limit.
func (l *ledger) notice(r rule, at place, n count) {
	f := n.finding(finding.Warn, r, at)
	f.Hint = "no check refused this; if it is not intended: " + f.Hint
	// Skip the check "values" of a column if another finding already tells where its values went.
	known := slices.ContainsFunc(l.noticed, func(other finding.Finding) bool {
		return other == f || r.name == "values" && other.Table == f.Table && other.Column == f.Column
	})
	if !known {
		l.noticed = append(l.noticed, f)
		l.log.Add(f)
	}
}

// finding returns the count as a finding of severity s.
func (n count) finding(s finding.Severity, r rule, at place) finding.Finding {
	f := finding.Finding{Severity: s, Code: r.code, Table: at.table, File: at.file, Column: n.column, Message: n.message, Hint: n.hint}
	if f.Hint == "" {
		f.Hint = r.hint
	}
	if len(n.lines) > 0 {
		f.Line = n.lines[0]
		f.Message += "; the first are on lines " + strings.Trim(strings.ReplaceAll(fmt.Sprint(n.lines), " ", ", "), "[]")
	}
	return f
}

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// refuseOrAllow records a failed check: as a refusal, or as a warning if the operator allowed it.
// It returns the verdict for the measure.
func (l *ledger) refuseOrAllow(r rule, at place, n count, key string) string {
	f := n.finding(finding.Fatal, r, at)
	if r.flag == allowEmpty {
		// Of the cells with a warning, only years that cannot be read are left empty.
		unread, found := l.log.First(func(f finding.Finding) bool {
			return f.Severity == finding.Warn && f.Code == finding.Year && f.Table == at.table && f.Column == n.column && slices.Contains(n.lines, f.Line)
		})
		if found {
			f.Message += "; cells that cannot be read count as empty, such as " + unread.Error()
		}
	}
	flag := r.flag.withTable(at.table)
	lifted := r.flag.allows(&l.limits, at.table, n.column)
	if lifted || n.follows != "" {
		f.Severity, f.Hint = finding.Warn, "allowed by "+flag
		if lifted {
			l.allowed = append(l.allowed, at.table)
		} else {
			f.Hint = "it follows from the allowed change of " + n.follows
		}
		if r.sums > 0 {
			l.current[key] = 0
		}
		l.log.Add(f)
		return "allowed"
	}
	f.Hint = fmt.Sprintf("%s, or allow it with %s", f.Hint, flag)
	where := at.table + "." + n.column
	switch {
	case n.column != "":
	case strings.Contains(at.table, ":"):
		where = at.table
	default:
		where = "table " + at.table
	}
	l.refused = append(l.refused, refusal{at.table, fmt.Sprintf("%s: %s (%s)", where, f.Message, f.Hint)})
	if !slices.Contains(l.flags, flag) {
		l.flags = append(l.flags, flag)
	}
	l.log.Add(f)
	return "refused"
}

// follows returns the first table that was allowed to fail in this build and that from selects. It
// returns "" if there is none.
func (l *ledger) follows(from func(table string) bool) string {
	if i := slices.IndexFunc(l.allowed, from); i >= 0 {
		return l.allowed[i]
	}
	return ""
}

// err returns an [*Error] if a check refused the build. Reasons in a table come before those in
// tables that refer to it, because damage of a table often causes theirs.
func (l *ledger) err() error {
	if len(l.refused) == 0 {
		return nil
	}
	order := datapackage.TableNames()
	slices.SortStableFunc(l.refused, func(a, b refusal) int { return cmp.Compare(slices.Index(order, a.table), slices.Index(order, b.table)) })
	e := &Error{Flags: l.flags}
	for _, r := range l.refused {
		e.Reasons = append(e.Reasons, r.reason)
	}
	return e
}
