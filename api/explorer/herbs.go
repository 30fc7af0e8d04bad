package explorer

import (
	"strconv"

	"bencao/store"
)

// herbIndex are the herbs that stand in formulas, by name. It is empty where pages
// may not show herbs.
type herbIndex map[string]*store.HerbSummary

// mostHerbPages is how many pages of herbs are asked for at most.
const mostHerbPages = 20

// allHerbs are the herbs of the data, which are asked for once for a version.
func allHerbs(v *visit) (herbIndex, error) {
	return keep(v, v.Tag("herbs by name"), func() (herbIndex, error) {
		all := herbIndex{}
		for page := 1; page <= mostHerbPages; page++ {
			l, err := ask[list[store.HerbSummary]](v, "herbs.search", "", "sort", "prominence", "pageSize", "100", "page", strconv.Itoa(page))
			if refused(err) {
				break
			}
			if err != nil {
				return nil, err
			}
			for _, h := range l.Items {
				all[h.Name] = &h
			}
			if page*100 >= l.Total || l.Items[len(l.Items)-1].Formulas == 0 {
				break
			}
		}
		return all, nil
	})
}

// sound is how a herb is read, empty if that is not known of the very name.
func (all herbIndex) sound(name string) string {
	if h, ok := all[name]; ok {
		return string(h.NamePinyin)
	}
	return ""
}
