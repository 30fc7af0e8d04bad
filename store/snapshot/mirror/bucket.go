package mirror

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"
	"github.com/minio/minio-go/v7/pkg/signer"
)

// scheme begins the address of a bucket, s3://bucket/folder.
const scheme = "s3"

// bucket is a folder in a bucket of Amazon S3 or of a server that speaks as it
// does. Where that is and who asks is told by the environment and the files that
// all clients of S3 have in common.
type bucket struct {
	endpoint     *url.URL
	region       string
	name, folder string
	credentials  *credentials.Credentials
}

// openBucket finds out where the bucket of an address is.
func openBucket(u *url.URL) (*bucket, error) {
	const write = "write one such as s3://bucket/bencao"
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s has more than a bucket and a folder; %s, and put keys into the environment or ~/.aws/credentials", u.Redacted(), write)
	}
	if err := s3utils.CheckValidBucketNameStrict(u.Host); err != nil {
		return nil, fmt.Errorf("%q: %w; %s", u.String(), err, write)
	}
	b := &bucket{
		name: u.Host, folder: strings.Trim(u.Path, "/"),
		region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), "us-east-1"),
		credentials: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{},
		}),
	}
	at := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), "https://s3."+b.region+".amazonaws.com")
	var err error
	if b.endpoint, err = url.Parse(at); err != nil {
		return nil, fmt.Errorf("the endpoint of S3 is no address: %w", err)
	}
	if e := b.endpoint; e.Scheme != "http" && e.Scheme != "https" || e.Host == "" || strings.Trim(e.Path, "/") != "" || e.User != nil || e.RawQuery != "" {
		return nil, fmt.Errorf("the endpoint of S3 is %q; write one such as https://s3.example:9000 into AWS_ENDPOINT_URL_S3", e.Redacted())
	}
	return b, nil
}

// base is where the folder is read over HTTP. The bucket is in the path, which
// every server understands.
func (b *bucket) base() *url.URL { return b.endpoint.JoinPath(b.name, b.folder) }

// client returns what writes to the bucket.
func (b *bucket) client(transport http.RoundTripper, retries int) (*minio.Client, error) {
	return minio.New(b.endpoint.Host, &minio.Options{
		Creds: b.credentials, Secure: b.endpoint.Scheme == "https", Region: b.region,
		BucketLookup: minio.BucketLookupPath, MaxRetries: max(1, retries+1), Transport: transport,
	})
}

// signed signs requests to the bucket's server. Without credentials they go as
// they are, for public buckets.
type signed struct {
	*bucket
	transport http.RoundTripper
}

// emptySHA256 is the SHA-256 of no body.
const emptySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func (s *signed) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != s.endpoint.Host || r.URL.Scheme != s.endpoint.Scheme {
		return s.transport.RoundTrip(r) // where a redirect leads
	}
	who, err := s.credentials.GetWithContext(&credentials.CredContext{Client: http.DefaultClient})
	if err != nil {
		return nil, fmt.Errorf("credentials for S3: %w", err)
	}
	if who.SignerType.IsAnonymous() {
		return s.transport.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	r.Header.Set("X-Amz-Content-Sha256", emptySHA256)
	return s.transport.RoundTrip(signer.SignV4(*r, who.AccessKeyID, who.SecretAccessKey, who.SessionToken, s.region))
}
