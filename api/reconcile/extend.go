package reconcile

import "context"

// maxExtension is the largest size of an extension query in JSON, in bytes.
const maxExtension = 256 << 10

// extension is a query for properties of entities.
type extension struct {
	IDs        []string `json:"ids"`
	Properties []struct {
		ID string `json:"id"`
	} `json:"properties"`
}

// extended is the answer to an extension query.
type extended struct {
	Meta []property                   `json:"meta"`
	Rows map[string]map[string][]cell `json:"rows"`
}

// cell is one value of a property. Its key is "str" for a text or "int" for a number.
type cell map[string]any

// extend returns the requested properties of entities. If an entity does not exist, all its
// properties are without values.
func (s *Service) extend(ctx context.Context, x extension) (extended, error) {
	if len(x.IDs) > maxQueries {
		return extended{}, badf("extend has %d ids; send up to %d at once", len(x.IDs), maxQueries)
	}
	if len(x.Properties) > maxQueries {
		return extended{}, badf("extend has %d properties; send up to %d at once", len(x.Properties), maxQueries)
	}
	out := extended{[]property{}, map[string]map[string][]cell{}}
	for _, want := range x.Properties {
		p, known := propertyOf(want.ID)
		if !known {
			return extended{}, badf("there is no property %q; /properties lists them", want.ID)
		}
		out.Meta = append(out.Meta, p)
	}
	taxa, err := s.taxa(ctx, x.IDs)
	if err != nil {
		return extended{}, err
	}
	for _, id := range x.IDs {
		t, found := taxa[id]
		row := map[string][]cell{}
		for _, p := range out.Meta {
			row[p.ID] = []cell{}
			if !found {
				continue
			}
			values, err := s.values(ctx, p, t)
			if err != nil {
				return extended{}, err
			}
			for _, v := range values {
				if text, ok := v.(string); ok {
					row[p.ID] = append(row[p.ID], cell{"str": text})
				} else {
					row[p.ID] = append(row[p.ID], cell{"int": v})
				}
			}
		}
		out.Rows[id] = row
	}
	return out, nil
}
