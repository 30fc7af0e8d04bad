package api

import (
	"context"

	"bencao/api/access"
	"bencao/mappings/patterns"
	"bencao/mappings/prescriptions"
)

// openPrescriptions reads all drugs and formulas of the snapshot.
func (b *Backend) openPrescriptions() (*prescriptions.Base, error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	return prescriptions.OpenBase(tx, b.patterns)
}

// Prescriptions returns what prescriptions are read by and compared with. The first call takes up to a
// second. The backend must have the parts of a snapshot that the patterns operations need.
func (b *Backend) Prescriptions() (*prescriptions.Base, error) { return b.prescriptions() }

// Against returns the formulas that the parameter against of patterns.herbs selects, as a bit set that
// is nil for all, and the keys of the drugs by which it selects them.
func (b *Backend) Against(ctx context.Context, query string, scopes access.Scopes) (formulas []uint64, chosen []string, err error) {
	found, err := against(ctx, b, query, scopes)
	if err != nil {
		return nil, nil, err
	}
	chosen, err = b.chosen(ctx, patterns.Standard, found)
	return found.formulas, chosen, err
}
