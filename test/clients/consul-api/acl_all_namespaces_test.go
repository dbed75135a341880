package consulapi

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/consul/api"
)

var anyNamespace = &api.QueryOptions{Namespace: "*"}

// listed are the places and IDs of what a list shows of some tenants, in its order, and what it shows of others.
func listed[T any](list []T, tenants []tenant, of func(T) (id string, at place)) (ids []string, others []place) {
	for _, entry := range list {
		id, at := of(entry)
		if slices.ContainsFunc(tenants, func(t tenant) bool { return slices.Contains(t.ids(), id) }) {
			ids = append(ids, id)
		} else {
			others = append(others, at)
		}
	}
	slices.Sort(ids)
	return ids, others
}

// everyList asks for every list of access control in all namespaces.
func everyList(t *testing.T, e *env, tenants []tenant) (ids map[string][]string, others []place, filtered bool) {
	t.Helper()
	ids = map[string][]string{}
	var more [5][]place
	policies, policyMeta, err := e.PolicyList(anyNamespace)
	must(t, err, "list policies")
	ids["policies"], more[0] = listed(policies, tenants, func(p *api.ACLPolicyListEntry) (string, place) {
		return p.ID, place{p.Namespace, p.Partition}
	})
	roles, roleMeta, err := e.RoleList(anyNamespace)
	must(t, err, "list roles")
	ids["roles"], more[1] = listed(roles, tenants, func(r *api.ACLRole) (string, place) { return r.ID, place{r.Namespace, r.Partition} })
	tokens, tokenMeta, err := e.TokenList(anyNamespace)
	must(t, err, "list tokens")
	ids["tokens"], more[2] = listed(tokens, tenants, func(t *api.ACLTokenListEntry) (string, place) {
		return t.AccessorID, place{t.Namespace, t.Partition}
	})
	methods, methodMeta, err := e.AuthMethodList(anyNamespace)
	must(t, err, "list auth methods")
	ids["auth methods"], more[3] = listed(methods, tenants, func(m *api.ACLAuthMethodListEntry) (string, place) {
		return m.Name, place{m.Namespace, m.Partition}
	})
	rules, ruleMeta, err := e.BindingRuleList("", anyNamespace)
	must(t, err, "list binding rules")
	ids["binding rules"], more[4] = listed(rules, tenants, func(r *api.ACLBindingRule) (string, place) {
		return r.ID, place{r.Namespace, r.Partition}
	})
	equal(t, "filtered, of auth methods as of policies", methodMeta.ResultsFilteredByACLs, policyMeta.ResultsFilteredByACLs)
	equal(t, "filtered, of binding rules as of policies", ruleMeta.ResultsFilteredByACLs, policyMeta.ResultsFilteredByACLs)
	equal(t, "filtered, of roles as of policies", roleMeta.ResultsFilteredByACLs, policyMeta.ResultsFilteredByACLs)
	equal(t, "filtered, of tokens as of policies", tokenMeta.ResultsFilteredByACLs, policyMeta.ResultsFilteredByACLs)
	return ids, slices.Concat(more[:]...), policyMeta.ResultsFilteredByACLs
}

func TestListsOfAllNamespaces(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		prefix := unique("all")
		named := func(end string) place {
			return place{e.namespace(func(n *api.Namespace) { n.Name = prefix + end }).Name, "default"}
		}
		tenants := []tenant{e.tenant(defaultPlace), e.tenant(named("-a")), e.tenant(named("-b")), e.tenant(named("-c"))}
		// Never shown: another partition is not among them.
		abroad := e.tenant(place{"default", e.partition().Name})
		for _, test := range []struct {
			name     string
			token    *api.ACLToken
			sees     []tenant
			filtered bool
		}{
			{"the management token", e.in.bootstrapped, tenants, false},
			{"acl:read everywhere", e.tokenWith(`acl = "read" namespace_prefix "" { acl = "read" }`), tenants, false},
			{"acl:read in default", e.tokenWith(`acl = "read"`), tenants[:1], true},
			{"acl:write in the own namespace", tenants[1].token, tenants[1:2], true},
			{"a block about one", e.tokenWith(fmt.Sprintf(`namespace "%s-b" { acl = "read" }`, prefix)), tenants[2:3], true},
			{"a prefix but one", e.tokenWith(fmt.Sprintf(
				`namespace_prefix "%[1]s" { acl = "read" } namespace "%[1]s-b" { acl = "deny" }`, prefix)), []tenant{tenants[1], tenants[3]}, true},
			{"other rights", e.tokenWith(`namespace_prefix "" { policy = "write" key_prefix "" { policy = "write" } } key_prefix "" { policy = "write" }`), nil, true},
		} {
			t.Run("show what the caller may read, and say whether there is more: "+test.name, func(t *testing.T) {
				ids, others, filtered := everyList(t, e.as(test.token.SecretID), append(tenants, abroad))
				equal(t, "filtered", filtered, test.filtered)
				all := map[string][]string{"policies": nil, "roles": nil, "tokens": nil, "auth methods": nil, "binding rules": nil}
				for _, of := range test.sees {
					all["policies"], all["roles"] = append(all["policies"], of.policy.ID), append(all["roles"], of.role.ID)
					all["tokens"] = append(all["tokens"], of.token.AccessorID, of.login.AccessorID)
					all["auth methods"], all["binding rules"] = append(all["auth methods"], of.method.Name), append(all["binding rules"], of.rule.ID)
				}
				for kind, want := range all {
					slices.Sort(want)
					same(t, kind, ids[kind], want)
				}
				for _, at := range others {
					if test.filtered && !slices.ContainsFunc(test.sees, func(of tenant) bool { return of.place == at }) {
						t.Errorf("they show something of %v", at)
					}
				}
			})
		}
		t.Run("secrets are hidden entry by entry", func(t *testing.T) {
			token := e.tokenWith(fmt.Sprintf(`namespace "%[1]s-a" { acl = "write" } namespace "%[1]s-b" { acl = "read" }`, prefix))
			list, meta, err := e.as(token.SecretID).TokenList(anyNamespace)
			must(t, err, "list")
			equal(t, "filtered", meta.ResultsFilteredByACLs, true)
			equal(t, "entries", len(list), 4)
			for _, shown := range []*api.ACLToken{tenants[1].token, tenants[1].login} {
				same(t, "list entry", find(list, isToken(shown)), entryOf(shown))
			}
			for _, token := range []*api.ACLToken{tenants[2].token, tenants[2].login} {
				hidden := *token
				hidden.SecretID = "<hidden>"
				same(t, "list entry", find(list, isToken(token)), entryOf(&hidden))
			}
		})
		t.Run("a filter by an ID works across namespaces", func(t *testing.T) {
			of := tenants[1]
			for _, filter := range []api.ACLTokenFilterOptions{{Policy: of.policy.ID}, {Role: of.role.ID}, {AuthMethod: of.method.Name}} {
				list, meta, err := e.TokenListFiltered(filter, anyNamespace)
				wantMeta(t, meta, err)
				equal(t, "shows the token", find(list, isToken(of.token)) != nil, filter.AuthMethod == "")
				equal(t, "shows the token of a login", find(list, isToken(of.login)) != nil, filter.Policy == "")
				for _, entry := range list {
					equal(t, "namespace", entry.Namespace, of.namespace)
				}
				list, _, err = e.as(tenants[2].token.SecretID).TokenListFiltered(filter, anyNamespace)
				must(t, err, "list")
				same(t, "list of another tenant", list, []*api.ACLTokenListEntry{})
			}
		})
		t.Run("in another partition they are those of that partition", func(t *testing.T) {
			list, meta, err := e.TokenList(&api.QueryOptions{Namespace: "*", Partition: abroad.partition})
			wantMeta(t, meta, err)
			equal(t, "entries", len(list), 2)
			same(t, "list entry", find(list, isToken(abroad.token)), entryOf(abroad.token))
		})
		t.Run("the anonymous token is shown nothing, and told so", func(t *testing.T) {
			list, meta, err := e.as("").PolicyList(anyNamespace)
			must(t, err, "list")
			same(t, "list", list, []*api.ACLPolicyListEntry{})
			equal(t, "filtered", meta.ResultsFilteredByACLs, true)
		})
		t.Run("nothing but lists takes all namespaces", func(t *testing.T) {
			of := tenants[1]
			all := &api.WriteOptions{Namespace: "*"}
			const text = `Namespace "*" is not a name; only lists accept * for all namespaces`
			calls := map[string]error{}
			_, _, calls["PolicyRead"] = e.PolicyRead(of.policy.ID, anyNamespace)
			_, _, calls["PolicyReadByName"] = e.PolicyReadByName(of.policy.Name, anyNamespace)
			_, _, calls["PolicyCreate"] = e.PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, all)
			_, _, calls["PolicyCreate by body"] = e.PolicyCreate(&api.ACLPolicy{Name: unique("policy"), Namespace: "*"}, nil)
			_, _, calls["PolicyUpdate"] = e.PolicyUpdate(&api.ACLPolicy{ID: of.policy.ID, Name: unique("policy")}, all)
			_, _, calls["RoleRead"] = e.RoleRead(of.role.ID, anyNamespace)
			_, _, calls["RoleReadByName"] = e.RoleReadByName(of.role.Name, anyNamespace)
			_, _, calls["RoleCreate"] = e.RoleCreate(&api.ACLRole{Name: unique("role")}, all)
			_, calls["RoleDelete"] = e.RoleDelete(of.role.ID, all)
			_, _, calls["TokenRead"] = e.TokenRead(of.token.AccessorID, anyNamespace)
			_, _, calls["TokenReadExpanded"] = e.TokenReadExpanded(of.token.AccessorID, anyNamespace)
			_, _, calls["TokenCreate"] = e.TokenCreate(&api.ACLToken{}, all)
			_, _, calls["TokenClone"] = e.TokenClone(of.token.AccessorID, "", all)
			_, calls["TokenDelete"] = e.TokenDelete(of.token.AccessorID, all)
			_, _, calls["AuthMethodRead"] = e.AuthMethodRead(of.method.Name, anyNamespace)
			_, _, calls["AuthMethodCreate"] = e.AuthMethodCreate(&api.ACLAuthMethod{Name: unique("method"), Type: "jwt", Config: of.method.Config}, all)
			_, calls["AuthMethodDelete"] = e.AuthMethodDelete(of.method.Name, all)
			_, _, calls["BindingRuleRead"] = e.BindingRuleRead(of.rule.ID, anyNamespace)
			_, _, calls["BindingRuleCreate"] = e.BindingRuleCreate(&api.ACLBindingRule{AuthMethod: of.method.Name, BindType: toService, BindName: "web"}, all)
			_, calls["BindingRuleDelete"] = e.BindingRuleDelete(of.rule.ID, all)
			_, _, calls["Login"] = e.as("").Login(&api.ACLLoginParams{AuthMethod: of.method.Name, BearerToken: jwt(t, nil)}, all)
			for name, err := range calls {
				t.Run(name, func(t *testing.T) { wantRefusal(t, err, 400, text) })
			}
		})
	})
}
