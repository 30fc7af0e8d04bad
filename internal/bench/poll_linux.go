package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// poller asks over several connections at a time and never sleeps: it looks at one socket after
// the other for what has come. A client that sleeps is woken by the server, in the server's
// time, and the more often the longer an answer takes.
type poller struct {
	fd        int
	key       string
	questions []question
	next      int
	out, in   []byte
	got       int // bytes in in
}

var lengthHeader = []byte("\r\nContent-Length: ")

func dialPoller(address, key string, questions []question, first int) (*poller, error) {
	to, err := net.ResolveTCPAddr("tcp4", address)
	if err != nil {
		return nil, err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	p := &poller{fd: fd, key: key, questions: questions, next: first, in: make([]byte, 1<<20)}
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: to.Port, Addr: [4]byte(to.IP.To4())}); err != nil {
		return nil, errors.Join(err, p.close())
	}
	if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (p *poller) close() error { return unix.Close(p.fd) }

// ask sends the next question.
func (p *poller) ask() error {
	q := p.questions[p.next%len(p.questions)]
	p.next++
	p.out = q.append(p.out[:0], p.key)
	p.got = 0
	n, err := unix.Write(p.fd, p.out)
	if err == nil && n < len(p.out) {
		err = errors.New("the socket took half a question")
	}
	return err
}

// look reports whether the answer is whole.
func (p *poller) look() (bool, error) {
	if p.got == len(p.in) {
		return false, fmt.Errorf("an answer of more than %d bytes", p.got)
	}
	n, _, err := unix.Recvfrom(p.fd, p.in[p.got:], unix.MSG_DONTWAIT)
	if errors.Is(err, unix.EAGAIN) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if n == 0 {
		return false, errors.New("the server has closed the connection")
	}
	p.got += n
	head := bytes.Index(p.in[:p.got], []byte("\r\n\r\n"))
	if head < 0 {
		return false, nil
	}
	if status := string(p.in[9:12]); status != "200" && status != "304" {
		return false, fmt.Errorf("status %s: %.300s", status, p.in[:p.got])
	}
	length := 0
	at := bytes.Index(p.in[:head+2], lengthHeader)
	if at < 0 && string(p.in[9:12]) != "304" {
		return false, errors.New("an answer of unknown length")
	}
	if at >= 0 {
		text, _, _ := bytes.Cut(p.in[at+len(lengthHeader):head+2], []byte("\r\n"))
		if length, err = strconv.Atoi(string(text)); err != nil {
			return false, err
		}
	}
	return p.got >= head+4+length, nil
}

// pollFor asks over so many connections for some time, and counts the answers.
func pollFor(address string, keys []string, questions []question, long time.Duration) (n int, err error) {
	var all []*poller
	defer func() {
		for _, p := range all {
			err = errors.Join(err, p.close())
		}
	}()
	for i, key := range keys {
		p, err := dialPoller(address, key, questions, i*len(questions)/len(keys))
		if err != nil {
			return n, err
		}
		all = append(all, p)
		if err := p.ask(); err != nil {
			return n, err
		}
	}
	for end := time.Now().Add(long); time.Now().Before(end); {
		for _, p := range all {
			whole, err := p.look()
			if err != nil {
				return n, err
			}
			if !whole {
				continue
			}
			n++
			if err := p.ask(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}
