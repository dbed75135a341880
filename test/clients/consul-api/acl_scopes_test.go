package consulapi

import (
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

// policyAt, roleAt and tokenAt are what reads answer of an object that lies there.
func policyAt(p place, want *api.ACLPolicy) *api.ACLPolicy {
	want.Namespace, want.Partition = p.namespace, p.partition
	return want
}

func roleAt(p place, want *api.ACLRole) *api.ACLRole {
	want.Namespace, want.Partition = p.namespace, p.partition
	return want
}

func tokenAt(p place, want *api.ACLToken) *api.ACLToken {
	want.Namespace, want.Partition = p.namespace, p.partition
	return want
}

func TestPoliciesElsewhere(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		outside := e.newPlace()
		name := unique("Same")
		for where, at := range e.elsewhere() {
			t.Run("every method works there, on an object with the name of others: "+where, func(t *testing.T) {
				sent := &api.ACLPolicy{Name: name, Description: "there", Rules: `key "a" { policy = "read" }`, Datacenters: []string{"dc1"}}
				made, _, err := e.PolicyCreate(sent, at.write())
				must(t, err, "create")
				want := policyAt(at, written(t, sent, made))
				same(t, "created", made, want)
				read, meta, err := e.PolicyRead(made.ID, at.read())
				wantMeta(t, meta, err)
				same(t, "read", read, want)
				named, meta, err := e.PolicyReadByName(strings.ToUpper(name), at.read())
				wantMeta(t, meta, err)
				same(t, "read by name", named, want)
				list, meta, err := e.PolicyList(at.read())
				wantMeta(t, meta, err)
				same(t, "list entry", find(list, func(entry *api.ACLPolicyListEntry) bool { return entry.Name == name }), &api.ACLPolicyListEntry{
					ID: made.ID, Name: name, Description: "there", Datacenters: want.Datacenters, Hash: want.Hash,
					CreateIndex: want.CreateIndex, ModifyIndex: want.ModifyIndex, Namespace: at.namespace, Partition: at.partition,
				})
				for _, entry := range list {
					equal(t, "place of each", place{entry.Namespace, entry.Partition}, at)
				}
				_, _, err = e.PolicyCreate(&api.ACLPolicy{Name: strings.ToLower(name)}, at.write())
				wantRefusalLike(t, err, 500, "Invalid Policy: A Policy with Name ")

				update := &api.ACLPolicy{ID: made.ID, Name: name, Description: "changed"}
				changed, _, err := e.PolicyUpdate(update, at.write())
				must(t, err, "update")
				same(t, "changed", changed, policyAt(at, written(t, update, changed)))
				again, _, err := e.PolicyUpdate(changed, nil)
				must(t, err, "update by the place in the body")
				equal(t, "place", place{again.Namespace, again.Partition}, at)

				_, _, err = e.PolicyRead(made.ID, outside.read())
				wantRefusal(t, err, 404, "Requested policy not found in namespace "+outside.namespace+": ACL not found")
				_, _, err = e.PolicyUpdate(update, outside.write())
				wantRefusal(t, err, 404, "cannot find policy "+made.ID)
				e.refusesPolicyDelete(t, made.ID, outside.write(), 404, "Cannot find policy to delete")
				_, err = e.PolicyDelete(made.ID, at.write())
				must(t, err, "delete")
				_, _, err = e.PolicyRead(made.ID, at.read())
				refusal(t, err, 404)
			})
		}
	})
}

func TestRolesElsewhere(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		outside := e.newPlace()
		name := unique("Same")
		for where, at := range e.elsewhere() {
			t.Run("every method works there, on an object with the name of others: "+where, func(t *testing.T) {
				policy := e.policy(at.policy, func(p *api.ACLPolicy) { p.Name = name + "-policy" })
				sent := &api.ACLRole{
					Name: name, Description: "there", Policies: linksTo(name + "-POLICY"),
					ServiceIdentities: serviceIdentities(), TemplatedPolicies: []*api.ACLTemplatedPolicy{{TemplateName: "builtin/dns"}},
				}
				made, _, err := e.RoleCreate(sent, at.write())
				must(t, err, "create")
				want := roleAt(at, writtenRole(t, sent, made, linkTo(policy)))
				same(t, "created", made, want)
				read, meta, err := e.RoleRead(made.ID, at.read())
				wantMeta(t, meta, err)
				same(t, "read", read, want)
				named, meta, err := e.RoleReadByName(strings.ToUpper(name), at.read())
				wantMeta(t, meta, err)
				same(t, "read by name", named, want)
				list, meta, err := e.RoleList(at.read())
				wantMeta(t, meta, err)
				same(t, "list entry", find(list, func(entry *api.ACLRole) bool { return entry.Name == name }), want)
				for _, entry := range list {
					equal(t, "place of each", place{entry.Namespace, entry.Partition}, at)
				}
				_, _, err = e.RoleCreate(&api.ACLRole{Name: strings.ToLower(name)}, at.write())
				wantRefusalLike(t, err, 500, "Invalid Role: A Role with Name ")

				update := &api.ACLRole{ID: made.ID, Name: name, Description: "changed"}
				changed, _, err := e.RoleUpdate(update, at.write())
				must(t, err, "update")
				same(t, "changed", changed, roleAt(at, writtenRole(t, update, changed)))

				missing, meta, err := e.RoleRead(made.ID, outside.read())
				wantMeta(t, meta, err)
				if missing != nil {
					t.Errorf("read elsewhere: %v", missing)
				}
				_, _, err = e.RoleUpdate(update, outside.write())
				wantRefusal(t, err, 404, "cannot find role "+made.ID)
				_, err = e.RoleDelete(made.ID, outside.write())
				wantRefusal(t, err, 404, "Cannot find role to delete")
				_, err = e.RoleDelete(made.ID, at.write())
				must(t, err, "delete")
				gone, _, err := e.RoleRead(made.ID, at.read())
				if err != nil || gone != nil {
					t.Errorf("after the delete: %v, %v", gone, err)
				}
			})
		}
	})
}

func TestTokensElsewhere(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		outside := e.newPlace()
		for where, at := range e.elsewhere() {
			t.Run("every method works there: "+where, func(t *testing.T) {
				policy, role := e.policy(at.policy), e.role(at.role)
				sent := &api.ACLToken{
					Description: "there", Policies: []*api.ACLLink{linkTo(policy)}, Roles: []*api.ACLLink{linkToRole(role)},
					ServiceIdentities: serviceIdentities(),
				}
				made, _, err := e.TokenCreate(sent, at.write())
				must(t, err, "create")
				remember(made.SecretID)
				want := tokenAt(at, writtenToken(t, sent, made))
				same(t, "created", made, want)
				read, meta, err := e.TokenRead(made.AccessorID, at.read())
				wantMeta(t, meta, err)
				same(t, "read", read, want)
				expanded, meta, err := e.TokenReadExpanded(made.AccessorID, at.read())
				wantMeta(t, meta, err)
				same(t, "expanded", &expanded.ACLToken, want)
				same(t, "expanded roles", expanded.ExpandedRoles, []api.ACLRole{*role})
				for _, options := range []*api.QueryOptions{nil, at.read(), outside.read(), {Namespace: "nowhere"}} {
					self, meta, err := e.as(made.SecretID).TokenReadSelf(options)
					wantMeta(t, meta, err)
					same(t, "self", self, want)
				}
				list, meta, err := e.TokenList(at.read())
				wantMeta(t, meta, err)
				same(t, "list entry", find(list, isToken(made)), entryOf(want))
				for _, entry := range list {
					equal(t, "place of each", place{entry.Namespace, entry.Partition}, at)
				}
				for _, filter := range []api.ACLTokenFilterOptions{{Policy: policy.ID}, {Role: role.ID}} {
					list, meta, err = e.TokenListFiltered(filter, at.read())
					wantMeta(t, meta, err)
					same(t, "filtered list", list, []*api.ACLTokenListEntry{entryOf(want)})
					list, _, err = e.TokenListFiltered(filter, outside.read())
					must(t, err, "filtered list elsewhere")
					same(t, "filtered list elsewhere", list, []*api.ACLTokenListEntry{})
				}
				update := &api.ACLToken{AccessorID: made.AccessorID, SecretID: made.SecretID, Description: "changed", Policies: []*api.ACLLink{linkTo(policy)}}
				changed, _, err := e.TokenUpdate(update, at.write())
				must(t, err, "update")
				same(t, "changed", changed, tokenAt(at, writtenToken(t, update, changed)))
				clone, _, err := e.TokenClone(made.AccessorID, "a clone", at.write())
				must(t, err, "clone")
				remember(clone.SecretID)
				wantClone := *changed
				wantClone.AccessorID, wantClone.SecretID, wantClone.Description = "", "", "a clone"
				same(t, "clone", clone, tokenAt(at, writtenToken(t, &wantClone, clone)))

				_, _, err = e.TokenRead(made.AccessorID, outside.read())
				wantRefusal(t, err, 404, "token does not exist: ACL not found")
				_, _, err = e.TokenReadExpanded(made.AccessorID, outside.read())
				wantRefusal(t, err, 404, "token does not exist: ACL not found")
				_, _, err = e.TokenUpdate(update, outside.write())
				wantRefusal(t, err, 404, `Cannot find token "`+made.AccessorID+`"`)
				_, _, err = e.TokenClone(made.AccessorID, "", outside.write())
				wantRefusal(t, err, 404, "token does not exist: ACL not found")
				_, err = e.TokenDelete(made.AccessorID, outside.write())
				wantRefusal(t, err, 404, "Cannot find token to delete")
				_, err = e.TokenDelete(made.AccessorID, at.write())
				must(t, err, "delete")
				_, _, err = e.as(made.SecretID).TokenReadSelf(nil)
				wantRefusal(t, err, 403, "ACL not found")
			})
		}
	})
}

func isToken(token *api.ACLToken) func(*api.ACLTokenListEntry) bool {
	return func(entry *api.ACLTokenListEntry) bool { return entry.AccessorID == token.AccessorID }
}

// Reads where nothing is find nothing; writes there are refused.
func TestPlacesThatDoNotExist(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		policy, role, token, method := e.policy(), e.role(), e.token(), e.method()
		rule := e.rule(method)
		nowhere, empty := unique("nowhere"), e.partition().Name
		for _, test := range []struct {
			name string
			at   place
			text string
		}{
			{"a namespace", place{nowhere, ""}, `Namespace "` + nowhere + `" does not exist`},
			{"a partition", place{"", nowhere}, `Partition "` + nowhere + `" does not exist`},
			{"both", place{nowhere, nowhere}, `Partition "` + nowhere + `" does not exist`},
			{"a namespace of another partition", place{nowhere, empty}, `Namespace "` + nowhere + `" does not exist`},
		} {
			t.Run("reads find nothing and writes are refused: "+test.name, func(t *testing.T) {
				q, w := test.at.read(), test.at.write()
				_, _, err := e.PolicyRead(policy.ID, q)
				refusal(t, err, 404)
				named, meta, err := e.PolicyReadByName(policy.Name, q)
				wantMeta(t, meta, err)
				byID, meta, err := e.RoleRead(role.ID, q)
				wantMeta(t, meta, err)
				roleNamed, meta, err := e.RoleReadByName(role.Name, q)
				wantMeta(t, meta, err)
				methodRead, meta, err := e.AuthMethodRead(method.Name, q)
				wantMeta(t, meta, err)
				ruleRead, meta, err := e.BindingRuleRead(rule.ID, q)
				wantMeta(t, meta, err)
				if named != nil || byID != nil || roleNamed != nil || methodRead != nil || ruleRead != nil {
					t.Errorf("found %v, %v, %v, %v, %v", named, byID, roleNamed, methodRead, ruleRead)
				}
				_, _, err = e.TokenRead(token.AccessorID, q)
				refusal(t, err, 404)
				policies, meta, err := e.PolicyList(q)
				wantMeta(t, meta, err)
				roles, meta, err := e.RoleList(q)
				wantMeta(t, meta, err)
				tokens, meta, err := e.TokenList(q)
				wantMeta(t, meta, err)
				if policies == nil || roles == nil || tokens == nil || len(policies)+len(roles)+len(tokens) > 0 {
					t.Errorf("listed %v, %v, %v", policies, roles, tokens)
				}
				methods, meta, err := e.AuthMethodList(q)
				wantMeta(t, meta, err)
				rules, meta, err := e.BindingRuleList("", q)
				wantMeta(t, meta, err)
				if methods == nil || rules == nil || len(methods)+len(rules) > 0 {
					t.Errorf("listed %v, %v", methods, rules)
				}
				_, _, err = e.PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, w)
				wantRefusal(t, err, 400, test.text)
				_, _, err = e.RoleCreate(&api.ACLRole{Name: unique("role")}, w)
				wantRefusal(t, err, 400, test.text)
				_, _, err = e.TokenCreate(&api.ACLToken{}, w)
				wantRefusal(t, err, 400, test.text)
				_, err = e.TokenDelete(token.AccessorID, w)
				wantRefusal(t, err, 400, test.text)
				_, _, err = e.AuthMethodCreate(&api.ACLAuthMethod{Name: unique("method"), Type: "jwt", Config: method.Config}, w)
				wantRefusal(t, err, 400, test.text)
				_, _, err = e.BindingRuleUpdate(&api.ACLBindingRule{ID: rule.ID, BindType: toService, BindName: "web"}, w)
				refusal(t, err, 400)
				_, _, err = e.as("").Login(&api.ACLLoginParams{AuthMethod: method.Name, BearerToken: jwt(t, nil)}, w)
				wantRefusal(t, err, 403, deniedLike(method.Name))
			})
		}
	})
}
