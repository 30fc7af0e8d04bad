package explorer

// New returns the explorer, whose pages show the data.
func New() *Explorer { return newExplorer(routes()) }

// Sign returns what a server shows that has no explorer: at / it says what this
// is, and where the API.
func Sign() *Explorer { return newExplorer(signRoutes()) }

// routes are the pages of the explorer. To add one, add a row here, a function
// beside its kin and a template.
func routes() []route {
	return []route{
		{path: "/", page: startPage},
		{path: "/search", page: searchPage},
		{path: "/search.csv", page: searchCSV},
		{path: "/suggest", page: suggestions},
		{path: "/species/:guid", page: speciesPage, record: recordJSON("species", "guid")},
		{path: "/species/:guid/:file", page: speciesFile},
		{path: "/herbs/:id", page: herbPage, record: recordJSON("herbs", "id")},
		{path: "/herbs/:id/:file", page: herbFile},
		{path: "/formulas/:guid", page: formulaPage, record: recordJSON("formulas", "guid")},
		{path: "/formulas/:guid/:file", page: formulaFile},
		{path: "/papers/*id", page: paperPage, record: paperJSON},
		{path: "/compare", page: comparePage},
		{path: "/match", page: matchPage, post: (*renderer).matchList, form: mostForm},
		{path: "/match/table", page: matchPage, post: (*renderer).matchTable, form: mostForm},
		{path: "/stats", page: statsPage},
		{path: "/docs", page: docsPage},
		{path: "/docs/:operation", page: operationPage},
		{path: "/about", page: aboutPage},
		{path: "/problems/:type", page: problemPage},
	}
}

// signRoutes are the pages of a server without explorer.
func signRoutes() []route {
	return []route{{path: "/", page: signPage}}
}
