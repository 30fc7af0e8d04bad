package redis_test

import (
	"testing"

	"bencao/internal/test/leak"
	"bencao/internal/test/testkit"
)

// must ends the test if there is an error.
var must = testkit.Must

func TestMain(m *testing.M) { leak.Main(m) }
