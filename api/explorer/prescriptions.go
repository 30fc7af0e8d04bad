package explorer

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bencao/api/explorer/typeset"
	"bencao/api/problem"
	"bencao/internal/rows"
	"bencao/mappings/patterns"
	"bencao/mappings/prescriptions"
)

// Limits of the page of prescriptions. It shows unsureShown names that are not sure, with the ids of
// rowsShown prescriptions of each, and nearestShown nearest formulas.
const (
	unsureShown, rowsShown = 200, 3
	nearestShown           = 25
	// mostFields is the largest number of fields of a form: two for each name, and the others.
	mostFields = 2*unsureShown + 32
)

func prescriptionsPage(v *visit) (*page, error) {
	return &page{template: "prescriptions", Title: v.say("prescriptions.title"), Lead: v.say("prescriptions.lead", typeset.Thousands(mostNames))}, nil
}

// prescriptionsForm is what a user has sent: a table with choices.
type prescriptionsForm struct {
	table, decided []byte
	values         map[string]string
}

// readPrescriptions answers a form with prescriptions: with a page, with one of the result files, or with
// all of them in a zip. It stores nothing.
func (e *renderer) readPrescriptions(w http.ResponseWriter, v *visit) error {
	if !v.may(compositions) {
		return v.refuse(refusal(v, compositions))
	}
	return e.intake.form(w, v, mostForm, func(ctx context.Context, w http.ResponseWriter, f *received) error {
		form, err := readPrescriptionsForm(v, f)
		if err != nil {
			return err
		}
		report, err := form.count(ctx, v, f.place)
		if err != nil {
			return listError(err)
		}
		switch as := form.values["as"]; {
		case as == "zip":
			return sendZip(w, f.place, report.Files())
		case as != "":
			for _, file := range report.Files() {
				if file.Name == as {
					return sendResult(w, f.place, file)
				}
			}
			return noPage(v)
		}
		view, err := e.viewOf(v, form, report)
		if err != nil {
			return err
		}
		p := &page{template: "prescriptions-result", Title: v.say("prescriptions.results"), Data: view}
		html, err := e.fill(v, p.template, e.frame(v, p))
		if err != nil {
			return err
		}
		if err := f.hold(int64(len(html))); err != nil {
			return err
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, err = w.Write(html)
		return err
	})
}

// readPrescriptionsForm reads the fields of a form.
func readPrescriptionsForm(v *visit, f *received) (*prescriptionsForm, error) {
	form := &prescriptionsForm{values: map[string]string{}}
	for part, err := range parts(v, f, mostFields) {
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, problem.New(problem.BadParameter, formUnread.With(err))
		}
		if err := f.hold(int64(len(content))); err != nil {
			return nil, err
		}
		switch name := part.FormName(); name {
		case "file", "table":
			if len(bytes.TrimSpace(content)) > 0 {
				form.table = content
			}
		case "text":
			if form.table == nil && len(bytes.TrimSpace(content)) > 0 {
				form.table = content
			}
		case "names", "decided":
			if len(bytes.TrimSpace(content)) > 0 {
				form.decided = content
			}
		default:
			form.values[name] = string(content)
		}
	}
	if form.table == nil {
		return nil, problem.New(problem.BadParameter, listEmpty.With())
	}
	if len(form.table) > mostBytes {
		return nil, problem.New(problem.BadParameter, listBytes.With(megabytes(int64(len(form.table))), megabytes(mostBytes)))
	}
	return form, nil
}

// count reads and counts the prescriptions. It lets other lists have its turn meanwhile.
func (form *prescriptionsForm) count(ctx context.Context, v *visit, p *place) (*prescriptions.Report, error) {
	done, err := v.ListTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { done() }()
	base, err := v.Prescriptions()
	if err != nil {
		return nil, err
	}
	decisions := prescriptions.Decisions{}
	if form.decided != nil {
		if decisions, err = base.ReadDecisions(ctx, bytes.NewReader(form.decided), rows.ListOptions{}); err != nil {
			return nil, err
		}
	}
	for i, written := range strings.Split(form.values["written"], "\n") {
		number := strconv.Itoa(i)
		choice, other := strings.TrimSpace(form.values["c"+number]), strings.TrimSpace(form.values["o"+number])
		switch {
		case other != "":
			choice = other
		case choice == "":
			continue
		}
		if err := base.Decide(decisions, strings.TrimSpace(written), strings.TrimPrefix(choice, noDrug)); err != nil {
			return nil, err
		}
	}
	// The drugs of a table take about as much memory as ten times its text.
	if err := p.hold(10 * int64(len(form.table))); err != nil {
		return nil, err
	}
	qian, _ := strconv.ParseFloat(form.values["qian"], 64) // an empty field is no weight
	opt := prescriptions.Options{Grams: form.values["unit"] == "g", Qian: max(0, qian), Decisions: decisions, MaxRows: mostNames}
	opt.Progress = func(int64) {
		done()
		if done, err = v.ListTurn(ctx); err != nil {
			done = func() {}
		}
	}
	set, readErr := base.Read(ctx, bytes.NewReader(form.table), opt)
	if err != nil || readErr != nil {
		return nil, cmp.Or(err, readErr)
	}
	counting := prescriptions.Counting{Apart: form.values["forms"] == "apart", Data: v.Meta().ID, Program: v.Version()}
	if dynasty := strings.TrimSpace(form.values["dynasty"]); dynasty != "" {
		counting.Query = url.Values{"dynasty": {dynasty}}.Encode()
		if counting.Against, counting.Chosen, err = v.Against(ctx, counting.Query); err != nil {
			return nil, err
		}
		counting.Query = "dynasty=" + dynasty
	}
	return set.Count(ctx, counting)
}

// noDrug is the choice that a name is no drug.
const noDrug = "-"

// sendResult sends a file with results.
func sendResult(w http.ResponseWriter, p *place, file prescriptions.File) error {
	all := &limited{place: p}
	if err := file.Write(all); err != nil {
		return listError(err)
	}
	kind := csvType
	if strings.HasSuffix(file.Name, ".txt") {
		kind = "text/plain; charset=utf-8"
	}
	attach(w, file.Name, kind)
	_, err := all.WriteTo(w)
	return err
}

// sendZip sends files in a zip.
func sendZip(w http.ResponseWriter, p *place, files []prescriptions.File) error {
	var packed bytes.Buffer
	out := zip.NewWriter(&packed)
	for _, file := range files {
		all := &limited{place: p}
		err := file.Write(all)
		if err != nil {
			return listError(err)
		}
		to, err := out.Create(file.Name)
		if err != nil {
			return err
		}
		if _, err := all.WriteTo(to); err != nil {
			return err
		}
		p.free(int64(all.size))
	}
	if err := out.Close(); err != nil {
		return err
	}
	attach(w, "bencao-prescriptions.zip", "application/zip")
	_, err := packed.WriteTo(w)
	return err
}

// prescriptionsView is the data of the page with results.
type prescriptionsView struct {
	patternsView
	prescriptions.Tally
	Count          string // of prescriptions and drugs, in words
	Lost           string // what could not be decoded, in words
	Unsure         []unsureName
	MoreUnsure     int
	Written        string // the names of Unsure, one in each line
	Table, Decided string // what the form sends again
	Kept           []keptField
	Nearest        []nearestRow
	MoreNearest    int
	Downloads      []string
}

// keptField is a choice that the form sends again.
type keptField struct{ Name, Value string }

// unsureName is a name that the user may decide on.
type unsureName struct {
	*prescriptions.Name
	Number    int
	In        string // ids of prescriptions
	State     string // in words
	Proposals []string
}

// nearestRow is the formula that is nearest to a prescription.
type nearestRow struct {
	ID, How, Name, Address, Book, Year, Added, LeftOut string
	Shared                                             int
}

// viewOf returns the data of the page with results.
func (e *renderer) viewOf(v *visit, form *prescriptionsForm, r *prescriptions.Report) (*prescriptionsView, error) {
	view := &prescriptionsView{Tally: r.Tally()}
	for _, name := range []string{"unit", "qian", "forms", "dynasty"} {
		if value := form.values[name]; value != "" {
			view.Kept = append(view.Kept, keptField{name, value})
		}
	}
	t := &view.Tally
	view.Count = v.say("prescriptions.count", typeset.Thousands(t.Prescriptions), typeset.Thousands(t.Mentions), typeset.Thousands(t.Sure), typeset.Thousands(t.Proposed), typeset.Thousands(t.Several), typeset.Thousands(t.NotUnderstood))
	if r.Undecoded > 0 {
		view.Lost = v.say("match.undecoded", r.Undecoded, r.Encoding)
	}
	in := map[string][]string{}
	for i := range r.Prescriptions {
		p := &r.Prescriptions[i]
		for _, d := range p.Drugs {
			if ids := in[d.Written]; d.State != prescriptions.Sure && len(ids) < rowsShown && !slices.Contains(ids, p.ID) {
				in[d.Written] = append(ids, p.ID)
			}
		}
	}
	var written []string
	for _, n := range r.Names() {
		if n.State == prescriptions.Sure || n.State == prescriptions.Instruction {
			continue
		}
		if len(view.Unsure) == unsureShown {
			view.MoreUnsure++
			continue
		}
		view.Unsure = append(view.Unsure, unsureName{n, len(view.Unsure), strings.Join(in[n.Written], v.say("list.comma")), v.say("prescriptions.state." + string(n.State)), r.ProposalsOf(n)})
		written = append(written, n.Written)
	}
	view.Written = strings.Join(written, "\n")
	for _, hidden := range []struct {
		into *string
		file prescriptions.File
	}{{&view.Table, r.Plain()}, {&view.Decided, r.Set.Decided()}} {
		var out bytes.Buffer
		if err := hidden.file.Write(&out); err != nil {
			return nil, err
		}
		*hidden.into = strings.TrimPrefix(out.String(), byteOrderMark)
	}
	for _, f := range r.Files() {
		view.Downloads = append(view.Downloads, f.Name)
	}
	view.Methods = r.Methods(v.lang.Code == "zh")
	view.addNearest(v, r)
	return view, view.addCounts(v, r)
}

// addCounts adds the drugs, the pairs and the network, as the page of patterns has them. Their links lead
// to the formulas of the data with the same drugs.
func (view *prescriptionsView) addCounts(v *visit, r *prescriptions.Report) error {
	index, err := allHerbs(v)
	if err != nil {
		return err
	}
	own := []string{"herbs", ""}
	view.N, view.AgainstN = r.Counted, int(r.Herbs.Against.Formulas)
	drugs := r.Herbs.Rows
	view.Herbs = herbRows(v, drugs[:min(herbsShown, len(drugs))], own, index)
	view.Tested, view.MinFormulas = r.Pairs.Tested, r.Pairs.MinFormulas
	view.Pairs = pairRows(v, r.PairRows[:min(pairsShown, len(r.PairRows))], own)
	size := min(networkHerbs, len(drugs))
	found := &pairsOfHerbs{herbs: drugs, count: size, by: map[pairKey]patterns.Pair{}}
	rank := map[patterns.Herb]int{}
	for i, h := range drugs[:size] {
		rank[h.Herb] = i
	}
	found.add(rank, r.PairRows)
	found.sort()
	view.addNetwork(v, found, size, own, index)
	return nil
}

func (view *prescriptionsView) addNearest(v *visit, r *prescriptions.Report) {
	for i := range r.Prescriptions {
		n := &r.Near[i]
		if n.How == "" {
			continue
		}
		if len(view.Nearest) == nearestShown {
			view.MoreNearest++
			continue
		}
		f := r.Formula(n)
		view.Nearest = append(view.Nearest, nearestRow{r.Prescriptions[i].ID, v.say("prescriptions.how." + string(n.How)), f.Name, v.link("/formulas/" + f.GUID), f.Book, f.Year, f.Added, f.LeftOut, n.Shared})
	}
}
