package names

// FileName is what the names file is called in a snapshot.
const FileName = "names.idx"
