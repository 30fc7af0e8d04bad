package parse

import (
	"slices"
	"strings"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
)

// strip removes text that is not part of the name itself: remarks in brackets, signs and cultivars.
// It records them in n.
func strip(n *Name, s string) string {
	if strings.ContainsAny(s, "[{") {
		s = cutBrackets(n, s)
	}
	if strings.Contains(s, "(") {
		s = cutParentheses(n, s)
	}
	if strings.ContainsAny(s, "*!#^|") {
		t := signs.Replace(s)
		// An asterisk is a hybrid sign. After an epithet, however, it is the sign by which Linnaeus
		// marked varieties.
		if i := strings.IndexByte(t, '*'); i >= 0 && strings.Count(strings.TrimSpace(t[:i]), " ") == 0 {
			t = strings.Replace(t, "*", " × ", 1)
		}
		t = strings.ReplaceAll(t, "*", " ")
		s = spelling.Tidy(t)
	}
	if strings.ContainsAny(s, "'\"") {
		s = cutCultivar(n, s)
	}
	if strings.Contains(s, " Group") {
		s = cutGroup(n, s)
	}
	return spelling.Tidy(s)
}

// signs removes signs that annotate a name.
var signs = strings.NewReplacer("!", " ", "#", " ", "^", " ", "|", " ")

// squared replaces curly brackets, which may enclose remarks, by square brackets.
var squared = strings.NewReplacer("{", "[", "}", "]")

// cutBrackets removes remarks in square brackets. It keeps a first word in brackets, because this
// is a genus that an editor added.
func cutBrackets(n *Name, s string) string {
	s = squared.Replace(s)
	for {
		i := strings.IndexByte(s, '[')
		if i < 0 || i > 0 && spelling.IsLetter(s[i-1]) {
			return s // the bracket is not closed, or completes a word
		}
		j := strings.IndexByte(s[i:], ']')
		inner := ""
		if j < 0 {
			inner, j = s[i+1:], len(s)-i-1
		} else {
			inner = s[i+1 : i+j]
		}
		keep := inner
		if i > 0 {
			n.Flags |= answer.AnnotationIgnored
			keep = " "
		}
		s = s[:i] + keep + s[i+j+1:]
	}
}

// cutParentheses removes parentheses with their content, unless they contain an author or an
// infrageneric name. It removes formulas, (sic) and notes.
func cutParentheses(n *Name, s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] != '(' {
			continue
		}
		depth, j := 0, i
		for ; j < len(s); j++ {
			if s[j] == '(' {
				depth++
			} else if s[j] == ')' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		inner := strings.Trim(s[i:min(j+1, len(s))], "() ")
		switch {
		case strings.HasSuffix(inner, " Group"):
			n.Cultivar = inner
		case slices.ContainsFunc(strings.Fields(inner), isFormulaSign), isPlainWords(inner):
			n.Flags |= answer.AnnotationIgnored
		default:
			i = min(j, len(s)-1)
			continue
		}
		s = s[:i] + " " + s[min(j+1, len(s)):]
	}
	return s
}

func isFormulaSign(w string) bool { return w == "×" || w == "x" }

// isPlainWords reports whether s consists of words in lower case that do not belong to an author
// citation: cultivated, wild form.
func isPlainWords(s string) bool {
	for _, w := range strings.Fields(s) {
		if !spelling.IsWord(w) || spelling.ShapeOf(w) != spelling.Lower || len(w) < 4 {
			return false
		}
	}
	return true
}

// cutGroup removes the name of a cultivar group: Capitata Group.
func cutGroup(n *Name, s string) string {
	words := strings.Fields(s)
	i := slices.Index(words, "Group")
	if i < 0 {
		return s
	}
	from := i
	for from > 1 && spelling.ShapeOf(words[from-1]) == spelling.Title {
		from--
	}
	if n.Cultivar == "" {
		n.Cultivar = strings.Join(words[from:i+1], " ")
	}
	return strings.Join(append(words[:from:from], words[i+1:]...), " ")
}

// cutCultivar removes the epithet of a cultivar: 'Nabob', "Dall", cv. Nabob.
func cutCultivar(n *Name, s string) string {
	for i := 1; i < len(s); i++ {
		q := s[i]
		if q != '\'' && q != '"' || s[i-1] != ' ' {
			continue
		}
		for j := len(s) - 1; j > i+1; j-- {
			if s[j] != q {
				continue
			}
			inner := s[i+1 : j]
			if k := strings.Index(inner, string(q)+" "); k > 0 {
				inner, j = inner[:k], i+1+k // if the name has several cultivar epithets, keep the first
			}
			n.Cultivar = strings.Trim(inner, " '\"")
			return strings.TrimRight(s[:i], " ") + s[j+1:]
		}
	}
	return s
}
