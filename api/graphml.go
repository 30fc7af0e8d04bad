package api

import (
	"encoding/xml"
	"fmt"
	"io"
	"iter"

	"bencao/mappings/patterns"
)

// writeGraphML writes pairs of herbs as a network in GraphML: a node for each herb, an edge for
// each pair.
func writeGraphML(w io.Writer, rows iter.Seq2[patterns.Pair, error]) error {
	type data struct {
		Key  string `xml:"key,attr"`
		Text string `xml:",chardata"`
	}
	type key struct {
		ID   string `xml:"id,attr"`
		For  string `xml:"for,attr"`
		Name string `xml:"attr.name,attr"`
		Type string `xml:"attr.type,attr"`
	}
	type node struct {
		ID   string `xml:"id,attr"`
		Data []data `xml:"data"`
	}
	type edge struct {
		Source string `xml:"source,attr"`
		Target string `xml:"target,attr"`
		Data   []data `xml:"data"`
	}
	type document struct {
		XMLName xml.Name `xml:"http://graphml.graphdrawing.org/xmlns graphml"`
		Keys    []key    `xml:"key"`
		Graph   struct {
			Directed string `xml:"edgedefault,attr"`
			Nodes    []node `xml:"node"`
			Edges    []edge `xml:"edge"`
		} `xml:"graph"`
	}
	var d document
	d.Graph.Directed = "undirected"
	d.Keys = []key{{"label", "node", "label", "string"}, {"id", "node", "drugId", "string"}, {"formulas", "node", "formulas", "int"}}
	numbers := []string{"support", "confidenceXY", "confidenceYX", "lift", "jaccard", "p", "q"}
	d.Keys = append(d.Keys, key{"both", "edge", "formulas", "int"}, key{"weight", "edge", "weight", "double"})
	for _, n := range numbers {
		d.Keys = append(d.Keys, key{n, "edge", n, "double"})
	}
	nodes := map[patterns.Herb]string{}
	nodeOf := func(herb patterns.Herb, formulas int32) string {
		id, ok := nodes[herb]
		if !ok {
			id = fmt.Sprintf("n%d", len(nodes))
			nodes[herb] = id
			d.Graph.Nodes = append(d.Graph.Nodes, node{id, []data{{"label", herb.Name}, {"id", string(herb.ID)}, {"formulas", fmt.Sprint(formulas)}}})
		}
		return id
	}
	for p, err := range rows {
		if err != nil {
			return err
		}
		e := edge{Source: nodeOf(p.X, p.FormulasX), Target: nodeOf(p.Y, p.FormulasY)}
		e.Data = []data{{"both", fmt.Sprint(p.Formulas)}, {"weight", fmt.Sprint(p.Jaccard)}}
		for i, v := range []float64{p.Support, p.ConfidenceXY, p.ConfidenceYX, p.Lift, p.Jaccard, p.P, p.Q} {
			e.Data = append(e.Data, data{numbers[i], fmt.Sprint(v)})
		}
		d.Graph.Edges = append(d.Graph.Edges, e)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", " ")
	return enc.Encode(d)
}
