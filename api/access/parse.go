package access

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Parse reads the text of an access file. path is used in errors only. Parse is strict: settings
// and blocks that it does not know are errors. The error is a [*FileError] that lists all problems.
func Parse(path string, data []byte) (*Table, error) {
	t, problems := parse(data)
	if len(problems) > 0 {
		return nil, &FileError{path, problems}
	}
	return t, nil
}

// maxFile is the largest size of an access file in bytes, enough for some 50,000 keys.
const maxFile = 16 << 20

func parse(data []byte) (*Table, []Problem) {
	switch {
	case len(data) == 0:
		return nil, []Problem{{1, `the file is empty; make a key with "bencao keys create", or write a comment if no key is meant`}}
	case len(data) > maxFile:
		return nil, []Problem{{1, fmt.Sprintf("the file is larger than %d MiB", maxFile>>20)}}
	case holdsKey(string(data)):
		return nil, []Problem{{lineOfKey(data), "this is a key in clear text, but only hashes belong here; remove it, and create a new key, because others may have seen this one"}}
	}
	sealed, cuts := checkTrailer(data)
	blocks, problems, ok := readBlocks(data)
	r := &reader{problems: append(cuts, problems...)}
	if !ok {
		return nil, r.problems
	}
	var entries []Entry
	rate := 0
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.name == "key" && b.list:
			entries = append(entries, r.entry(b))
		case b.name == "anonymous" && !b.list:
			rate = r.anonymous(b)
		case b.name == "key":
			r.report(b.line, "[key] is one table, but keys are a list; write [[key]]")
		case b.name == "anonymous":
			r.report(b.line, "[[anonymous]] is a list; write [anonymous]")
		default:
			r.report(b.line, "block %q does not exist; valid are [[key]] and [anonymous]", cut(b.name))
		}
	}
	r.unique(blocks, entries)
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Line - b.Line })
		return nil, r.problems
	}
	t := newTable(entries, rate)
	t.sealed = sealed
	if line := lineAfterTrailer(data); line > 0 {
		t.warnings = append(t.warnings, fmt.Sprintf("line %d is below %q, so a truncated file would not be noticed; \"bencao keys seal\" puts that line last again", line, endStart))
	}
	if len(entries) == 0 && rate == 0 {
		t.warnings = append(t.warnings, `no keys, so the server refuses all requests; make one with "bencao keys create"`)
	}
	return t, nil
}

// A reader turns blocks into entries and collects the problems that it finds in them.
type reader struct {
	problems []Problem
}

// maxProblems is the largest number of problems that one error lists.
const maxProblems = 1000

func (r *reader) report(line int, format string, args ...any) {
	if len(r.problems) >= maxProblems {
		return
	}
	r.problems = append(r.problems, Problem{line, fmt.Sprintf(format, args...)})
}

func (r *reader) entry(b *block) Entry {
	var e Entry
	for _, f := range b.fields {
		k := settingOf(f.name)
		if k == nil {
			r.report(f.value.line, "%q does not exist in [[key]]; valid are %s", cut(f.name), strings.Join(settingNames(), ", "))
			continue
		}
		if err := k.kindOf(f.value); err != nil {
			r.report(f.value.line, "%s %v", k.name, err)
			continue
		}
		k.read(r, &e, f.value)
	}
	for _, k := range settings {
		if k.required && b.field(k.name) == nil {
			r.report(b.line, "the key has no %s; add a line such as %s = %s", k.name, k.name, k.example)
		}
	}
	if f := b.field("networks"); f != nil && !e.AllowAny {
		if i, err := TooWide(e.Networks); i >= 0 {
			r.report(f.value.items[i].line, "%v; add allow_any = true to the key if that is meant", err)
		}
	}
	e.Networks = once(e.Networks)
	return e
}

// once returns networks in the given order, each once.
func once(networks []netip.Prefix) []netip.Prefix {
	var out []netip.Prefix
	seen := make(map[netip.Prefix]bool, len(networks))
	for _, p := range networks {
		if !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

func (r *reader) anonymous(b *block) (rate int) {
	for _, f := range b.fields {
		if f.name != "rate" {
			r.report(f.value.line, "%q does not exist in [anonymous]; valid is rate", cut(f.name))
			continue
		}
		if err := settingOf("rate").kindOf(f.value); err != nil {
			r.report(f.value.line, "rate %v", err)
			continue
		}
		rate = r.rate(f.value)
	}
	if b.field("rate") == nil {
		r.report(b.line, "[anonymous] has no rate; add a line such as rate = 30")
	}
	return rate
}

// rate reads a number of requests per minute.
func (r *reader) rate(v value) int {
	n, err := strconv.ParseInt(strings.ReplaceAll(v.text, "_", ""), 0, 64)
	if err != nil || n < 1 || n > MaxRate {
		r.report(v.line, "rate is %s; use a whole number from 1 to %d, in requests per minute", cut(v.text), MaxRate)
		return 0
	}
	return int(n)
}

// unique adds a problem for each id and hash that occurs more than once.
func (r *reader) unique(blocks []block, entries []Entry) {
	ids, hashes := map[string]int{}, map[Hash]int{}
	i := 0
	for _, b := range blocks {
		if b.name != "key" || !b.list {
			continue
		}
		e := entries[i]
		i++
		if f := b.field("id"); f != nil && e.ID != "" {
			if line, ok := ids[e.ID]; ok {
				r.report(f.value.line, "id %q is already on line %d; give each key an id of its own", e.ID, line)
			}
			ids[e.ID] = f.value.line
		}
		if f := b.field("hash"); f != nil && e.Hash != (Hash{}) {
			if line, ok := hashes[e.Hash]; ok {
				r.report(f.value.line, "hash is the same as on line %d; one key cannot have two sets of rights", line)
			}
			hashes[e.Hash] = f.value.line
		}
	}
}

func lineOfKey(data []byte) int {
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if holdsKey(line) {
			return n
		}
	}
	return 1
}

// kindOf returns an error unless v has one of the TOML kinds that the setting permits.
func (k *setting) kindOf(v value) error {
	if !slices.Contains(k.kinds, v.kind) {
		return fmt.Errorf("must be %s; write %s = %s", k.what, k.name, k.example)
	}
	for _, item := range v.items {
		if item.kind != unstable.String {
			return fmt.Errorf("must be %s; write %s = %s", k.what, k.name, k.example)
		}
	}
	return nil
}
