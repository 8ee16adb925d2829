// A relying party with go-oidc and golang.org/x/oauth2, as Debian ships them (version 2 of go-oidc).
//
// Usage: go_oidc_party ISSUER CLIENT_ID SECRET REDIRECT_URI
// Prints the address of a request, reads the address with which the browser came back, and prints the claims as JSON.
// Other issuers and audiences, a changed nonce and a spent code must be refused on the way.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

type result struct {
	Claims    map[string]interface{} `json:"claims"`
	Info      map[string]interface{} `json:"info"`
	Refreshed bool                   `json:"refreshed"`
	Refused   []string               `json:"refused"`
}

func main() {
	issuer, clientID, secret, redirect := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	out := result{}
	// The same server under another name has another issuer.
	_, err := oidc.NewProvider(ctx, strings.Replace(issuer, "localhost", "127.0.0.1", 1))
	out.refuse("issuer", err)
	provider, err := oidc.NewProvider(ctx, issuer)
	check(err)
	config := oauth2.Config{
		ClientID: clientID, ClientSecret: secret, RedirectURL: redirect, Endpoint: provider.Endpoint(),
		Scopes: []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
	}
	state, nonce, key := random(), random(), random()
	hash := sha256.Sum256([]byte(key))
	fmt.Println(config.AuthCodeURL(state, oidc.Nonce(nonce),
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(hash[:])),
		oauth2.SetAuthURLParam("code_challenge_method", "S256")))

	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	check(err)
	answer, err := url.Parse(strings.TrimSpace(line))
	check(err)
	if answer.Query().Get("state") != state {
		panic("another state")
	}
	code, proof := answer.Query().Get("code"), oauth2.SetAuthURLParam("code_verifier", key)
	token, err := config.Exchange(ctx, code, proof)
	check(err)
	raw, _ := token.Extra("id_token").(string)
	verified, err := provider.Verifier(&oidc.Config{ClientID: clientID}).Verify(ctx, raw)
	check(err)
	if verified.Nonce != nonce {
		panic("another nonce")
	}
	check(verified.VerifyAccessToken(token.AccessToken))
	check(verified.Claims(&out.Claims))
	_, err = provider.Verifier(&oidc.Config{ClientID: "another"}).Verify(ctx, raw)
	out.refuse("audience", err)

	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	check(err)
	check(info.Claims(&out.Info))
	if info.Subject != verified.Subject {
		panic("another subject")
	}

	token.Expiry = time.Now().Add(-time.Minute)
	renewed, err := config.TokenSource(ctx, token).Token()
	check(err)
	again, _ := renewed.Extra("id_token").(string)
	_, err = provider.Verifier(&oidc.Config{ClientID: clientID}).Verify(ctx, again)
	check(err)
	out.Refreshed = renewed.AccessToken != token.AccessToken
	_, err = config.Exchange(ctx, code, proof)
	out.refuse("spent code", err)
	_, err = provider.UserInfo(ctx, oauth2.StaticTokenSource(renewed))
	out.refuse("its session", err)
	check(json.NewEncoder(os.Stdout).Encode(out))
}

func (out *result) refuse(what string, err error) {
	if err == nil {
		panic(what + " was not refused")
	}
	fmt.Fprintln(os.Stderr, err)
	out.Refused = append(out.Refused, what)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func random() string {
	bytes := make([]byte, 32)
	_, err := rand.Read(bytes)
	check(err)
	return base64.RawURLEncoding.EncodeToString(bytes)
}
