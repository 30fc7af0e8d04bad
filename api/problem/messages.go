package problem

import "bencao/internal/messages"

// The messages of the API. docs/api.md explains the kinds of problems. Pages in other languages
// translate each message by its code.
var (
	// Errors about records that do not exist.
	NoSpecies = messages.Define("no-species", "no species has the guid %v; look it up with a search")
	NoFormula = messages.Define("no-formula", "no formula has the guid %v; look it up with a search")
	NoHerb    = messages.Define("no-herb", "no herb has the guid %v; look it up with a search")
	NoPaper   = messages.Define("no-paper", "no paper has the id %v; look it up with a search")
	// NotPaper answers a path that ends with the id of a paper.
	NotPaper  = messages.Define("not-paper", "there is no %v here; one paper is at %v")
	NoVersion = messages.Define("no-version", "since is %v, which this server does not know; use one of %v, or read everything again")
	NoPage    = messages.Define("no-page", "there is no %v here")
	NoAddress = messages.Define("no-address", "there is no %v here; /openapi/v1.json lists the addresses")

	// Errors about one parameter.
	ParamMissing   = messages.Define("param-missing", "%v is missing; give %v")
	ParamWrong     = messages.Define("param-wrong", "%v is %v; use %v")
	ParamNotUTF8   = messages.Define("param-not-utf8", "%v is %v, which is not UTF-8; use %v")
	ParamControls  = messages.Define("param-controls", "%v is %v, which holds control characters; use %v")
	ParamTooLong   = messages.Define("param-too-long", "%[1]v is %[2]v and has %[4]v characters; use %[3]v")
	ParamEncoding  = messages.Define("param-encoding", "%v is %v, which is wrongly percent-encoded; write %% as %%25")
	ParamNameCoded = messages.Define("param-name-encoding", "the parameter name %v is wrongly percent-encoded; write %% as %%25")
	ParamUnknown   = messages.Define("param-unknown", "there is no parameter %v here; it takes %v")
	ParamLike      = messages.Define("param-like", "there is no parameter %v here; did you mean %v? It takes %v")
	ParamNone      = messages.Define("param-none", "there is no parameter %v here; this address takes none")
	ParamTwice     = messages.Define("param-twice", "%v is given twice, as %v and as %v; give it once")
	ParamTooOften  = messages.Define("param-too-often", "%v is given more than %v times; split the list")

	// Parts of errors that tell which values a parameter accepts.
	RuleOr       = messages.Define("rule-or", "%v or %v")
	RuleText     = messages.Define("rule-text", "text of at most %v characters")
	RuleSomeText = messages.Define("rule-some-text", "text of 1 to %v characters")
	RuleNumber   = messages.Define("rule-number", "a whole number from %v to %v")

	// Errors about parameters that cannot be combined.
	YearsExchanged = messages.Define("years-exchanged", "fromYear is %v, after toYear %v; exchange them")
	HerbsCount     = messages.Define("herbs-count", "%v is %v; name 1 to %v herbs with 、 between them")
	HerbUnknown    = messages.Define("herb-unknown", "%v names %v, which no formula has; %v/formulas/facets?by=herbs lists all herbs")
	HerbLike       = messages.Define("herb-like", "%v names %v, which no formula has; did you mean %v? %v/formulas/facets?by=herbs lists all herbs")
	HerbMentioned  = messages.Define("herb-mentioned", "%v names %v, which no formula has as an ingredient; %v formulas have it in the text of their composition: %v/formulas?q=%v&in=composition")
	HerbMeanings   = messages.Define("herb-meanings", "%v names %v, which can mean %v; give the name of the herb that you mean")
	FacetUnknown   = messages.Define("facet-unknown", "by names %v, which is no facet here; use %v")
	FacetTwice     = messages.Define("facet-twice", "by names %v twice; name it once")
	HintsCount     = messages.Define("hints-count", "%v is given %v times and name %v times; give one for each name in the same order, empty where there is none, or none at all")
	NamesCost      = messages.Define("names-cost", "%v of %v count as %v requests, and %v a minute are allowed; give %v or fewer")
	AgainstWrong   = messages.Define("against-wrong", "against: %v")
	RequestsCost   = messages.Define("requests-cost", "this request counts as %v requests, and %v a minute are allowed; ask the operator for a higher limit")

	// Errors about keys, scopes and limits.
	KeyWanted    = messages.Define("key-wanted", "send one valid key in the header %v; the operator gives keys")
	KeyElsewhere = messages.Define("key-elsewhere", "the key may not be used from %v; ask the operator to list the address")
	KeyLacks     = messages.Define("key-lacks", "%v; ask the operator to add it to the key")
	Withheld     = messages.Define("withheld", "this service has a public snapshot, which was built without the data of the scope %v; no key opens it here, ask the operator for a service with all data")
	ParamLacks   = messages.Define("param-lacks", "%v needs the scope %v, which the key lacks; leave it out or ask the operator")
	PagesLack    = messages.Define("pages-lack", "the pages lack the scope %v")
	ClientHidden = messages.Define("client-hidden", "the proxy in front of this server does not say which address the request comes from; the operator must set X-Forwarded-For there")
	LimitUsed    = messages.Define("limit-used", "%v requests a minute are allowed; wait %v s")
	TurnsTaken   = messages.Define("turns-taken", "too many requests are being answered just now; ask again in a second")

	// Errors about the whole request.
	BodySent          = messages.Define("body-sent", "the request has a body; send none, and put parameters into the address")
	VersionForm       = messages.Define("version-form", "X-Data-Version is %v; send one from an earlier answer, such as 20261120T021500Z-3f9a1c, or none")
	VersionNotHere    = messages.Define("version-not-here", "the data version %v is not here yet, the newest here is %v; ask again in %v s, or start again without X-Data-Version")
	VersionUnreadable = messages.Define("version-unreadable", "the data version %v is kept, but this server cannot read it; the current one is %v. The operator's log has the reason")
	VersionOver       = messages.Define("version-gone", "the data version %v is not kept any more, the current one is %v; start again without X-Data-Version")
	ExpectSent        = messages.Define("expect-sent", "the request has a header Expect that asks for something other than 100-continue; leave the header out")
	MethodSent        = messages.Define("method-sent", "the method is %v; use GET or HEAD")
	FormatWanted      = messages.Define("format-wanted", "Accept is %v; %v is offered here")
	HeaderSize        = messages.Define("header-size", "the request's header has more than %v bytes; shorten the address or send fewer fields")
	TransferCoding    = messages.Define("transfer-coding", "the request has a transfer encoding; send no body")
	UseHTTP11         = messages.Define("use-http-11", "use HTTP/1.1")
	NotHTTP           = messages.Define("not-http", "the request is not well-formed HTTP/1.1; check the percent-encoding of the address, the Host header and the line ends")

	slow   = messages.Define("slow", "the answer took too long and was abandoned; ask again in a second, or narrow the request")
	left   = messages.Define("left", "the client did not wait for the answer")
	broken = messages.Define("broken", "the server has failed; quote the instance to the operator")
)
