package wire_test

import (
	"testing"

	"bencao/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }
