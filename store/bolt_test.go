package store_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"bencao/store"
)

// TestManyTransactions uses many transactions at the same time. Each must give the right answers.
// Close must wait for an open transaction, but not for idle ones.
func TestManyTransactions(t *testing.T) {
	path := filepath.Join(t.TempDir(), store.FileName)
	d := data()
	must(t, store.Write(context.Background(), path, d, nil))
	s, err := store.Open(path)
	must(t, err)
	want := func(tx *store.Tx, n store.Num) {
		if got, ok := tx.FormulaNum(d.Formulas[n].GUID); !ok || got != n {
			t.Errorf("formula %s has number %d, %v; want %d", d.Formulas[n].GUID, got, ok, n)
		}
		if _, ok := tx.FormulaNum("z"); ok {
			t.Error("a guid after the last one is found")
		}
		if tx.HerbFormulas(store.Num(len(d.Herbs))) == nil || tx.HerbSummary(store.Num(len(d.Herbs))) != nil {
			t.Error("a herb after the last one has a summary, or no list of formulas")
		}
	}
	last, err := s.Begin()
	must(t, err)
	var wg sync.WaitGroup
	for range 200 { // more transactions than the pool keeps idle
		wg.Go(func() {
			var open []*store.Tx
			for n := range store.Num(len(d.Formulas)) {
				tx, err := s.Begin()
				if err != nil {
					t.Error(err)
					return
				}
				open = append(open, tx)
				want(tx, n)
			}
			for _, tx := range open {
				tx.Close()
			}
		})
	}
	wg.Wait()
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	want(last, 0)
	last.Close()
	if err := <-closed; err != nil {
		t.Error(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a transaction can be closed twice")
		}
	}()
	last.Close()
}
