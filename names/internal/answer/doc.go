// Package answer has the queries and the answers of package names: Query, Response, Entry and the
// flags of matches. Package names re-exports them. The package does not parse or match names.
package answer
