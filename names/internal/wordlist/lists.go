package wordlist

// Words of several kinds.
const (
	types = ` type typus holotype holotypus isotype isotypus lectotype lectotypus syntype paratype neotype`
	parts = ` root roots rhizome rhizomes tuber tubers bulb bulbs stem stems bark wood leaf leaves flower flowers petals fruit fruits seed seeds peel
		herb tree plant plants aerial essential dried fresh powdered extract oil powder`
)

// lists holds the words of each kind, separated by spaces. TestWords has the uses of each kind.
var lists = map[Kind]string{
	Particle: `ex in et and und y e de den der del da do du la le el di van von zu zur ter af al bis v f fil`,

	Open:      `sp spp spec species indet`,
	Nameless:  `gen unknown`,
	Qualifier: `cf cfr c.f ?`,
	Near:      `aff affin nr near`,
	Doubt:     `prob probably possibly`,
	Aggregate: `agg aggr aggreg subagg coll complex s.l s.lat`,
	Note: `- sensu sec auct auctt auctorum non nec not nom emend em orth comb stat pro ms ined s.l s.lat s.str s.strictiss s.s s.ampl p.p
		sic syn excl incl pl`,
	Kept: `cv group sens sect section ser subg subgen spp cf aff x s`,

	Label:      `det cult hort no nr name names id accession family fam genus gen species scientific current` + types,
	Vernacular: `of the and with wild part` + parts,
	Remark: `juv juvenile seedling seedlings sapling shrub sterile st fl fls fr flowering fruiting male female
		cult cultivated cultivar cultivars cvs planted wild naturalised naturalized endemic common dead stump dominated dominant forest population
		leg det rev conf collected dupl duplicate sheet voucher silica alt s.n s.d aetheroleum gel
		probably uncertain unidentified misapplied accepted synonym see host auf on under hybrid hybrids species sl ss grp frps
		ew cr en vu nt lc dd ne` + types + parts, // at last the categories of the IUCN
	Firm: `keimling klg hybriden frps` + types,
	Work: `fl sp phytologia prodr bull bot j enum phytotaxa syst ann linnaea repert trans encycl acta gen proc icon mem hist flora mant nouv observ
		engl pflanzenreich hooker's`,
	Connective: `and et und vel or y e ou oder och en with`,
	Ender:      `syn non nec not see as aff incl excl sensu auct host`,
	Host:       `on auf ex from under sur`,
}
