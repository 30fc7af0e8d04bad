package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"bencao/api/access"
	"bencao/api/cite"
	"bencao/api/params"
	"bencao/mappings/patterns"
	"bencao/store"
)

// open is the scope that every valid key has.
const open = access.Open

// composition has the scopes that reading the composition of formulas needs.
const composition = access.Prescriptions | access.PrescriptionComposition

// routes is the whole API. To add an endpoint, add a row here, and write a method of [Backend] that
// handles it. The method returns a [One], a [List] or a [Page]; [encode] makes a One from a Go
// value. Parameters, limits, metrics and the OpenAPI document are derived from the row and the
// types of the method. Add its scope to scopes in contract_test.go. Then run "make golden", and
// describe the endpoint in docs/api.md. A new word before the dot of the operation needs a line in
// tagDocs (openapi.go) and a text docs.group.WORD in api/explorer/texts, in both languages; a new
// scope needs a row in api/access/scope.go. The Chinese summary belongs in texts/api.zh.txt.
func routes() []route {
	return []route{
		get("species.search", "/species", open, (*Backend).speciesSearch).
			says("Search species", "Finds species by Chinese name, pinyin, scientific name or synonym, best match first."),
		get("species.detail", "/species/{guid}", open, (*Backend).speciesDetail).
			says("One species", "Names, classification, accepted name in the checklists, and the length of each sub-list."),
		get("species.names", "/species/{guid}/names", open, (*Backend).speciesNames).
			says("A species' names in the checklists", "For each checklist: the accepted name with publication, life form, climate and basionym, and its synonyms, first those with the type of the accepted name. If the species' name is a synonym there, these are the names of the accepted species."),
		get("species.distribution", "/species/{guid}/distribution", open, (*Backend).speciesDistribution).
			says("Where a species grows", "The areas that the checklists list, native and introduced, present, extinct or doubtful; and the text about the range. A synonym has the range of its accepted name."),
		get("species.flora", "/species/{guid}/flora", open, (*Backend).speciesFlora).
			says("A species' entries in floras", "References to the floras; not their full text."),
		get("species.papers", "/species/{guid}/papers", open, (*Backend).speciesPapers).
			says("A species' papers", "All papers in one answer, without pages."),
		get("species.formulas", "/species/{guid}/formulas", access.SpeciesPrescriptions, (*Backend).speciesFormulas).
			says("The formulas that use a species", "A formula uses a species if one of its ingredients is a herb from that species."),
		get("species.uses", "/species/{guid}/uses", access.PlantUses, (*Backend).speciesUses).
			says("A species' recorded uses", "Records from all collections."),
		get("species.facets", "/species/facets", open, (*Backend).speciesFacets).
			says("Count species", "Counts the species that the same q and filters find, by the values of a field."),
		get("formulas.search", "/formulas", access.Prescriptions, (*Backend).formulaSearch).
			says("Search formulas", "Finds formulas by name in Chinese or pinyin and by dynasty, best match first. Names are not unique."),
		get("formulas.detail", "/formulas/{guid}", access.Prescriptions, (*Backend).formulaDetail).
			says("One formula", "Ingredients, codes and the herbs shared with similar formulas are null without the scope prescription_composition; similar formulas are null without prescription_similarity. The verbatim composition and preparation need neither scope."),
		get("formulas.facets", "/formulas/facets", access.Prescriptions, (*Backend).formulaFacets).
			says("Count formulas", "Counts the formulas that the same q and filters find, by the values of a field. Counting by herbs needs the scope prescription_composition too."),
		get("formulas.ingredients", "/formulas/ingredients", composition, (*Backend).formulaIngredients).
			says("The ingredients of formulas", "A row for each ingredient of the formulas that the same q and filters find in formulas.search: the formula, and the ingredient as in its detail, with dose, grams and processing. The formulas come in the order of formulas.search."),
		get("formulas.descent", "/formulas/{guid}/descent", composition, (*Backend).formulaDescent).
			says("The descent of a formula", "The older formula from which this one descends, by its name, by a text of the source, or because it contains all its drugs; and the formulas that descend from this one."),
		get("herbs.search", "/herbs", access.Prescriptions, (*Backend).herbSearch).
			says("Search herbs", "Finds herbs (drugs) by name in Chinese or pinyin, other name, processed form, pharmaceutical Latin name or source species, best match first."),
		get("herbs.detail", "/herbs/{id}", access.Prescriptions, (*Backend).herbDetail).
			says("One herb", "Names, source species with their years, the spellings in formulas, and the herbs most often used together with this one; the last two are null without the scope prescription_composition."),
		get("herbs.formulas", "/herbs/{id}/formulas", composition, (*Backend).herbFormulas).
			says("The formulas that have a herb", "All formulas with this herb in any processed form."),
		get("herbs.facets", "/herbs/facets", access.Prescriptions, (*Backend).herbFacets).
			says("Count herbs", "Counts the herbs that the same q and filters find, by the values of a field."),
		get("patterns.herbs", "/patterns/herbs", composition, (*Backend).patternHerbs).counts(patternCost).
			says("Count drugs", "Counts the drugs of the formulas that the same q and filters find in formulas.search, and compares them with other formulas. docs/patterns.md defines the numbers. Counts as five requests."),
		get("patterns.pairs", "/patterns/pairs", composition, (*Backend).patternPairs).counts(patternCost).
			says("Pairs of drugs", "Tests which drugs occur together more or less often than expected in the formulas that the same q and filters find in formulas.search. docs/patterns.md defines the numbers. Counts as five requests."),
		get("patterns.sets", "/patterns/sets", composition, (*Backend).patternSets).counts(patternCost).
			says("Sets of drugs", "Finds the closed sets of three to six drugs in the formulas that the same q and filters find in formulas.search. docs/patterns.md defines the numbers. Counts as five requests."),
		get("patterns.formulas", "/patterns/formulas", composition, (*Backend).patternFormulas).counts(patternCost).
			says("Formulas with their drugs", "The formulas that the other patterns operations count, each with its drugs: transactions for other programs. Counts as five requests."),
		get("papers.search", "/papers", open, (*Backend).paperSearch).
			says("Search papers", "Finds papers by words of their title, authors, DOI or PubMed id, best match first."),
		get("papers.detail", "/papers/detail", open, (*Backend).paperDetail).namesRecord().
			says("One paper", "The paper with this id, and the species that it is about."),
		get("papers.facets", "/papers/facets", open, (*Backend).paperFacets).
			says("Count papers", "Counts the papers that the same q and filters find, by the values of a field."),
		get("suggest", "/suggest", open, (*Backend).suggest).
			says("Suggest", "At most ten suggestions for an incomplete text: species, and with the scope prescriptions also herbs and formulas."),
		get("names.match", "/names/match", open, (*Backend).nameMatch).matches("name").
			says("Match a name", "Finds a name in the database and in the checklists. A name without a match has no results; this is not an error."),
		get("names.matches", "/names/matches", open, (*Backend).nameMatches).costs("name").matches("name").
			says("Match several names", "Finds up to 100 names, and answers in their order. Every ten names count as one request against the limit."),
		get("stats", "/stats", open, (*Backend).stats).
			says("Counts", "Counts of the records in the data.").isCheap(),
		get("version", "/version", open, (*Backend).version).ofVersions().
			says("The version of the data", "The version of the data, when it was built, its sources and terms, and how to cite it.").isCheap(),
		get("changes", "/changes", open, (*Backend).changes).namesRecord().
			says("What changed", "The records that were added, changed or removed since a version that the server still knows, in all tables that the key may read: species, formulas, herbs, papers. In each table the latest changes come first. version lists the known versions. Any other version is answered with 404; then read all records again."),
		get("key", "/key", open, (*Backend).keyInfo).ofTheMoment().
			says("The key of the request", "The key's id, scopes, expiry and limit, and how much of the limit is left. This request counts against the limit too.").isCheap(),
	}
}

// route is a row of the table that [routes] returns.
type route struct {
	op      string // operationId of the OpenAPI document
	path    string // below prefix, with {parameters}
	scope   access.Scopes
	summary string
	doc     string
	shape   shape
	plan    *params.Plan
	forms   []format // formats of the answer
	// priced is the parameter with the names to match. The number of its values determines how many
	// requests the request counts as. If priced is empty, price determines it.
	priced string
	// price is the number of requests that one request of this route counts as, if priced is empty.
	// 0 means one.
	price int
	// names reports whether the path or the query names a record. The answer is 404 if there is no
	// such record.
	names bool
	// momentary reports that the answer may change while the data stay the same. Such an answer has
	// no ETag.
	momentary bool
	// listsVersions reports that the answer names the versions that the server can answer from, so that
	// it changes with them.
	listsVersions bool
	// matched is the parameter whose values the metrics count as names to match.
	matched string
	// cheap reports that a request needs no turn (see [turns]), because answering it takes less
	// time than waiting for a turn.
	cheap bool
	// handle answers a request with valid parameters.
	handle func(ctx context.Context, b *Backend, vals params.Values, scopes access.Scopes) (answer, error)
	// fixed, if not nil, is the answer of a route that needs neither a key nor a snapshot. version
	// identifies this answer in its ETag.
	fixed   []byte
	version string
}

// bomParam and headerParam are parameters of every list.
var bomParam = params.Param{
	Name: "bom", In: "query", Kind: reflect.Bool, Standard: "0",
	Doc: "1 begins text/csv with a byte order mark, which Excel needs to read UTF-8.",
}

var headerParam = params.Param{
	Name: "header", In: "query", Kind: reflect.Bool, Standard: "1",
	Doc: "0 omits the first line of text/csv, which has the field names.",
}

// formatParam is the parameter that selects the format, for routes with several formats.
const formatParam = "format"

// get returns a row for a path and its handler. It panics if a field of the handler's input has
// invalid tags. Such a bug shows at once, because the program makes all rows when it starts.
func get[In any, Out answer](op, path string, scope access.Scopes, handler func(*Backend, context.Context, In) (Out, error)) route {
	p := params.New(reflect.TypeFor[In]())
	var out Out
	r := route{op: op, path: path, scope: scope, shape: out.shape(), plan: p, names: strings.Contains(path, "{")}
	if r.rows() {
		p.Params = append(p.Params, bomParam, headerParam)
	}
	r.forms = r.formats()
	if len(r.forms) > 1 {
		choice := params.Param{Name: formatParam, In: "query", Kind: reflect.String, Doc: "The format of the answer. It overrides the header Accept."}
		for _, f := range r.forms {
			choice.Among = append(choice.Among, f.word())
		}
		p.Params = append(p.Params, choice)
	}
	r.handle = func(ctx context.Context, b *Backend, vals params.Values, scopes access.Scopes) (answer, error) {
		var in In
		p.Fill(reflect.ValueOf(&in).Elem(), vals, scopes)
		return handler(b, ctx, in)
	}
	return r
}

func (r route) says(summary, doc string) route {
	r.summary, r.doc = summary, doc
	return r
}

// costs sets priced to the name of a parameter. The number of values of this parameter determines
// how many requests one request counts as.
func (r route) costs(parameter string) route {
	r.priced = parameter
	return r
}

// counts sets the number of requests that one request of the route counts as.
func (r route) counts(requests int) route {
	r.price = requests
	return r
}

// namesRecord marks a route whose query names a record or a version that may be unknown.
func (r route) namesRecord() route {
	r.names = true
	return r
}

// isCheap marks a route that needs no turn (see [turns]).
func (r route) isCheap() route {
	r.cheap = true
	return r
}

// ofTheMoment marks a route whose answer may change while the data stay the same.
func (r route) ofTheMoment() route {
	r.momentary = true
	return r
}

// ofVersions marks the route whose answer names the versions that the server can answer from.
func (r route) ofVersions() route {
	r.listsVersions = true
	return r
}

// matches sets the parameter whose values the metrics count as names to match.
func (r route) matches(parameter string) route {
	r.matched = parameter
	return r
}

// searches reports whether the answer has the header [searchHeader].
func (r *route) searches() bool {
	return strings.HasSuffix(r.op, ".search") || strings.HasSuffix(r.op, ".facets") || strings.HasPrefix(r.op, "patterns.") || r.op == "formulas.ingredients"
}

// rows reports whether the answer is a list, which can be sent as CSV and NDJSON.
func (r *route) rows() bool { return r.shape.lists || r.shape.pages }

// formats returns the formats that are possible for the shape of the answer.
func (r *route) formats() []format {
	forms := []format{formatJSON}
	if r.rows() {
		forms = append(forms, formatCSV, formatLines)
	}
	if r.pairs() {
		forms = append(forms, formatGraphML)
	}
	if r.papers() {
		for _, f := range cite.Forms {
			forms = append(forms, format(f.Media))
		}
	}
	return forms
}

// papers reports whether the answer consists of papers, which can be sent as references.
func (r *route) papers() bool {
	return r.shape.item == reflect.TypeFor[store.PaperSummary]() || r.shape.item == reflect.TypeFor[store.PaperDetail]()
}

// pairs reports whether the answer consists of pairs, which can be sent as a network.
func (r *route) pairs() bool { return r.shape.item == reflect.TypeFor[patterns.Pair]() }

// public reports whether the route needs no key.
func (r *route) public() bool { return r.fixed != nil }

// tag returns the group of the route in the OpenAPI document.
func (r *route) tag() string {
	tag, _, _ := strings.Cut(r.op, ".")
	return tag
}

// methods are the HTTP methods of every route. HEAD is answered like GET, but without the body.
var methods = []string{http.MethodGet, http.MethodHead}
