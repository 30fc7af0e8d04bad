package names

import "strings"

// strip takes out of s what is about the name rather than part of it and
// notes it in n: bracketed remarks, formulas of hybrids, daggers, cultivars.
func (p *parser) strip(n *parsedName, s string) string {
	if strings.ContainsAny(s, "[{") {
		s = p.cutBrackets(n, s)
	}
	if strings.Contains(s, "(") {
		s = p.cutParentheses(n, s)
	}
	if strings.ContainsAny(s, "†‡*!#^|") {
		t := strings.NewReplacer("†", " ", "‡", " ", "!", " ", "#", " ", "^", " ", "|", " ").Replace(s)
		// The sign of a hybrid, or Linnaeus' of a variety behind an epithet.
		if i := strings.IndexByte(t, '*'); i == 0 || i > 0 && strings.Count(strings.TrimSpace(t[:i]), " ") == 0 {
			t = strings.Replace(t, "*", " × ", 1)
		}
		t = strings.ReplaceAll(t, "*", " ")
		s = tidy(t)
	}
	if strings.ContainsAny(s, "'\"") {
		s = p.cutCultivar(n, s)
	}
	if strings.Contains(s, " Group") || strings.Contains(s, " Gp") {
		s = cutGroup(n, s)
	}
	return tidy(s)
}

// cutBrackets removes [remarks]; a bracketed first word is the genus, put in
// by an editor.
func (p *parser) cutBrackets(n *parsedName, s string) string {
	s = strings.NewReplacer("{", "[", "}", "]").Replace(s)
	for {
		i := strings.IndexByte(s, '[')
		if i < 0 || i > 0 && isLetter(s[i-1]) && i+1 < len(s) && isLetter(s[i+1]) {
			return s // none, or one that completes a word
		}
		j := strings.IndexByte(s[i:], ']')
		inner := ""
		if j < 0 {
			inner, j = s[i+1:], len(s)-i-1
		} else {
			inner = s[i+1 : i+j]
		}
		keep := ""
		if i == 0 && isWord(inner) && shapeOf(inner) == title {
			keep = inner
		} else {
			n.flags |= fAnnotationIgnored
			keep = " "
		}
		s = s[:i] + keep + s[i+j+1:]
	}
}

// cutParentheses removes from parentheses what is neither an author nor an
// infrageneric name: formulas, (sic), notes on the name.
func (p *parser) cutParentheses(n *parsedName, s string) string {
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
			n.cultivar = inner
		case isRemark(inner), strings.ToLower(s) != s && isPlainWords(inner):
			n.flags |= fAnnotationIgnored
		default:
			i = min(j, len(s)-1)
			continue
		}
		s = s[:i] + " " + s[min(j+1, len(s)):]
	}
	return s
}

// isRemark says whether what stands in parentheses is no author.
func isRemark(inner string) bool {
	if inner == "" {
		return true
	}
	for i, w := range strings.Fields(inner) {
		b := bare(w)
		switch {
		case w == "×" || (w == "x" || w == "X") && i > 0:
			return true
		case i == 0 && (noteWords[b] && !strings.HasPrefix(b, "s.") || b == "hybrid"):
			return true
		}
	}
	return false
}

// isPlainWords says whether s is small-letter words only that are no part of a
// citation: (cultivated), (wild form).
func isPlainWords(s string) bool {
	for _, w := range strings.Fields(s) {
		if !isWord(w) || shapeOf(w) != lower || len(w) < 4 || authorParticles[w] {
			return false
		}
	}
	return true
}

// cutGroup takes the name of a group of cultivars out: Capitata Group.
func cutGroup(n *parsedName, s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if i < 2 || bare(w) != "group" && bare(w) != "gp" || shapeOf(w) != title {
			continue
		}
		from := i
		for from > 1 && shapeOf(words[from-1]) == title && isWord(words[from-1]) {
			from--
		}
		if from == i {
			continue
		}
		if n.cultivar == "" {
			n.cultivar = strings.Join(words[from:i+1], " ")
		}
		return strings.Join(append(words[:from:from], words[i+1:]...), " ")
	}
	return s
}

// cutCultivar takes the cultivar's epithet out: 'Nabob', "Dall", cv. Nabob.
func (p *parser) cutCultivar(n *parsedName, s string) string {
	for i := 1; i < len(s); i++ {
		q := s[i]
		if q != '\'' && q != '"' || s[i-1] != ' ' {
			continue
		}
		for j := len(s) - 1; j > i+1; j-- {
			if s[j] != q && !(q == '\'' && s[j] == '"') || j+1 < len(s) && isLetter(s[j+1]) {
				continue
			}
			inner := s[i+1 : j]
			if k := strings.Index(inner, string(q)+" "); k > 0 {
				inner, j = inner[:k], i+1+k // the first of several
			}
			n.cultivar = strings.Trim(inner, " '\"")
			return strings.TrimRight(s[:i], " ") + s[j+1:]
		}
	}
	return s
}
