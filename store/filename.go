package store

// FileName is what the store is called in a snapshot.
const FileName = "store.bolt"
