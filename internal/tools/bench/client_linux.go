package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

// client sends questions over one connection, which it keeps open.
type client struct {
	http *http.Client
	base string // such as http://127.0.0.1:8080
	key  string
	body bytes.Buffer
}

// question is the path and query of a request, and the ETag of an answer that the client already
// has.
type question struct {
	path, tag string
}

// answer is one answer of the server.
type answer struct {
	status int
	header http.Header
	body   []byte // valid until the next question
}

// newClient returns a client that sends key with each question. The caller must close it.
func newClient(address, key string) *client {
	transport := &http.Transport{MaxConnsPerHost: 1, DisableCompression: true}
	return &client{http: &http.Client{Transport: transport}, base: "http://" + address, key: key}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// ask sends one question and reads the whole answer.
func (c *client) ask(q question) (a answer, err error) {
	req, err := http.NewRequest(http.MethodGet, c.base+q.path, nil)
	if err != nil {
		return a, err
	}
	req.Header = http.Header{"X-Api-Key": {c.key}}
	if q.tag != "" {
		req.Header["If-None-Match"] = []string{q.tag}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return a, err
	}
	c.body.Reset()
	_, err = io.Copy(&c.body, resp.Body)
	return answer{resp.StatusCode, resp.Header, c.body.Bytes()}, errors.Join(err, resp.Body.Close())
}

// askFor sends questions one after another for the duration long, from number first on. It calls
// each with the time that each answer took.
func (c *client) askFor(questions []question, first int, long time.Duration, each func(time.Duration)) error {
	end := time.Now().Add(long)
	for i := first; ; i++ {
		start := time.Now()
		if start.After(end) {
			return nil
		}
		q := questions[i%len(questions)]
		a, err := c.ask(q)
		if err != nil {
			return err
		}
		if a.status != http.StatusOK && a.status != http.StatusNotModified {
			return fmt.Errorf("%s: status %d: %.300s", q.path, a.status, a.body)
		}
		each(time.Since(start))
	}
}

// askTogether sends questions from several clients at the same time, one for each key. It returns
// the number of answers.
func askTogether(ctx context.Context, address string, keys []string, questions []question, long time.Duration) (n int, err error) {
	counts := make([]int, len(keys))
	g, _ := errgroup.WithContext(ctx)
	for i, key := range keys {
		g.Go(func() error {
			c := newClient(address, key)
			defer c.close()
			return c.askFor(questions, i*len(questions)/len(keys), long, func(time.Duration) { counts[i]++ })
		})
	}
	err = g.Wait()
	for _, c := range counts {
		n += c
	}
	return n, err
}
