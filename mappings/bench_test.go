package mappings_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"bencao/mappings"
)

// kinds are queries of each kind whose speed is promised, with the promise in
// microseconds at the median and at the 99th percentile.
func kinds(p *pack) []kind {
	every := func(step int, f func(i int) string) []string {
		var out []string
		for i := 0; i < len(p.species); i += step {
			if q := f(i); q != "" {
				out = append(out, q)
			}
		}
		return out
	}
	runes := func(s string) []rune { return []rune(s) }
	letters := func(i int) string { return plainLetters(p.species[i].ChineseNamePinyin) }
	return []kind{
		{"hanzi whole", 100, 1000, every(97, func(i int) string { return p.species[i].ChineseName })},
		{"hanzi inside", 100, 1000, every(97, func(i int) string {
			if r := runes(p.species[i].ChineseName); len(r) > 3 {
				return string(r[1:3])
			}
			return ""
		})},
		{"hanzi one", 1000, 2000, []string{"草", "花", "兰", "藤", "树", "蕨", "菊", "竹", "松", "梅"}},
		{"pinyin whole", 200, 3000, every(97, letters)},
		{"pinyin partial", 200, 3000, every(97, func(i int) string {
			if l := letters(i); len(l) > 7 {
				return l[:len(l)-2]
			}
			return ""
		})},
		{"pinyin toned", 200, 3000, every(97, func(i int) string { return p.species[i].ChineseNamePinyin })},
		{"initials", 100, 1000, every(97, func(i int) string { return firstLetters(p.species[i].ChineseNamePinyin) })},
		{"mixed", 1000, 10000, every(97, func(i int) string {
			if r := runes(p.species[i].ChineseName); len(r) > 2 {
				return string(r[:2]) + "c"
			}
			return ""
		})},
		{"latin whole", 150, 1000, every(97, func(i int) string { return p.species[i].ScientificName })},
		{"latin genus", 150, 1000, every(397, func(i int) string { return fmt.Sprint(p.species[i].ScientificName[:5]) })},
		{"latin typo", 5000, 40000, every(197, func(i int) string { return typo(p.species[i].ScientificName) })},
		{"hanzi typo", 5000, 40000, every(197, func(i int) string {
			if r := runes(p.species[i].ChineseName); len(r) > 3 {
				r[1] = '囧'
				return string(r)
			}
			return ""
		})},
		{"pinyin typo", 5000, 40000, every(197, func(i int) string {
			if l := letters(i); len(l) > 9 {
				return l[:4] + "v" + l[5:]
			}
			return ""
		})},
		{"nothing", 2000, 20000, []string{"囧囧囧囧", "qqqqqq", "zzzzxxxx", "不存在的植物名称", "hello world", "xylophone", "魑魅魍魉", "asdfghjkl", "name:*", "/.*/"}},
	}
}

type kind struct {
	name     string
	p50, p99 int
	queries  []string
}

func plainLetters(py string) string {
	var out []byte
	for _, w := range splitSyllables(py) {
		out = append(out, w...)
	}
	return string(out)
}

func firstLetters(py string) string {
	var out []byte
	for _, w := range splitSyllables(py) {
		out = append(out, w[0])
	}
	return string(out)
}

func typo(s string) string {
	b := []byte(s)
	if len(b) > 6 {
		b[4], b[5] = b[5], b[4]
	}
	return string(b)
}

// TestSpeed measures how long queries of each kind take over the full package.
func BenchmarkKinds(b *testing.B) {
	p := full(b)
	for _, k := range kinds(p) {
		b.Run(k.name, func(b *testing.B) {
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				_, err := p.speciesIndex.Search(context.Background(), mappings.Query{Text: k.queries[i%len(k.queries)], Size: 20})
				if err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-µs")
			b.ReportMetric(float64(took[len(took)-1].Nanoseconds())/1e3, "max-µs")
		})
	}
}
