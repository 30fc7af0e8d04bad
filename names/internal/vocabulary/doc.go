// Package vocabulary has the types that package names and its internal packages share; package
// names re-exports them. They are queries (Query), answers (Response, Entry), the input of an index
// (Usage, Record), the statuses of names and the flags of matches. The package does not parse or
// match names.
package vocabulary
