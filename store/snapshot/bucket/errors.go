package bucket

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"regexp"

	"github.com/minio/minio-go/v7"
)

// ErrBehind is the error if the bucket has a later state than the data directory.
var ErrBehind = errors.New("the bucket has a later state")

// errMoved is the error if another push changed the bucket during this push.
var errMoved = errors.New("another push changed the bucket at the same time")

// plainCode matches the error codes of S3. Only this code is logged, because the rest of a store's
// error may repeat secrets from the request.
var plainCode = regexp.MustCompile(`^[A-Za-z0-9]{1,64}$`)

// maxError is the maximum number of bytes that codeOf reads from an error response.
const maxError = 16 << 10

// codeOf returns the error code in a response, or "" if there is none. The caller can still read
// the body.
func codeOf(r *http.Response) string {
	b, err := io.ReadAll(io.LimitReader(r.Body, maxError))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(b), r.Body), r.Body}
	var said minio.ErrorResponse
	if err != nil || xml.Unmarshal(b, &said) != nil || !plainCode.MatchString(said.Code) {
		return ""
	}
	return said.Code
}

// explain returns the meaning of an error code, with advice.
func (b *Bucket) explain(code string) string {
	switch code {
	case "NoSuchBucket":
		return fmt.Sprintf("there is no bucket %q (%s); make it, or correct the address and the endpoint", b.name, code)
	case "AccessDenied", "AllAccessDisabled", "AccountProblem":
		return fmt.Sprintf("the credentials do not allow this (%s); grant them the rights on the bucket, or use others", code)
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired", "XAdminUserNotFound", "XAmzContentSHA256Mismatch":
		return fmt.Sprintf("the store rejects the credentials (%s); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or the profile", code)
	case "RequestTimeTooSkewed", "RequestExpired":
		return fmt.Sprintf("this machine's clock or the store's is wrong (%s); set it", code)
	case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect", "IllegalLocationConstraintException", "InvalidRegion":
		return fmt.Sprintf("the bucket is not in region %s (%s); set AWS_REGION", b.region, code)
	}
	return code
}

// wrap adds the failed action and the file to err. It replaces the message of a store's error
// response, which may repeat secrets, with the meaning of its code.
func (b *Bucket) wrap(doing, file string, err error) error {
	if err == nil {
		return nil
	}
	where := b.address
	if file != "" {
		where = scheme + b.name + "/" + b.key(file)
	}
	said := minio.ToErrorResponse(err)
	var network minio.ErrorResponse
	switch {
	case !errors.As(err, &network):
		return fmt.Errorf("%s %s: %w", doing, where, err)
	case said.Code == "NoSuchKey":
		return fmt.Errorf("%s %s: %w", doing, where, fs.ErrNotExist)
	case said.Code == "PreconditionFailed", said.Code == "ConditionalRequestConflict":
		return fmt.Errorf("%s %s: %w; run it again", doing, where, errMoved)
	case !plainCode.MatchString(said.Code):
		return fmt.Errorf("%s %s: the store answers %d", doing, where, said.StatusCode)
	}
	return fmt.Errorf("%s %s: %s", doing, where, b.explain(said.Code))
}
