package pinyin

import (
	"strings"
	"sync"
)

// syllableList holds the syllables of Mandarin, without those that only
// interjections have.
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

var syllables = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, s := range strings.Fields(syllableList) {
		m[s] = true
	}
	return m
})

// begins holds every beginning of a syllable.
var begins = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for s := range syllables() {
		for i := range s {
			m[s[:i]] = true
		}
	}
	delete(m, "")
	return m
})

// IsSyllable says whether s, which may be toned, is a syllable of Mandarin.
func IsSyllable(s string) bool { return syllables()[Letters(s)] }

// longestSyllable is the length of "zhuang" and its like.
const longestSyllable = 6

// Segment cuts a run of letters, with tone marks or without, into syllables:
// liù wèi of liùwèi. Of several ways it takes the one with fewest syllables,
// and of those the one with the longest first. The last syllable may be
// incomplete, as in huangq, if nothing else fits. It returns nil if the run
// cannot be cut.
func Segment(run string) []string {
	marked := []rune(run)
	plain := []rune(Letters(run))
	const none = 1 << 30
	// fewest[i] is the least number of syllables that marked[i:] can be cut
	// into, length[i] that of the first of them.
	fewest, length := make([]int, len(plain)+1), make([]int, len(plain)+1)
	for i := len(plain) - 1; i >= 0; i-- {
		fewest[i] = none
		for n := min(longestSyllable, len(plain)-i); n > 0; n-- {
			s := string(plain[i : i+n])
			cost := 1
			if !syllables()[s] {
				if i+n < len(plain) || !begins()[s] {
					continue
				}
				cost = 100 // an incomplete end is the last resort
			}
			if tones(marked[i:i+n]) > 1 {
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

func tones(marked []rune) int {
	n := 0
	for _, r := range marked {
		if _, tone := Unmark(r); tone > 0 {
			n++
		}
	}
	return n
}
