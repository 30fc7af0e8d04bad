// Package build builds the names file from checklists and the database. It does not parse or match
// names. Start with [Builder].
//
//	Usage, Record ─Add─▶ drafts ─sort by key─▶ keyTable ─link─▶ linkTable ─lay─▶ file.Data ─▶ names.idx
//
// Linking relates the names of all checklists. Usages of the same key whose authors agree are one
// name (a group), even in different checklists. Names that the checklists place differently are
// joined into a concept. Its head is the usage in the checklist with the highest priority: WCVP,
// then the others in the order given.
//
//	WCVP       Reynoutria multiflora     accepted ──┐
//	WCVP       Polygonum multiflorum     synonym  ──┤ concept 2425429, headed by WCVP
//	CoL-China  Pleuropterus multiflorus  accepted ──┤ member: the name in CoL-China
//	database   Polygonum multiflorum     何首乌    ──┘ member: the species of the database
package build
