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

	"bencao/store"
)

// clientVariable holds the JSON of a [client] in processes that are one.
const clientVariable = "BENCAO_TEST_CLIENT"

// client is a process that asks a server the same question over and over.
type client struct {
	Address, Path, Key, Accept string
	// Connections are how many ask at once.
	Connections int
	// Nice lowers the priority of the process.
	Nice int
	// Requests are how many each connection sends; 0 goes on until the process
	// is killed.
	Requests int
}

// run asks, and writes how long each answer took in nanoseconds, a line each.
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

// ask asks over one connection.
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

// start begins the client in a process of its own.
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

// latencies returns how long answers took, the shortest first.
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

func TestFair(t *testing.T) {
	d := records()
	for i := range 3000 {
		d.Species[0].Uses = append(d.Species[0].Uses, store.Use{ID: int64(100 + i), Collection: "folk", Description: strings.Repeat("活血通经，\"补肝肾\"，", 5), Reference: fmt.Sprint(i)})
	}
	s := start(t, config{data: d})
	list := "/api/v1/species/" + ginseng + "/uses"
	many := "/api/v1/names/matches?" + strings.Repeat("name=Panax+ginsenk&", 99) + "name=Panax"
	for _, good := range []client{{Path: "/api/v1/stats"}, {Path: "/api/v1/species/" + ginseng}} {
		good.Address, good.Key, good.Connections, good.Requests = s.addr, s.keys["formulas"], 1, 1000
		quiet := good.latencies(t)
		for _, abuse := range []client{
			{Path: list}, {Path: "/api/v1/species/" + ginseng}, {Path: many},
		} {
			abuse.Address, abuse.Key, abuse.Connections, abuse.Nice = s.addr, s.keys["all"], 1000, 10
			out, cmd := abuse.start(t)
			if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			good.Requests = 1000
			busy := good.latencies(t)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // killed
			p := func(all []time.Duration, at float64) time.Duration { return all[int(at*float64(len(all)-1))] }
			t.Logf("%-40.40s beside %-30.30s %8s: p50 %v -> %v, p99 %v -> %v", good.Path, abuse.Path, abuse.Accept, p(quiet, .5), p(busy, .5), p(quiet, .99), p(busy, .99))
		}
	}
}
