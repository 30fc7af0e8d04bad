// Package drug knows the names of drugs: the Chinese and the pharmaceutical
// Latin ones of the Chinese Pharmacopoeia, how Chinese names tell processing
// and parts (炙甘草, 薄荷叶), and how pharmaceutical Latin is formed (Coptidis
// Rhizoma). It does not know which species a checklist or a package has.
//
//	text ─Lookup─▶ Match    Chinese: the name in the table, whole or cut
//	text ─LookupLatin─▶ Match   Latin: the stem in the table, by parts and qualities
//	text ─ParseLatin─▶ Latin name ─Nominatives─▶ genera and binomials, by rule
//
// What is known stands in text files that a pharmacognosist can extend:
// plants-*.txt and others.txt hold the drugs, processing.txt how Chinese names
// are cut, words.txt the words of pharmaceutical Latin. The first lines of each
// tell its form.
package drug
