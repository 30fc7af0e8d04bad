package snapshot

import "path"

// What a copy over HTTP needs to know of the layout: names relative to the
// data directory, and the most bytes that the files may have.
const (
	CurrentName   = currentName
	CheckedName   = checkedName
	TimestampName = timestampName
	ManifestName  = manifestName

	MaxPointer   = maxPointer
	MaxChecked   = maxChecked
	MaxTimestamp = maxTimestamp
	MaxManifest  = maxManifest
	MaxSignature = maxSignature
)

// FilePath is where a file of a snapshot lies, with slashes, relative to the
// data directory.
func FilePath(id, file string) string { return path.Join(snapshotsDir, id, file) }

// SignaturePath is where the signature of a snapshot lies, likewise.
func SignaturePath(id string) string { return path.Join(snapshotsDir, id) + signatureSuffix }

// CheckManifest reads a manifest that is not in a data directory, and checks
// that it is the one that p names.
func CheckManifest(b []byte, p Pointer) (Manifest, error) { return checkManifest(b, p) }

// KeepSignature writes the signature of a snapshot that came from elsewhere,
// unless it is there already. Nil does nothing.
func (w *Writer) KeepSignature(id string, signature []byte) error {
	if old, err := w.dir.Signature(id); signature == nil || err == nil && string(old) == string(signature) {
		return nil
	}
	return w.putSignature(id, signature)
}
