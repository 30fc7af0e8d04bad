package pinyin

import (
	"strings"
	"sync"
)

// syllableList lists the syllables of Mandarin, without those of interjections.
const syllableList = `
a ai an ang ao ba bai ban bang bao bei ben beng bi bian biang biao bie bin bing bo bu ca cai can cang cao ce cei cen ceng cha chai chan
chang chao che chen cheng chi chong chou chu chua chuai chuan chuang chui chun chuo ci cong cou cu cuan cui cun cuo da dai dan dang dao de
dei den deng di dia dian diao die din ding diu dong dou du duan dui dun duo e ei en eng er fa fan fang fei fen feng fo fou fu ga gai gan
gang gao ge gei gen geng gong gou gu gua guai guan guang gui gun guo ha hai han hang hao he hei hen heng hong hou hu hua huai huan huang hui
hun huo ji jia jian jiang jiao jie jin jing jiong jiu ju juan jue jun ka kai kan kang kao ke kei ken keng kong kou ku kua kuai kuan kuang
kui kun kuo la lai lan lang lao le lei len leng li lia lian liang liao lie lin ling liu lo long lou lu luan lun luo lü lüe ma mai man mang
mao me mei men meng mi mian miao mie min ming miu mo mou mu na nai nan nang nao ne nei nen neng ni nia nian niang niao nie nin ning niu nong
nou nu nuan nun nuo nü nüe o ou pa pai pan pang pao pei pen peng pi pian piao pie pin ping po pou pu qi qia qian qiang qiao qie qin qing
qiong qiu qu quan que qun ran rang rao re ren reng ri rong rou ru rua ruan rui run ruo sa sai san sang sao se sen seng sha shai shan shang
shao she shei shen sheng shi shou shu shua shuai shuan shuang shui shun shuo si song sou su suan sui sun suo ta tai tan tang tao te tei teng
ti tian tiao tie ting tong tou tu tuan tui tun tuo wa wai wan wang wei wen weng wo wu xi xia xian xiang xiao xie xin xing xiong xiu xu xuan
xue xun ya yan yang yao ye yi yin ying yo yong you yu yuan yue yun za zai zan zang zao ze zei zen zeng zha zhai zhan zhang zhao zhe zhei
zhen zheng zhi zhong zhou zhu zhua zhuai zhuan zhuang zhui zhun zhuo zi zong zou zu zuan zui zun zuo`

// part says whether letters are a whole syllable, the beginning of a longer syllable, or both.
type part uint8

const (
	whole part = 1 << iota
	beginning
)

// parts maps all syllables and their prefixes to a part.
var parts = sync.OnceValue(func() map[string]part {
	m := make(map[string]part)
	for _, s := range strings.Fields(syllableList) {
		m[s] |= whole
		for i := range s {
			if i > 0 {
				m[s[:i]] |= beginning
			}
		}
	}
	return m
})

// typedParts maps the syllables and prefixes that consist of a to z to a part. Its keys are made by
// longer.
var typedParts = sync.OnceValue(func() map[uint32]part {
	m := make(map[uint32]part)
	for s, p := range parts() {
		var key uint32
		for i := 0; i < len(s) && key != noKey; i++ {
			key = longer(key, s[i])
		}
		if key != noKey {
			m[key] = p
		}
	}
	return m
})

// noKey is the key of letters that are neither a syllable nor a prefix of one.
const noKey = 1<<32 - 1

// longer returns the key of the letters of key and one more letter. A key has five bits for each of
// up to six letters.
func longer(key uint32, letter byte) uint32 {
	if key >= 1<<25 || letter < 'a' || letter > 'z' {
		return noKey
	}
	return key<<5 | uint32(letter-'a'+1)
}

// isTyped reports whether a run consists of a to z.
func isTyped(run string) bool {
	for i := range len(run) {
		if run[i] < 'a' || run[i] > 'z' {
			return false
		}
	}
	return true
}

// IsSyllable reports whether s is a syllable of Mandarin. s may have a tone mark.
func IsSyllable(s string) bool {
	if !isTyped(s) {
		s = Letters(s)
	}
	return parts()[s]&whole != 0
}

// longestSyllable is the length of "zhuang".
const longestSyllable = 6

// Segment splits a run of letters, with or without tone marks, into syllables: liùwèi into liù wèi.
// It returns the segmentation with the fewest syllables. If there are several of these, it returns
// the one with the longest first syllable. If the run cannot be split otherwise, the last syllable
// may be incomplete, as in huangq. Segment returns nil if the run cannot be split at all.
func Segment(run string) []string {
	if isTyped(run) {
		return segmentTyped(run)
	}
	return segmentMarked(run)
}

func segmentMarked(run string) []string {
	marked := []rune(run)
	plain := []rune(Letters(run))
	// fewest[i] is the least number of syllables into which plain[i:] can be split. length[i] is
	// the length of the first of these syllables.
	fewest, length := make([]int, len(plain)+1), make([]int, len(plain)+1)
	for i := len(plain) - 1; i >= 0; i-- {
		fewest[i] = none
		for n := min(longestSyllable, len(plain)-i); n > 0; n-- {
			s := string(plain[i : i+n])
			cost := costOf(parts()[s], i+n == len(plain))
			if cost == none || tones(marked[i:i+n]) > 1 {
				continue
			}
			if c := fewest[i+n] + cost; c < fewest[i] {
				fewest[i], length[i] = c, n
			}
		}
	}
	if len(plain) == 0 || fewest[0] >= none {
		return nil
	}
	var out []string
	for i := 0; i < len(plain); i += length[i] {
		out = append(out, string(marked[i:i+length[i]]))
	}
	return out
}

// none is the cost of a run that cannot be segmented.
const none = 1 << 30

// costOf returns the cost of a part in a segmentation; the segmentation with the lowest sum is
// chosen. An incomplete last syllable costs more than any number of complete ones.
func costOf(p part, last bool) int {
	switch {
	case p&whole != 0:
		return 1
	case last && p&beginning != 0:
		return 100
	}
	return none
}

// segmentTyped works like segmentMarked, but only for runs of a to z. It takes an eighth of the
// time, because it stops trying longer syllables at the first letters that are neither a syllable
// nor a prefix of one.
func segmentTyped(run string) []string {
	if run == "" {
		return nil
	}
	type step struct{ fewest, length int32 }
	var buffer [64]step
	steps := buffer[:]
	if len(run) >= len(buffer) {
		steps = make([]step, len(run)+1)
	}
	all := typedParts()
	for i := len(run) - 1; i >= 0; i-- {
		at := step{fewest: none}
		key := uint32(0)
		for n := 1; i+n <= len(run); n++ {
			key = longer(key, run[i+n-1])
			p := all[key]
			if p == 0 {
				break
			}
			if cost := costOf(p, i+n == len(run)); cost != none {
				if c := steps[i+n].fewest + int32(cost); c < none && c <= at.fewest { // of equal segmentations, prefer the one with the longer first syllable
					at = step{c, int32(n)}
				}
			}
		}
		steps[i] = at
	}
	if steps[0].fewest >= none {
		return nil
	}
	out := make([]string, 0, 8)
	for i := 0; i < len(run); {
		n := int(steps[i].length)
		out = append(out, run[i:i+n])
		i += n
	}
	return out
}

func tones(marked []rune) int {
	n := 0
	for _, r := range marked {
		if _, tone := Unmark(r); tone > 0 {
			n++
		}
	}
	return n
}
