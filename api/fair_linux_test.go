package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"bencao/internal/race"
	"bencao/store"
)

// clientVariable is the environment variable with the JSON of a [client]. It is set in the
// processes that TestFair starts.
const clientVariable = "BENCAO_TEST_CLIENT"

// client is a process that sends the same request repeatedly.
type client struct {
	Address, Path, Key, Accept string
	// Connections is the number of concurrent connections.
	Connections int
	// Nice is the nice value of the process; a higher value lowers its priority.
	Nice int
	// Requests is the number of requests of each connection. 0 means that it continues until the
	// process is killed.
	Requests int
}

// run sends the client's requests and prints the duration of each in nanoseconds.
func (c client) run() error {
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, c.Nice); err != nil {
		return err
	}
	failed, answered := make(chan error), make(chan struct{}, c.Connections)
	for range c.Connections {
		go func() { failed <- c.ask(answered) }()
	}
	if c.Requests == 0 {
		for range c.Connections {
			<-answered
		}
		fmt.Println("begun")
	}
	var err error
	for range c.Connections {
		if e := <-failed; e != nil {
			err = e
		}
	}
	return err
}

// ask sends the client's requests on one connection.
func (c client) ask(answered chan<- struct{}) error {
	conn, err := net.Dial("tcp", c.Address)
	if err != nil {
		return err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	accept := c.Accept
	if accept == "" {
		accept = "application/json"
	}
	request := "GET " + c.Path + " HTTP/1.1\r\nHost: x\r\nAccept: " + accept + "\r\nX-Api-Key: " + c.Key + "\r\n\r\n"
	for n := 0; c.Requests == 0 || n < c.Requests; n++ {
		began := time.Now()
		if _, err := io.WriteString(conn, request); err != nil {
			return err
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			return err
		}
		if c.Requests > 0 {
			if resp.StatusCode != http.StatusOK {
				return fmt.Errorf("%s: status %d", c.Path, resp.StatusCode)
			}
			fmt.Println(time.Since(began).Nanoseconds())
		} else if n == 0 {
			answered <- struct{}{}
		}
	}
	return nil
}

// start runs the client as a process.
func (c client) start(t *testing.T) (out io.Reader, cmd *exec.Cmd) {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), clientVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return pipe, cmd
}

// latencies runs the client and returns the durations of its requests, sorted.
func (c client) latencies(t *testing.T) []time.Duration {
	t.Helper()
	out, cmd := c.start(t)
	var all []time.Duration
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var d time.Duration
		if _, err := fmt.Sscan(lines.Text(), &d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// slice is the time slice of Go's scheduler. While other goroutines compute, an answer may wait
// that long.
const slice = 10 * time.Millisecond

// TestFair measures the 99th percentile (p99) of the response time for one key. The p99 may at most
// triple while another key sends the costliest requests on 1,000 connections. The best of five
// attempts counts, because other programs use the machine as well.
func TestFair(t *testing.T) {
	if race.On || testing.Short() {
		t.Skip("NOT TESTED: it measures")
	}
	d := records()
	for i := range 3000 {
		d.Species[0].Uses = append(d.Species[0].Uses, store.Use{ID: int64(100 + i), Collection: "folk", Description: strings.Repeat("活血通经，\"补肝肾\"，", 5), Reference: fmt.Sprint(i)})
	}
	s := start(t, config{data: d})
	detail := "/api/v1/species/" + ginseng
	names := "/api/v1/names/matches?" + strings.Repeat("name=Panax+ginsenk&", 99) + "name=Panax"
	for _, c := range []struct {
		other string
		worst []client
	}{
		{"/api/v1/stats", []client{{Path: detail + "/uses"}, {Path: detail}, {Path: names}}},
		{detail, []client{{Path: detail + "/uses", Accept: "text/csv"}, {Path: "/api/v1/species?q=renshen"}}},
	} {
		other := client{Path: c.other, Address: s.addr, Key: s.keys["formulas"], Connections: 1, Requests: 1000}
		usual := other.p99(t)
		for _, worst := range c.worst {
			worst.Address, worst.Key, worst.Connections, worst.Nice = s.addr, s.keys["all"], 1000, 10
			beside := time.Hour
			for try := 0; try < 5 && beside > 3*max(usual, slice); try++ {
				beside = min(beside, other.beside(t, worst))
			}
			t.Logf("%s beside %.40s %s: p99 %v -> %v", other.Path, worst.Path, worst.Accept, usual, beside)
			if beside > 3*max(usual, slice) {
				t.Errorf("%s beside %.40s %s: p99 %v, usually %v", other.Path, worst.Path, worst.Accept, beside, usual)
			}
		}
	}
}

// p99 runs the client and returns the 99th percentile of the durations of its requests.
func (c client) p99(t *testing.T) time.Duration {
	t.Helper()
	all := c.latencies(t)
	return all[len(all)*99/100]
}

// beside returns the p99 of c while the client other sends requests as well.
func (c client) beside(t *testing.T, other client) time.Duration {
	t.Helper()
	out, cmd := other.start(t)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	p99 := c.p99(t)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the other client ended by itself")
	}
	return p99
}
