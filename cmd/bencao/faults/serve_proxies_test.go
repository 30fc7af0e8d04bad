//go:build linux

package faults_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bencao/internal/test/testkit"
)

// proxy describes a program that runs in front of servers.
type proxy struct {
	name string
	// config is the text of the configuration file. start replaces FRONT by the address at which
	// the proxy listens, BACK by the address of the server, and DIR by a folder of the test.
	config string
	// args are the arguments that run the proxy in the foreground. start replaces CONFIG by the
	// path of the configuration file.
	args []string
}

// nginxHead is the beginning of a configuration with which nginx stays in the foreground and writes
// only to a folder of the test.
const nginxHead = `
daemon off;
pid DIR/pid;
error_log stderr;
worker_processes 1;
events {}
http {
	access_log off;
	client_body_temp_path DIR/body;
	proxy_temp_path DIR/proxy;
	fastcgi_temp_path DIR/fastcgi;
	uwsgi_temp_path DIR/uwsgi;
	scgi_temp_path DIR/scgi;
`

// proxies are configured as docs/security.md describes. They keep their connections to the server
// open and pass on the client address.
var proxies = []proxy{
	{"nginx", nginxHead + `
	upstream bencao { server BACK; keepalive 4; }
	server {
		listen FRONT;
		location / {
			proxy_pass http://bencao;
			proxy_http_version 1.1;
			proxy_set_header Connection "";
			proxy_set_header Host $host;
			proxy_set_header X-Forwarded-For $remote_addr;
		}
	}
}
`, []string{"-c", "CONFIG", "-p", "DIR", "-e", "stderr"}},
	{"haproxy", `
defaults
	mode http
	timeout connect 5s
	timeout client 30s
	timeout server 30s
	option http-keep-alive
	http-reuse always
frontend front
	bind FRONT
	http-request set-header X-Forwarded-For %[src]
	default_backend back
backend back
	server bencao BACK
`, []string{"-db", "-f", "CONFIG"}},
	{"caddy", `
{
	admin off
	auto_https off
}
http://FRONT {
	bind 127.0.0.1
	reverse_proxy BACK
}
`, []string{"run", "--adapter", "caddyfile", "--config", "CONFIG"}},
}

// start runs the proxy in front of the server at back until the test ends. It returns the proxy's
// address.
func (p proxy) start(t *testing.T, back string) string {
	t.Helper()
	for range 3 {
		if front, free := p.listen(t, back); free {
			return front
		}
	}
	t.Fatalf("%s found no free port", p.name)
	return ""
}

// listen starts the proxy on a port that was free. If another program takes the port before the
// proxy does, free is false.
func (p proxy) listen(t *testing.T, back string) (front string, free bool) {
	t.Helper()
	path := tool(t, p.name)
	front = testkit.FreeAddress(t)
	dir := t.TempDir()
	config := filepath.Join(dir, "config")
	fill := strings.NewReplacer("FRONT", front, "BACK", back, "DIR", dir, "CONFIG", config).Replace
	text := p.config
	if os.Getuid() == 0 && p.name == "nginx" {
		text = "user root;\n" + text // the worker must be allowed to write to a folder of the test
	}
	must(t, os.WriteFile(config, []byte(fill(text)), 0o600))
	var args []string
	for _, a := range p.args {
		args = append(args, fill(a))
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
	out := &lockedBuffer{}
	cmd.Stdout, cmd.Stderr = out, out
	must(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		select {
		case <-ended: // the exit code after a signal does not matter
		case <-time.After(patience):
			t.Errorf("%s does not end: %v", p.name, cmd.Process.Kill())
			<-ended
		}
	})
	until(t, fmt.Sprintf("%s listens", p.name), func() bool {
		select {
		case err := <-ended:
			ended <- err
			if !strings.Contains(out.String(), "in use") {
				t.Fatalf("%s ended at once: %v\n%s", p.name, err, out)
			}
			return true
		default:
		}
		c, err := net.Dial("tcp", front)
		if err != nil {
			return false
		}
		must(t, c.Close())
		free = true
		return true
	})
	return front, free
}

// lockedBuffer is a buffer that several goroutines may use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
