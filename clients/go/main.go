// Command client is an example of a client of the API. It reads all pages of a search and matches a
// list of names. When the rate limit of its key is used up, it waits as long as the server asks.
// oapi-codegen generates its types from the server's OpenAPI document.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"bencao.example/client/bencao"
)

// patient is an HTTP client that sends a request again, up to five times, if the rate limit of the
// key is used up or the server is busy. Before each try it waits as long as the server asks.
type patient struct{ client *http.Client }

func (p patient) Do(r *http.Request) (*http.Response, error) {
	for tries := 0; ; tries++ {
		answer, err := p.client.Do(r)
		if err != nil || tries == 5 || answer.StatusCode != http.StatusTooManyRequests && answer.StatusCode != http.StatusServiceUnavailable {
			return answer, err
		}
		seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
		if err != nil {
			return answer, nil
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			return nil, err
		}
		if err := answer.Body.Close(); err != nil {
			return nil, err
		}
		log.Printf("waiting %d s", seconds)
		select {
		case <-r.Context().Done():
			return nil, r.Context().Err()
		case <-time.After(time.Duration(seconds) * time.Second):
		}
	}
}

// client returns a client of a server. It sends the key with every request. It follows no redirect,
// so no other server gets the key.
func client(server, key string) (*bencao.ClientWithResponses, error) {
	stays := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return bencao.NewClientWithResponses(server, bencao.WithHTTPClient(patient{stays}),
		bencao.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("X-Api-Key", key)
			return nil
		}))
}

// refused returns the error of an answer whose status is not 200. The text of the error is the
// status and the body, in which the server explains it.
func refused(status string, body []byte) error {
	return errors.New(status + ": " + string(body))
}

// species returns all results of a search. It requests one page after the other.
func species(ctx context.Context, c *bencao.ClientWithResponses, query bencao.SpeciesSearchParams) iter.Seq2[bencao.SpeciesSummary, error] {
	return func(yield func(bencao.SpeciesSummary, error) bool) {
		for page := int32(1); ; page++ {
			query.Page = &page
			answer, err := c.SpeciesSearchWithResponse(ctx, &query)
			if err == nil && answer.JSON200 == nil {
				err = refused(answer.Status(), answer.Body)
			}
			if err != nil {
				yield(bencao.SpeciesSummary{}, err)
				return
			}
			for _, one := range answer.JSON200.Items {
				if !yield(one, nil) {
					return
				}
			}
			if !strings.Contains(*answer.Headers200.Link, `rel="next"`) {
				return
			}
		}
	}
}

// match returns what each name means, in the order of names. It sends up to a hundred names in a
// request.
func match(ctx context.Context, c *bencao.ClientWithResponses, names []string) ([]bencao.NameMatchResponse, error) {
	var found []bencao.NameMatchResponse
	one := int32(1)
	for some := range slices.Chunk(names, 100) {
		answer, err := c.NamesMatchesWithResponse(ctx, &bencao.NamesMatchesParams{Name: some, Limit: &one})
		if err != nil {
			return nil, err
		}
		if answer.JSON200 == nil {
			return nil, refused(answer.Status(), answer.Body)
		}
		found = append(found, *answer.JSON200...)
	}
	return found, nil
}

func run(ctx context.Context, out io.Writer) error {
	c, err := client(os.Getenv("BENCAO_SERVER"), os.Getenv("BENCAO_API_KEY"))
	if err != nil {
		return err
	}
	names := []string{"Panax ginsen"}
	family := "五加科"
	for one, err := range species(ctx, c, bencao.SpeciesSearchParams{Family: &family}) {
		if err != nil {
			return err
		}
		detail, err := c.SpeciesDetailWithResponse(ctx, one.Guid.String())
		if err != nil {
			return err
		}
		if detail.JSON200 == nil {
			return refused(detail.Status(), detail.Body)
		}
		// The schema permits a number or a text for each number, so a program must choose the type.
		papers, err := detail.JSON200.Papers.AsSpeciesDetailPapers0()
		if err != nil {
			return err
		}
		fmt.Fprintln(out, text(one.ChineseName), text(one.ScientificName), papers, "papers")
		names = append(names, text(one.ScientificName))
	}
	found, err := match(ctx, c, names)
	if err != nil {
		return err
	}
	for i, answer := range found {
		if len(answer.Results) == 0 {
			fmt.Fprintln(out, names[i], "means nothing")
			continue
		}
		fmt.Fprintln(out, names[i], "means", text(answer.Results[0].AcceptedName))
	}
	return nil
}

// text returns a text, or "" if the record lacks the field.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}
