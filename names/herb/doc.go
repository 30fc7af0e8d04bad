// Package herb holds the names of herbs: the Chinese and the pharmaceutical Latin names of the
// Chinese Pharmacopoeia, the words for processing and parts in Chinese names (炙甘草, 薄荷叶), and the
// forms of pharmaceutical Latin (Coptidis Rhizoma). It does not know the species of a checklist or
// of a data package.
//
//	text ─Lookup──────▶ Match       Chinese: the name in the table, whole or cut
//	text ─LookupLatin─▶ Match       Latin: the stem in the table, by parts and qualities
//	text ─ParseLatin──▶ LatinName ─Nominatives─▶ genera and binomials, by rule
//
// The knowledge is in text files that a pharmacognosist can extend: plants-*.txt and others.txt
// have the herbs and their folk names, names.txt says what each other name means and on whose
// authority, processing.txt has the words that are cut off Chinese names, words.txt the words of
// pharmaceutical Latin. The first lines of each file describe its format. Start with [Lookup].
package herb
