package consulapi

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

func TestTokenExpanded(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		direct, byRole, both := e.policy(), e.policy(), e.policy()
		role := e.role(func(r *api.ACLRole) {
			r.Policies, r.ServiceIdentities = links(byRole.ID, both.ID), []*api.ACLServiceIdentity{{ServiceName: "of-role"}}
		})
		token := e.token(func(t *api.ACLToken) {
			t.Policies, t.Roles = links(direct.ID, both.ID), links(role.ID)
			t.ServiceIdentities = []*api.ACLServiceIdentity{{ServiceName: "of-token"}}
			t.NodeIdentities = []*api.ACLNodeIdentity{{NodeName: "here", Datacenter: "dc1"}}
			t.TemplatedPolicies = []*api.ACLTemplatedPolicy{{TemplateName: "builtin/dns"}}
		})
		expanded, _, err := e.TokenReadExpanded(token.AccessorID, nil)
		must(t, err, "read")
		same(t, "token", &expanded.ACLToken, token)
		same(t, "roles", expanded.ExpandedRoles, []api.ACLRole{*role})
		equal(t, "default policy", expanded.AgentACLDefaultPolicy, "deny")
		equal(t, "down policy", expanded.AgentACLDownPolicy, "extend-cache")
		equal(t, "policies of the namespace", len(expanded.NamespaceDefaultPolicyIDs)+len(expanded.NamespaceDefaultRoleIDs), 0)
		name, err := e.client.Agent().NodeName()
		must(t, err, "node name")
		equal(t, "resolved by", expanded.ResolvedByAgent, name)

		for _, policy := range []*api.ACLPolicy{direct, byRole, both} {
			var found []api.ACLPolicy
			for _, each := range expanded.ExpandedPolicies {
				if each.ID == policy.ID {
					found = append(found, each)
				}
			}
			same(t, "policy", found, []api.ACLPolicy{*policy})
		}
		for rule, template := range map[string]string{
			`service "of-role-sidecar-proxy"`:  "builtin/service",
			`service "of-token-sidecar-proxy"`: "builtin/service",
			`node "here"`:                      "builtin/node",
			`query_prefix ""`:                  "builtin/dns",
		} {
			policy := find(expanded.ExpandedPolicies, func(p api.ACLPolicy) bool { return strings.Contains(p.Rules, rule) })
			equal(t, "description for "+rule, policy.Description, "synthetic policy generated from templated policy: "+template)
			equal(t, "name for "+rule, policy.Name, "synthetic-policy-"+policy.ID)
		}
		equal(t, "policies", len(expanded.ExpandedPolicies), 7)

		empty, _, err := e.TokenReadExpanded(e.token().AccessorID, nil)
		must(t, err, "read")
		equal(t, "policies of a token without any", len(empty.ExpandedPolicies)+len(empty.ExpandedRoles), 0)
	})
}

func TestTokenFilters(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		policy, role := e.policy(), e.role()
		service := unique("svc")
		byPolicy := e.token(func(t *api.ACLToken) { t.Policies = links(policy.ID) })
		byRole := e.token(func(t *api.ACLToken) { t.Roles = links(role.ID) })
		byService := e.token(func(t *api.ACLToken) { t.ServiceIdentities = []*api.ACLServiceIdentity{{ServiceName: service}} })
		byTemplate := e.token(func(t *api.ACLToken) {
			t.TemplatedPolicies = []*api.ACLTemplatedPolicy{{TemplateName: "builtin/service", TemplateVariables: &api.ACLTemplatedPolicyVariables{Name: service}}}
		})
		e.token(func(t *api.ACLToken) {
			t.NodeIdentities = []*api.ACLNodeIdentity{{NodeName: service, Datacenter: "dc1"}}
		})

		for _, test := range []struct {
			name   string
			filter api.ACLTokenFilterOptions
			want   []*api.ACLToken
		}{
			{"a policy", api.ACLTokenFilterOptions{Policy: policy.ID}, []*api.ACLToken{byPolicy}},
			{"a policy in capitals", api.ACLTokenFilterOptions{Policy: strings.ToUpper(policy.ID)}, []*api.ACLToken{byPolicy}},
			{"a role", api.ACLTokenFilterOptions{Role: role.ID}, []*api.ACLToken{byRole}},
			{"a service", api.ACLTokenFilterOptions{ServiceName: service}, []*api.ACLToken{byService, byTemplate}},
			{"a service in capitals", api.ACLTokenFilterOptions{ServiceName: strings.ToUpper(service)}, []*api.ACLToken{byService, byTemplate}},
			{"an unknown policy", api.ACLTokenFilterOptions{Policy: newUUID()}, nil},
			{"an unknown role", api.ACLTokenFilterOptions{Role: newUUID()}, nil},
			{"an unknown service", api.ACLTokenFilterOptions{ServiceName: "nothing"}, nil},
			{"an auth method", api.ACLTokenFilterOptions{AuthMethod: "nothing"}, nil},
		} {
			t.Run(test.name, func(t *testing.T) {
				list, meta, err := e.TokenListFiltered(test.filter, nil)
				wantMeta(t, meta, err)
				if list == nil {
					t.Error("the list is null")
				}
				got, want := []*api.ACLTokenListEntry{}, []*api.ACLTokenListEntry{}
				got = append(got, list...)
				for _, token := range test.want {
					want = append(want, entryOf(token))
				}
				byID := func(a, b *api.ACLTokenListEntry) int { return strings.Compare(a.AccessorID, b.AccessorID) }
				slices.SortFunc(got, byID)
				slices.SortFunc(want, byID)
				same(t, "list", got, want)
			})
		}
		for name, filter := range map[string]api.ACLTokenFilterOptions{
			"policy and role":         {Policy: policy.ID, Role: role.ID},
			"service and auth method": {ServiceName: service, AuthMethod: "a"},
			"all":                     {Policy: policy.ID, Role: role.ID, ServiceName: service, AuthMethod: "a"},
		} {
			t.Run("one at a time: "+name, func(t *testing.T) {
				_, _, err := e.TokenListFiltered(filter, nil)
				wantRefusal(t, err, 400, "can only filter by one of policy, role, serviceName, or methodName at a time")
			})
		}
		t.Run("an ID that is none", func(t *testing.T) {
			_, _, err := e.TokenListFiltered(api.ACLTokenFilterOptions{Policy: "nonsense"}, nil)
			wantRefusalLike(t, err, 400, "failed acl policy lookup: index error: ")
			_, _, err = e.TokenListFiltered(api.ACLTokenFilterOptions{Role: "nonsense"}, nil)
			wantRefusalLike(t, err, 400, "failed acl role lookup: index error: ")
		})
		t.Run("the unfiltered list holds all of them", func(t *testing.T) {
			list, _, err := e.TokenList(nil)
			must(t, err, "list")
			for _, token := range []*api.ACLToken{byPolicy, byRole, byService, byTemplate} {
				same(t, "list entry", find(list, func(entry *api.ACLTokenListEntry) bool { return entry.AccessorID == token.AccessorID }), entryOf(token))
			}
		})
	})
}
