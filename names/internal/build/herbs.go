package build

import (
	"cmp"
	"slices"
	"strings"

	"bencao/names/herb"
	"bencao/names/internal/checklist"
	"bencao/names/internal/spelling"
)

// HerbNames adds scientific names that books on herbs have and that no checklist has, or only in
// another spelling and for another species. Each becomes a synonym of another name that the same
// books, or package herb, give for the species. The added names form a separate list with the lowest
// priority. Call HerbNames when all other names are added.
func (b *Builder) HerbNames() {
	if len(b.lists) >= 254 {
		return
	}
	found, spelt := b.findHerbNames()
	list, added := len(b.lists), 0
	for _, d := range herb.All() {
		if !d.IsPlant() {
			continue
		}
		for _, s := range d.Species {
			target, known := bestNamed(found, s.Names)
			if !known {
				continue
			}
			for _, name := range s.Names {
				if key := nameKey(name); found[key].worth > 0 || sharesTaxon(spelt, key, s.Names) {
					continue
				}
				spelt[orthoKey(nameKey(name))][b.keyOf(target)] = true
				added++
				b.addUsage(draft{
					Name: b.text.add(tidyName(name)), Checklist: uint8(list),
					Status: checklist.Synonym.Number(), Accepted: target + 1,
				}, pendingLink{})
			}
		}
	}
	if added > 0 {
		b.lists = append(b.lists, checklist.Checklist{Source: checklist.SourceHerbs, Name: "Names of drug plants, Chinese Pharmacopoeia and older books"})
	}
}

// worthUsage is the best usage found so far for a key. Which usage is best does not depend on the
// order of the rows. worth is 0 if no usage was found.
type worthUsage struct {
	usage uint32
	worth int
}

// findHerbNames returns the best usage for the key of each name of a herb plant. spelt has the
// orthographic key of each of these names; its value has the keys of the accepted names of all
// usages with this orthographic key.
func (b *Builder) findHerbNames() (found map[string]worthUsage, spelt map[string]map[string]bool) {
	found, spelt = map[string]worthUsage{}, map[string]map[string]bool{}
	for _, d := range herb.All() {
		for _, s := range d.Species {
			if d.IsPlant() && len(s.Names) > 1 {
				for _, name := range s.Names {
					key := nameKey(name)
					found[key] = worthUsage{}
					spelt[orthoKey(key)] = map[string]bool{}
				}
			}
		}
	}
	type accepted struct {
		list uint8
		id   uint64
	}
	synonyms := map[accepted][]string{} // orthographic keys by the accepted name
	var key, ortho []byte
	prio := b.priorities()
	for i := range b.usages {
		u := &b.usages[i]
		key, _ = spelling.AppendKey(key[:0], b.text.get(u.Name))
		ortho = spelling.AppendOrtho(ortho[:0], key)
		if keys, wanted := spelt[string(ortho)]; wanted {
			switch link := b.links[i]; {
			case u.Accepted != 0:
				keys[b.keyOf(u.Accepted-1)] = true
			case link.accepted != 0 && link.accepted != link.id:
				to := accepted{u.Checklist, link.accepted}
				synonyms[to] = append(synonyms[to], string(ortho))
			default:
				keys[string(key)] = true
				keys[strings.ReplaceAll(string(key), "-", "")] = true // tsao-ko is tsaoko
			}
		}
		old, wanted := found[string(key)]
		if !wanted {
			continue
		}
		worth := 1
		switch {
		case u.Record != 0:
			worth = 3
		case u.Status.Word() == checklist.Accepted || b.links[i].accepted != 0:
			worth = 2
		}
		if worth > old.worth || worth == old.worth && b.before(prio, u, &b.usages[old.usage]) {
			found[string(key)] = worthUsage{uint32(i), worth}
		}
	}
	for i, link := range b.links {
		for _, ortho := range synonyms[accepted{b.usages[i].Checklist, link.id}] {
			spelt[ortho][b.keyOf(uint32(i))] = true
		}
	}
	return found, spelt
}

// keyOf returns the key of the name of a usage.
func (b *Builder) keyOf(usage uint32) string { return nameKey(b.text.get(b.usages[usage].Name)) }

// sharesTaxon reports whether a usage with the spelling of key belongs to the same taxon as another
// name of the species, according to some list.
func sharesTaxon(spelt map[string]map[string]bool, key string, others []string) bool {
	accepted := spelt[orthoKey(key)]
	return slices.ContainsFunc(others, func(name string) bool {
		other := nameKey(name)
		if accepted[other] {
			return true
		}
		for a := range spelt[orthoKey(other)] {
			if other != key && accepted[a] {
				return true
			}
		}
		return false
	})
}

func orthoKey(key string) string { return string(spelling.AppendOrtho(nil, []byte(key))) }

// bestNamed returns the best usage among those of the given names.
func bestNamed(found map[string]worthUsage, names []string) (usage uint32, ok bool) {
	best := 0
	for _, name := range names {
		if f := found[nameKey(name)]; f.worth > best {
			best, usage = f.worth, f.usage
		}
	}
	return usage, best > 0
}

// before reports whether u sorts before v, another usage of the same key. The order is by priority
// of the list, then status, name and author.
func (b *Builder) before(prio []int, u, v *draft) bool {
	return cmp.Or(cmp.Compare(prio[u.Checklist], prio[v.Checklist]), cmp.Compare(u.Status, v.Status),
		cmp.Compare(b.text.get(u.Name), b.text.get(v.Name)), cmp.Compare(b.text.get(u.Author), b.text.get(v.Author))) < 0
}

func nameKey(name string) string {
	key, _ := spelling.AppendKey(nil, tidyName(name))
	return string(key)
}
