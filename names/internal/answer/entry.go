package answer

import "bencao/internal/null"

// The match types of an [Entry], the strongest first.
const (
	MatchExact      = "exact"
	MatchVariant    = "variant"
	MatchFuzzy      = "fuzzy"
	MatchHigherRank = "higherRank"
)

// The kinds of lookup that can find the best result of a [Response].
const (
	ViaAcceptedName   = "acceptedName"
	ViaSynonym        = "synonym"
	ViaUnplacedName   = "unplacedName"
	ViaMisappliedName = "misappliedName"
	ViaChineseName    = "chineseName"
	ViaChineseAlias   = "chineseAlias"
	ViaPinyin         = "pinyin"
	ViaHerbName       = "drugName"
	ViaIdentifier     = "identifier"
	ViaHybridFormula  = "hybridFormula"
	ViaHigherRank     = "higherRank"
	ViaNone           = "none"
)

// The degrees of agreement between the author in the query and the author in the checklist.
const (
	AuthorSame       = "same"
	AuthorCompatible = "compatible"
	AuthorNotGiven   = "notGiven"
	AuthorUnknown    = "unknown"
	AuthorDiffers    = "differs"
)

// Response is the answer to a [Query]. If nothing matches the name, there are no results and no
// error.
type Response struct {
	CanonicalName null.Text `json:"canonicalName" doc:"The name as it was parsed: without author, with rank words and hybrid signs; for a Chinese name, the name itself. Null if the input is not a name."`
	MatchedVia    string    `json:"matchedVia" enum:"acceptedName,synonym,unplacedName,misappliedName,chineseName,chineseAlias,pinyin,drugName,identifier,hybridFormula,higherRank,none" doc:"The kind of name that found the best result."`
	Unread        null.Text `json:"unread" doc:"Words of the input that belong neither to a name nor to a known remark. They lower the score. Null if there are none."`
	HerbName      null.Text `json:"drugName" doc:"Chinese name of the drug, if the input is the name of a drug; null otherwise."`
	HerbLatin     null.Text `json:"drugLatin" doc:"Pharmaceutical Latin name of that drug, if it has one."`
	HerbKind      null.Text `json:"drugKind" enum:"plant,fungus,alga,animal,mineral,other,noPlant" doc:"The kind of that drug. Only a plant has results. noPlant: the operator's table says only that the drug is not a plant."`
	Results       []Entry   `json:"results" doc:"Candidates, the best first."`
}

// Entry is one candidate of a [Response]. It has the identifiers of the accepted name.
type Entry struct {
	EntryID              *int32      `json:"entryId" doc:"Number of the species in the source database; null if the name is in the checklists only."`
	GUID                 null.Text   `json:"guid" doc:"The species' guid; null if the name is in the checklists only."`
	ChineseName          null.Text   `json:"chineseName" doc:"Chinese name of the species."`
	MatchedName          null.Text   `json:"matchedName" doc:"Name in the checklist that matches the name asked for, without author."`
	MatchedAuthor        null.Text   `json:"matchedAuthor" doc:"Author of the matched name."`
	MatchedWCVPID        null.Text   `json:"matchedWcvpId" doc:"WCVP identifier of the matched name."`
	Rank                 null.Text   `json:"rank" doc:"Rank of the matched name."`
	TaxonStatus          null.Text   `json:"taxonStatus" enum:"accepted,synonym,illegitimate,invalid,orthographic,misapplied,unplaced,artificialHybrid,local" doc:"Status of the matched name in the checklist."`
	AcceptedName         null.Text   `json:"acceptedName" doc:"Accepted name without author; null if the checklists give no accepted name."`
	AcceptedAuthor       null.Text   `json:"acceptedAuthor" doc:"Author of the accepted name."`
	AcceptedRank         null.Text   `json:"acceptedRank" doc:"Rank of the accepted name."`
	AcceptedFamily       null.Text   `json:"acceptedFamily" doc:"Family of the accepted name."`
	WCVPID               null.Text   `json:"wcvpId" doc:"WCVP identifier of the accepted name."`
	IPNIID               null.Text   `json:"ipniId" doc:"IPNI identifier of the accepted name."`
	WFOID                null.Text   `json:"wfoId" doc:"World Flora Online identifier of the accepted name."`
	ChineseNameColChina  null.Text   `json:"chineseNameColChina" doc:"Chinese name in Catalogue of Life China."`
	AcceptedNameColChina null.Text   `json:"acceptedNameColChina" doc:"Accepted name in Catalogue of Life China."`
	MatchType            string      `json:"matchType" enum:"exact,variant,fuzzy,higherRank" doc:"How similar the names are."`
	MatchSource          string      `json:"matchSource" doc:"Checklist that gives the accepted name: WCVP, IPNI, WFO, CoL-China, the operator's own, or database. drugs: the matched name is in none; books on drugs, such as the Chinese Pharmacopoeia, use it for the accepted one."`
	ChecklistVersion     null.Text   `json:"checklistVersion" doc:"Name and version of that checklist."`
	Score                float64     `json:"score" doc:"Share of right answers among judged answers of this kind, from 0 to 1, within 0.02. For some kinds the score is set, not measured; the documentation lists them. It is set above the measured share for an exact name with another author (0.85) or a compatible one (0.98 or 0.90), and for homonyms without author: the one in use (0.95), the accepted one (0.75) or another (0.60). It is set below the measured share for misspelt names, abbreviated genera and pinyin."`
	EditDistance         int         `json:"editDistance" doc:"Letters that differ between the name asked for and the matched name."`
	AuthorMatch          string      `json:"authorMatch" enum:"same,compatible,notGiven,unknown,differs" doc:"How the authors agree."`
	Flags                FlagWords   `json:"flags" doc:"Further remarks on the match."`
	URL                  null.Text   `json:"url" doc:"Page for people; null if the name is in the checklists only."`
	Distribution         *Range      `json:"distribution,omitempty" doc:"Where the plant of the accepted name grows and where that name was published; only with distribution, and only if a checklist says so."`
	ScoreParts           []ScorePart `json:"scoreParts,omitempty" doc:"The parts of the score; only with explain."`
	Steps                []string    `json:"steps,omitempty" doc:"The steps of matching, in order; only with explain."`

	// Taxa says where the checklists have the accepted name, or the matched name if it has none. It is
	// set only if [Query.Distribution] is set. The first is the list that gives the accepted name.
	Taxa []ListedAs `json:"-"`
}

// Listed reports whether the distribution has areas.
func (e *Entry) Listed() bool {
	d := e.Distribution
	return d != nil && len(d.Native)+len(d.Introduced)+len(d.Extinct)+len(d.Doubtful) > 0
}

// ListedAs is a name in a checklist.
type ListedAs struct {
	// List is the number of the checklist, in the order in which lists were added to the names file.
	List uint8
	// Source and Release are the name of the checklist in answers, and its full name with the version.
	Source, Release string
	ID              string
}

// Range is what a checklist says about an accepted name: where its plant grows, and its publication. The codes of areas are those of the World
// Geographical Scheme for Recording Plant Distributions, or those of the list. A code is in one of
// the lists.
type Range struct {
	Native      []string  `json:"native" doc:"Codes of the areas, of level 3 in most lists, where the plant is native and present."`
	Introduced  []string  `json:"introduced" doc:"Codes of the areas where the plant was introduced and is present."`
	Extinct     []string  `json:"extinct" doc:"Codes of the areas where the plant is extinct."`
	Doubtful    []string  `json:"doubtful" doc:"Codes of the areas where the plant may not grow."`
	Area        null.Text `json:"area" doc:"Where the plant grows, as the checklist writes it. No code was made from this text."`
	LifeForm    null.Text `json:"lifeForm" doc:"The life form, as the checklist writes it."`
	Publication null.Text `json:"publication" doc:"Where the accepted name was published: work, volume and page."`
	Published   null.Text `json:"published" doc:"When it was published, as the checklist writes it."`
	Source      string    `json:"source" doc:"The checklist that says this."`
	Release     null.Text `json:"release" doc:"Name and version of that checklist."`
}

// ScorePart is one part of a score. The sum of the parts is the score before rounding.
type ScorePart struct {
	Reason string  `json:"reason" doc:"The reason, such as \"one edit, author same\"."`
	Value  float64 `json:"value" doc:"The value added to the score; negative if subtracted."`
}
