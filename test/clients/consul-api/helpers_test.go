package consulapi

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/consul/api"
)

const (
	// reservedPrefix begins the IDs of what is built in.
	reservedPrefix = "00000000-0000-0000-0000-0000000000"

	managementID = reservedPrefix + "01"
	readOnlyID   = reservedPrefix + "02"
	anonymousID  = reservedPrefix + "02"
)

// An env is what one test works with on one storage engine: the client of a management token.
type env struct {
	*api.ACL

	t      *testing.T
	in     *installation
	srv    *server
	client *api.Client
}

// eachEngine runs a test once per storage engine, at the same time as others.
func eachEngine(t *testing.T, test func(t *testing.T, e *env)) {
	t.Helper()
	t.Parallel()
	for _, in := range installations {
		t.Run(in.engine, func(t *testing.T) {
			t.Parallel()
			test(t, newEnv(t, in, in.server))
		})
	}
}

func newEnv(t *testing.T, in *installation, srv *server) *env {
	t.Helper()
	client, err := newClient(srv, srv.token)
	must(t, err, "new client")
	return &env{ACL: client.ACL(), t: t, in: in, srv: srv, client: client}
}

// newClient makes a client with a token, or with none when it is empty.
func newClient(srv *server, token string) (*api.Client, error) {
	return api.NewClient(&api.Config{Address: srv.address, Token: token})
}

// as is the same environment with the client of another token.
func (e *env) as(secretID string) *env {
	e.t.Helper()
	client, err := newClient(e.srv, secretID)
	must(e.t, err, "new client")
	copied := *e
	copied.client, copied.ACL = client, client.ACL()
	return &copied
}

func randomHex(bytes int) string {
	buffer := make([]byte, bytes)
	_, _ = rand.Read(buffer)
	return hex.EncodeToString(buffer)
}

func newUUID() string {
	text := randomHex(16)
	return strings.Join([]string{text[:8], text[8:12], text[12:16], text[16:20], text[20:]}, "-")
}

// unique is a name that no other test uses.
func unique(prefix string) string { return prefix + "-" + randomHex(6) }

// ---- Fixtures: each fails the test when the server refuses it.

func (e *env) policy(change ...func(*api.ACLPolicy)) *api.ACLPolicy {
	e.t.Helper()
	policy := &api.ACLPolicy{Name: unique("policy"), Description: "for a test", Rules: `key_prefix "app/" { policy = "read" }`}
	for _, apply := range change {
		apply(policy)
	}
	made, _, err := e.PolicyCreate(policy, nil)
	must(e.t, err, "create policy")
	return made
}

func ruled(rules string) func(*api.ACLPolicy) {
	return func(p *api.ACLPolicy) { p.Rules = rules }
}

func (e *env) role(change ...func(*api.ACLRole)) *api.ACLRole {
	e.t.Helper()
	role := &api.ACLRole{Name: unique("role"), Description: "for a test"}
	for _, apply := range change {
		apply(role)
	}
	made, _, err := e.RoleCreate(role, nil)
	must(e.t, err, "create role")
	return made
}

func (e *env) token(change ...func(*api.ACLToken)) *api.ACLToken {
	e.t.Helper()
	token := &api.ACLToken{Description: "for a test"}
	for _, apply := range change {
		apply(token)
	}
	made, _, err := e.TokenCreate(token, nil)
	must(e.t, err, "create token")
	remember(made.SecretID)
	return made
}

// tokenWith is a new token that the rules apply to.
func (e *env) tokenWith(rules string) *api.ACLToken {
	e.t.Helper()
	policy := e.policy(ruled(rules))
	return e.token(func(t *api.ACLToken) { t.Policies = links(policy.ID) })
}

// links leads to policies or roles by their IDs.
func links(ids ...string) []*api.ACLLink {
	result := make([]*api.ACLLink, 0, len(ids))
	for _, id := range ids {
		result = append(result, &api.ACLLink{ID: id})
	}
	return result
}

// linksTo leads to policies or roles by their names.
func linksTo(names ...string) []*api.ACLLink {
	result := make([]*api.ACLLink, 0, len(names))
	for _, name := range names {
		result = append(result, &api.ACLLink{Name: name})
	}
	return result
}

func linkTo(policy *api.ACLPolicy) *api.ACLLink {
	return &api.ACLLink{ID: policy.ID, Name: policy.Name}
}

func linkToRole(role *api.ACLRole) *api.ACLLink {
	return &api.ACLLink{ID: role.ID, Name: role.Name}
}

// ---- Assertions.

func must(t *testing.T, err error, doing string) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", doing, err)
	}
}

// wantRefusal wants the server's own words and the client's around them.
func wantRefusal(t *testing.T, err error, code int, text string) {
	t.Helper()
	if body, ok := refusal(t, err, code); ok && body != text {
		t.Errorf("want the refusal %q, got %q", text, body)
	}
}

// wantRefusalLike is for texts whose end is free.
func wantRefusalLike(t *testing.T, err error, code int, beginning string) {
	t.Helper()
	if body, ok := refusal(t, err, code); ok && (!strings.HasPrefix(body, beginning) || body == beginning) {
		t.Errorf("want a refusal that begins with %q, got %q", beginning, body)
	}
}

func refusal(t *testing.T, err error, code int) (body string, ok bool) {
	t.Helper()
	var status api.StatusError
	if !errors.As(err, &status) {
		t.Errorf("want a refusal with status %d, got %v", code, err)
		return "", false
	}
	if status.Code != code {
		t.Errorf("want status %d, got %d (%s)", code, status.Code, status.Body)
		return "", false
	}
	if want := fmt.Sprintf("Unexpected response code: %d (%s)", code, status.Body); !strings.HasSuffix(err.Error(), want) {
		t.Errorf("want an error that ends with %q, got %q", want, err)
	}
	return status.Body, true
}

// wantLocal wants that the client itself says no, before any request.
func wantLocal(t *testing.T, err error) {
	t.Helper()
	var status api.StatusError
	if err == nil || errors.As(err, &status) {
		t.Errorf("want the client to refuse, got %v", err)
	}
}

// wantMeta wants what the client keeps of the headers of a read.
func wantMeta(t *testing.T, meta *api.QueryMeta, err error) {
	t.Helper()
	must(t, err, "read")
	if meta == nil {
		t.Fatal("the client keeps no metadata")
	}
	if meta.LastIndex < 1 {
		t.Errorf("last index is %d", meta.LastIndex)
	}
	if meta.RequestTime <= 0 {
		t.Errorf("request time is %s", meta.RequestTime)
	}
	equal(t, "known leader", meta.KnownLeader, true)
	equal(t, "last contact", meta.LastContact, 0)
	equal(t, "query backend", meta.QueryBackend, "blocking-query")
	equal(t, "default policy", meta.DefaultACLPolicy, "deny")
	equal(t, "filtered", meta.ResultsFilteredByACLs, false)
	equal(t, "translated addresses", meta.AddressTranslationEnabled, false)
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// same compares whole structures, as the client's own users do.
func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s differs (-want +got):\n%s", what, cmp.Diff(want, got))
	}
}

// wantHash wants the digest that objects carry.
func wantHash(t *testing.T, hash []byte) {
	t.Helper()
	equal(t, "bytes of the hash", len(hash), 32)
}

// find is the entry of a list that fits, or the zero value.
func find[T any](list []T, fits func(T) bool) (found T) {
	for _, entry := range list {
		if fits(entry) {
			return entry
		}
	}
	return found
}
