package prescriptions_test

import (
	"testing"

	"bencao/internal/test/indextest"
	"bencao/internal/test/leak"
)

// sampleData is a snapshot of the sample.
var sampleData indextest.Shared

func TestMain(m *testing.M) { leak.Main(m, sampleData.Remove) }
