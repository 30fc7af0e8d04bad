// Package build makes the names file out of checklists and the database. It
// knows nothing of how names are parsed or matched.
//
//	Usage, Record ─Add─▶ drafts ─sort by key─▶ keyTable ─link─▶ linkTable ─lay─▶ file.Data ─▶ names.idx
//
// Linking is what no checklist does by itself. Usages of one key whose authors
// agree are one name (a group), whichever list they are from; names that the
// lists place differently are joined into a concept, and the checklist that
// wins (WCVP, then the others as they came) heads it:
//
//	WCVP       Reynoutria multiflora     accepted ──┐
//	WCVP       Polygonum multiflorum     synonym  ──┤ concept 2425429, headed by WCVP
//	CoL-China  Pleuropterus multiflorus  accepted ──┤ member: the name in CoL-China
//	database   Polygonum multiflorum     何首乌    ──┘ member: the species of the database
package build
