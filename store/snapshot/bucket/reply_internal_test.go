package bucket

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"bencao/internal/testkit"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// canned answers every request with the same response.
type canned struct {
	status int
	body   func() io.Reader
	asked  int
}

func (c *canned) RoundTrip(r *http.Request) (*http.Response, error) {
	c.asked++
	return &http.Response{
		StatusCode: c.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, ContentLength: -1,
		Header: http.Header{"Content-Type": {"application/xml"}}, Body: io.NopCloser(c.body()),
	}, nil
}

// request sends a store all kinds of requests whose responses minio-go parses. It returns the
// errors.
func request(t *testing.T, from *canned) (errs []error) {
	t.Helper()
	client, err := minio.New("store.example", &minio.Options{
		Creds: credentials.NewStaticV4("a", "b", ""), Region: "us-east-1", Transport: bounded{from}, MaxRetries: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for o := range client.ListObjectsIter(listing(ctx), "plants", minio.ListObjectsOptions{Recursive: true}) {
		errs = append(errs, o.Err)
	}
	for u := range client.ListIncompleteUploads(listing(ctx), "plants", "", true) {
		errs = append(errs, u.Err)
	}
	_, err = client.CopyObject(ctx, minio.CopyDestOptions{Bucket: "plants", Object: "a"}, minio.CopySrcOptions{Bucket: "plants", Object: "b"})
	errs = append(errs, err)
	_, err = client.PutObject(ctx, "plants", "a", strings.NewReader("x"), 1, minio.PutObjectOptions{DisableContentSha256: true})
	return append(errs, err)
}

const list = `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>`

// FuzzReplies sends arbitrary responses of a store. No response may make the program use more
// memory than a limit that depends on its size, or send too many requests.
func FuzzReplies(f *testing.F) {
	f.Add(200, []byte("<ListBucketResult><Contents><Key>a</Key><Size>1</Size></Contents></ListBucketResult>"))
	f.Add(200, []byte(list+"</ListBucketResult>"))
	f.Add(200, []byte("<ListMultipartUploadsResult><Upload><Key>a</Key></Upload></ListMultipartUploadsResult>"))
	f.Add(403, []byte("<Error><Code>AccessDenied</Code></Error>"))
	f.Add(200, []byte(`<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><ListBucketResult>&b;`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		from := &canned{status: 200 + max(status, -status)%400, body: func() io.Reader { return bytes.NewReader(body) }}
		testkit.LimitAlloc(t, testkit.MaxAlloc((2*maxPages+10)*(len(body)+4<<10)), func() { request(t, from) })
		if from.asked > 4*maxPages+50 {
			t.Errorf("%.80q makes %d requests", body, from.asked)
		}
	})
}

// endless repeats a text without end.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// TestEndlessReplies checks that reading a response without end stops with an error.
func TestEndlessReplies(t *testing.T) {
	for _, repeated := range []string{
		"<Contents/>", "<Contents><Key>a</Key></Contents>", "<Upload/>", "<a>", "x", "<!---->", "<a b='' c=''/>", "<CommonPrefixes/>",
	} {
		for _, begin := range []string{"<ListBucketResult>", "<ListMultipartUploadsResult>", "<CopyObjectResult>", "<Error>", "<ListBucketResult a='"} {
			for _, status := range []int{200, 403} {
				if (status == 403) != (begin == "<Error>") {
					continue
				}
				from := &canned{status: status, body: func() io.Reader { return io.MultiReader(strings.NewReader(begin), &endless{text: repeated}) }}
				testkit.LimitAlloc(t, 6*testkit.MaxAlloc(2*maxReply), func() {
					for _, err := range request(t, from)[:1] {
						if err == nil || status == 200 && !errors.Is(err, errLong) && !strings.Contains(err.Error(), "XML") && !strings.Contains(err.Error(), "element") {
							t.Errorf("%s%s…: %v, want an error that the reply is too long", begin, repeated, err)
						}
					}
				})
			}
		}
	}
	from := &canned{status: 200, body: func() io.Reader { return strings.NewReader(list + "</ListBucketResult>") }}
	if err := request(t, from)[0]; !errors.Is(err, errEndless) {
		t.Errorf("a list without an end: %v after %d requests, want %v", err, from.asked, errEndless)
	}
}
