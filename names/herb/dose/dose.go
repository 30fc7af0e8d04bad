// Package dose reads the doses of classical and modern formulas, such as 三两, 一钱五分, 半斤, 十二枚 or 1.5g.
//
// A dose is a weight in 钱, a volume in 合, a length in 寸, a number of pieces, equal parts, or vague.
// The units convert as follows:
//
//	weight   1 斤 = 16 两, 1 两 = 10 钱 = 24 铢, 1 钱 = 4 字, 1 分 = 10 厘 = 100 毫, 1 g = ⅓ 钱
//	         分 by [Era]: ¼ 两 up to the Song, 1/10 钱 since the Yuan, and always 1/10 钱 after a 钱
//	volume   1 斛 = 10 斗, 1 斗 = 10 升, 1 升 = 10 合, 1 合 = 10 勺
//	length   1 丈 = 10 尺, 1 尺 = 10 寸
//
// The weight of a 两 in grams changed from dynasty to dynasty. A [Dose] does not depend on it, since
// doses are compared within a formula. A dose written in grams is converted to 钱 at the rate of
// China's pharmacies since 1979: 1 钱 is 3 g. [Grams] converts a dose to grams by the measures of
// its year.
//
// The package does not know herbs or formulas. Start with [Era.Parse].
package dose

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"bencao/names/han"
)

// ErrUnreadable is the error for a text that is not a readable dose.
var ErrUnreadable = errors.New("not a dose that can be read")

// Kind is the kind of measure of a dose.
type Kind uint8

// The kinds of doses and their units.
const (
	Weight Kind = iota + 1 // in 钱
	Volume                 // in 合
	Length                 // in 寸
	Count                  // in the unit as written: 枚, 片, 具 …
	Equal                  // as much as of each other herb of the formula
	Vague                  // a little or any amount, without a number
)

// Dose is an amount of a herb.
type Dose struct {
	// Value is the amount in Unit. It is the middle of a range (二三钱 is 2.5), 1 for equal parts, and
	// 0 for a vague dose.
	Value float64
	// Unit is 钱, 合, 寸, the word for pieces as written, or "".
	Unit string
	Kind Kind
}

// Era is the period of a book. It decides how much a 分 weighs.
type Era uint8

// The eras.
const (
	// New starts with the Yuan: 1 分 is a tenth of a 钱.
	New Era = iota
	// Old ends with the Song: 4 分 are a 两.
	Old
)

// lastOld is the last year of the Song. Books of its last decades use both weights of a 分; those of
// 1237 and 1253 copy older books.
const lastOld = 1279

// EraOf returns the era of a year. It returns New if the year is unknown.
func EraOf(year *int32) Era {
	if year != nil && *year <= lastOld {
		return Old
	}
	return New
}

// Parse parses a dose of the new era.
func Parse(text string) (Dose, error) { return New.Parse(text) }

// vague lists the words for an amount without a number.
var vague = []string{"少许", "少量", "适量", "不拘多少", "不以多少", "多少不拘", "不计多少", "随意", "酌量"}

// Parse parses a dose. If the text gives the same dose for several herbs (各二两), Parse returns the
// dose of one herb. Errors wrap [ErrUnreadable].
func (e Era) Parse(text string) (Dose, error) {
	s := clean(text)
	if isVague(s) {
		return Dose{Kind: Vague}, nil
	}
	s = amount(s)
	if s == "等分" || s == "等份" || s == "均等" {
		return Dose{Value: 1, Unit: "等分", Kind: Equal}, nil
	}
	if d, ok := modern(s); ok {
		return d, nil
	}
	d, err := e.classical(s)
	if err != nil {
		return Dose{}, fmt.Errorf("dose %q: %w", text, err)
	}
	return d, nil
}

// Begins reports whether a dose may begin with a character.
func Begins(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune(beginnings, r) }

// beginnings has the characters with which doses begin: numerals, units without a number as in 钱半,
// the words of vague, and those that clean and amount remove.
const beginnings = "一二三四五六七八九十百半两钱壹贰叁肆伍陆柒捌玖拾数少多适随酌不各等均约重净共"

// isVague reports whether a dose gives no number: 少许, 数粒.
func isVague(s string) bool {
	some, ok := strings.CutPrefix(s, "数")
	return slices.Contains(vague, s) || ok && startsUnit([]rune(some))
}

// clean folds a dose, and removes remarks in brackets and the word 各.
func clean(text string) string {
	text, _, _ = strings.Cut(text, "（")
	text, _, _ = strings.Cut(text, "(")
	return strings.TrimPrefix(han.Fold(text), "各")
}

// amount removes words such as 约 or 左右 that surround a number with its unit.
func amount(s string) string {
	for _, p := range []string{"约", "重", "净", "共"} {
		s = strings.TrimPrefix(s, p)
	}
	for _, p := range []string{"许", "左右", "正", "整"} {
		s = strings.TrimSuffix(s, p)
	}
	return s
}

// classical parses a dose in traditional units. It returns the sum of the amounts of a dose such as
// 一两二钱.
func (e Era) classical(s string) (Dose, error) {
	var sum Dose
	r := []rune(s)
	last := "" // the unit of the previous amount
	for len(r) > 0 {
		n, used, err := number(r)
		if err != nil {
			return Dose{}, err
		}
		word, u, ok := unitAt(r[used:])
		if !ok {
			if used == len(r) {
				return Dose{}, fmt.Errorf("a number without a unit: %w", ErrUnreadable)
			}
			return Dose{}, fmt.Errorf("no known unit: %w", ErrUnreadable)
		}
		if used == 0 && !(len(r) > len([]rune(word)) && r[len([]rune(word))] == '半') {
			return Dose{}, fmt.Errorf("a unit without a number: %w", ErrUnreadable)
		}
		if used == 0 {
			n = 1 // a unit without a number is one: 钱半 is 一钱半
		}
		size := u.size
		if word == "分" {
			size = e.fen(last)
		}
		r = r[used+len([]rune(word)):]
		if len(r) > 0 && r[0] == '半' && (len(r) == 1 || !startsUnit(r[1:])) {
			n += 0.5
			r = r[1:]
		}
		switch {
		case sum.Kind == 0:
			sum = Dose{Unit: u.unit, Kind: u.kind}
		case sum.Kind != u.kind || sum.Unit != u.unit || u.kind == Count:
			return Dose{}, fmt.Errorf("amounts of two kinds: %w", ErrUnreadable)
		}
		sum.Value += n * size
		last = word
	}
	if sum.Kind == 0 {
		return Dose{}, fmt.Errorf("empty: %w", ErrUnreadable)
	}
	return sum, nil
}

// fen returns the weight of 1 分 in 钱. last is the previous unit of the dose, or "".
func (e Era) fen(last string) float64 {
	switch {
	case last == "钱":
		return 0.1
	case e == Old || last == "铢":
		return 2.5
	}
	return 0.1
}
