package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"bencao/indexer"
	"bencao/indexer/curator"
	"bencao/internal/durable"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

func newReport() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "report [ID]",
		GroupID: "care",
		Short:   "Write what a night found, for who keeps the sources",
		Long: `Write what a night found, for who keeps the sources: what changed by name, which rows were rejected and why, which herbs
lead to no species, which species have no accepted name, and how old the sources are.

It is about the last night, published or refused, or about the night that published the snapshot ID. With --send it goes
by mail to the addresses of mail in [report] of the configuration, as text and as a page; "bencao index" does that by
itself after each night that published, was refused or failed.`,
		Example: `  bencao report --data /var/lib/bencao
  bencao report --data /var/lib/bencao --format html --lang zh --out night.html
  bencao report --config bencao.toml --send`,
		Args: atMostOneArg("a snapshot's id"),
	}
	s := use(cmd, "data", "lang", "mail", "mail-from", "sendmail")
	format := cmd.Flags().String("format", "md", "`form` of the report: "+strings.Join(reportFormats, ", "))
	rows := cmd.Flags().Int("rows", defaultRows, "rows of each list; 0 is all")
	out := cmd.Flags().String("out", "", "`file` to write, in place of standard output")
	send := cmd.Flags().Bool("send", false, "send it by mail, in place of printing it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		opt, err := reportOptions(*format, *rows)
		if err != nil {
			return err
		}
		if *send && *out != "" {
			return usagef("send and out exclude each other")
		}
		night, err := s.night(cmd, args)
		if err != nil {
			return err
		}
		opt.Language = s.language
		if *send {
			if !s.mails() {
				return usagef("mail is not set; give --mail, BENCAO_MAIL, or mail in [report] of a configuration file")
			}
			return s.sendLast(cmd, night, opt.Rows, len(args) == 0)
		}
		if *out == "" {
			return night.Write(cmd.OutOrStdout(), opt)
		}
		var text bytes.Buffer
		if err := night.Write(&text, opt); err != nil {
			return err
		}
		return durable.WriteFile(*out, text.Bytes(), durable.Options{})
	}
	return cmd
}

// reportFormats are those that a report is written in.
var reportFormats = []string{"md", "html"}

// reportOptions reads the flags of a report.
func reportOptions(format string, rows int) (curator.Options, error) {
	if !slices.Contains(reportFormats, format) {
		return curator.Options{}, usagef("format is %q; %suse %s", format, didYouMean(format, reportFormats), strings.Join(reportFormats, ", "))
	}
	if rows < 0 {
		return curator.Options{}, usagef("rows is %d; use 0 or more", rows)
	}
	return curator.Options{HTML: format == "html", Rows: rows}, nil
}

// night is the one that published the snapshot that args names, or the last.
func (s *settings) night(cmd *cobra.Command, args []string) (*curator.Night, error) {
	dir, err := s.folder(cmd)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return curator.Last(cmd.Context(), dir)
	}
	if !snapshot.ValidID(args[0]) {
		return nil, usagef("%q is no snapshot id; \"bencao snapshots\" lists them", args[0])
	}
	return curator.Of(cmd.Context(), dir, args[0])
}

// sendLast sends the report of a night by mail. If it is that of the last night,
// which changed nothing, there is nothing to tell.
func (s *settings) sendLast(cmd *cobra.Command, night *curator.Night, rows int, last bool) error {
	if last {
		run, err := readLastRun(s.data)
		if err != nil {
			return err
		}
		if run.Outcome == string(indexer.Unchanged) {
			_, err = fmt.Fprintln(cmd.OutOrStdout(), tongueOf(cmd).word("nothing changed in the last night; no mail was sent; to send the report of a snapshot, give its ID"))
			return err
		}
	}
	if err := s.sendNight(cmd.Context(), night, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), tongueOf(cmd).say("sent to %s", strings.Join(s.mail, ", ")))
	return err
}
