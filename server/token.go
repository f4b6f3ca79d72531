package server

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/time/rate"
)

// A Scope is what a token allows.
type Scope string

// The scopes. Read includes Predict; otherwise each allows only what it says.
const (
	Predict Scope = "predict" // to predict and explain
	Read    Scope = "read"    // to inspect models, look up terms and read the metrics
	Learn   Scope = "learn"   // to learn and unlearn
	Admin   Scope = "admin"   // to upload, download and delete whole models
)

var scopes = []Scope{Predict, Read, Learn, Admin}

// A Token says who may do what. The token itself, a secret, is known to its
// holder alone.
type Token struct {
	Name   string
	Scopes []Scope
	Hash   [sha256.Size]byte // of the secret

	limiter *rate.Limiter
}

// NewToken returns a Token and its secret, 130 random bits.
func NewToken(name string, scopes ...Scope) (t Token, secret string) {
	secret = rand.Text()
	return Token{Name: name, Scopes: scopes, Hash: sha256.Sum256([]byte(secret))}, secret
}

// String returns t as a line of a file of tokens, without its end.
func (t Token) String() string {
	return t.Name + " " + t.scopeList() + " " + hex.EncodeToString(t.Hash[:])
}

// Allows reports whether t has a scope, or one that includes it.
func (t *Token) Allows(s Scope) bool {
	return slices.Contains(t.Scopes, s) || s == Predict && slices.Contains(t.Scopes, Read)
}

// scopeList returns t's scopes with commas between.
func (t *Token) scopeList() string {
	var list []string
	for _, s := range t.Scopes {
		list = append(list, string(s))
	}
	return strings.Join(list, ",")
}

// ParseTokens reads a file of tokens: a line for each, with its name, its scopes
// with commas between, and the SHA-256 of its secret in hexadecimal digits, with
// spaces between. Blank lines and lines that begin with # are skipped. The error
// names the line.
func ParseTokens(r io.Reader) ([]Token, error) {
	var list []Token
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		t, err := parseToken(line)
		if err == nil && slices.ContainsFunc(list, func(o Token) bool { return o.Name == t.Name }) {
			err = fmt.Errorf("two tokens are called %q", t.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		list = append(list, t)
	}
	return list, lines.Err()
}

func parseToken(line string) (t Token, err error) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return t, fmt.Errorf("%d fields, where a name, scopes and a hash are wanted", len(fields))
	}
	t.Name = fields[0]
	if t.Scopes, err = ParseScopes(fields[1]); err != nil {
		return t, err
	}
	hash, err := hex.DecodeString(fields[2])
	if err != nil || len(hash) != len(t.Hash) {
		return t, fmt.Errorf("the hash is not %d hexadecimal digits", 2*len(t.Hash))
	}
	copy(t.Hash[:], hash)
	return t, nil
}

// ParseScopes reads scopes with commas between.
func ParseScopes(s string) ([]Scope, error) {
	var list []Scope
	for name := range strings.SplitSeq(s, ",") {
		scope := Scope(name)
		if !slices.Contains(scopes, scope) {
			return nil, fmt.Errorf("scope %q is none of predict, read, learn and admin", name)
		}
		list = append(list, scope)
	}
	return list, nil
}

// find returns the token with a secret, nil if there is none. How long it takes
// tells nothing of the hashes.
func find(list []Token, secret string) (found *Token) {
	hash := sha256.Sum256([]byte(secret))
	for i := range list {
		if subtle.ConstantTimeCompare(hash[:], list[i].Hash[:]) == 1 {
			found = &list[i]
		}
	}
	return found
}
