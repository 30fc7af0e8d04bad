package reading_test

import (
	"slices"
	"testing"

	"bencao/mappings/internal/reading"
)

// TestListNumbers reads lines of lists. A name may begin with Chinese numerals that are no number.
func TestListNumbers(t *testing.T) {
	for line, want := range map[string]string{
		"三、黄连": "黄连", "(十)黄连": "黄连", "十二、黄连": "黄连", "二十、黄连": "黄连", "(二十三)黄连": "黄连", "37. 黄连": "黄连",
		"三七、人参": "三七、人参", "(三七)注射液": "(三七)注射液", "(三七)人参": "(三七)人参", "八角、茴香": "八角、茴香", "二二、黄连": "二二、黄连",
	} {
		if got := reading.Read(line).Text; got != want {
			t.Errorf("%s is read as %q, want %q", line, got, want)
		}
	}
}

// TestInTitle marks the words of a query in a title. Words in characters overlap.
func TestInTitle(t *testing.T) {
	if got, want := reading.InTitle("黄芪多糖", "论黄芪多糖"), []reading.Range{{1, 5}}; !slices.Equal(got, want) {
		t.Errorf("InTitle marks %v, want %v", got, want)
	}
}

// TestReadings reads characters. A text with a character without pinyin has no reading.
func TestReadings(t *testing.T) {
	for text, want := range map[string][]string{"人参": {"ren2 shen1"}, "人𬺰": nil} {
		if got := reading.PinyinReadings([]rune(text)); !slices.Equal(got[:min(1, len(got))], want) {
			t.Errorf("%s reads %q, want %q first", text, got, want)
		}
	}
}
