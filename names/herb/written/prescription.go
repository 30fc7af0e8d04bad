package written

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/dose"
)

// Mention is a part of the text of a prescription: a drug with its dose and its note, or something
// else. Every letter, character and number of the text is in exactly one mention.
type Mention struct {
	// Written, Dose and Note are as written. The note has its brackets.
	Written, Dose, Note string
	// Drugs has the plain names of the drugs, folded: several if one word joins them (生熟地). It is
	// empty if Written is not surely a drug.
	Drugs []string
	// Inside has the plain names of drugs inside a text that is no drug as a whole: 黄连 for 黄连素.
	Inside []string
	// Instruction is true if Written says how to prepare or to take the drugs.
	Instruction bool
}

// Reader reads whole prescriptions. It is safe for concurrent use.
type Reader struct {
	names   *Names
	formula func(name string) bool
	mu      sync.RWMutex
	known   map[string]drugName
}

// drugName is what a text is as the name of a drug. cost is 0 if it is none.
type drugName struct {
	plain   []string
	cost    float64
	formula bool // it is the name of a formula instead
}

// mostKnown is the number of texts that a Reader remembers.
const mostKnown = 1 << 18

// NewReader returns a reader of prescriptions with the known names. A name is surely a drug if it
// leads to a name of [Sources.Listed]. formula reports whether a folded text is the name of a formula.
func NewReader(n *Names, formula func(string) bool) *Reader {
	return &Reader{names: n, formula: formula, known: map[string]drugName{}}
}

// Drugs returns the plain names of the drugs that a text without a dose surely is, folded, or nil.
func (r *Reader) Drugs(text string) []string { return r.name(text).plain }

// name remembers the answers of lookUp.
func (r *Reader) name(text string) drugName {
	r.mu.RLock()
	d, ok := r.known[text]
	r.mu.RUnlock()
	if ok {
		return d
	}
	if d = r.names.drugNamed(text); d.plain == nil && utf8.RuneCountInString(text) > 2 {
		d.formula = r.formula(han.Fold(text))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) == mostKnown {
		clear(r.known)
	}
	r.known[strings.Clone(text)] = d
	return d
}

// The costs of the pieces of a prescription. A name over a space, such as 川 附子, costs more than two
// names, and less than a name and an unknown character.
const (
	spacedCost  = 1.5 // beside that of the name
	singleCost  = 1   // of a name of one character, beside that of the name
	doseCost    = 0.05
	numberCost  = 0.5
	looseCost   = 2   // of a dose that follows no name
	unknownCost = 3   // of a word
	furtherCost = 1.5 // of each further character of an unknown word
)

// drugNamed returns the drugs that a text surely is. Neither a folk name, nor a slip of the writer,
// nor a name that depends on the year is sure.
func (n *Names) drugNamed(text string) drugName {
	if !han.Has(text) {
		if name := inChinese(text); name != "" {
			if p := n.plainOne(han.Fold(name)); n.listed[p] {
				return drugName{plain: []string{p}, cost: 1}
			}
		}
		return drugName{}
	}
	s := han.Fold(text)
	if s == "" || isInstruction(s) {
		return drugName{}
	}
	if parts := n.joined(s); parts != nil {
		if slices.ContainsFunc(parts, func(p string) bool { return !n.listed[p] }) {
			return drugName{}
		}
		return drugName{plain: parts, cost: 1}
	}
	if p := n.plainOf(s); n.listed[p] {
		return drugName{plain: []string{p}, cost: 1}
	}
	if first, size := utf8.DecodeRuneInString(s); strings.ContainsRune(changes, first) && len(s) > size {
		return drugName{}
	}
	if p := n.plainOne(s); n.listed[p] && utf8.RuneCountInString(p) > 1 {
		return drugName{plain: []string{p}, cost: 1.1}
	}
	for _, m := range herb.LookupProven(s) {
		if p := n.plainOne(han.Fold(m.Name)); !m.Unsure && !m.Dated && len(m.Reading.Parts) == 0 && utf8.RuneCountInString(m.Reading.Base) > 1 && n.listed[p] {
			return drugName{plain: []string{p}, cost: 1.2}
		}
	}
	return drugName{}
}

// changes has the characters with which a text begins that changes another prescription: 加半夏.
const changes = "加减去入"

// Changes reports whether a prescription only changes another one, or refers to it, so that its
// drugs are not all of the prescription: 加半夏, 同上方, 桂枝汤加葛根.
func (r *Reader) Changes(text string) bool {
	text = strings.TrimSpace(text)
	if refers.MatchString(han.Fold(text)) {
		return true
	}
	for at, c := range text {
		if !strings.ContainsRune("加减減去", c) {
			continue
		}
		before := strings.TrimRightFunc(text[:at], unicode.IsSpace)
		if before != "" && !isFormula.MatchString(han.Fold(before)) {
			return false
		}
		rest := []rune(strings.TrimSpace(text[at+utf8.RuneLen(c):]))
		for n := min(mostName, len(rest)); n > 1; n-- {
			if r.name(string(rest[:n])).plain != nil {
				return true
			}
		}
		return false
	}
	return false
}

var (
	refers    = regexp.MustCompile(`^(?:同上|同前|上方|前方|原方|守方|守上|续上|照上|照前|依前|效不更方)`)
	isFormula = regexp.MustCompile(`^[^，,、；;。 ]{1,9}[汤散丸饮煎丹方]$`)
)

// mostName is the largest number of characters of a name, mostSpaced that of one with a space, and
// mostWords that of words in letters.
const (
	mostName   = 10
	mostSpaced = 6
	mostWords  = 6
)

// amount matches one amount of a dose at the beginning of a text, and vague a dose without one. number
// matches a number alone, which has no unit.
var (
	amount = regexp.MustCompile(`^(?:` + digits + `|` + chinese + `)\s?@?(?:` + units + `)`)
	vague  = regexp.MustCompile(`^(?:[等均](?:分|份)|少[许許]|[适適]量|少量|酌量|[钱錢两兩]半)`)
	before = regexp.MustCompile(`^(?:各|约|約|每|净|淨|重|共)`)
	after  = regexp.MustCompile(`^(?:半|强|左右|许|許)`)
	number = regexp.MustCompile(`^` + digits + `(?:[.．。、)）]\s)?`)
)

const (
	digits  = `\$?[0-9０-９]+(?:[.,．][0-9０-９]+)?(?:\s?[-~～—–－至]\s?[0-9０-９]+(?:[.．][0-9０-９]+)?)?`
	chinese = `[数數一二三四五六七八九十百半两兩壹贰貳叁肆伍陸陆柒捌玖拾廿卅大]+`
	units   = `千克|公斤|公克|毫克|毫升|[Kk][Gg]|mg|m[lL]|gm|grams?|[gGｇ]|方寸匕|[钱錢字]匕|[克斤两兩钱錢铢銖字分厘釐斛斗升合勺枚个個箇片粒颗顆具条條只隻对對握把茎根枝支头頭块塊张張朵丸贴撮挺锭瓣节節株盏盞碗杯匙匕团双滴份包付剂劑帖罐尾寸尺냥돈]`
)

// doseEnds returns the lengths in bytes of the doses at the beginning of a text: 三钱 and 三钱半 of
// 三钱半夏.
func doseEnds(text string) (ends []int) {
	at := len(before.FindString(text))
	if m := vague.FindString(text[at:]); m != "" {
		return []int{at + len(m)}
	}
	for {
		m := amount.FindString(text[at:])
		if m == "" {
			return ends
		}
		at += len(m)
		last, _ := utf8.DecodeLastRuneInString(m)
		next, _ := utf8.DecodeRuneInString(text[at:])
		if last < utf8.RuneSelf && next < utf8.RuneSelf && unicode.IsLetter(next) {
			return ends // 3 grapes
		}
		if ends != nil { // 一两二钱, but not 五钱百合
			if _, err := dose.Parse(han.Numerals(han.Fold(text[:at]))); err != nil {
				return ends
			}
		}
		ends = append(ends, at)
		if m := after.FindString(text[at:]); m != "" {
			ends = append(ends, at+len(m))
		}
	}
}

// kind is the kind of a piece of a prescription.
type kind uint8

const (
	aName kind = iota + 1
	aDose
	aNumber
	aNote
	anUnknown
	aFormula   // its name
	aGap       // spaces
	aSeparator // what ends the words before it
)

// piece is a part of a text that is read as one thing.
type piece struct {
	kind     kind
	from, to int // in bytes
	plain    []string
}

// way is the cheapest way to read the text up to a place.
type way struct {
	cost   float64
	set    bool
	last   piece
	before int // the state before the last piece
}

// The states at a place of a text.
const (
	free   = iota
	dosing // a name, and perhaps a note, stand before it: a dose may follow
	within // an unknown character stands before it
	states // the number of states
)

// Read reads the text of a prescription.
func (r *Reader) Read(text string) []Mention {
	return mentions(text, r.pieces(text))
}

const (
	opening = "（([〔【〈《"
	closing = "）)]〕】〉》"
)

// pieces returns the cheapest way to read a text.
func (r *Reader) pieces(text string) []piece {
	ways := make([][states]way, len(text)+1)
	ways[0][free].set = true
	for i, c := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		for state := range ways[i] {
			from := ways[i][state]
			if !from.set {
				continue
			}
			lead := func(to int, p piece, cost float64) {
				if w := &ways[p.to][to]; !w.set || from.cost+cost < w.cost {
					*w = way{from.cost + cost, true, p, state}
				}
			}
			r.from(text, i, c, i+size, state, lead)
		}
	}
	state := -1
	for st := range states {
		if w := &ways[len(text)][st]; w.set && (state < 0 || w.cost < ways[len(text)][state].cost) {
			state = st
		}
	}
	var list []piece
	for at := len(text); at > 0; {
		w := &ways[at][state]
		list = append(list, w.last)
		at, state = w.last.from, w.before
	}
	slices.Reverse(list)
	return list
}

// from yields the pieces that begin at a byte, whose character is c and ends at next, with the state
// to which each leads and its cost.
func (r *Reader) from(text string, i int, c rune, next, state int, lead func(to int, p piece, cost float64)) {
	switch {
	case c == '\n' || c == '\r' || c == '\t':
		lead(free, piece{kind: aSeparator, from: i, to: next}, 0)
		return
	case unicode.IsSpace(c):
		if state == within {
			state = free
		}
		lead(state, piece{kind: aGap, from: i, to: next}, 0)
		return
	case strings.ContainsRune(opening, c):
		if end := closed(text, i); end > 0 {
			lead(state, piece{kind: aNote, from: i, to: end}, 0)
			return
		}
	}
	for _, n := range doseEnds(text[i:]) {
		cost := float64(looseCost)
		if state == dosing {
			cost = doseCost
		}
		lead(free, piece{kind: aDose, from: i, to: i + n}, cost)
	}
	if n := len(number.FindString(text[i:])); n > 0 {
		p := piece{kind: aNumber, from: i, to: i + n}
		if state == dosing || state == within && boundary(text[p.to:], false) {
			p.kind = aDose // also of a name that is unknown or miswritten
		}
		lead(free, p, numberCost)
	}
	switch {
	case han.Is(c):
		cost := float64(unknownCost)
		if state == within {
			cost = furtherCost
		}
		lead(within, piece{kind: anUnknown, from: i, to: next}, cost)
		r.characters(text, i, lead)
	case isLetter(c):
		r.words(text, i, lead)
	case !unicode.IsDigit(c):
		lead(free, piece{kind: aSeparator, from: i, to: next}, 0)
	default:
		lead(free, piece{kind: aNumber, from: i, to: next}, unknownCost)
	}
}

// isLetter reports whether a character belongs to a word in letters. A question mark and an empty box
// stand for a character that a program has lost.
func isLetter(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsMark(c) || strings.ContainsRune("?□", c) || c == utf8.RuneError
}

// closed returns the end of the brackets that open at a byte, or 0 if they do not close.
func closed(text string, from int) int {
	depth := 0
	for i, c := range text[from:] {
		switch {
		case strings.ContainsRune(opening, c):
			depth++
		case strings.ContainsRune(closing, c):
			if depth--; depth == 0 {
				return from + i + utf8.RuneLen(c)
			}
		case c == '\n':
			return 0
		}
	}
	return 0
}

// characters adds the names in characters that begin at a byte.
func (r *Reader) characters(text string, i int, lead func(int, piece, float64)) {
	n, spaced := 0, false
	for k, c := range text[i:] {
		switch {
		case c == ' ' || c == '\u3000' || c == '\u00a0':
			spaced = true
			continue
		case !han.Is(c):
			return
		}
		if n++; n > mostName {
			return
		}
		to := i + k + utf8.RuneLen(c)
		whole := text[i:to]
		if spaced {
			parts := strings.Fields(whole)
			if len(parts) != 2 || n > mostSpaced || r.name(parts[0]).plain != nil && r.name(parts[1]).plain != nil {
				continue
			}
			whole = parts[0] + parts[1]
		}
		d := r.name(whole)
		if d.formula && !spaced {
			lead(free, piece{kind: aFormula, from: i, to: to}, 1)
		}
		if d.plain == nil || n == 1 && !(boundary(text[:i], true) && boundary(text[to:], false)) {
			continue
		}
		cost := d.cost
		if spaced {
			cost += spacedCost
		}
		if n == 1 {
			cost += singleCost
		}
		lead(dosing, piece{aName, i, to, d.plain}, cost)
	}
}

// words adds the word in letters at a byte, and the names of one or more words that begin there.
func (r *Reader) words(text string, i int, lead func(int, piece, float64)) {
	to, n := i, 0
	for n < mostWords {
		start := to
		for to < len(text) {
			c, size := utf8.DecodeRuneInString(text[to:])
			if !isLetter(c) && (to == start || !strings.ContainsRune("-'’.", c)) || han.Is(c) {
				break
			}
			to += size
		}
		if to == start {
			break
		}
		if n++; n == 1 {
			lead(free, piece{kind: anUnknown, from: i, to: to}, unknownCost)
		}
		if d := r.name(text[i:to]); d.plain != nil {
			lead(dosing, piece{aName, i, to, d.plain}, d.cost)
		}
		gap := strings.TrimLeft(text[to:], " ")
		to = len(text) - len(gap)
	}
}

// boundary reports whether a text, before a name or behind it, may end the name.
func boundary(text string, left bool) bool {
	c, _ := utf8.DecodeRuneInString(text)
	if left {
		c, _ = utf8.DecodeLastRuneInString(text)
	}
	if text == "" || !unicode.IsLetter(c) {
		return true
	}
	if left {
		return strings.ContainsRune("g克两兩钱錢分枚片个個", c)
	}
	return doseEnds(text) != nil
}

// mentions makes mentions of the pieces of a text. A name without a dose that touches unknown
// characters is a part of an unknown word: 黄连 in 黄连素.
func mentions(text string, list []piece) (all []Mention) {
	type draft struct {
		Mention
		from, to int // of Written
		unknown  bool
		open     bool // a dose or a note may follow
	}
	var drafts []*draft
	var now *draft
	for i, p := range list {
		touches := now != nil && now.to == p.from && now.Dose == "" && now.Note == "" && !now.Instruction
		switch p.kind {
		case aGap:
		case aSeparator:
			if now != nil {
				now.open = false
			}
		case aDose, aNumber:
			if now != nil && now.open && now.Dose == "" && (p.kind == aDose || !now.unknown) {
				now.Dose = text[p.from:p.to]
				continue
			}
			now = &draft{Mention: Mention{Instruction: p.kind == aDose}, from: p.from, to: p.to}
			now.Instruction = true
			drafts = append(drafts, now)
		case aNote:
			if now != nil && now.open {
				now.Note += text[p.from:p.to]
				continue
			}
			now = &draft{from: p.from, to: p.to, unknown: true}
			drafts = append(drafts, now)
		case aFormula:
			now = &draft{Mention: Mention{Instruction: true}, from: p.from, to: p.to}
			drafts = append(drafts, now)
		case anUnknown:
			alone := i+1 == len(list) || list[i+1].kind != anUnknown && list[i+1].kind != aName
			if part := herb.Words("part")[han.Fold(text[p.from:p.to])]; part && alone && now != nil && now.open && now.Drugs != nil && now.Dose == "" && now.Note == "" {
				touches = true // 山楂 核 is not 山楂
			}
			if touches && (now.unknown || now.Drugs != nil) {
				now.Inside = append(now.Inside, now.Drugs...)
				now.Drugs, now.to, now.unknown = nil, p.to, true
				continue
			}
			now = &draft{from: p.from, to: p.to, unknown: true, open: true}
			drafts = append(drafts, now)
		case aName:
			if touches && now.unknown && !(len(now.Inside) > 0 && list[i-1].kind == aName) {
				now.Inside = append(now.Inside, p.plain...)
				now.to = p.to
				continue
			}
			now = &draft{Mention: Mention{Drugs: p.plain}, from: p.from, to: p.to, open: true}
			drafts = append(drafts, now)
		}
	}
	method := false
	for _, d := range drafts {
		d.Written = text[d.from:d.to]
		if d.unknown && tells.MatchString(han.Fold(d.Written+d.Dose)) {
			d.Instruction = true
			method = method || methods.MatchString(han.Fold(d.Written))
		}
		if first, _ := utf8.DecodeRuneInString(han.Fold(d.Written)); d.unknown && d.Inside != nil && strings.ContainsRune(changes, first) {
			d.Instruction = true // 加半夏
		}
		if method && d.Drugs != nil && d.Dose == "" {
			d.Instruction, d.Drugs = true, nil
		}
		all = append(all, d.Mention)
	}
	return all
}

// Instructs reports whether a text that is no drug says how to prepare or to take the drugs: 水煎服, 日一剂.
func Instructs(text string) bool {
	s := han.Fold(text)
	return isInstruction(s) || tells.MatchString(s)
}

// tells matches what says how to prepare or to take drugs, and methods what also ends the list of
// drugs.
var (
	tells   = regexp.MustCompile(`[服煎煮炖碗匙饭餐睡每早晚空温冲调送烊包]|[付剂帖贴]|^(?:上|右|共|以上|为末|等分|各)|为[细末丸]|[日次]$|加减$|^再?来$|来源|方[:：]?$|合$|证$`)
	methods = regexp.MustCompile(`[煎煮]|为[细末丸]|[送]下|^[上右]`)
)
