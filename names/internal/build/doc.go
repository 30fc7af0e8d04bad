// Package build builds the names file from checklists and the database. It does not parse or match
// names. Start with [Builder].
//
//	Usage, Record ─Add─▶ drafts ─sort by key─▶ keyTable ─link─▶ linkTable ─lay─▶ file.Data ─▶ names.idx
//
// Linking relates the names of all checklists. Usages with the same key and agreeing authors are
// one name (a group), even if they are in different checklists. If checklists place such a name
// under different accepted names, these accepted names are joined into a concept. The head of a
// concept is the usage in the checklist with the highest priority: WCVP, then the others in the
// order given.
//
//	WCVP       Reynoutria multiflora     accepted ──┐
//	WCVP       Polygonum multiflorum     synonym  ──┤ concept 2425429, headed by WCVP
//	CoL-China  Pleuropterus multiflorus  accepted ──┤ member: the name in CoL-China
//	database   Polygonum multiflorum     何首乌    ──┘ member: the species of the database
package build
