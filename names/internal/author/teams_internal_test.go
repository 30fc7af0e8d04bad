package author

import "testing"

// TestTeams compares each short form of a team with its standard form. Without the line in teams.txt the
// two must not agree as well.
func TestTeams(t *testing.T) {
	for standard, forms := range rows(teamsText, ";") {
		for _, f := range forms {
			with := Compare(f, standard)
			key := string(new(reader).readPeople(folded(f)).appendKey(nil))
			team := teams[key]
			delete(teams, key)
			without := Compare(f, standard)
			if teams[key] = team; with != Same && with != Compatible || without <= with {
				t.Errorf("Compare(%q, %q) = %s; without the line %s", f, standard, with, without)
			}
		}
	}
}
