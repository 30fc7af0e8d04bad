package indexer_test

import (
	"os"
	"strconv"
	"testing"

	"bencao/indexer"
	"bencao/internal/mutant"
)

// TestHonestNightsAreNotRefused lets a curator work for thirty days, each of
// which adds, mends and takes out 0.5 to 3 % of the records. Every night must
// publish. BENCAO_SEEDS is how many curators work, one by
// default; BENCAO_SOURCES=full gives them the full-size sources.
func TestHonestNightsAreNotRefused(t *testing.T) {
	seeds, nights := uint64(1), 30
	if testing.Short() {
		nights = 4
	}
	if n := os.Getenv("BENCAO_SEEDS"); n != "" {
		var err error
		if seeds, err = strconv.ParseUint(n, 10, 64); err != nil {
			t.Fatal("BENCAO_SEEDS:", err)
		}
	}
	good := goodSources(t)
	for seed := range seeds {
		curator := mutant.NewCurator(good, seed)
		cfg := sourcesConfig(t, curator.Night())
		mustRun(t, cfg)
		for night := 2; night <= nights; night++ {
			cfg = sourcesOf(cfg, curator.Night())
			report, err := indexer.Run(t.Context(), cfg, indexer.Options{})
			if err != nil {
				t.Errorf("seed %d, night %d: %s: %v", seed, night, report.Outcome, err)
			}
		}
	}
}
