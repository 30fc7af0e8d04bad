package names

import (
	"bencao/names/editdistance"
	"bencao/names/internal/spelling"
)

// What the rooms offer under the names that the files have which have not
// moved into a room of their own yet.

const (
	hybridSign = spelling.HybridSign
	maxWord    = editdistance.MaxWord

	lower  = spelling.Lower
	title  = spelling.Title
	upper  = spelling.Upper
	mixed  = spelling.Mixed
	single = spelling.Single
)

func appendKey(dst []byte, name string) (key []byte, genus int) { return spelling.AppendKey(dst, name) }
func appendFolded(dst []byte, w string) []byte                  { return spelling.AppendFolded(dst, w) }
func appendOrtho(dst, key []byte) []byte                        { return spelling.AppendOrtho(dst, key) }
func appendOrthoRest(dst, rest []byte) []byte                   { return spelling.AppendOrthoRest(dst, rest) }
func appendSound(dst, w []byte) []byte                          { return spelling.AppendSound(dst, w) }
func appendOrthoWord(dst, w []byte, genus bool) []byte {
	return spelling.AppendOrthoWord(dst, w, genus)
}
func rankWord(w string) (string, bool)        { return spelling.RankWord(w) }
func rankOf(name string) string               { return spelling.RankOf(name) }
func plainRank(rank string) string            { return spelling.PlainRank(rank) }
func isHybridSign(w string) bool              { return spelling.IsHybridSign(w) }
func nextWord(s string) (word, rest string)   { return spelling.NextWord(s) }
func wordEnd(s []byte) int                    { return spelling.WordEnd(s) }
func tidy(s string) string                    { return spelling.Tidy(s) }
func latinise(s string) string                { return spelling.Latinise(s) }
func isFamily(w string) bool                  { return spelling.IsFamily(w) }
func foldFamily(w string) string              { return spelling.FoldFamily(w) }
func wordSet(s string) map[string]bool        { return spelling.WordSet(s) }
func isDigit(c byte) bool                     { return spelling.IsDigit(c) }
func isLetter(c byte) bool                    { return spelling.IsLetter(c) }
func isQuote(r rune) bool                     { return spelling.IsQuote(r) }
func shapeOf(w string) spelling.Shape         { return spelling.ShapeOf(w) }
func isWord(w string) bool                    { return spelling.IsWord(w) }
func capitalise(w string) string              { return spelling.Capitalise(w) }
func letterMask(s []byte) uint32              { return editdistance.Mask(s) }
func deletions(w []byte, f func(less []byte)) { editdistance.Deletions(w, f) }
func distance(a, b []byte, limit int) int     { return editdistance.WithBlocks(a, b, limit) }
