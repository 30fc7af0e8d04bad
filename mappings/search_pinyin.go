package mappings

import (
	"slices"
	"strings"
	"sync"

	"bencao/names/pinyin"
)

// untrained reads queries: it knows the herbs and formulas, and the dictionary.
var untrained = sync.OnceValue(func() *pinyin.Model { return pinyin.Train(nil) })

// Limits of forgiving searches by sound.
const (
	minForgiven = 3     // letters of a query in near sounds or with syllables cut short
	minTypo     = 4     // letters of a query whose letters may be wrong
	maxNear     = 5_000 // names of near sounds
)

// pinyin gathers what a row of pinyin finds.
func (s *search) pinyin(i int, rd *reading, stage int) {
	switch {
	case rd.script == Characters:
		s.sameSound(i, rd, stage)
	case rd.script == Letters && rd.hasSound:
		s.sounds(i, &rd.sound, stage)
		s.forgiven(i, &rd.sound, stage)
	}
}

// sounds finds names by pinyin as it was typed.
func (s *search) sounds(i int, q *sound, stage int) {
	for _, w := range []Way{Whole, Aligned, Prefix, AlignedInside, Inside} {
		tier := s.tier(i, w, stage)
		if w == Whole && tier > 0 {
			w, tier = s.wholeSound(i, q)
			s.hit(s.find(i, Whole, q.letters), reason{tier, i, w}, s.agrees(i, Whole, q))
			continue
		}
		s.look(i, w, q.letters, tier, s.agrees(i, w, q))
	}
	near, cuts := q.near()
	if !q.toned {
		s.nearSound(i, near, cuts, s.tier(i, NearSound, stage))
		if other := q.nearOther(); other != "" {
			s.nearSound(i, other, cuts, s.tier(i, NearSound, stage))
		}
	}
	if !q.toned && !q.separated {
		s.look(i, OtherSound, q.letters, s.tier(i, OtherSound, stage), nil)
	}
	if t := s.tier(i, Untoned, stage); t > 0 && q.marked {
		for _, way := range []struct {
			w     Way
			text  string
			lower int
		}{{Whole, q.letters, 0}, {Aligned, q.letters, 1}, {Prefix, q.letters, 2}, {NearSound, near, 3}, {OtherSound, q.letters, 3}, {AlignedInside, q.letters, 4}} {
			s.lookAs(way.w, way.text, reason{lower(t, way.lower), i, Untoned}, nil)
		}
	}
}

// nearSound finds names by their near sound, with syllables where they were
// typed apart.
func (s *search) nearSound(i int, near string, cuts []int, tier uint8) {
	if len(cuts) < 2 {
		s.look(i, NearSound, near, tier, nil)
		return
	}
	s.look(i, NearSound, near, tier, func(at place) bool {
		return s.ix.any(i, at, func(v string) bool {
			sound, _ := nearSound(v)
			return sound == near && fitsNear(v, cuts)
		})
	})
}

// wholeSound is the way, and its tier, of a whole name typed as q is.
func (s *search) wholeSound(i int, q *sound) (Way, uint8) {
	tiers := &s.ix.rows[i].tiers
	switch {
	case q.toned && tiers[Toned] > 0:
		return Toned, tiers[Toned]
	case q.separated && tiers[Separated] > 0:
		return Separated, tiers[Separated]
	}
	return Whole, tiers[Whole]
}

// agrees returns what a record must pass when tones, spaces or ü were typed.
func (s *search) agrees(i int, w Way, q *sound) func(place) bool {
	switch {
	case !q.marked:
		return nil
	case q.impossible:
		return func(place) bool { return false }
	}
	return func(at place) bool {
		return s.ix.any(i, at, func(v string) bool { return q.fits(v, w) })
	}
}

// forgiven finds names by pinyin with mistakes.
func (s *search) forgiven(i int, q *sound, stage int) {
	if t := s.tier(i, NearPrefix, stage); t > 0 && len(q.letters) >= minForgiven {
		s.nearParts(i, q, t, s.tier(i, NearInside, stage))
	}
	if t := s.tier(i, Shortened, stage); t > 0 && len(q.letters) >= minForgiven {
		s.shortened(i, q, t)
	}
	if t := s.tier(i, OtherPrefix, stage); t > 0 && len(q.letters) >= minForgiven && !q.toned {
		s.otherSounds(i, q, t, s.tier(i, OtherInside, stage))
	}
	if t := s.tier(i, Typo, stage); t > 0 && len(q.letters) >= minTypo {
		s.tried(reason{lower(t, 1), i, Typo})
		for _, m := range s.similar(i, Whole, q.letters) {
			s.lookAs(Whole, m.text, reason{lower(t, m.distance), i, Typo}, nil)
		}
	}
}

// nearParts finds names that hold the query in near sounds, at their
// beginning or from the start of a syllable.
func (s *search) nearParts(i int, q *sound, prefix, inside uint8) {
	s.tried(reason{prefix, i, NearPrefix})
	s.tried(reason{inside, i, NearInside})
	sounds := s.nearSounds(i)
	part, _ := q.near()
	found := 0
	for at := 0; s.alive() && found < maxNear; found++ {
		k := strings.Index(sounds[at:], part)
		if k < 0 {
			return
		}
		at += k
		start := strings.LastIndexByte(sounds[:at], '\n') + 1
		end := at + strings.IndexByte(sounds[at:], '\n')
		p := s.find(i, NearSound, sounds[start:end])
		if at == start {
			s.hit(p, reason{prefix, i, NearPrefix}, nil)
		} else {
			s.hit(p, reason{inside, i, NearInside}, func(at place) bool {
				return s.ix.any(i, at, func(v string) bool { return startsNear(v, part) })
			})
		}
		at = end
	}
}

// startsNear says whether a syllable of a sound value begins the near sounds.
func startsNear(value, part string) bool {
	sound, starts := nearSound(value)
	return slices.ContainsFunc(starts, func(start int) bool { return strings.HasPrefix(sound[start:], part) })
}

// nearSounds returns the near sounds of all names of a row, each in a line.
func (s *search) nearSounds(i int) string {
	l := &s.ix.sounds[i]
	l.once.Do(func() {
		var b strings.Builder
		l.err = s.reader.terms(i, NearSound, "", func(text string) bool {
			b.WriteString(text)
			b.WriteByte('\n')
			return true
		})
		l.lines = b.String()
	})
	if l.err != nil {
		s.err = l.err
	}
	return l.lines
}

// shortened finds names by syllables cut short: the whole name, or its
// beginning one tier lower. It looks at every name.
func (s *search) shortened(i int, q *sound, tier uint8) {
	s.tried(reason{tier, i, Shortened})
	c := &s.ix.columns[i]
	for at := range place(s.ix.total) {
		if at%4096 == 0 && !s.alive() {
			return
		}
		text := c.of(at)
		if text == "" || text[0] != q.letters[0] && !strings.Contains(text, valueSeparator) {
			continue
		}
		best := uint8(0)
		for v := range strings.SplitSeq(text, valueSeparator) {
			if taken, ok := q.matchShort(v); ok {
				t := lower(tier, 1)
				if taken == strings.Count(v, " ")+1 {
					t = tier
				}
				best = max(best, t)
			}
		}
		if best > 0 {
			s.collector.add(at, reason{best, i, Shortened})
		}
	}
}

// maxReadings bounds the readings of a query in characters that are tried.
const maxReadings = 16

// sameSound finds names that sound like the query's characters: 白芨 for 白及.
// Those that have another tone stand a tier lower, those that share no
// character with the query two.
func (s *search) sameSound(i int, rd *reading, stage int) {
	whole, part := s.tier(i, SameSound, stage), s.tier(i, SameSoundPart, stage)
	if whole == 0 && part == 0 || len(rd.runes) > 40 {
		return
	}
	s.tried(reason{whole, i, SameSound})
	values := readings(rd.runes)
	for k, value := range values {
		if whole == 0 {
			break
		}
		letters, _ := plain(value, nil)
		s.reader.each(s.find(i, Whole, letters), func(at place) {
			tier := whole
			if k > 0 || !s.ix.any(i, at, func(v string) bool { return v == value }) {
				tier = lower(tier, 1)
			}
			if !s.ix.any(s.ix.rows[i].beside, at, func(name string) bool { return sharesPlace(name, rd.runes) }) {
				tier = lower(tier, 2)
			}
			s.collector.add(at, reason{tier, i, SameSound})
		})
	}
	if part > 0 && len(rd.runes) > 1 && len(values) > 0 {
		letters, _ := plain(values[0], nil)
		s.lookAs(Aligned, letters, reason{part, i, SameSoundPart}, nil)
		s.lookAs(AlignedInside, letters, reason{lower(part, 1), i, SameSoundPart}, nil)
	}
}

// sharesPlace says whether a name has one of the characters in its place.
func sharesPlace(name string, runes []rune) bool {
	i := 0
	for _, r := range name {
		if i < len(runes) && runes[i] == r {
			return true
		}
		i++
	}
	return false
}

// readings returns the sound values that characters may have, the likeliest
// first. A character that has no reading makes it none.
func readings(runes []rune) []string {
	values := []string{""}
	for k, first := range strings.Fields(untrained().Read(string(runes))) {
		if k >= len(runes) || !pinyin.IsSyllable(first) {
			return nil
		}
		options := append([]string{first}, pinyin.Others(runes[k], first)...)
		var longer []string
		for o, syllable := range options {
			for _, v := range values {
				if o == 0 || len(longer) < maxReadings {
					longer = append(longer, strings.TrimSpace(v+" "+soundValue(syllable)))
				}
			}
		}
		values = longer
	}
	return values
}

// initials gathers what a row of initials finds.
func (s *search) initials(i int, rd *reading, stage int) {
	if rd.script != Letters || !rd.hasSound || rd.sound.toned {
		return
	}
	letters := rd.sound.letters
	for _, w := range []Way{Whole, Prefix, Inside} {
		s.look(i, w, letters, s.tier(i, w, stage), nil)
	}
	if t := s.tier(i, Whole, stage); t > 0 {
		for _, note := range noteInitials {
			if name, ok := strings.CutSuffix(letters, note); ok && len(name) > 1 {
				s.look(i, Whole, name, lower(t, 1), nil)
			}
		}
	}
	if t := s.tier(i, OtherPrefix, stage); t > 0 && len(letters) >= minForgiven {
		s.otherInitials(i, letters, t)
	}
}
