// Package vocabulary has the types that the packages below names share and that names re-exports:
// queries (Query), answers (Response, Entry), the input of an index (Usage, Record), the statuses
// of names and the flags of matches. It does not parse or match names.
package vocabulary
