package prescriptions

import (
	"fmt"
	"strings"
)

// paragraph has the sentences of a methods section, in one language.
type paragraph struct {
	read, standard, names, decided, changing, joined, apart, counts, herbs, all, query, pairs, sets, near string
	between                                                                                               string
}

var english = paragraph{
	read:     "%d prescriptions with %d mentions of drugs were read with Bencao %s (data %s).",
	standard: "Names were brought to the standard names of these data, which follow the Chinese Pharmacopoeia and the books that drugs.csv names.",
	names:    "%d names as written became %d standard names; %d mentions were sure, and %d were not and did not count (%d proposed, %d with several meanings, %d not understood).",
	decided:  "%d names were decided by hand (names.csv).",
	changing: "%d prescriptions only change or repeat another one and did not count.",
	joined:   "A processed form counts as its drug, as does a part of which a book says so (当归尾).",
	apart:    "Processed forms count as drugs of their own.",
	counts:   "%d prescriptions count, with %d different sets of drugs.",
	herbs:    "Frequencies are compared with %d classical formulas (%s) by odds ratios with Woolf's 95 %% interval; q is the false discovery rate of Benjamini and Hochberg.",
	all:      "all of the data",
	query:    "those of the query %s",
	pairs:    "%d pairs of drugs in at least %d prescriptions were tested by the hypergeometric distribution.",
	sets:     "Sets are closed, have three to six drugs and are in at least %d prescriptions.",
	near:     "The nearest classical formula is one with the same drugs, or else the largest complete one of four drugs or more that the prescription contains, or else the one with the largest Jaccard index.",
	between:  " ",
}

var chinese = paragraph{
	read:     "用 Bencao %[3]s（数据 %[4]s）读取处方 %[1]d 首，共 %[2]d 味次药物。",
	standard: "药名统一为该数据的正名，依据《中国药典》及 drugs.csv 所列各书。",
	names:    "原写药名 %d 个，规范为正名 %d 个；其中 %d 味次确定，%d 味次未确定、不计入统计（有建议 %d、多义 %d、未识别 %d）。",
	decided:  "人工判定药名 %d 个（见 names.csv）。",
	changing: "%d 首处方仅为他方加减或重复，不计入统计。",
	joined:   "炮制品按其本药计，典籍明言为某药之部位者（如当归尾）亦同。",
	apart:    "炮制品单独计。",
	counts:   "计入统计的处方 %d 首，不同组成 %d 种。",
	herbs:    "频次与 %d 首古方（%s）比较，给出比值比及 Woolf 95%% 置信区间；q 为 Benjamini–Hochberg 错误发现率。",
	all:      "全部数据",
	query:    "检索式 %s",
	pairs:    "以超几何分布检验药对 %d 个，药物至少见于 %d 首处方。",
	sets:     "药组为闭合项集，含药 3 至 6 味，至少见于 %d 首处方。",
	near:     "最近古方：组成相同者；无则取处方所含、药味最多且组成完整的四味以上古方；再无则取 Jaccard 指数最大者。",
}

// Methods returns a paragraph for the methods section of a paper, in Chinese or in English.
func (r *Report) Methods(inChinese bool) string {
	p := &english
	if inChinese {
		p = &chinese
	}
	t := r.Tally()
	against := p.all
	if r.Query != "" {
		against = fmt.Sprintf(p.query, r.Query)
	}
	forms := p.joined
	if r.Apart {
		forms = p.apart
	}
	parts := []string{
		fmt.Sprintf(p.read, t.Prescriptions, t.Mentions, r.Program, r.Data), p.standard,
		fmt.Sprintf(p.names, t.Names, t.Drugs, t.Sure, t.Mentions-t.Sure, t.Proposed, t.Several, t.NotUnderstood),
		fmt.Sprintf(p.decided, t.Decided),
	}
	if t.Changing > 0 {
		parts = append(parts, fmt.Sprintf(p.changing, t.Changing))
	}
	parts = append(parts, forms, fmt.Sprintf(p.counts, r.Counted, r.Herbs.Population.Distinct),
		fmt.Sprintf(p.herbs, r.Herbs.Against.Formulas, against),
		fmt.Sprintf(p.pairs, r.Pairs.Tested, r.Pairs.MinFormulas), fmt.Sprintf(p.sets, r.Sets.MinFormulas), p.near)
	return strings.Join(parts, p.between)
}
