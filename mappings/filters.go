package mappings

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Filter is a row of a table of filters: a condition that records must meet, or an order. The API's
// parameters and their description, the flags of commands, the arguments of assistants and the
// fields of pages are made from these rows.
type Filter struct {
	// Name is the name of the API's parameter.
	Name string
	// Kind says what a value of the parameter means.
	Kind FilterKind
	// Field is the field of the table whose values the filter compares. Some kinds have none.
	Field string
	// Words are the permitted values. Nil permits every text.
	Words []string
	// Standard is the value if none is given.
	Standard string
	// Min and Max are the bounds of a number.
	Min, Max int32
	// Scope is the scope that the filter needs beside those of the search, or "".
	Scope string
	// Population means that the filter can select the formulas whose patterns are counted.
	Population bool
	// Beside is the name of the filter beside the choice of a table, which is called kind, if Name
	// cannot be used there.
	Beside string
	// Doc describes the parameter. Its first sentence also describes the flag and the argument.
	Doc string
	// Example is a value for the description of the API.
	Example string
}

// FilterKind says what the value of a filter means.
type FilterKind uint8

// The kinds of filters.
const (
	HasValue      FilterKind = iota // records with the value in the field
	FromYear                        // records of this year and later
	ToYear                          // records of this year and earlier
	WithHerbs                       // formulas with all of these herbs
	WithoutHerbs                    // formulas with none of these herbs
	HerbForms                       // whether a herb in the filters stands for its processed forms and parts too
	OfSpecies                       // records that belong to a species, given by its guid or name
	InPart                          // the part of the records in which the query is searched
	EntryNumber                     // the record with this number in its source
	CompleteName                    // records with exactly this name
	InOrder                         // the order of the records
	OncePerName                     // one line for each name
	NamesTogether                   // records of one name after each other
	InRegion                        // species that grow in a region; together with Established, as natives or not
	Established                     // species that are native or introduced anywhere
)

// Narrows reports whether the filter leaves out records or selects the text that is searched. The
// other rows are orders.
func (f Filter) Narrows() bool {
	return f.Kind != InOrder && f.Kind != OncePerName && f.Kind != NamesTogether
}

// IsNumber reports whether the values are whole numbers.
func (f Filter) IsNumber() bool {
	return f.Kind == FromYear || f.Kind == ToYear || f.Kind == EntryNumber
}

// BesideKind returns the name of the filter beside the choice of a table.
func (f Filter) BesideKind() string {
	if f.Beside != "" {
		return f.Beside
	}
	return f.Name
}

// Short returns the first sentence of the description, without its capital letter and its full stop,
// and with the permitted values. Of an order it returns only the permitted values.
func (f Filter) Short() string {
	words := strings.Join(f.Words, ", ")
	if f.Kind == InOrder {
		return words
	}
	text, _, _ := strings.Cut(f.Doc, ". ")
	text = strings.TrimSuffix(text, ".")
	first, n := utf8.DecodeRuneInString(text)
	text = string(unicode.ToLower(first)) + text[n:]
	if len(f.Words) > 1 && !f.IsBool() {
		text += " (" + words + ")"
	}
	return text
}

// Choice is one or more filters of the same name, as a flag or an argument offers them for several
// tables.
type Choice struct {
	Name string
	// Tables lists the tables that have the filter.
	Tables []string
	// The other fields are those of the first table. Words are nil if they differ by the table.
	Filter

	docs []string // of each table
}

// Choices returns the filters of tables that pass, each under the name that the function name returns.
func Choices(tables []string, name func(Filter) string, passes func(Filter) bool) (all []Choice) {
	for _, table := range tables {
		for _, f := range Filters[table] {
			if !passes(f) {
				continue
			}
			i := slices.IndexFunc(all, func(c Choice) bool { return c.Name == name(f) })
			if i < 0 {
				i = len(all)
				all = append(all, Choice{Name: name(f), Filter: f})
			}
			c := &all[i]
			c.Tables, c.docs = append(c.Tables, table), append(c.docs, f.Short())
			if !slices.Equal(c.Words, f.Words) {
				c.Words = nil
			}
		}
	}
	return all
}

// Describe describes the filter. It names the tables if their descriptions differ, or if always is
// true.
func (c Choice) Describe(always bool) string {
	var docs []string
	tables := map[string][]string{}
	for i, doc := range c.docs {
		if !slices.Contains(docs, doc) {
			docs = append(docs, doc)
		}
		tables[doc] = append(tables[doc], c.Tables[i])
	}
	if len(docs) == 1 && !always {
		return docs[0]
	}
	for i, doc := range docs {
		docs[i] = strings.Join(tables[doc], " and ") + ": " + doc
	}
	return strings.Join(docs, "; ")
}

// Tables lists the tables that can be searched.
var Tables = []string{"species", "formulas", "herbs", "papers"}

// Filters maps each table to its filters and orders, in the order in which the API lists them. To add
// a filter by a field, add a row here, and the label filter.NAME of the pages in
// api/explorer/texts; tests require the label.
var Filters = map[string][]Filter{
	"species": {
		{Name: "family", Field: "family", Doc: "Family, in Latin or Chinese."},
		{Name: "genus", Field: "genus", Doc: "Genus, in Latin or Chinese."},
		{Name: "rank", Field: "rank", Doc: "Rank, such as species, subspecies or variety."},
		{Name: "hasFormulas", Field: "hasFormulas", Words: trueOrFalse, Doc: "true finds species that a formula uses, false the others."},
		{Name: "region", Kind: InRegion, Field: RegionField, Doc: "A region where the species grows: a code of the World Geographical Scheme for Recording Plant Distributions of any level, such as 36 or CHS, or a name in English or Chinese. Only areas that a checklist lists count."},
		{Name: "establishment", Kind: Established, Field: EstablishmentField, Words: []string{"native", "introduced"}, Doc: "native finds species that are native in the region, or anywhere if region is not given; introduced those that were introduced there. An area where the species is extinct or doubtful counts too."},
		{Name: "lifeForm", Field: "lifeForm", Doc: "A life form in the words of the checklists, such as tree or climbing shrub. A species of several forms is found by each."},
		entryNumber,
		{Name: "sort", Kind: InOrder, Words: orders("name", "prominence"), Standard: Relevance, Doc: "Order: best match first, by pinyin of the name, or most formulas, papers and uses first."},
	},
	"formulas": {
		{Name: "in", Kind: InPart, Words: []string{"name", "indications", "composition"}, Standard: "name", Doc: "The text that q is searched in: the name, or the words of the source's indications or composition."},
		{Name: "name", Kind: CompleteName, Doc: "The complete name, in any form of its characters. Formulas whose name only contains it are left out."},
		{Name: "dynasty", Field: DynastyField, Population: true, Doc: "Dynasty of the original source.", Example: "东汉"},
		{Name: "source", Field: SourceField, Population: true, Doc: "The oldest book that has the formula."},
		{Name: "author", Field: AuthorField, Population: true, Doc: "Author of the original source."},
		{Name: "fromYear", Kind: FromYear, Field: "year", Min: -9999, Max: 9999, Population: true, Doc: "Earliest year of the original source; negative before the common era."},
		{Name: "toYear", Kind: ToYear, Field: "year", Min: -9999, Max: 9999, Population: true, Doc: "Latest year of the original source; a year before fromYear is refused."},
		{Name: "herbs", Kind: WithHerbs, Field: HerbsField, Scope: "prescription_composition", Population: true, Doc: "Herbs that must all be in the formula, 20 at most, such as 人参、甘草. A herb that is in no formula is refused. Needs the scope prescription_composition."},
		{Name: "without", Kind: WithoutHerbs, Field: HerbsField, Scope: "prescription_composition", Population: true, Doc: "Herbs that must not be in the formula, 20 at most. A herb that is in no formula is refused. Needs the scope prescription_composition."},
		{Name: "forms", Kind: HerbForms, Words: []string{"together", "written"}, Doc: "together counts processed forms and parts as the drug that they are made from: herbs=甘草 finds 炙甘草 too. written ignores what the notes of ingredients add: herbs=炙甘草 does not find 甘草（炙）."},
		{Name: "species", Kind: OfSpecies, Scope: "species_prescriptions", Population: true, Doc: "A species that the formula uses: its guid, or any of its names in Latin, Chinese or pinyin. Needs the scope species_prescriptions."},
		entryNumber,
		{Name: "sort", Kind: InOrder, Words: orders("name", "year", "prominence"), Standard: Relevance, Doc: "Order: best match first, by pinyin of the name, oldest first and each book in its own order, or the name in most books first."},
		{Name: "distinct", Kind: OncePerName, Words: []string{"name"}, Doc: "name lists only the oldest formula of each name. The name in most books comes first; namesakes is the number of other formulas with that name."},
		{Name: "group", Kind: NamesTogether, Words: []string{"name"}, Doc: "name lists the formulas of each name together, the oldest first, in the order of distinct=name."},
	},
	"herbs": {
		{Name: "kind", Field: "kind", Beside: "herbKind", Doc: "The kind of the herb: plant, fungus, alga, animal, mineral or other, or the same in Chinese."},
		{Name: "part", Field: "part", Doc: "The part of the plant, written as in the herb's detail."},
		{Name: "species", Kind: OfSpecies, Field: "species", Doc: "A source species of the herb: its guid, or any of its names in Latin, Chinese or pinyin."},
		{Name: "sort", Kind: InOrder, Words: orders("name", "prominence"), Standard: Relevance, Doc: "Order: best match first, by pinyin of the name, or the herb in most formulas first."},
	},
	"papers": {
		{Name: "author", Field: "author", Doc: "An author: the family name, or all names in any order; given names may be initials."},
		{Name: "fromYear", Kind: FromYear, Field: "year", Min: 0, Max: 9999, Doc: "Earliest year."},
		{Name: "toYear", Kind: ToYear, Field: "year", Min: 0, Max: 9999, Doc: "Latest year; a year before fromYear is refused."},
		{Name: "species", Kind: OfSpecies, Field: "species", Doc: "A species that the paper is about: its guid, or any of its names in Latin, Chinese or pinyin."},
		{Name: "family", Field: "family", Doc: "Family of a species that the paper is about, in Latin or Chinese."},
		{Name: "genus", Field: "genus", Doc: "Genus of a species that the paper is about, in Latin or Chinese."},
		{Name: "sort", Kind: InOrder, Words: orders("name", "year", "prominence"), Standard: Relevance, Doc: "Order: best match first, by title, newest first, or the paper about most species first."},
	},
}

// Relevance is the order in which the best matches come first.
const Relevance = "relevance"

func orders(names ...string) []string { return append([]string{Relevance}, names...) }

var trueOrFalse = []string{"true", "false"}

// IsBool reports whether the value is true or false.
func (f Filter) IsBool() bool { return slices.Equal(f.Words, trueOrFalse) }

var entryNumber = Filter{
	Name: "entryId", Kind: EntryNumber, Min: 0, Max: 2147483647,
	Doc: "The record's number in the source, which answers show as entryId. A number without a record finds nothing.",
}
