package wordlist

// lists holds the words of each kind, separated by spaces.
var lists = map[Kind]string{
	Particle: `ex in et and und y e & de den der des del della degli di do dos da das du d' la las le les los el van von vom v zu zur zum ter ten
		af av bis tris f fil filius jun junior jr sen senior hort ap apud al alii bin ibn i o van't 't s'`,
	Author: `l linn linnaeus linne linné dc mill miller lam willd mart martius kunth thunb benth hook hemsl franch maxim bunge lindl wall
		roxb sw swartz aubl aublet vahl jacq ait aiton desf michx pers pursh nutt torr gray hance diels merr rehder makino nakai sieb
		zucc rchb spreng schult griseb raddi vell poir juss cav desv miq baill blume bl steud burm lour georgi pall fisch turcz ledeb regel`,

	Open:      `sp spp spec specs species indet undet ined sp1 sp2 unidentified`,
	Nameless:  `gen unknown`,
	Qualifier: `cf cfr c.f conf ?`,
	Near:      `aff affin nr near prox`,
	Doubt:     `prob probably possibly poss perhaps`,
	Aggregate: `agg aggr aggreg subagg coll complex s.l s.lat sens.lat`,
	Note: `- or vel oder sensu sec auct auctt auctor auctorum non nec not nom nomen emend em orth sphalm comb stat pro ms mss in.ed ined
		incertae s.l s.lat s.str s.strict s.strictiss s.orig s.s s.ampl p.p sic corrig hort.non err typ vide fide basionym synonym syn excl incl pl partim quoad`,
	Kept: `group gr grex cv hort sect section ser series subg subgen sp spp cf aff × x = ≡ sens s pp`,

	Label: `det determ determinavit determined rev revid revised conf confirm confirmavit leg legit coll collected collector collectors
		holotype holotypus isotype isotypus syntype syntypus isosyntype paratype paratypus lectotype lectotypus isolectotype neotype neotypus
		epitype epitypus topotype cotype type typus types specimen
		name nomen names species taxon scientific latin botanical correct current accepted verbatim identification id ident
		herbarium herb hb flora plantae exs exsiccata exsiccatae loc locality no nr num number nº № item sheet voucher barcode accession acc
		cult cultivated hort wild planted family fam familia order ordo genus gen tribe trib subfamily subfam class`,
	Vernacular: `of the a an from and or with dried dry fresh raw powdered whole aerial essential volatile
		root roots rhizome rhizomes tuber tubers bulb bulbs corm stem stems bark wood leaf leaves flower flowers flos petal petals bud buds
		fruit fruits seed seeds peel husk shell herb plant plants part parts oil extract extracts powder resin gum juice gel tree shrub grass fern moss
		possibly probably perhaps maybe prob poss unknown uncertain seedling seedlings juvenile young old big small`,
	Remark: `juv juvenile juveniles seedling seedlings sapling saplings tree trees shrub shrubs sterile ster st fl fls flos flower flowers
		flowering fr frs fruit fruits fruiting fructus veg vegetative bud buds young adult
		cult cultivated cultivar cultivars cvs planted wild native introduced naturalised naturalized escaped escape invasive weed weeds alien
		adventive subspontaneous common rare endemic extinct
		leg legit coll collected det determ determined rev revid conf type typus holotype holotypus isotype isotypus syntype paratype
		lectotype neotype topotype dupl duplicate duplicates sheet sheets voucher specimen silica photo
		alt altitude elev elevation loc locality s.n s.d no
		root roots rhizome rhizomes rhizoma radix tuber tubers bulb stem stems bark cortex wood leaf leaves folium folia herb herba seed seeds
		semen peel pericarpium pollen petal petals resin gum gel juice oil aetheroleum extract extracts powder powdered dried fresh essential
		aerial whole plant plants raw root-bark
		dead stump stumps litter dominated dominant tall high cover layer individual individuals clone forest population
		prob probably possibly perhaps uncertain doubtful dubious unidentified unsure questionable hybrid hybrids accepted synonym misapplied
		unresolved valid type see same host on auf under near upon fem masc male female species
		sl ss sensu-lato grp gruppe klg keimling keimlinge jungpflanze hybriden hybride b1 b2 s1 s2 k
		agm rhs lc vu en nt cr dd ne ew cites frps foc fna`,
	Firm: `hybriden hybride typus type holotype holotypus isotype isotypus syntype lectotype paratype keimling keimlinge klg cites frps foc agm gruppe`,
	Work: `sp fl flor flora bot acta bull journ j syst mant icon trans proc mem ann nouv arch repert notizbl prodr enum gen linnaea jahrb
		symb pl plantae mag cat observ voy abh verh phytologia taxon novon kew engl pflanzenr pflanzenreich hooker's curtis's in ill monogr
		spec dict encycl hist rev adansonia brittonia phytotaxa sitzungsber denkschr`,
	Connective: `and et und vel or y e ou oder o och i ja en plus versus vs cum con with`,
	Ender: `syn syns synonym synonyms non nec not see on auf host hosts incl including excl excluding sensu auct auctt sec = ≡ basionym as
		like near under upon named formerly aff affin unlike resembling`,
	Host: `on upon auf host hosts ex from near under against at sur sobre an`,
}
