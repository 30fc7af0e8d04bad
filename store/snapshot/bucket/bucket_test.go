package bucket_test

import (
	"fmt"
	"strings"
	"testing"

	"bencao/store/snapshot/bucket"
)

// TestOpen checks which addresses Open accepts and the URLs that they give.
func TestOpen(t *testing.T) {
	for _, tt := range []struct {
		address string
		opt     bucket.Options
		want    string // the URL, or "!" and part of the error
	}{
		{"s3://plants/a/b/", bucket.Options{Region: "eu-west-1"}, "https://plants.s3.eu-west-1.amazonaws.com/a/b"},
		{"s3://plants.example/a", bucket.Options{}, "https://s3.us-east-1.amazonaws.com/plants.example/a"},
		{"s3://plants", bucket.Options{Region: "cn-north-1"}, "https://plants.s3.cn-north-1.amazonaws.com.cn/"},
		{"s3://plants/a", bucket.Options{Endpoint: "http://10.0.0.1:9000"}, "http://10.0.0.1:9000/plants/a"},
		{"s3://plants/a", bucket.Options{Endpoint: "https://s3.example.org", PathStyle: "never"}, "https://plants.s3.example.org/a"},
		{"s3://plants/a", bucket.Options{PathStyle: "always"}, "https://s3.us-east-1.amazonaws.com/plants/a"},
		{"s3://plants/a", bucket.Options{PathStyle: "often"}, "!auto, always or never"},
		{"s3://plants/../a", bucket.Options{}, "!invalid; write"},
		{"s3://user:" + secret + "@plants/a", bucket.Options{}, "!invalid; write"},
		{"s3://plants/a?b", bucket.Options{}, "!invalid; write"},
		{"s3://P", bucket.Options{}, "!invalid; write"},
		{"https://plants/a", bucket.Options{}, "!invalid; write"},
		{"s3://plants/a", bucket.Options{Endpoint: "https://a:" + secret + "@s3.example.org"}, "!the endpoint"},
		{"s3://plants/a", bucket.Options{Endpoint: "s3.example.org"}, "!the endpoint"},
	} {
		b, err := bucket.Open(tt.address, tt.opt)
		got := fmt.Sprint("!", err)
		if err == nil {
			got = b.URL()
		}
		if why, isError := strings.CutPrefix(tt.want, "!"); got != tt.want && !(isError && err != nil && strings.Contains(got, why)) {
			t.Errorf("Open(%q, %+v) = %s, want %s", tt.address, tt.opt, got, tt.want)
		}
		keepsSecret(t, err)
	}
}

// FuzzOpen checks that no address gives a URL outside its bucket or on another host.
func FuzzOpen(f *testing.F) {
	for _, seed := range []string{"s3://plants/a/b", "s3://plants", "s3://plants/..", "s3://plants//a", "s3://a@b/c", "s3://pla%2fnts/%2e%2e/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		b, err := bucket.Open(address, bucket.Options{Endpoint: "https://s3.example.org"})
		if err != nil {
			return
		}
		rest := strings.TrimRight(strings.TrimPrefix(address, "s3://"), "/")
		place, _, _ := strings.Cut(rest, "/")
		if got := b.URL(); got != "https://s3.example.org/"+place && !strings.HasPrefix(got, "https://s3.example.org/"+place+"/") || strings.Contains(got, "/../") {
			t.Errorf("the address %q gives the URL %s", address, got)
		}
	})
}
