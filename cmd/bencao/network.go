package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/listen"
	"bencao/internal/system"

	"github.com/spf13/cobra"
)

// nearby returns the host and port for a URL on this machine. A request to that URL reaches a
// server that listens on address. For a unix socket, nearby returns "localhost".
func nearby(address string) string {
	host, port, err := net.SplitHostPort(address)
	if at, wrong := listen.Parse(address); err != nil || wrong == nil && at.Network == "unix" {
		return "localhost"
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// trusted returns the networks of trusted proxies. It returns an error if one of them is too wide,
// because then any client could forge its address.
func trusted(s *settings) ([]netip.Prefix, error) {
	all, err := networks("trusted-proxy", s.trustedProxies)
	if err != nil {
		return nil, err
	}
	if err := access.TooWide(all); err != nil {
		return nil, usagef("trusted-proxy: %w, and any client could forge its address; name the networks of the proxies alone", err)
	}
	return all, nil
}

// networks parses texts as networks. setting is the name of the setting, for errors.
func networks(setting string, texts []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, t := range texts {
		p, err := access.ParseNetwork(t)
		if err != nil {
			return nil, usagef("%s: %w", setting, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// askReady returns the response of /readyz at an admin address.
func askReady(ctx context.Context, admin string) (r api.Ready, err error) {
	const limit = 64 << 20
	err = askPath(ctx, admin, "/readyz", func(resp *http.Response) error {
		if err := json.NewDecoder(io.LimitReader(resp.Body, limit)).Decode(&r); err != nil {
			return fmt.Errorf("the answer is not from a server's --admin address: %s: %w", resp.Status, err)
		}
		if r.Snapshot == "" {
			return fmt.Errorf("the answer is not from a server's --admin address: %s", resp.Status)
		}
		return nil
	})
	return r, err
}

// askVersion returns the id of the snapshot that a server has at one of its two addresses, or "" if
// there is no server.
func askVersion(ctx context.Context, address string) (version string) {
	if r, err := askReady(ctx, address); err == nil {
		return r.Snapshot
	}
	err := askPath(ctx, address, "/about", func(resp *http.Response) error {
		version = resp.Header.Get("X-Data-Version")
		return nil
	})
	if err != nil {
		return ""
	}
	return version
}

// askPath requests a path from the server at address, and calls read with the response.
func askPath(ctx context.Context, address, path string, read func(*http.Response) error) (err error) {
	const patience = 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client, err := clientOf(address)
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+nearby(address)+path, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	return read(resp)
}

// portTaken adds advice to the error that another program uses the address. It returns other errors
// unchanged.
func portTaken(cmd *cobra.Command, s *settings, err error) error {
	if !errors.Is(err, system.AddressTaken) {
		return err
	}
	flag, taken := "listen", s.listen
	if examineAddress(cmd.Context(), taken) == nil && s.admin != "" && s.admin != off {
		flag, taken = "admin", s.admin
	}
	return fmt.Errorf("%s is in use by another program; stop it, or choose another address with --%s: %w", taken, flag, system.AddressTaken)
}

// clientOf returns a client that connects to the server at address, which may be a unix socket.
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

// examineAddress returns an error if no server can listen on address.
func examineAddress(ctx context.Context, address string) error {
	at, err := listen.Parse(address)
	if err != nil {
		return err
	}
	if at.Network == "unix" {
		taken, err := listen.Answers(ctx, at.Place)
		if err == nil && taken {
			err = fmt.Errorf("%s: %w", at.Place, system.AddressTaken)
		}
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, at.Network, at.Place)
	if err != nil {
		return err
	}
	return l.Close()
}
