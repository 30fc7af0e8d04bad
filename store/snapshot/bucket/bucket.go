// Package bucket copies a publication into a bucket of an S3 store. Mirrors copy the publication
// from the bucket as from any web server. The files are written in this order:
//
//	files ─▶ manifest ─▶ signed metadata ─▶ CURRENT ─▶ CHECKED ─▶ old snapshots are removed
//
// Each object is read back before the next step, since stores have lost objects that they reported
// as written. Large files are read back in part, manifests and pointer files in full. So a mirror
// always finds the complete old or the complete new state, even if a push stops halfway. The next
// push does not send files that the bucket already has with the right hash.
//
// Start with [Open] and [Push]. For mirrors of a private bucket, [Bucket.Sign] signs the requests
// of package mirror.
package bucket

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/signer"
)

// scheme is the start of a bucket's address.
const scheme = "s3://"

// Options tunes [Open]. The zero value is ready for use.
type Options struct {
	// Endpoint is the store's address, such as https://s3.example.org:9000. Empty means Amazon's
	// store in the region.
	Endpoint string
	// Region is the region of the bucket. Empty means us-east-1.
	Region string
	// PathStyle selects where requests name the bucket: in the path if it is "always", in the host
	// name if it is "never". If it is "auto" or empty, the choice depends on the store.
	PathStyle string
	// Stall is the maximum time for which the store may accept no bytes. The start of its response
	// may take ten times as long. Zero is 30 s.
	Stall time.Duration
	// Retries is the number of times that a failed request is repeated. Zero is 5.
	Retries int
}

// Bucket is a folder in a bucket of an S3 store. Its methods may be called from many goroutines.
type Bucket struct {
	address string // as the operator wrote it
	name    string
	prefix  string // folder in the bucket, without slashes at the start and the end
	url     *url.URL
	region  string
	keys    *credentials.Credentials
	client  *minio.Client
}

var (
	bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	// hostStyle matches the hosts of stores whose requests name the bucket in the host name.
	hostStyle = regexp.MustCompile(`\.(amazonaws\.com|amazonaws\.com\.cn|aliyuncs\.com)$`)
)

// Open returns the bucket for an address such as s3://bucket/folder. It sends no request. It
// returns an error if the address or an option is invalid.
func Open(address string, opt Options) (*Bucket, error) {
	name, prefix, _ := strings.Cut(strings.TrimPrefix(address, scheme), "/")
	prefix = strings.Trim(prefix, "/")
	if !strings.HasPrefix(address, scheme) || !bucketName.MatchString(name) || strings.ContainsAny(prefix, "?#\\@%") || prefix != "" && path.Clean(prefix) != prefix || strings.HasPrefix(prefix, "..") {
		return nil, fmt.Errorf("the address of the bucket is invalid; write s3://bucket/folder, without user, password or query")
	}
	if opt.Region == "" {
		opt.Region = "us-east-1"
	}
	if opt.Stall == 0 {
		opt.Stall = 30 * time.Second
	}
	if opt.Retries == 0 {
		opt.Retries = 5
	}
	if opt.Endpoint == "" {
		opt.Endpoint = "https://s3." + opt.Region + ".amazonaws.com"
		if strings.HasPrefix(opt.Region, "cn-") {
			opt.Endpoint += ".cn"
		}
	}
	store, err := url.Parse(opt.Endpoint)
	if err != nil || store.Scheme != "http" && store.Scheme != "https" || store.Host == "" || store.User != nil || store.RawQuery != "" || strings.Trim(store.Path, "/") != "" {
		return nil, errors.New("the endpoint is invalid; write an address such as https://s3.example.org:9000, without path, user or query")
	}
	b := &Bucket{address: address, name: name, prefix: prefix, region: opt.Region}
	var lookup minio.BucketLookupType
	switch opt.PathStyle {
	case "", "auto":
		lookup = minio.BucketLookupPath
		if hostStyle.MatchString(store.Hostname()) && !strings.Contains(name, ".") {
			lookup = minio.BucketLookupDNS
		}
	case "always":
		lookup = minio.BucketLookupPath
	case "never":
		lookup = minio.BucketLookupDNS
	default:
		return nil, fmt.Errorf("path-style is %q; use auto, always or never", opt.PathStyle)
	}
	b.url = &url.URL{Scheme: store.Scheme, Host: store.Host, Path: path.Join("/", name, prefix)}
	if lookup == minio.BucketLookupDNS {
		b.url.Host, b.url.Path = name+"."+store.Host, path.Join("/", prefix)
	}
	b.keys = credentials.New(&credentials.Chain{Providers: []credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{Client: &http.Client{Timeout: 5 * time.Second}, Region: opt.Region},
	}})
	b.client, err = minio.New(store.Host, &minio.Options{
		Creds: b.keys, Secure: store.Scheme == "https", Region: opt.Region, BucketLookup: lookup,
		MaxRetries: opt.Retries + 1, Transport: bounded{transport(opt.Stall)},
	})
	if err != nil {
		return nil, fmt.Errorf("the endpoint: %w", err)
	}
	return b, nil
}

// URL returns the web address of the folder. Mirrors copy from this address.
func (b *Bucket) URL() string { return b.url.String() }

// key returns the key of the object for a file. The file's name is relative to a data directory.
func (b *Bucket) key(file string) string { return path.Join(b.prefix, file) }

// noKeys returns the error for missing credentials.
func (b *Bucket) noKeys() error {
	return fmt.Errorf("no credentials for %s: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE with a file ~/.aws/credentials, or run this on a machine that has a role; pull from a public bucket by its https address, %s", b.address, b.url)
}

// CheckCredentials returns an error if there are no credentials for the store.
func (b *Bucket) CheckCredentials() error {
	_, err := b.credentials()
	return err
}

// credentials returns the credentials. It renews them if they have expired.
func (b *Bucket) credentials() (credentials.Value, error) {
	v, err := b.keys.GetWithContext(nil)
	if err != nil || v.SignerType.IsAnonymous() || v.AccessKeyID == "" {
		return v, b.noKeys()
	}
	return v, nil
}

// transport returns a transport that closes stalled connections.
func transport(stall time.Duration) *http.Transport {
	dialer := &net.Dialer{Timeout: stall}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &patient{c, stall}, nil
		},
		TLSHandshakeTimeout: stall,
		// A store may assemble the parts of a large file before it responds.
		ResponseHeaderTimeout:  10 * stall,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    senders * threads,
		IdleConnTimeout:        stall,
		DisableCompression:     true,
	}
}

// patient is a connection with deadlines. A write may take as long as stall. A read may take ten
// times as long, counted from the last call of Read or Write.
type patient struct {
	net.Conn
	stall time.Duration
}

func (p *patient) Write(b []byte) (int, error) {
	now := time.Now()
	// Another goroutine usually waits in Read. Each write extends the deadline of that Read.
	if err := errors.Join(p.SetWriteDeadline(now.Add(p.stall)), p.SetReadDeadline(now.Add(10*p.stall))); err != nil {
		return 0, err
	}
	return p.Conn.Write(b)
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.SetReadDeadline(time.Now().Add(10 * p.stall)); err != nil {
		return 0, err
	}
	return p.Conn.Read(b)
}

// Sign returns a transport that signs requests to the bucket's host, but no other requests. It adds
// the meaning of the store's error code to the status of an error response.
func (b *Bucket) Sign(next http.RoundTripper) http.RoundTripper { return &signing{b, next} }

type signing struct {
	bucket *Bucket
	next   http.RoundTripper
}

// emptySum is the SHA-256 of an empty body.
const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// RoundTrip implements [http.RoundTripper].
func (s *signing) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != s.bucket.url.Host || r.URL.Scheme != s.bucket.url.Scheme {
		return s.next.RoundTrip(r)
	}
	v, err := s.bucket.credentials()
	if err != nil {
		return nil, err
	}
	signed := r.Clone(r.Context())
	signed.Header.Set("X-Amz-Content-Sha256", emptySum)
	signed = signer.SignV4(*signed, v.AccessKeyID, v.SecretAccessKey, v.SessionToken, s.bucket.region)
	resp, err := s.next.RoundTrip(signed)
	if err == nil && resp.StatusCode >= http.StatusBadRequest {
		if code := codeOf(resp); code != "" && code != "NoSuchKey" {
			resp.Status += ": " + s.bucket.explain(code)
		}
	}
	return resp, err
}
