package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"bencao/internal/tools/bench/made"
)

// limitGrowth is the largest exponent of the growth of a cost: for ten times the data the cost may
// be 10^1.1 times as high.
const limitGrowth = 1.1

func growthCommand(ctx context.Context, f *flag.FlagSet, args []string, _ io.Reader, out io.Writer) error {
	program := f.String("program", "bin/bencao", "the program that is measured")
	folder := f.String("folder", "", "folder for sources, data and results; what it has from before is used")
	scales := f.String("scales", "0.01,0.1,1", "scales, with commas between them")
	each := f.Duration("each", httpEach, "how long a kind is asked in a round")
	if err := parse(f, args, "folder"); err != nil {
		return err
	}
	var nights, asked []*result
	for text := range strings.SplitSeq(*scales, ",") {
		scale, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("-scales %q: %w", *scales, err)
		}
		night, http, err := measured(ctx, *program, filepath.Join(*folder, text), scale, each.String(), out)
		if err != nil {
			return err
		}
		nights, asked = append(nights, night), append(asked, http)
	}
	r := newResult("Growth", append(strings.Split(*scales, ","), "exponent", "limit")...)
	for _, figure := range []struct {
		list         []*result
		name, column string
	}{
		{nights, "night", "wall s"}, {nights, "night", "CPU s"}, {nights, "night", "peak MiB"}, {nights, "unchanged night", "CPU s"},
		{nights, "snapshot", "MiB"}, {nights, "ready, warm", "wall s"}, {nights, "resident after all kinds", "peak MiB"},
	} {
		r.grown(figure.list, figure.name, figure.column)
	}
	for _, p := range nights[0].Rows {
		if strings.HasPrefix(p.Name, "phase ") {
			r.grown(nights, p.Name, "CPU s")
		}
	}
	for _, k := range kinds {
		r.grown(asked, k.name, "CPU µs")
	}
	r.note("The exponent is the slope of the line through the logarithms of scale and figure, by least squares.")
	return r.write(filepath.Join(*folder, "growth"), out)
}

// grown adds a row with the figure at each scale and the exponent of its growth. It adds nothing if
// a figure was not measured.
func (r *result) grown(list []*result, name, column string) {
	var figures, x, y []float64
	for _, one := range list {
		f, ok := one.figure(name, column)
		if !ok {
			return
		}
		figures = append(figures, f)
		if f > 0 {
			x, y = append(x, math.Log(one.Scale)), append(y, math.Log(f))
		}
	}
	if len(x) > 1 {
		r.add(name+", "+column, append(figures, slope(x, y), limitGrowth)...)
	}
}

// slope returns the slope of the regression line through the points (least squares).
func slope(x, y []float64) float64 {
	var sx, sy, sxx, sxy float64
	for i := range x {
		sx, sy, sxx, sxy = sx+x[i], sy+y[i], sxx+x[i]*x[i], sxy+x[i]*y[i]
	}
	n := float64(len(x))
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// measured returns the results for a scale. Unless dir has them already, it makes the sources and
// measures the build and the answers.
func measured(ctx context.Context, program, dir string, scale float64, each string, out io.Writer) (night, http *result, err error) {
	sources, data := filepath.Join(dir, "sources"), filepath.Join(dir, "data")
	if _, err := os.Stat(sources); errors.Is(err, fs.ErrNotExist) {
		if err := made.Write(ctx, sources, scale); err != nil {
			return nil, nil, err
		}
	}
	text := strconv.FormatFloat(scale, 'g', -1, 64)
	steps := []struct {
		name string
		run  func(context.Context, *flag.FlagSet, []string, io.Reader, io.Writer) error
		args []string
		into **result
	}{
		{"build", buildCommand, []string{"-program", program, "-sources", sources, "-data", data, "-scale", text}, &night},
		{"http", httpCommand, []string{"-program", program, "-data", data, "-scale", text, "-each", each}, &http},
	}
	for _, s := range steps {
		path := filepath.Join(dir, s.name)
		if *s.into, err = readResult(path); err == nil {
			continue
		}
		flags := flag.NewFlagSet(s.name, flag.ContinueOnError)
		if err := s.run(ctx, flags, append(s.args, "-out", path), nil, out); err != nil {
			return nil, nil, err
		}
		if *s.into, err = readResult(path); err != nil {
			return nil, nil, err
		}
	}
	return night, http, nil
}
