package names

import (
	"bencao/names/editdistance"
	"bencao/names/internal/spelling"
)

// What the rooms offer under the names that the files have which have not
// moved into a room of their own yet.

const (
	maxWord = editdistance.MaxWord
)

func appendOrtho(dst, key []byte) []byte      { return spelling.AppendOrtho(dst, key) }
func appendOrthoRest(dst, rest []byte) []byte { return spelling.AppendOrthoRest(dst, rest) }
func appendSound(dst, w []byte) []byte        { return spelling.AppendSound(dst, w) }
func appendOrthoWord(dst, w []byte, genus bool) []byte {
	return spelling.AppendOrthoWord(dst, w, genus)
}
func rankOf(name string) string               { return spelling.RankOf(name) }
func plainRank(rank string) string            { return spelling.PlainRank(rank) }
func wordEnd(s []byte) int                    { return spelling.WordEnd(s) }
func tidy(s string) string                    { return spelling.Tidy(s) }
func foldFamily(w string) string              { return spelling.FoldFamily(w) }
func letterMask(s []byte) uint32              { return editdistance.Mask(s) }
func deletions(w []byte, f func(less []byte)) { editdistance.Deletions(w, f) }
func distance(a, b []byte, limit int) int     { return editdistance.WithBlocks(a, b, limit) }
