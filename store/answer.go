package store

import (
	"time"

	"bencao/internal/null"
)

// Text is a string that is null in JSON when it is empty.
type Text = null.Text

// SpeciesSummary is a species in a list.
type SpeciesSummary struct {
	EntryID        int32  `json:"entryId" doc:"The record's number in the source database."`
	GUID           string `json:"guid" doc:"Lower-case UUID; stable between data versions."`
	ChineseName    Text   `json:"chineseName" doc:"Chinese name."`
	ScientificName Text   `json:"scientificName" doc:"Scientific name without author."`
	Author         Text   `json:"author" doc:"Author of the scientific name."`
	Family         Text   `json:"family" doc:"Family, scientific name."`
	AcceptedName   Text   `json:"acceptedName" doc:"Accepted name in the checklists."`
	URL            Text   `json:"url" doc:"The record's web page."`
}

// SpeciesDetail is everything about a species except the lists of its floras, uses, papers and
// formulas. It has the lengths of these lists; the lists are separate answers.
type SpeciesDetail struct {
	EntryID           int32          `json:"entryId" doc:"The record's number in the source database."`
	GUID              string         `json:"guid" doc:"Lower-case UUID; stable between data versions."`
	ChineseName       Text           `json:"chineseName" doc:"Chinese name."`
	ChineseNamePinyin Text           `json:"chineseNamePinyin" doc:"Pinyin with tone marks, a space between syllables."`
	ScientificName    Text           `json:"scientificName" doc:"Scientific name without author."`
	Author            Text           `json:"author" doc:"Author of the scientific name."`
	Rank              Text           `json:"rank" doc:"Rank, such as species or variety."`
	Family            Text           `json:"family" doc:"Family, scientific name."`
	FamilyChinese     Text           `json:"familyChinese" doc:"Family, Chinese name."`
	Genus             Text           `json:"genus" doc:"Genus, scientific name."`
	GenusChinese      Text           `json:"genusChinese" doc:"Genus, Chinese name."`
	NameMatch         *NameMatchInfo `json:"nameMatch" doc:"The accepted name in the checklists; null if none was found."`
	Synonyms          []string       `json:"synonyms" doc:"Other scientific names, with author where known."`
	FloraTreatments   int32          `json:"floraTreatments" doc:"Number of entries in floras."`
	Formulas          int32          `json:"formulas" doc:"Number of formulas that use the species."`
	UseRecords        int32          `json:"useRecords" doc:"Number of recorded uses."`
	Papers            int32          `json:"papers" doc:"Number of papers."`
	URL               string         `json:"url" doc:"The record's web page."`
}

// NameMatchInfo is the accepted name of a species in the checklists. The identifiers belong to the
// accepted name.
type NameMatchInfo struct {
	MatchSource         string   `json:"matchSource" doc:"Checklist of the match: WCVP, IPNI, WFO, CoL-China or the operator's own."`
	MatchType           string   `json:"matchType" doc:"How similar the names are: exact, variant, fuzzy or higherRank."`
	Score               *float64 `json:"score" doc:"Score of the match from 0 to 1, as names.match gives it."`
	AcceptedName        Text     `json:"acceptedName" doc:"Accepted name without author."`
	AcceptedAuthor      Text     `json:"acceptedAuthor" doc:"Author of the accepted name."`
	AcceptedFamily      Text     `json:"acceptedFamily" doc:"Family of the accepted name."`
	TaxonStatus         Text     `json:"taxonStatus" doc:"Status of the matched name in the checklist."`
	WCVPID              Text     `json:"wcvpId" doc:"WCVP identifier."`
	IPNIID              Text     `json:"ipniId" doc:"IPNI identifier."`
	WFOID               Text     `json:"wfoId" doc:"World Flora Online identifier."`
	ChineseNameColChina Text     `json:"chineseNameColChina" doc:"Chinese name in Catalogue of Life China."`
	ChecklistVersion    Text     `json:"checklistVersion" doc:"Name and version of the checklist."`
}

// FloraTreatment is a species' entry in a flora, without the text of the entry.
type FloraTreatment struct {
	ID                 int64  `json:"id" doc:"The entry's number in the source table."`
	Flora              string `json:"flora" doc:"The flora, such as FRPS or FOC."`
	NameInFlora        Text   `json:"nameInFlora" doc:"Scientific name as written in the flora."`
	ChineseNameInFlora Text   `json:"chineseNameInFlora" doc:"Chinese name as written in the flora."`
	Volume             Text   `json:"volume" doc:"Volume as printed."`
	Page               Text   `json:"page" doc:"Page as printed."`
	URL                Text   `json:"url" doc:"The entry's web page."`
}

// PlantUse is one recorded use of a species.
type PlantUse struct {
	ID          int64  `json:"id" doc:"The use's number in the source table."`
	Collection  string `json:"collection" doc:"general, economic_flora, himalaya or folk."`
	Category    Text   `json:"category" doc:"Kind of use."`
	Part        Text   `json:"part" doc:"Part of the plant."`
	Description Text   `json:"description" doc:"The use in words."`
	NameCited   Text   `json:"nameCited" doc:"The plant's name as the source cites it."`
	EthnicGroup Text   `json:"ethnicGroup" doc:"The ethnic group that uses the plant."`
	Country     Text   `json:"country" doc:"Country."`
	Region      Text   `json:"region" doc:"Region."`
	Reference   Text   `json:"reference" doc:"The publication that records the use."`
}

// FormulaSummary is a formula in a list.
type FormulaSummary struct {
	EntryID        int32  `json:"entryId" doc:"The record's number in the source database."`
	GUID           string `json:"guid" doc:"Lower-case UUID; stable between data versions."`
	Name           Text   `json:"name" doc:"Chinese name; not unique."`
	NamePinyin     Text   `json:"namePinyin" doc:"Pinyin with tone marks, a space between syllables."`
	Dynasty        Text   `json:"dynasty" doc:"Dynasty of the original source."`
	Year           *int32 `json:"year" doc:"Year of the original source; negative before the common era."`
	OriginalSource Text   `json:"originalSource" doc:"The oldest book that has the formula."`
	URL            string `json:"url" doc:"The record's web page."`
	Namesakes      *int32 `json:"namesakes,omitempty" doc:"Number of other formulas found with the same name; only with distinct=name."`
}

// FormulaDetail is everything about one formula.
type FormulaDetail struct {
	EntryID          int32               `json:"entryId" doc:"The record's number in the source database."`
	GUID             string              `json:"guid" doc:"Lower-case UUID; stable between data versions."`
	Name             Text                `json:"name" doc:"Chinese name; not unique."`
	NamePinyin       Text                `json:"namePinyin" doc:"Pinyin with tone marks, a space between syllables."`
	Composition      Text                `json:"composition" doc:"Composition, verbatim."`
	Efficacy         Text                `json:"efficacy" doc:"The effect of the formula."`
	Indications      Text                `json:"indications" doc:"The conditions that the formula treats."`
	Preparation      Text                `json:"preparation" doc:"How the formula is prepared and taken, verbatim."`
	Dynasty          Text                `json:"dynasty" doc:"Dynasty of the original source."`
	Year             *int32              `json:"year" doc:"Year of the original source; negative before the common era."`
	OriginalAuthor   Text                `json:"originalAuthor" doc:"Author of the original source."`
	OriginalSource   Text                `json:"originalSource" doc:"The oldest book that has the formula."`
	Compilation      Text                `json:"compilation" doc:"Chapter or compilation."`
	Ingredients      []FormulaIngredient `json:"ingredients" nullable:"true" doc:"Ingredients in the source's order; null without the scope prescription_composition."`
	Unlisted         []string            `json:"unlisted" nullable:"true" doc:"Plain names of the herbs that are in the text of the composition but in no ingredient. If there are any, the source's list of ingredients is incomplete. Null without the scope prescription_composition."`
	Codes            []FormulaCode       `json:"codes" nullable:"true" doc:"Identifiers in coding systems; null without the scope prescription_composition."`
	SimilarEuclidean []SimilarFormula    `json:"similarEuclidean" nullable:"true" doc:"The formulas with the nearest dose vectors; null without the scope prescription_similarity."`
	SimilarJaccard   []SimilarFormula    `json:"similarJaccard" nullable:"true" doc:"The formulas with the most similar sets of herbs; null without the scope prescription_similarity."`
	URL              string              `json:"url" doc:"The record's web page."`
}

// FormulaIngredient is one herb of a formula.
type FormulaIngredient struct {
	Seq     int32         `json:"seq" doc:"Position in the source's order."`
	Herb    string        `json:"herb" doc:"Herb as written in the formula."`
	Dose    Text          `json:"dose" doc:"Dose, verbatim."`
	Grams   *float64      `json:"grams" doc:"Weight of the dose in grams, by the measures of the formula's time, to four digits; null if the dose is no weight or the year is unknown."`
	Note    Text          `json:"note" doc:"Processing and other remarks."`
	Role    Text          `json:"role" doc:"君, 臣, 佐 or 使."`
	Species []HerbSpecies `json:"species" doc:"Source species of the herb."`
	Herbs   []HerbLink    `json:"herbs" doc:"The herb records of the ingredient: several if the text names several herbs without a separator, none if the text is hardly a herb."`
}

// HerbLink is a herb record to which an ingredient links.
type HerbLink struct {
	GUID     string `json:"id" doc:"The herb's id."`
	Name     string `json:"name" doc:"Standard name in Chinese."`
	URL      string `json:"url" doc:"The record's web page."`
	Relation string `json:"relation" enum:"same,processed,part" doc:"How the herb as written relates to the drug: the same, the drug processed, or a part of it."`
}

// HerbSpecies is a source species of a herb.
type HerbSpecies struct {
	GUID           string `json:"guid" doc:"The species' guid."`
	ChineseName    Text   `json:"chineseName" doc:"Chinese name."`
	ScientificName Text   `json:"scientificName" doc:"Scientific name without author."`
	URL            string `json:"url" doc:"The record's web page."`
}

// FormulaCode is a formula's identifier in a coding system.
type FormulaCode struct {
	System string `json:"system" doc:"Coding system, such as GB/T 31773-2015."`
	Code   string `json:"code" doc:"The code; its text has no fixed form."`
	Label  Text   `json:"label" doc:"The code's label."`
}

// SimilarFormula is a formula that is similar to the formula of the detail.
type SimilarFormula struct {
	GUID           string   `json:"guid" doc:"The other formula's guid."`
	Name           Text     `json:"name" doc:"Chinese name."`
	Dynasty        Text     `json:"dynasty" doc:"Dynasty of the original source."`
	OriginalSource Text     `json:"originalSource" doc:"The oldest book that has the formula."`
	Value          float64  `json:"value" doc:"Jaccard similarity from 0 to 1, or Euclidean distance from 0."`
	SharedHerbs    []string `json:"sharedHerbs" nullable:"true" doc:"Standard names of the drugs in both formulas; null without the scope prescription_composition."`
	URL            string   `json:"url" doc:"The record's web page."`
}

// PaperSummary is a paper in a list.
type PaperSummary struct {
	ID       string `json:"id" doc:"The id in the source."`
	Title    Text   `json:"title" doc:"Title."`
	Authors  Text   `json:"authors" doc:"Authors."`
	Source   Text   `json:"source" doc:"Journal or book."`
	Year     Text   `json:"year" doc:"Year as given."`
	DOI      Text   `json:"doi" doc:"Digital object identifier as given."`
	PubMedID Text   `json:"pubmedId" doc:"PubMed identifier."`
	URL      string `json:"url" doc:"The record's web page."`
}

// PaperDetail is a paper with its species.
type PaperDetail struct {
	PaperSummary
	Species []SpeciesSummary `json:"species" doc:"The species that it is about."`
}

// SiteStats counts the records of a snapshot.
type SiteStats struct {
	SpeciesWithChineseName int32     `json:"speciesWithChineseName" doc:"Species rows with a Chinese name."`
	PlantTaxa              int32     `json:"plantTaxa" doc:"Species rows."`
	ReconciledChineseNamed int32     `json:"reconciledChineseNamed" doc:"Species rows with a Chinese name and an accepted name from a checklist."`
	FloraTreatments        int32     `json:"floraTreatments" doc:"Entries in floras."`
	Formulas               int32     `json:"formulas" doc:"Formulas."`
	FormulaIngredients     int32     `json:"formulaIngredients" doc:"Ingredients of formulas."`
	FormulaCodes           int32     `json:"formulaCodes" doc:"Codes of formulas."`
	SpeciesFormulaLinks    int32     `json:"speciesFormulaLinks" doc:"Distinct pairs of species and formula."`
	UseRecords             int32     `json:"useRecords" doc:"Recorded uses, all collections."`
	EconomicFloraRecords   int32     `json:"economicFloraRecords" doc:"Recorded uses of the collection economic_flora."`
	HimalayaRecords        int32     `json:"himalayaRecords" doc:"Recorded uses of the collection himalaya."`
	Papers                 int32     `json:"papers" doc:"Papers."`
	SpeciesPaperLinks      int32     `json:"speciesPaperLinks" doc:"Distinct pairs of species and paper."`
	Synonyms               int32     `json:"synonyms" doc:"Synonyms."`
	FolkKnowledge          int32     `json:"folkKnowledge" doc:"Recorded uses of the collection folk."`
	ComputedAt             time.Time `json:"computedAt" doc:"When the counts were made."`
	ReconciledPct          *float64  `json:"reconciledPct,omitempty" doc:"100 × reconciledChineseNamed / speciesWithChineseName; absent if that is 0."`
}

// HerbSummary is a herb in a list.
type HerbSummary struct {
	GUID            string   `json:"id" doc:"Lower-case UUID. It changes only if the name changes."`
	Name            string   `json:"name" doc:"Standard name in Chinese."`
	NamePinyin      Text     `json:"namePinyin" doc:"Pinyin with tone marks, a space between syllables."`
	LatinName       Text     `json:"latinName" doc:"The first pharmaceutical Latin name."`
	Kind            Text     `json:"kind" enum:"plant,fungus,alga,animal,mineral,other" doc:"The kind of the herb. other is a manufactured or mixed herb; null is unknown."`
	NoPlant         bool     `json:"noPlant" doc:"Whether the herb is known not to be a plant. Then it has no species."`
	ScientificNames []string `json:"scientificNames" doc:"Scientific names of the source species, without author."`
	Formulas        int32    `json:"formulas" doc:"Number of formulas with the herb."`
	URL             string   `json:"url" doc:"The record's web page."`
	// AliasOf is never stored. It is set when the answer is sent.
	AliasOf *HerbAlias `json:"aliasOf,omitempty" doc:"The drug, if the query is another name of it: the names were merged. Absent otherwise."`
}

// HerbAlias tells to which herb another name belongs.
type HerbAlias struct {
	GUID  string `json:"id" doc:"The drug's id."`
	Name  string `json:"name" doc:"The drug's standard name in Chinese."`
	Alias string `json:"alias" doc:"The other name that was asked for, or whose id was."`
}

// HerbDetail is a herb without the list of its formulas.
type HerbDetail struct {
	GUID           string        `json:"id" doc:"Lower-case UUID. It changes only if the name changes."`
	Name           string        `json:"name" doc:"Standard name in Chinese."`
	NamePinyin     Text          `json:"namePinyin" doc:"Pinyin with tone marks, a space between syllables."`
	LatinNames     []string      `json:"latinNames" doc:"Pharmaceutical Latin names."`
	Aliases        []string      `json:"aliases" doc:"Other names."`
	Names          []HerbCalled  `json:"names" doc:"The standard name and the other names, each with its kind."`
	ProcessedForms []string      `json:"processedForms" doc:"Names of the processed forms in the tables of herbs."`
	Parts          []string      `json:"parts" doc:"Parts of the plant that are used."`
	Kind           Text          `json:"kind" enum:"plant,fungus,alga,animal,mineral,other" doc:"The kind of the herb. other is a manufactured or mixed herb; null is unknown."`
	NoPlant        bool          `json:"noPlant" doc:"Whether the herb is known not to be a plant. Then it has no species."`
	Species        []HerbOrigin  `json:"species" doc:"The source species, with the years of the formulas that mean them if these are limited. Those that count come first."`
	VariantOf      []HerbNamed   `json:"variantOf" doc:"The herbs of which this one is a processed form or a part, or that its name covers."`
	Absent         []HerbAbsent  `json:"absentSpecies" doc:"Further source species that the data do not have, so that no formula counts for them."`
	NameMeant      []HerbMeaning `json:"nameMeant" doc:"Other herbs that the standard name means in formulas of some years. These formulas count for the other herb: 通草 up to 1116 for 木通."`
	ConfusedWith   []HerbBook    `json:"confusedWith" doc:"Other herbs with which this one is easily confused, because of their names: books keep them apart."`
	Left           *HerbLeft     `json:"leftPharmacopoeia" doc:"When the herb left the Chinese Pharmacopoeia, lost its official standard, or might no longer be used; null if it did not, or if this is not known."`
	Formulas       int32         `json:"formulas" doc:"Number of formulas with the herb."`
	FormulasByNote int32         `json:"formulasByNote" doc:"Number of further formulas that the name finds, because a note says it: 炙甘草 finds 甘草（炙）. Statistics count them with the herb as written."`
	InText         *int32        `json:"unlistedFormulas" doc:"Number of further formulas whose text names the herb although the source's list of ingredients does not; null without the scope prescription_composition."`
	Doses          []HerbDose    `json:"doses" nullable:"true" doc:"The doses in grams by dynasty, the earliest first, of the ingredients that are this herb alone and whose weight is known; null without the scope prescription_composition."`
	WrittenAs      []HerbText    `json:"writtenAs" nullable:"true" doc:"The spellings in formulas, at most 50, the most frequent first; null without the scope prescription_composition."`
	GoesWith       []HerbBeside  `json:"goesWith" nullable:"true" doc:"The herbs most often in the same formula, at most 20; null without the scope prescription_composition."`
	URL            string        `json:"url" doc:"The record's web page."`
	// AliasOf is never stored. It is set when the answer is sent.
	AliasOf *HerbAlias `json:"aliasOf,omitempty" doc:"The drug, if the id is that of another name of it: the names were merged. Absent otherwise."`
}

// HerbCalled is an entry of [HerbDetail.Names]: a name of the herb of the detail.
type HerbCalled struct {
	Name     string `json:"name" doc:"A written form in Chinese."`
	Kind     string `json:"kind" enum:"standard,pharmacopoeia,book,trade,folk" doc:"What gives the name to the herb: it is the standard name, or the pharmacopoeia, a book, or the trade has it. folk: only dictionaries of folk names; such a name helps a search and proves nothing."`
	FromYear *int32 `json:"fromYear" doc:"The name means the herb in formulas from this year on; null is no limit."`
	ToYear   *int32 `json:"toYear" doc:"The name means the herb in formulas up to this year; null is no limit."`
	Source   Text   `json:"source" doc:"The book, standard or page of the web that has the name, or 构词 (the name itself says it), 省称 (characters left out), 异体字 (another form of the characters), 误字 (a slip of the writer); null if the kind is standard or folk, or if no book is known."`
	Edition  Text   `json:"edition" doc:"Author and year of the book, in Chinese, or the address of the page; null if the source is neither."`
}

// Dated reports whether the name means the herb only in formulas of some years.
func (n *HerbCalled) Dated() bool { return n.FromYear != nil || n.ToYear != nil }

// HerbOrigin is a source species of a herb.
type HerbOrigin struct {
	GUID           string `json:"guid" doc:"The species' guid."`
	ChineseName    Text   `json:"chineseName" doc:"Chinese name."`
	ScientificName Text   `json:"scientificName" doc:"Scientific name without author."`
	Part           Text   `json:"part" doc:"Part of the plant."`
	Authority      Text   `json:"authority" doc:"Pharmacopoeia or book that gives this species."`
	Preferred      *bool  `json:"preferred" doc:"Whether the source prefers this species."`
	FromYear       *int32 `json:"fromYear" doc:"The herb is this species in formulas from this year on; null is no limit."`
	ToYear         *int32 `json:"toYear" doc:"The herb is this species in formulas up to this year; null is no limit."`
	URL            string `json:"url" doc:"The record's web page."`
	// Counted and Evidence are additions to the first version of the API.
	Counted  bool           `json:"counted" doc:"Whether formulas with the herb count as formulas of this species. False if herb_species gives the herb other species and only the program's table of herbs gives this one."`
	Evidence []HerbEvidence `json:"evidence" doc:"Whose statements give this species, the operator's first."`
}

// HerbAbsent is a source species of a herb that the data do not have.
type HerbAbsent struct {
	ScientificName string         `json:"scientificName" doc:"Scientific name without author."`
	Evidence       []HerbEvidence `json:"evidence" doc:"Whose statements give this species."`
}

// HerbMeaning is an entry of [HerbDetail.NameMeant]: a herb that the name means in formulas of some years.
type HerbMeaning struct {
	GUID     string `json:"id" doc:"The herb's id."`
	Name     string `json:"name" doc:"Standard name in Chinese."`
	FromYear *int32 `json:"fromYear" doc:"The name means this herb in formulas from this year on; null is no limit."`
	ToYear   *int32 `json:"toYear" doc:"The name means this herb in formulas up to this year; null is no limit."`
	Source   Text   `json:"source" doc:"The book that says so; null if none is known."`
	URL      string `json:"url" doc:"The record's web page."`
}

// HerbEvidence is a statement that a herb comes from a species.
type HerbEvidence struct {
	By      string `json:"by" enum:"table,pharmacopoeia,book,other" doc:"table: the operator's herb_species; pharmacopoeia: the Chinese Pharmacopoeia; book: another book; other: the program's table of herbs, which follows several books."`
	Source  Text   `json:"source" doc:"The book, in Chinese; null if no single book says so."`
	Edition Text   `json:"edition" doc:"Author and year of the book, in Chinese; null if they are not known."`
	Herb    Text   `json:"herb" doc:"The herb whose species it is, if the book says of this herb only that it is a form, a part or another name of that herb: 大黄 for 熟大黄; else null."`
}

// HerbBook is another herb, with the book that keeps it apart from the herb of the detail.
type HerbBook struct {
	GUID   string `json:"id" doc:"The herb's id."`
	Name   string `json:"name" doc:"Standard name in Chinese."`
	Source Text   `json:"source" doc:"The book that says so; null if none is known."`
	URL    string `json:"url" doc:"The record's web page."`
}

// HerbLeft tells when a herb left the pharmacopoeia.
type HerbLeft struct {
	Year   int32  `json:"year" doc:"Year of the first edition without it, or of the order that ended its official standard or its use."`
	Source string `json:"source" doc:"The edition or the order, in Chinese."`
}

// HerbDose summarises the doses of a herb in the formulas of a dynasty, in grams to four digits.
type HerbDose struct {
	Dynasty  string  `json:"dynasty" doc:"Dynasty of the original sources."`
	Doses    int32   `json:"doses" doc:"Number of doses."`
	Quarter  float64 `json:"firstQuartile" doc:"A quarter of the doses are at most this."`
	Median   float64 `json:"median" doc:"Half of the doses are at most this."`
	Quarter3 float64 `json:"thirdQuartile" doc:"Three quarters of the doses are at most this."`
}

// HerbNamed is an entry of [HerbDetail.VariantOf]: the other herb and its relation to the herb of
// the detail.
type HerbNamed struct {
	GUID     string `json:"id" doc:"The herb's id."`
	Name     string `json:"name" doc:"Standard name in Chinese."`
	How      string `json:"how" enum:"processed,part,broader" doc:"How the name relates to the herb: a processed form, a part, or a broader name that covers it and others."`
	FromYear *int32 `json:"fromYear" doc:"A broader name covers the herb in formulas from this year on; null is no limit."`
	ToYear   *int32 `json:"toYear" doc:"A broader name covers the herb in formulas up to this year; null is no limit."`
	Source   Text   `json:"source" doc:"The book that says so; null if the relation is read from the names."`
	URL      string `json:"url" doc:"The record's web page."`
}

// HerbText is a spelling of a herb in formulas.
type HerbText struct {
	Herb     string `json:"herb" doc:"Herb as written in the formula."`
	Formulas int32  `json:"formulas" doc:"Number of formulas with this spelling."`
}

// HerbBeside is a herb that occurs in the same formulas as the herb of the detail.
type HerbBeside struct {
	GUID     string `json:"id" doc:"The herb's id."`
	Name     string `json:"name" doc:"Standard name in Chinese."`
	Formulas int32  `json:"formulas" doc:"Number of formulas that have both."`
	URL      string `json:"url" doc:"The record's web page."`
}

// SpeciesNames are the names of a species in the checklists.
type SpeciesNames struct {
	Checklists []ChecklistNames `json:"checklists" doc:"One for each checklist that has the species, the one of the match first."`
}

// ChecklistNames are the names of a species in one checklist.
type ChecklistNames struct {
	Source   string         `json:"source" doc:"The checklist: WCVP, WFO, CoL-China or the operator's own."`
	Release  Text           `json:"release" doc:"Name and version of the checklist."`
	Relation string         `json:"relation" enum:"accepted,synonym,species" doc:"accepted: the species has the accepted name. synonym: its name is a synonym of the accepted name, whose names these are. species: the list lacks the variety or subspecies; these are the names of its species."`
	Accepted ListedName     `json:"accepted" doc:"The accepted name."`
	Synonyms []SynonymGroup `json:"synonyms" doc:"The synonyms: first those with the type of the accepted name, then the others."`
}

// SynonymGroup are synonyms with one type.
type SynonymGroup struct {
	Homotypic bool         `json:"homotypic" doc:"Whether the checklist says that these names have the type of the accepted name. false says nothing about the type: the checklists do not mark heterotypic names."`
	Names     []ListedName `json:"names" doc:"Names of one type, or one name; the oldest first."`
}

// ListedName is a name in a checklist.
type ListedName struct {
	ID            string `json:"id" doc:"The name's identifier in the checklist."`
	Name          string `json:"name" doc:"Scientific name without author."`
	Author        Text   `json:"author" doc:"Author."`
	Rank          Text   `json:"rank" doc:"Rank, such as species or variety."`
	Status        string `json:"status" enum:"accepted,synonym,illegitimate,invalid,orthographic,misapplied,unplaced,artificialHybrid,local" doc:"Status in the checklist."`
	Publication   Text   `json:"publication" doc:"Where the name was published: work, volume and page."`
	Published     Text   `json:"published" doc:"When the name was published, as the checklist writes it."`
	Year          *int32 `json:"year" doc:"The year in published; of several the last."`
	LifeForm      Text   `json:"lifeForm" doc:"Life form, as the checklist writes it."`
	Climate       Text   `json:"climate" doc:"Climate, as the checklist writes it."`
	Basionym      Text   `json:"basionym" doc:"Basionym with author; null if the name is none's combination or the list does not say."`
	HybridFormula Text   `json:"hybridFormula" doc:"The parents of a hybrid."`
	Reviewed      *bool  `json:"reviewed" doc:"Whether specialists have reviewed the family; null if the checklist does not say."`
	Remarks       Text   `json:"remarks" doc:"Nomenclatural remarks."`
	IPNIID        Text   `json:"ipniId" doc:"IPNI identifier."`
	WFOID         Text   `json:"wfoId" doc:"World Flora Online identifier."`
}

// Distribution is where a species grows.
type Distribution struct {
	Areas  []Area  `json:"areas" doc:"Where the species grows, in the order of the geography. An area that is missing is not known to have the species; it may have it."`
	Ranges []Range `json:"ranges" doc:"What each checklist says: whose range it is, and the text."`
}

// Area is an area where a species grows, by one checklist.
type Area struct {
	Code          Text   `json:"code" doc:"Code of the World Geographical Scheme for Recording Plant Distributions, or of another scheme with its prefix; null if the checklist gives only a name."`
	Level         *int32 `json:"level" doc:"Level of the code: 1 continent, 2 region, 3 botanical country, 4 part of one; null for other codes."`
	Name          Text   `json:"name" doc:"English name."`
	NameChinese   Text   `json:"nameChinese" doc:"Chinese name."`
	Country       Text   `json:"country" doc:"Country, by ISO 3166-1; null if the area is in several countries."`
	Parent        Text   `json:"parent" doc:"Code of the area of the level above."`
	Establishment string `json:"establishment" enum:"native,introduced" doc:"How the species came to grow there."`
	Status        string `json:"status" enum:"present,extinct,doubtful" doc:"Whether it still grows there, and whether that is sure."`
	Basis         string `json:"basis" enum:"listed,named" doc:"listed: the checklist lists the area. named: the text about the range names it; filters do not use such areas."`
	Source        string `json:"source" doc:"The checklist."`
	Release       Text   `json:"release" doc:"Name and version of the checklist."`
}

// Range is what a checklist says about the range of a species.
type Range struct {
	Source   string `json:"source" doc:"The checklist."`
	Release  Text   `json:"release" doc:"Name and version of the checklist."`
	Relation string `json:"relation" enum:"accepted,synonym,species" doc:"As in species.names: how the species' name relates to the name whose range it is."`
	ID       string `json:"id" doc:"Identifier, in the checklist, of the name whose range it is."`
	Name     string `json:"name" doc:"The accepted name whose range it is, without author."`
	Author   Text   `json:"author" doc:"Author of that name."`
	Text     Text   `json:"text" doc:"The range in the words of the checklist."`
	LifeForm Text   `json:"lifeForm" doc:"Life form, as the checklist writes it."`
	Climate  Text   `json:"climate" doc:"Climate, as the checklist writes it."`
	Listed   bool   `json:"listed" doc:"Whether the checklist lists the areas. If not, the areas that the text names are native ones, and others are not known."`
}
