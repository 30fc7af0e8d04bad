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
	const patience, limit = 2 * time.Second, 1 << 20
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	at, err := listen.Parse(admin)
	if err != nil {
		return r, err
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
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+nearby(admin)+"/readyz", nil)
	if err != nil {
		return r, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	err = json.NewDecoder(io.LimitReader(resp.Body, limit)).Decode(&r)
	if err != nil || r.Snapshot == "" {
		return r, errors.Join(fmt.Errorf("what answers is not what --admin means: %s", resp.Status), err)
	}
	return r, nil
}
