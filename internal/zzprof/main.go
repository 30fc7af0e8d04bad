package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"

	"bencao/indexer"
)

func main() {
	S := os.Args[1]
	f, _ := os.Create("/tmp/night.prof")
	pprof.StartCPUProfile(f)
	_, err := indexer.Run(context.Background(), indexer.Config{Program: "x", Data: os.Args[2], Package: indexer.Package{Path: S + "/package"}}, indexer.Options{})
	fmt.Println(err)
	pprof.StopCPUProfile()
}
