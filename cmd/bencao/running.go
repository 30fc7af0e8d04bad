package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"bencao/api"
	"bencao/api/listen"
)

// askReady asks a server for /readyz.
func askReady(ctx context.Context, admin string) (r api.Ready, err error) {
	status, err := askAdmin(ctx, admin, "/readyz", &r)
	if err == nil && r.Snapshot == "" {
		err = fmt.Errorf("what answers is not what --admin means: %s", status)
	}
	return r, err
}

// askAdmin asks a server for something of /readyz's kind, and returns the
// status.
func askAdmin(ctx context.Context, admin, path string, answer any) (status string, err error) {
	const patience, limit = 2 * time.Second, 64 << 20
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	at, err := listen.Parse(admin)
	if err != nil {
		return "", err
	}
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if at.Network == "unix" {
				network, address = "unix", at.Place
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}}
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+nearby(admin)+path, nil)
	if err != nil {
		return "", err
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if err := json.NewDecoder(io.LimitReader(resp.Body, limit)).Decode(answer); err != nil {
		return "", fmt.Errorf("what answers is not what --admin means: %s: %w", resp.Status, err)
	}
	return resp.Status, nil
}
