package build

import (
	"cmp"

	"bencao/names/herb"
	"bencao/names/internal/checklist"
	"bencao/names/internal/spelling"
)

// HerbNames adds scientific names that books on herbs have, but that no checklist has in any
// spelling. Each becomes a synonym of another name that the same books, or package herb, give for
// the species. The added names form a separate list with the lowest priority. Call HerbNames when
// all other names are added.
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
				key := nameKey(name)
				if ortho := string(spelling.AppendOrtho(nil, []byte(key))); found[key].worth == 0 && !spelt[ortho] {
					spelt[ortho] = true
					added++
					b.addUsage(draft{
						Name: b.text.add(tidyName(name)), Checklist: uint8(list),
						Status: checklist.Synonym.Number(), Accepted: target + 1,
					}, pendingLink{})
				}
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
// orthographic key of each of these names; its value says whether some usage has this key.
func (b *Builder) findHerbNames() (found map[string]worthUsage, spelt map[string]bool) {
	found, spelt = map[string]worthUsage{}, map[string]bool{}
	for _, d := range herb.All() {
		for _, s := range d.Species {
			if d.IsPlant() && len(s.Names) > 1 {
				for _, name := range s.Names {
					key := nameKey(name)
					found[key] = worthUsage{}
					spelt[string(spelling.AppendOrtho(nil, []byte(key)))] = false
				}
			}
		}
	}
	var key, ortho []byte
	prio := b.priorities()
	for i := range b.usages {
		u := &b.usages[i]
		key, _ = spelling.AppendKey(key[:0], b.text.get(u.Name))
		ortho = spelling.AppendOrtho(ortho[:0], key)
		if _, wanted := spelt[string(ortho)]; wanted {
			spelt[string(ortho)] = true
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
	return found, spelt
}

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
