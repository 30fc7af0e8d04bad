package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"

	"github.com/gin-gonic/gin"
)

// recorded is a recorded answer that the baseline server sends again.
type recorded struct {
	Path   string      `json:"path"`
	Status int         `json:"status"`
	Header http.Header `json:"header"`
	Body   []byte      `json:"body"`
}

// floorCommand runs the baseline server. Its handler looks up the recorded answer for the address,
// sets the header and writes the bytes. No server that uses the same libraries can cost less.
func floorCommand(_ context.Context, f *flag.FlagSet, args []string, in io.Reader, _ io.Writer) error {
	address := f.String("listen", "", "address to serve on")
	if err := parse(f, args, "listen"); err != nil {
		return err
	}
	var list []recorded
	if err := json.NewDecoder(in).Decode(&list); err != nil {
		return err
	}
	answers := map[string]*recorded{}
	for i := range list {
		answers[list[i].Path] = &list[i]
	}
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.GET("/*path", func(c *gin.Context) {
		a := answers[c.Request.RequestURI]
		if a == nil {
			c.Status(http.StatusOK)
			return
		}
		h := c.Writer.Header()
		for name, values := range a.Header {
			h[name] = values
		}
		c.Status(a.Status)
		if len(a.Body) == 0 {
			c.Writer.WriteHeaderNow()
			return
		}
		if _, err := c.Writer.Write(a.Body); err != nil {
			c.Abort() // the client has closed the connection
		}
	})
	l, err := net.Listen("tcp", *address)
	if err != nil {
		return err
	}
	return errors.Join(http.Serve(l, e))
}
