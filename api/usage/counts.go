package usage

import (
	"maps"
	"slices"
	"time"
)

// What is counted under no key of the access file. Both can be no key's id.
const (
	// Anonymous is who brings no key where none is asked for.
	Anonymous = "(anonymous)"
	// Other is who has no valid key.
	Other = "(other)"
)

// Hit is one request that was answered or refused.
type Hit struct {
	// Key is the id of the key, [Anonymous] or [Other].
	Key    string
	Status int
	// Names is how many names it asked to match.
	Names int
	// Bytes is how long the body was, as it went out.
	Bytes int64
	At    time.Time
}

// Counts are requests, added up.
type Counts struct {
	// Requests are all, refused ones among them.
	Requests int64 `json:"requests"`
	// Unauthorized, Forbidden and Limited are those that were answered with
	// 401, 403 and 429.
	Unauthorized int64 `json:"refused401"`
	Forbidden    int64 `json:"refused403"`
	Limited      int64 `json:"refused429"`
	Names        int64 `json:"names"`
	Bytes        int64 `json:"bytes"`
	// Last is when the last one came; zero is never.
	Last time.Time `json:"last,omitzero"`
}

func (c *Counts) hit(h Hit) {
	one := Counts{Requests: 1, Names: int64(h.Names), Bytes: h.Bytes, Last: h.At}
	switch h.Status {
	case 401:
		one.Unauthorized = 1
	case 403:
		one.Forbidden = 1
	case 429:
		one.Limited = 1
	}
	c.add(one)
}

func (c *Counts) add(o Counts) {
	c.Requests += o.Requests
	c.Unauthorized += o.Unauthorized
	c.Forbidden += o.Forbidden
	c.Limited += o.Limited
	c.Names += o.Names
	c.Bytes += o.Bytes
	if o.Last.After(c.Last) {
		c.Last = o.Last
	}
}

// Days are counts by day, such as 2026-11-22 in UTC, and then by key.
type Days map[string]map[string]Counts

// KeepDays is how many days are kept.
const KeepDays = 400

// dayOf is the day of a time.
func dayOf(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// firstKept is the oldest day that is still kept at a time.
func firstKept(now time.Time) string { return dayOf(now.AddDate(0, 0, 1-KeepDays)) }

func (d Days) add(day, key string, c Counts) {
	keys := d[day]
	if keys == nil {
		keys = map[string]Counts{}
		d[day] = keys
	}
	sum := keys[key]
	sum.add(c)
	keys[key] = sum
}

func (d Days) merge(o Days) {
	for day, keys := range o {
		for key, c := range keys {
			d.add(day, key, c)
		}
	}
}

// Key is what one key has asked in some days.
type Key struct {
	ID string `json:"id"`
	// Counts are of all these days; Last is of all that are kept.
	Counts
	// Days are those on which it asked, the newest first.
	Days []Day `json:"days"`
}

// Day is one day of a key.
type Day struct {
	Date string `json:"date"`
	Counts
}

// Keys adds up, by key, the days from a first one on, such as 2026-11-01. Keys
// that are known are listed whether they asked or not.
func (d Days) Keys(from string, known []string) []Key {
	all := map[string]*Key{}
	for _, id := range known {
		all[id] = &Key{ID: id, Days: []Day{}}
	}
	for _, date := range slices.Backward(slices.Sorted(maps.Keys(d))) {
		for id, c := range d[date] {
			k := all[id]
			if k == nil {
				k = &Key{ID: id, Days: []Day{}}
				all[id] = k
			}
			if date < from {
				k.add(Counts{Last: c.Last})
				continue
			}
			k.add(c)
			k.Days = append(k.Days, Day{date, c})
		}
	}
	out := make([]Key, 0, len(all))
	for _, id := range slices.Sorted(maps.Keys(all)) {
		out = append(out, *all[id])
	}
	return out
}
