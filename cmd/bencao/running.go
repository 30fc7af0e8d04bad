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
	client, err := clientOf(admin)
	if err != nil {
		return "", err
	}
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

// clientOf asks whoever listens on an address, be it a unix socket.
func clientOf(address string) (*http.Client, error) {
	at, err := listen.Parse(address)
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if at.Network == "unix" {
				network, address = "unix", at.Place
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}}, nil
}
