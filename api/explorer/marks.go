package explorer

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"bencao/api/explorer/draw"
	"bencao/api/explorer/texts"
	"bencao/names/han"
	"bencao/names/ranks"
)

// functions are what templates may call, in a language.
func functions(lang *texts.Language, a assets) template.FuncMap {
	return template.FuncMap{
		"t":        lang.Say,
		"lang":     func() string { return lang.Tag },
		"asset":    func(name string) string { return a.address[name] },
		"n":        thousands,
		"han":      chinese,
		"la":       latin,
		"name":     func(text any) template.HTML { return nameWithAuthor(fmt.Sprint(text)) },
		"ruby":     rubyEach,
		"word":     rubyWord,
		"herb":     herbWord(lang),
		"drug":     drugLatin,
		"book":     book,
		"dynasty":  func(name any) template.HTML { return dynasty(lang, fmt.Sprint(name)) },
		"meter":    func(value float64) template.HTML { return draw.Meter(value, "f1") },
		"bar":      draw.Bar,
		"share":    func(n, most int) float64 { return float64(n) / float64(max(1, most)) },
		"badge":    func(kind, text string) template.HTML { return badge(kind, text) },
		"mark":     marked,
		"cells":    cells(lang),
		"barRows":  barRows(lang),
		"heatRows": heatRows(lang),
		"yearRows": yearRows,
		"year":     func(y *int32) string { return year(lang, y) },
		"rank":     func(r any) string { return lang.Known("rank."+fmt.Sprint(r), fmt.Sprint(r)) },
		"join":     strings.Join,
		"api":      fromAPI(lang),
		"flora":    func(name any) string { return lang.Known("flora."+fmt.Sprint(name), fmt.Sprint(name)) },
		"zh":       func() bool { return lang.Code == "zh" },
		"facet":    func(f facetView, b bar) facetRow { return facetRow{b, f.Most, f.Latin} },
		"words":    func(kind string, text any) string { return words(lang, kind, fmt.Sprint(text)) },
	}
}

// between parts of a list of words as the data writes them, such as "root, leaves"
// and "medicine and food".
var between = regexp.MustCompile(`, | and `)

// words are the words of a list in a language, or as the data has them if it knows
// one of them no better.
func words(lang *texts.Language, kind, text string) string {
	all := between.Split(text, -1)
	for i, word := range all {
		if all[i] = lang.Known(kind+"."+word, ""); all[i] == "" {
			return text
		}
	}
	return strings.Join(all, lang.Say("list.comma"))
}

// thousands writes a number with a mark for each thousand.
func thousands(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func escape(s string) string { return template.HTMLEscapeString(s) }

// chinese marks a text as Chinese if it is.
func chinese(v any) template.HTML {
	s := fmt.Sprint(v)
	if !han.Has(s) {
		return template.HTML(escape(s))
	}
	return template.HTML(`<span lang="zh-Hans">` + escape(s) + `</span>`)
}

// book puts a title between its marks.
func book(v any) template.HTML {
	s := strings.Trim(fmt.Sprint(v), "《》")
	if s == "" {
		return ""
	}
	if !han.Has(s) {
		return template.HTML(`<cite>` + escape(s) + `</cite>`)
	}
	return template.HTML(`<span lang="zh-Hans">《` + escape(s) + `》</span>`)
}

// upright tells whether a word of a scientific name does not slant: a word for a
// rank, or a sign of a hybrid.
func upright(word string) bool {
	if strings.HasPrefix(word, "'") || strings.HasPrefix(word, "‘") { // a cultivar's
		return true
	}
	if w, stops := strings.CutSuffix(word, "."); !stops {
		return word == "×" || word == "x" || ranks.Usual(word)
	} else if w == "agg" {
		return true
	}
	_, marked := ranks.Mark(word)
	_, full := ranks.Full(word)
	return marked || full
}

// latin writes a scientific name, its author upright behind it.
func latin(name, author any) template.HTML {
	var b strings.Builder
	open := false
	for i, word := range strings.Fields(fmt.Sprint(name)) {
		if slanted := !upright(word); slanted != open {
			if open {
				b.WriteString("</i>")
			}
			if i > 0 {
				b.WriteByte(' ')
			}
			if slanted {
				b.WriteString(`<i lang="la">`)
			}
			open = slanted
		} else if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(escape(word))
	}
	if open {
		b.WriteString("</i>")
	}
	if a := fmt.Sprint(author); a != "" {
		b.WriteString(` <span class="au">` + escape(a) + `</span>`)
	}
	return template.HTML(b.String())
}

// nameWithAuthor slants a name that an author may follow: the words up to the last
// that begins with a small letter are the name's.
func nameWithAuthor(text string) template.HTML {
	words := strings.Fields(text)
	end := min(1, len(words))
	for i := 1; i < len(words); i++ {
		w := words[i]
		if upright(w) || w[0] >= 'a' && w[0] <= 'z' && !authorWords[w] {
			end = i + 1
		} else if end == i && !upright(words[i-1]) {
			break
		}
	}
	return latin(strings.Join(words[:end], " "), strings.Join(words[end:], " "))
}

// authorWords are small words of authors.
var authorWords = map[string]bool{"ex": true, "et": true, "in": true, "f.": false, "de": true, "von": true, "van": true, "non": true, "auct.": true, "hort.": true}

// syllables are those of a name's pinyin if there is one for each character.
func syllables(name, pinyin string) (characters []rune, each []string, ok bool) {
	characters, each = []rune(name), strings.Fields(pinyin)
	return characters, each, len(each) > 0 && len(characters) == len(each)
}

// rubyEach writes pinyin over each character of a name.
func rubyEach(name, pinyin any) template.HTML {
	return marked(fmt.Sprint(name), fmt.Sprint(pinyin), nil)
}

// marked is rubyEach with the characters of some ranges marked, and their
// syllables.
func marked(name, pinyin string, hit []bool) template.HTML {
	characters, each, ok := syllables(name, pinyin)
	mark := func(i int, s string) string {
		if i < len(hit) && hit[i] {
			return "<mark>" + escape(s) + "</mark>"
		}
		return escape(s)
	}
	var b strings.Builder
	b.WriteString(`<span lang="zh-Hans">`)
	if ok {
		b.WriteString("<ruby>")
	}
	for i, r := range characters {
		b.WriteString(mark(i, string(r)))
		if ok {
			b.WriteString(`<rt lang="zh-Latn-pinyin">` + mark(i, each[i]) + `</rt>`)
		}
	}
	if ok {
		b.WriteString("</ruby>")
	}
	b.WriteString("</span>")
	return template.HTML(b.String())
}

// mostRuby is the longest name, in characters, that has its pinyin above it in a
// table.
const mostRuby = 8

// rubyWord writes the pinyin of a name above the whole of it.
func rubyWord(name, pinyin any) template.HTML {
	text, sound := fmt.Sprint(name), fmt.Sprint(pinyin)
	if sound == "" || len([]rune(text)) > mostRuby {
		return chinese(text)
	}
	return template.HTML(`<span lang="zh-Hans"><ruby>` + escape(text) + `<rt lang="zh-Latn-pinyin">` + escape(sound) + `</rt></ruby></span>`)
}

// herbWord writes a herb's name, with its pinyin above it for who may not read
// Chinese.
func herbWord(lang *texts.Language) func(name, pinyin string) template.HTML {
	return func(name, pinyin string) template.HTML {
		if lang.Code == "zh" {
			return chinese(name)
		}
		return rubyWord(name, pinyin)
	}
}

// drugLatin writes the pharmaceutical name of a drug, which stands upright.
func drugLatin(name string) template.HTML {
	return template.HTML(`<span class="drug" lang="la">` + escape(name) + `</span>`)
}

// dynasty is a dynasty's name in a language, or in Chinese where it has no other.
func dynasty(lang *texts.Language, name string) template.HTML {
	if text := lang.Known("dynasty."+name, ""); text != "" {
		return chinese(text)
	}
	return chinese(name)
}

// year writes a year of the common era or before it; "" is unknown.
func year(lang *texts.Language, y *int32) string {
	switch {
	case y == nil:
		return ""
	case *y < 0:
		return lang.Say("year.before", -*y)
	}
	return fmt.Sprint(*y)
}

// needsScope ends descriptions of what needs a scope.
var needsScope = regexp.MustCompile(` ?Needs the scope ([a-z_, ]+)\.$`)

// translated says in a language what the API's description says in English, and
// whether all of it is known there.
func translated(lang *texts.Language, english string) (text string, all bool) {
	needs := needsScope.FindStringSubmatch(english)
	if needs == nil {
		if text, all = lang.Translate(english); !all {
			return english, false
		}
		return text, true
	}
	if english = strings.TrimSuffix(english, needs[0]); english != "" {
		if text, all = lang.Translate(english); !all {
			return english + needs[0], false
		}
	}
	return text + lang.Say("docs.needs", needs[1]), true
}

// fromAPI marks a text of the API's description as English where a page in another
// language has no better.
func fromAPI(lang *texts.Language) func(any) template.HTML {
	return func(v any) template.HTML {
		text, all := translated(lang, fmt.Sprint(v))
		if all {
			return template.HTML(escape(text))
		}
		return template.HTML(`<span lang="en">` + escape(text) + `</span>`)
	}
}

// mostAdded is how many herbs that a formula adds are named.
const mostAdded = 8

// heatRows writes the rows of heat maps. A page has hundreds of cells, which a
// template would spend most of its time on.
func heatRows(lang *texts.Language) func(h *heat, rated bool) template.HTML {
	none, unknown, self := hidden("–", lang.Say("heat.none")), hidden("●", lang.Say("heat.unknown")), "<b>"+escape(lang.Say("heat.self"))+"</b>"
	return func(h *heat, rated bool) template.HTML {
		var b strings.Builder
		for _, r := range h.Rows {
			if r.Self {
				b.WriteString(`<tr class="self"><th scope="row">` + self)
			} else {
				name := chinese(r.Name)
				if !rated && r.Source != "" {
					name = book(r.Source)
				}
				b.WriteString(`<tr><th scope="row"><a href="` + escape(r.Address) + `">` + string(name) + `</a>`)
			}
			b.WriteString(` <span class="small mut nw">` + string(dynasty(lang, r.Dynasty)) + " " + escape(year(lang, r.Year)) + `</span>`)
			if r.Source != "" && (rated || r.Self) {
				b.WriteString(` <span class="small mut src">` + string(book(r.Source)) + `</span>`)
			}
			b.WriteString(`</th>`)
			switch {
			case rated && r.Self:
				b.WriteString(`<td class="v"></td>`)
			case rated:
				b.WriteString(`<td class="v"><span class="num">` + escape(r.Distance) + `</span>` + string(draw.Meter(r.Value, "f1")) + `</td>`)
			}
			for _, c := range r.Cells {
				b.WriteString(cell(c, h.Many(), none, unknown))
			}
			b.WriteString(`<td class="d">`)
			for _, herb := range r.Added[:min(mostAdded, len(r.Added))] {
				b.WriteString(`<span class="plus"><span lang="zh-Hans">` + escape(herb) + `</span></span>`)
			}
			if more := len(r.Added) - mostAdded; more > 0 {
				b.WriteString(`<span class="small mut nw">` + escape(lang.Say("search.more", more)) + `</span>`)
			}
			b.WriteString("</td></tr>")
		}
		return template.HTML(b.String())
	}
}

// cells writes the cells of a row of a comparison.
func cells(lang *texts.Language) func([]heatCell) template.HTML {
	none, unknown := hidden("–", lang.Say("heat.none")), hidden("●", lang.Say("heat.unknown"))
	return func(all []heatCell) template.HTML {
		var b strings.Builder
		for _, c := range all {
			b.WriteString(cell(c, false, none, unknown))
		}
		return template.HTML(b.String())
	}
}

// hidden is a sign for those who see, and what it means for those who listen.
func hidden(sign, meaning string) string {
	return `<span aria-hidden="true">` + sign + `</span><span class="vh">` + escape(meaning) + `</span>`
}

// cell is a cell of a heat map, which may name its herb; none and unknown stand
// where a herb is missing or has no dose.
func cell(c heatCell, named bool, none, unknown string) string {
	content := unknown
	switch {
	case c.Class == "k0":
		content = none
	case c.Dose != "":
		content = `<span lang="zh-Hans" class="do">` + escape(c.Dose) + `</span>`
	}
	if named && c.Class != "k0" {
		return `<td class="c ` + c.Class + `" data-h="` + escape(c.Herb) + `">` + content + `</td>`
	}
	return `<td class="c ` + c.Class + `">` + content + `</td>`
}

// signs are what badges show beside their word.
var signs = map[string]string{
	"ok":   `<svg viewBox="0 0 12 12" aria-hidden="true" focusable="false"><path d="M2 6.5 5 9.5 10 3" fill="none" stroke="currentColor" stroke-width="2"/></svg>`,
	"look": `<svg viewBox="0 0 12 12" aria-hidden="true" focusable="false"><circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M6 1.5a4.5 4.5 0 0 1 0 9z" fill="currentColor"/></svg>`,
	"not":  `<svg viewBox="0 0 12 12" aria-hidden="true" focusable="false"><circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>`,
	"none": `<svg viewBox="0 0 12 12" aria-hidden="true" focusable="false"><path d="M2.5 6h7" stroke="currentColor" stroke-width="2"/></svg>`,
}

// badge is a status: a sign and a word.
func badge(kind, text string) template.HTML {
	class := "badge"
	if kind == "ok" || kind == "look" {
		class += " badge--" + kind
	}
	return template.HTML(`<span class="` + class + `">` + signs[kind] + escape(text) + `</span>`)
}
