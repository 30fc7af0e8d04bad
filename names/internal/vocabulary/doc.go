// Package vocabulary has the words that the rooms of names share, and that
// names passes on: what is asked (Query), what is answered (Response, Entry),
// what a checklist and the database bring (Usage, Record), the statuses of
// names and the flags of an answer. It knows nothing of how names are read or
// matched.
package vocabulary
