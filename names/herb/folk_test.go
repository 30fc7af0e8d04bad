package herb_test

import (
	"testing"

	"bencao/names/herb"
)

// TestFolkNames checks that a folk name never makes a plant of an animal, a mineral or a part of a
// beast, and that plants with names like parts of beasts stay plants.
func TestFolkNames(t *testing.T) {
	for _, name := range []string{"虾蟆", "地胆", "白马蹄", "羊角", "猪大肠", "猪腰子", "白银", "石蚕", "天浆子", "芫菁", "赤苓", "熟蜜", "矾灰"} {
		for _, f := range herb.LookupProven(name) {
			if f.IsPlant() {
				t.Errorf("%s leads to the plant %s", name, f.Name)
			}
		}
		if herb.LookupProven(name) == nil {
			t.Errorf("%s leads to no herb", name)
		}
	}
	for name, plant := range map[string]string{
		"龙胆": "龙胆", "龙胆草": "龙胆", "补骨脂": "补骨脂", "皂角": "大皂角", "羊蹄": "羊蹄", "鸡血藤": "鸡血藤", "骨碎补": "骨碎补", "鹿藿": "鹿藿",
		"北五加皮": "香加皮", "番木鳖": "马钱子", "枯草": "夏枯草", "白药": "白药子", "红豆": "红豆蔻", "羊蹄根": "羊蹄", "牡蒙": "紫参", "草蒿": "青蒿", "银花藤": "忍冬藤", "熟军": "大黄", "参芦": "人参", "禹白附": "白附子",
	} {
		if found := herb.LookupProven(name); len(found) != 1 || found[0].Name != plant || !found[0].IsPlant() {
			var herbs []string
			for _, f := range found {
				herbs = append(herbs, f.Name)
			}
			t.Errorf("%s leads to %v, want %s", name, herbs, plant)
		}
	}
	for species, from := range map[string]string{
		"Poria cocos": "茯苓", "Wolfiporia extensa": "茯苓", "Ganoderma lucidum": "灵芝", "Syzygium aromaticum": "丁香", "Grifola umbellata": "猪苓", "Buthus martensii": "全蝎",
		"Ptyas dhumnades": "乌梢蛇", "Bungarus multicinctus": "金钱白花蛇", "Cervus nippon": "鹿茸", "Curcuma longa": "姜黄",
	} {
		if d := herb.OfSpecies(species); d == nil || d.Name != from {
			t.Errorf("%v comes from %s, want %s", d, species, from)
		}
	}
	// A folk name that is also the name of a herb that is no plant leads to no plant at all.
	for _, d := range herb.All() {
		for _, a := range d.Aliases {
			if a.Kind != herb.FolkName || !d.IsPlant() {
				continue
			}
			for _, f := range herb.LookupReading(herb.Reading{Base: a.Name}) {
				if !f.IsPlant() && !f.Unsure {
					t.Errorf("%s is a folk name of the plant %s and a name of %s, which is no plant", a.Name, d.Name, f.Name)
				}
			}
		}
	}
}
