// Package checklist has what goes into a names file: Checklist, Usage and Record, and the statuses of
// names. Package names re-exports them.
package checklist
