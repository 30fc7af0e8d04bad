package ask

import (
	"testing"

	"bencao/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }
