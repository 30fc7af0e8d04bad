package keyuse_test

import (
	"testing"

	"bencao/internal/test/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }
