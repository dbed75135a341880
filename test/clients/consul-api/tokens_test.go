package consulapi

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// writtenToken is what reads must answer: what was sent, with what the server made of its own.
func writtenToken(t *testing.T, sent, made *api.ACLToken) *api.ACLToken {
	t.Helper()
	wantHash(t, made.Hash)
	if age := time.Since(made.CreateTime); age < -time.Minute || age > 15*time.Minute {
		t.Errorf("created at %s", made.CreateTime)
	}
	want := *sent
	want.CreateTime, want.Hash, want.CreateIndex, want.ModifyIndex = made.CreateTime, made.Hash, made.CreateIndex, made.ModifyIndex
	want.Namespace, want.Partition = "default", "default"
	if sent.AccessorID == "" {
		want.AccessorID = made.AccessorID
		wantUUID(t, made.AccessorID)
	}
	if sent.SecretID == "" {
		want.SecretID = made.SecretID
		wantUUID(t, made.SecretID)
	}
	if sent.ExpirationTTL != 0 {
		expiration := made.CreateTime.Add(sent.ExpirationTTL)
		want.ExpirationTime, want.ExpirationTTL = &expiration, 0
	}
	return &want
}

func wantUUID(t *testing.T, id string) {
	t.Helper()
	if _, err := hex.DecodeString(strings.ReplaceAll(id, "-", "")); err != nil || len(id) != 36 || strings.HasPrefix(id, reservedPrefix) {
		t.Errorf("%q is no UUID", id)
	}
}

// entryOf is a token as the list shows it.
func entryOf(token *api.ACLToken) *api.ACLTokenListEntry {
	return &api.ACLTokenListEntry{
		CreateIndex: token.CreateIndex, ModifyIndex: token.ModifyIndex, AccessorID: token.AccessorID, SecretID: token.SecretID,
		Description: token.Description, Policies: token.Policies, Roles: token.Roles, ServiceIdentities: token.ServiceIdentities,
		NodeIdentities: token.NodeIdentities, TemplatedPolicies: token.TemplatedPolicies, Local: token.Local, AuthMethod: token.AuthMethod,
		ExpirationTime: token.ExpirationTime, CreateTime: token.CreateTime, Hash: token.Hash, Namespace: token.Namespace, Partition: token.Partition,
		AuthMethodNamespace: token.AuthMethodNamespace,
	}
}

func TestTokens(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		policy, other, role := e.policy(), e.policy(), e.role()
		later := time.Now().Add(90 * time.Minute).UTC().Round(0)
		for name, sent := range map[string]*api.ACLToken{
			"all fields": {
				AccessorID: newUUID(), SecretID: newUUID(), Description: "A <b>token</b> & \"more\" 日本語",
				Policies: []*api.ACLLink{linkTo(other), linkTo(policy)}, Roles: []*api.ACLLink{linkToRole(role)},
				ServiceIdentities: serviceIdentities(), NodeIdentities: nodeIdentities(), TemplatedPolicies: templatedPolicies(),
				ExpirationTime: &later,
			},
			"nothing":              {},
			"local":                {Description: "local", Local: true, ServiceIdentities: []*api.ACLServiceIdentity{{ServiceName: "web"}}},
			"a time to live":       {ExpirationTTL: 2*time.Hour + 500*time.Millisecond},
			"the shortest time":    {ExpirationTTL: time.Minute},
			"24 hours and more":    {ExpirationTTL: 30 * 24 * time.Hour},
			"a description of 4 K": {Description: strings.Repeat("x", 4096)},
		} {
			t.Run("reads back deeply equal: "+name, func(t *testing.T) {
				made, _, err := e.TokenCreate(sent, nil)
				must(t, err, "create")
				remember(made.SecretID)
				want := writtenToken(t, sent, made)
				same(t, "created", made, want)
				read, meta, err := e.TokenRead(made.AccessorID, nil)
				wantMeta(t, meta, err)
				same(t, "read", read, want)
				self, meta, err := e.as(made.SecretID).TokenReadSelf(nil)
				wantMeta(t, meta, err)
				same(t, "self", self, want)
				expanded, meta, err := e.TokenReadExpanded(made.AccessorID, nil)
				wantMeta(t, meta, err)
				same(t, "expanded", &expanded.ACLToken, want)
				list, meta, err := e.TokenList(nil)
				wantMeta(t, meta, err)
				same(t, "list entry", find(list, func(entry *api.ACLTokenListEntry) bool { return entry.AccessorID == made.AccessorID }), entryOf(want))

				again, _, err := e.TokenUpdate(read, nil)
				must(t, err, "write back what was read")
				want.ModifyIndex = again.ModifyIndex
				same(t, "written back", again, want)
			})
		}
		t.Run("an expiration keeps its instant in another zone", func(t *testing.T) {
			zoned := later.In(time.FixedZone("", 5*3600+1800))
			token := e.token(func(t *api.ACLToken) { t.ExpirationTime = &zoned })
			if token.ExpirationTime == nil || !token.ExpirationTime.Equal(zoned) {
				t.Errorf("got %v, want %v", token.ExpirationTime, zoned)
			}
			_, _, err := e.TokenUpdate(token, nil)
			must(t, err, "write back")
		})
		t.Run("links go by name too, each once", func(t *testing.T) {
			token := e.token(func(t *api.ACLToken) {
				t.Policies = append(linksTo(strings.ToUpper(policy.Name), other.Name), links(policy.ID)...)
				t.Roles = append(linksTo(role.Name), &api.ACLLink{ID: role.ID, Name: "ignored"})
			})
			same(t, "policies", token.Policies, []*api.ACLLink{linkTo(policy), linkTo(other)})
			same(t, "roles", token.Roles, []*api.ACLLink{linkToRole(role)})
		})
		t.Run("links follow what they lead to: new names, and the end", func(t *testing.T) {
			policy, role := e.policy(), e.role()
			token := e.token(func(t *api.ACLToken) { t.Policies, t.Roles = links(policy.ID, other.ID), links(role.ID) })
			policy.Name, role.Name = unique("renamed"), unique("renamed")
			_, _, err := e.PolicyUpdate(policy, nil)
			must(t, err, "rename policy")
			_, _, err = e.RoleUpdate(role, nil)
			must(t, err, "rename role")
			read, _, err := e.TokenRead(token.AccessorID, nil)
			must(t, err, "read")
			same(t, "policies", read.Policies, []*api.ACLLink{linkTo(policy), linkTo(other)})
			same(t, "roles", read.Roles, []*api.ACLLink{linkToRole(role)})
			_, err = e.PolicyDelete(policy.ID, nil)
			must(t, err, "delete policy")
			_, err = e.RoleDelete(role.ID, nil)
			must(t, err, "delete role")
			read, _, err = e.TokenRead(token.AccessorID, nil)
			must(t, err, "read")
			same(t, "policies", read.Policies, []*api.ACLLink{linkTo(other)})
			equal(t, "roles", len(read.Roles), 0)
		})
		t.Run("an update replaces what a token is given and keeps the rest", func(t *testing.T) {
			token := e.token(func(t *api.ACLToken) {
				t.Policies, t.Roles, t.ExpirationTTL = links(policy.ID), links(role.ID), time.Hour
				t.ServiceIdentities, t.NodeIdentities, t.TemplatedPolicies = serviceIdentities(), nodeIdentities(), templatedPolicies()
			})
			changed, _, err := e.TokenUpdate(&api.ACLToken{AccessorID: token.AccessorID, Policies: links(other.ID)}, nil)
			must(t, err, "update")
			want := &api.ACLToken{AccessorID: token.AccessorID, SecretID: token.SecretID, Policies: []*api.ACLLink{linkTo(other)}, ExpirationTime: token.ExpirationTime}
			same(t, "updated", changed, writtenToken(t, want, changed))
			equal(t, "CreateTime", changed.CreateTime, token.CreateTime)
			equal(t, "CreateIndex", changed.CreateIndex, token.CreateIndex)
			if slices.Equal(changed.Hash, token.Hash) || changed.ModifyIndex <= token.ModifyIndex {
				t.Errorf("hash or ModifyIndex have not changed")
			}
			read, _, err := e.TokenRead(token.AccessorID, nil)
			must(t, err, "read")
			same(t, "read", read, changed)
		})
		t.Run("a clone has the same but its IDs", func(t *testing.T) {
			token := e.token(func(t *api.ACLToken) {
				t.Policies, t.Roles, t.ExpirationTTL, t.Local = links(policy.ID), links(role.ID), time.Hour, true
				t.NodeIdentities, t.TemplatedPolicies = nodeIdentities(), templatedPolicies()
			})
			clone, _, err := e.TokenClone(token.AccessorID, "another", nil)
			must(t, err, "clone")
			remember(clone.SecretID)
			if clone.AccessorID == token.AccessorID || clone.SecretID == token.SecretID {
				t.Error("the clone has an ID of the original")
			}
			want := *token
			want.AccessorID, want.SecretID, want.Description = "", "", "another"
			same(t, "clone", clone, writtenToken(t, &want, clone))
			read, _, err := e.TokenRead(clone.AccessorID, nil)
			must(t, err, "read")
			same(t, "read", read, clone)
			clone, _, err = e.TokenClone(token.AccessorID, "", nil)
			must(t, err, "clone")
			remember(clone.SecretID)
			equal(t, "description", clone.Description, token.Description)
		})
		t.Run("a deleted token counts no more at once", func(t *testing.T) {
			token := e.token()
			client := e.as(token.SecretID)
			_, _, err := client.TokenReadSelf(nil)
			must(t, err, "self")
			_, err = e.TokenDelete(token.AccessorID, nil)
			must(t, err, "delete")
			_, _, err = client.TokenReadSelf(nil)
			wantRefusal(t, err, 403, "ACL not found")
			_, _, err = e.TokenRead(token.AccessorID, nil)
			wantRefusal(t, err, 404, "token does not exist: ACL not found")
			_, _, err = e.TokenReadExpanded(token.AccessorID, nil)
			wantRefusal(t, err, 404, "token does not exist: ACL not found")
			_, err = e.TokenDelete(token.AccessorID, nil)
			wantRefusal(t, err, 404, "Cannot find token to delete")
		})
		t.Run("the anonymous token is listed and can be changed", func(t *testing.T) {
			anonymous, _, err := e.TokenRead(anonymousID, nil)
			must(t, err, "read")
			list, _, err := e.TokenList(nil)
			must(t, err, "list")
			same(t, "list entry", find(list, func(entry *api.ACLTokenListEntry) bool { return entry.AccessorID == anonymousID }), entryOf(anonymous))
			_, err = e.TokenDelete(anonymousID, nil)
			wantRefusal(t, err, 400, "Delete operation not permitted on the anonymous token")
			_, _, err = e.TokenUpdate(anonymous, nil)
			must(t, err, "update")
		})
	})
}
