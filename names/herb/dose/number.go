package dose

import (
	"fmt"
	"strings"
)

const digits = "零一二三四五六七八九"

// formal maps the formal numerals of contracts, such as 壹, to the common ones.
var formal = map[rune]rune{
	'壹': '一', '贰': '二', '叁': '三', '肆': '四', '伍': '五', '陆': '六', '柒': '七', '捌': '八', '玖': '九',
	'拾': '十', '佰': '百', '仟': '千', '〇': '零',
}

func numeral(r rune) rune {
	if p, ok := formal[r]; ok {
		return p
	}
	return r
}

// digit returns the value of a numeral, or -1.
func digit(r rune) int {
	if i := strings.IndexRune(digits, numeral(r)); i >= 0 {
		return i / len("零")
	}
	return -1
}

// number reads the number at the start of r. used is its length in runes, or 0 if r does not start
// with a number.
//
// Two adjacent digits are a range (二三钱: 2.5, 一二十片: 15). Before a counting word, N七 is N times seven
// (二七枚: 14), as in old books.
func number(r []rune) (value float64, used int, err error) {
	switch {
	case len(r) == 0:
		return 0, 0, nil
	case r[0] == '半':
		return 0.5, 1, nil
	case r[0] == '两' && len(r) > 1 && startsUnit(r[1:]) && r[1] != '两':
		return 2, 1, nil
	}
	var side []int // the adjacent digits read last
	total := 0     // the value of the numerals before side: 一百 of 一百零五
	for ; used < len(r); used++ {
		c := numeral(r[used])
		if d := digit(c); d >= 0 {
			side = append(side, d)
			continue
		}
		place := places[c]
		switch {
		case place == 0:
			value, err = ending(total, side, r[used:])
			return value, used, err
		case len(side) == 2 && total == 0 && side[1] == side[0]+1:
			return float64(place) * (float64(side[0]) + 0.5), used + 1, nil
		case len(side) > 1:
			return 0, used, fmt.Errorf("adjacent digits before %c: %w", c, ErrUnreadable)
		case len(side) == 0 || side[0] == 0 || c == '廿' || c == '卅':
			total += place
		default:
			total += side[0] * place
		}
		side = nil
	}
	value, err = ending(total, side, nil)
	return value, used, err
}

// places maps the numerals for tens and above to their values. 廿 and 卅 need no digit before them.
var places = map[rune]int{'十': 10, '百': 100, '千': 1000, '廿': 20, '卅': 30}

// ending returns the value of a number: total, the value of its numerals before the last digits,
// plus the value of side, its last digits. after is the text after the number. If after starts with
// a counting word, N七 is N times seven.
func ending(total int, side []int, after []rune) (float64, error) {
	switch {
	case len(side) == 0:
		return float64(total), nil
	case len(side) == 1:
		return float64(total + side[0]), nil
	case len(side) == 2 && side[0] == 0: // a zero before the last digit: 一百零五
		return float64(total + side[1]), nil
	case len(side) == 2 && total == 0 && side[1] == 7 && side[0] <= 4 && isPiece(after):
		return float64(side[0] * 7), nil
	}
	sum := side[0]
	for i, d := range side[1:] {
		if d <= side[i] || d-side[i] > 2 {
			return 0, fmt.Errorf("adjacent digits that are no range: %w", ErrUnreadable)
		}
		sum += d
	}
	return float64(total) + float64(sum)/float64(len(side)), nil
}

func isPiece(r []rune) bool {
	_, u, ok := unitAt(r)
	return ok && u.kind == Count
}
