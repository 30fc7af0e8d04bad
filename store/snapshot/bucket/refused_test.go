package bucket_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"bencao/store/snapshot/bucket"
	"bencao/store/snapshot/mirror"
)

// TestRefused pushes to stores and pulls from stores that refuse the requests. Each error must name
// the problem and contain no secret.
func TestRefused(t *testing.T) {
	s := newStore(t)
	d := dataDir(t)
	m := nightly(t, d, "only")
	s.push(t, d, bucket.PushOptions{})
	t.Setenv("AWS_SESSION_TOKEN", "")
	for _, tt := range []struct {
		name, want string
		address    string
		region     string
		env        map[string]string
		between    func(http.ResponseWriter, *http.Request) bool
	}{
		{name: "wrong secret", want: "SignatureDoesNotMatch", env: map[string]string{"AWS_SECRET_ACCESS_KEY": "wrong"}},
		{name: "unknown key", want: "rejects the credentials", env: map[string]string{"AWS_ACCESS_KEY_ID": "AKNOBODY"}},
		{name: "no credentials", want: "no credentials for s3://plants/data", env: map[string]string{
			"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "HOME": "/nowhere", "AWS_EC2_METADATA_DISABLED": "true"}},
		{name: "no bucket", want: `there is no bucket "elsewhere"`, address: "s3://elsewhere/data"},
		{name: "wrong region", want: "set AWS_REGION", region: "eu-west-1"},
		{name: "wrong clock", want: "clock", between: answer(http.StatusForbidden, "RequestTimeTooSkewed", "The difference …")},
		{name: "no right", want: "do not allow this", between: answer(http.StatusForbidden, "AccessDenied", "no")},
		{name: "babble", want: "403", between: answer(http.StatusForbidden, "x sessiontoken", secret)},
		{name: "echo", want: "Odd", between: answer(http.StatusForbidden, "Odd", secret+" sessiontoken"), env: map[string]string{"AWS_SESSION_TOKEN": "sessiontoken"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for k, v := range tt.env {
				t.Setenv(k, v)
			}
			address := tt.address
			if address == "" {
				address = "s3://plants/data"
			}
			s.put(tt.between)
			defer s.put(nil)
			b, err := bucket.Open(address, bucket.Options{Endpoint: s.url, Region: tt.region, Retries: 1})
			must(t, err)
			_, pushErr := bucket.Push(t.Context(), d, b, bucket.PushOptions{})
			_, pullErr := mirror.Pull(t.Context(), b.URL(), dataDir(t), mirror.Options{Sign: b.Sign, Pause: time.Millisecond, Retries: 1})
			for what, err := range map[string]error{"push": pushErr, "pull": pullErr} {
				if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: %v, want one line with %q", what, err, tt.want)
				}
				keepsSecret(t, err)
			}
		})
	}
	s.shows(t, m.ID)
}
