package consulapi

import (
	"fmt"
	"testing"

	"github.com/hashicorp/consul/api"
)

// The layer of defaults as a token of the namespace meets it, by what it may do with access control there.
func TestNamespaceDefaults(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		namespaces := e.client.Namespaces()
		// setDefaults gives the namespace a policy that says so much of its access control, or none.
		setDefaults := func(t *testing.T, at place, access string) *api.ACLPolicy {
			t.Helper()
			sent := &api.Namespace{Name: at.namespace}
			var policy *api.ACLPolicy
			if access != "none" {
				policy = e.policy(ruled(fmt.Sprintf("namespace %q { acl = %q }", at.namespace, access)))
				sent.ACLs = defaults(links(policy.ID), nil)
			}
			_, _, err := namespaces.Update(sent, nil)
			must(t, err, "set defaults")
			return policy
		}
		may := func(client *env) string {
			if _, _, err := client.PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, nil); err == nil {
				return "write"
			}
			if _, _, err := client.PolicyList(nil); err == nil {
				return "read"
			}
			return "deny"
		}
		for _, test := range []struct{ direct, given, want string }{
			{"none", "none", "deny"}, {"none", "read", "read"}, {"none", "write", "write"}, {"none", "deny", "deny"},
			{"read", "none", "read"}, {"read", "read", "read"}, {"read", "write", "read"}, {"read", "deny", "read"},
			{"write", "none", "write"}, {"write", "read", "write"}, {"write", "write", "write"}, {"write", "deny", "write"},
			{"deny", "none", "deny"}, {"deny", "read", "deny"}, {"deny", "write", "deny"}, {"deny", "deny", "deny"},
		} {
			t.Run(fmt.Sprintf("direct %s, default %s: %s", test.direct, test.given, test.want), func(t *testing.T) {
				at := e.newPlace()
				token := e.token(at.token, func(token *api.ACLToken) {
					if test.direct != "none" {
						token.Policies = links(e.policy(at.policy, ruled(fmt.Sprintf("acl = %q", test.direct))).ID)
					}
				})
				setDefaults(t, at, test.given)
				equal(t, "may", may(e.as(token.SecretID)), test.want)
			})
		}
		t.Run("a change of the defaults changes tokens that are there, at once", func(t *testing.T) {
			at := e.newPlace()
			client := e.as(e.token(at.token).SecretID)
			equal(t, "without defaults", may(client), "deny")
			policy := setDefaults(t, at, "read")
			equal(t, "with a default", may(client), "read")
			policy.Rules = fmt.Sprintf(`namespace %q { acl = "write" }`, at.namespace)
			_, _, err := e.PolicyUpdate(policy, nil)
			must(t, err, "change policy")
			equal(t, "with other rules", may(client), "write")
			role := e.role(func(r *api.ACLRole) { r.Policies = links(policy.ID) })
			_, _, err = namespaces.Update(&api.Namespace{Name: at.namespace, ACLs: defaults(nil, links(role.ID))}, nil)
			must(t, err, "give a role")
			equal(t, "by a role", may(client), "write")
			_, err = e.RoleDelete(role.ID, nil)
			must(t, err, "delete role")
			equal(t, "without the role", may(client), "deny")
		})
		t.Run("they are for tokens of this namespace and of no other", func(t *testing.T) {
			at, other := e.newPlace(), e.newPlace()
			setDefaults(t, at, "write")
			for _, token := range []*api.ACLToken{e.token(other.token), e.token()} {
				_, _, err := e.as(token.SecretID).PolicyList(at.read())
				if _, ok := refusal(t, err, 403); !ok {
					t.Error("it may read there")
				}
			}
		})
		t.Run("an expanded token shows them", func(t *testing.T) {
			at := e.newPlace()
			policy, byRole := e.policy(), e.policy()
			role := e.role(func(r *api.ACLRole) { r.Policies = links(byRole.ID) })
			own := e.policy(at.policy)
			token := e.token(at.token, func(t *api.ACLToken) { t.Policies = links(own.ID) })
			_, _, err := namespaces.Update(&api.Namespace{Name: at.namespace, ACLs: defaults(links(policy.ID), links(role.ID))}, nil)
			must(t, err, "set defaults")
			expanded, meta, err := e.TokenReadExpanded(token.AccessorID, at.read())
			wantMeta(t, meta, err)
			same(t, "token", &expanded.ACLToken, token)
			same(t, "default policies", expanded.NamespaceDefaultPolicyIDs, []string{policy.ID})
			same(t, "default roles", expanded.NamespaceDefaultRoleIDs, []string{role.ID})
			for _, want := range []*api.ACLPolicy{own, policy, byRole} {
				got := find(expanded.ExpandedPolicies, func(p api.ACLPolicy) bool { return p.ID == want.ID })
				same(t, "policy", &got, want)
			}
			equal(t, "policies", len(expanded.ExpandedPolicies), 3)
			same(t, "roles", expanded.ExpandedRoles, []api.ACLRole{*role})
		})
		t.Run("the policy of a new namespace gives every right in it and none outside", func(t *testing.T) {
			at, other := e.newPlace(), e.newPlace()
			token := e.token(at.token, func(t *api.ACLToken) { t.Policies = linksTo("namespace-management") })
			client := e.as(token.SecretID)
			equal(t, "inside", may(client), "write")
			_, _, err := client.PolicyList(other.read())
			wantRefusal(t, err, 403, lacksText(token, "acl:read")+fmt.Sprintf(" in namespace %q", other.namespace))
			_, _, err = client.PolicyList(defaultPlace.read())
			wantRefusal(t, err, 403, lacksText(token, "acl:read"))
			seen, meta, err := client.client.Namespaces().List(nil)
			must(t, err, "list")
			same(t, "namespaces", seen, []*api.Namespace{e.readNamespace(t, at)})
			equal(t, "filtered", meta.ResultsFilteredByACLs, true)
		})
	})
}
