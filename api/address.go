package api

import (
	"fmt"
	"net/mail"
	"net/url"
	"strings"
)

// CheckAddress returns an error if an address cannot be enclosed in the angle brackets of the
// header Link.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return fmt.Errorf("address %q can't be read; use one such as https://plants.example/terms", address)
	case u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil:
		return fmt.Errorf("address %q is not that of a page; use one such as https://plants.example/terms", address)
	}
	for i, r := range address {
		if r <= ' ' || r > '~' || strings.ContainsRune("\"<>\\^`{|}", r) {
			return fmt.Errorf("address %q has %q at byte %d, which no address has; write it percent-encoded", address, r, i)
		}
	}
	return nil
}

// CheckContact returns an error if the operator's contact is neither a mail address nor a web
// address.
func CheckContact(address string) error {
	if isMail(address) || CheckAddress(address) == nil {
		return nil
	}
	return fmt.Errorf("contact %q is neither a mail address nor that of a page; use one such as plants@example.org", address)
}

// isMail reports whether an address is a mail address.
func isMail(address string) bool {
	a, err := mail.ParseAddress(address)
	return err == nil && a.Address == address
}
