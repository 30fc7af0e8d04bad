package datapackage

import (
	"strconv"

	"github.com/google/uuid"
)

// namespace is the UUID under which missing GUIDs are made. It must never
// change: the same row has the same GUID every night and at every site. It is
// the UUIDv5 of "bencao" in the name space of domain names.
var namespace = uuid.MustParse("01de2ccd-52ed-50a0-ab98-b4035c3576a1")

// GUID is the UUIDv5 of a row that has none of its own, made from its table
// and entry id, such as "species/42".
func GUID(table string, entryID int32) string {
	return NameGUID(table, strconv.Itoa(int(entryID)))
}

// NameGUID is the UUIDv5 of a record that is known by its name alone, such as
// "herbs/甘草".
func NameGUID(table, name string) string {
	return uuid.NewSHA1(namespace, []byte(table+"/"+name)).String()
}

// orMade is the row's own GUID, or the one that is made for it.
func orMade(guid, table string, entryID int32) string {
	if guid == "" {
		return GUID(table, entryID)
	}
	return guid
}
