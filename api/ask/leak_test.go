package ask_test

import (
	"testing"

	"bencao/internal/test/leak"
)

func TestMain(m *testing.M) { leak.Main(m, sample.Remove, full.Remove) }
