package consulapi

import (
	"fmt"
	"testing"

	"github.com/hashicorp/consul/api"
)

// A foreignCall is one method with an ID of somebody else.
type foreignCall struct {
	name string
	// do asks in a place; without an error it tells whether the answer is that of something missing.
	do func(e *env, at place) (isMissing bool, err error)
	// code and text are how it is refused; an empty text is free.
	code int
	text string
}

func foreignCalls(of tenant) []foreignCall {
	policy, role, token, rule := of.policy.ID, of.role.ID, of.token.AccessorID, of.rule.ID
	const noToken = "token does not exist: ACL not found"
	return []foreignCall{
		{"PolicyRead", func(e *env, at place) (bool, error) { _, _, err := e.PolicyRead(policy, at.read()); return false, err }, 404, ""},
		{"PolicyReadByName", func(e *env, at place) (bool, error) {
			got, _, err := e.PolicyReadByName(of.policy.Name, at.read())
			return got == nil, err
		}, 404, ""},
		{"PolicyUpdate", func(e *env, at place) (bool, error) {
			_, _, err := e.PolicyUpdate(&api.ACLPolicy{ID: policy, Name: unique("taken")}, at.write())
			return false, err
		}, 404, "cannot find policy " + policy},
		{"PolicyDelete", func(e *env, at place) (bool, error) { _, err := e.PolicyDelete(policy, at.write()); return false, err }, 404, ""},
		{"RoleRead", func(e *env, at place) (bool, error) {
			got, _, err := e.RoleRead(role, at.read())
			return got == nil, err
		}, 404, ""},
		{"RoleReadByName", func(e *env, at place) (bool, error) {
			got, _, err := e.RoleReadByName(of.role.Name, at.read())
			return got == nil, err
		}, 404, ""},
		{"RoleUpdate", func(e *env, at place) (bool, error) {
			_, _, err := e.RoleUpdate(&api.ACLRole{ID: role, Name: unique("taken")}, at.write())
			return false, err
		}, 404, "cannot find role " + role},
		{"RoleDelete", func(e *env, at place) (bool, error) { _, err := e.RoleDelete(role, at.write()); return false, err }, 404, "Cannot find role to delete"},
		{"TokenRead", func(e *env, at place) (bool, error) { _, _, err := e.TokenRead(token, at.read()); return false, err }, 404, noToken},
		{"TokenReadExpanded", func(e *env, at place) (bool, error) {
			_, _, err := e.TokenReadExpanded(token, at.read())
			return false, err
		}, 404, noToken},
		{"TokenUpdate", func(e *env, at place) (bool, error) {
			_, _, err := e.TokenUpdate(&api.ACLToken{AccessorID: token}, at.write())
			return false, err
		}, 404, fmt.Sprintf("Cannot find token %q", token)},
		{"TokenClone", func(e *env, at place) (bool, error) {
			_, _, err := e.TokenClone(token, "", at.write())
			return false, err
		}, 404, noToken},
		{"TokenDelete", func(e *env, at place) (bool, error) { _, err := e.TokenDelete(token, at.write()); return false, err }, 404, "Cannot find token to delete"},
		{"TokenListFiltered by policy", func(e *env, at place) (bool, error) {
			list, _, err := e.TokenListFiltered(api.ACLTokenFilterOptions{Policy: policy}, at.read())
			return len(list) == 0, err
		}, 404, ""},
		{"TokenListFiltered by role", func(e *env, at place) (bool, error) {
			list, _, err := e.TokenListFiltered(api.ACLTokenFilterOptions{Role: role}, at.read())
			return len(list) == 0, err
		}, 404, ""},
		{"TokenListFiltered by method", func(e *env, at place) (bool, error) {
			list, _, err := e.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: of.method.Name}, at.read())
			return len(list) == 0, err
		}, 404, ""},
		{"AuthMethodRead", func(e *env, at place) (bool, error) {
			got, _, err := e.AuthMethodRead(of.method.Name, at.read())
			return got == nil, err
		}, 404, ""},
		{"AuthMethodDelete", func(e *env, at place) (bool, error) {
			_, err := e.AuthMethodDelete(of.method.Name, at.write())
			return false, err
		}, 404, "Cannot find auth method to delete"},
		{"BindingRuleRead", func(e *env, at place) (bool, error) {
			got, _, err := e.BindingRuleRead(rule, at.read())
			return got == nil, err
		}, 404, ""},
		{"BindingRuleUpdate", func(e *env, at place) (bool, error) {
			_, _, err := e.BindingRuleUpdate(&api.ACLBindingRule{ID: rule, BindType: toService, BindName: "taken"}, at.write())
			return false, err
		}, 404, "cannot find binding rule " + rule},
		{"BindingRuleDelete", func(e *env, at place) (bool, error) {
			_, err := e.BindingRuleDelete(rule, at.write())
			return false, err
		}, 404, "Cannot find binding rule to delete"},
		{"BindingRuleList of their method", func(e *env, at place) (bool, error) {
			list, _, err := e.BindingRuleList(of.method.Name, at.read())
			return len(list) == 0, err
		}, 404, ""},
		{"BindingRuleCreate with their method", func(e *env, at place) (bool, error) {
			_, _, err := e.BindingRuleCreate(&api.ACLBindingRule{AuthMethod: of.method.Name, BindType: toService, BindName: "web"}, at.write())
			return false, err
		}, 400, fmt.Sprintf("cannot find auth method with name %q", of.method.Name)},
		{"TokenRead of a login", func(e *env, at place) (bool, error) {
			_, _, err := e.TokenRead(of.login.AccessorID, at.read())
			return false, err
		}, 404, noToken},
		{"TokenDelete of a login", func(e *env, at place) (bool, error) {
			_, err := e.TokenDelete(of.login.AccessorID, at.write())
			return false, err
		}, 404, "Cannot find token to delete"},
		{"RoleCreate with a link by ID", func(e *env, at place) (bool, error) {
			_, _, err := e.RoleCreate(&api.ACLRole{Name: unique("role"), Policies: links(policy)}, at.write())
			return false, err
		}, 400, "Failed to apply role upsert request: No such policy with ID: " + policy},
		{"TokenCreate with a policy by ID", func(e *env, at place) (bool, error) {
			_, _, err := e.TokenCreate(&api.ACLToken{Policies: links(policy)}, at.write())
			return false, err
		}, 400, fmt.Sprintf("No such ACL policy with ID %q", policy)},
		{"TokenCreate with a policy by name", func(e *env, at place) (bool, error) {
			_, _, err := e.TokenCreate(&api.ACLToken{Policies: linksTo(of.policy.Name)}, at.write())
			return false, err
		}, 400, fmt.Sprintf("No such ACL policy with name %q", of.policy.Name)},
		{"TokenCreate with a role by ID", func(e *env, at place) (bool, error) {
			_, _, err := e.TokenCreate(&api.ACLToken{Roles: links(role)}, at.write())
			return false, err
		}, 400, fmt.Sprintf("No such ACL role with ID %q", role)},
	}
}

// Whatever a tenant does with an ID of others, it is missing; where it names their namespace, it is refused.
func TestTenantWall(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		mine := e.tenant(e.newPlace())
		client := e.as(mine.token.SecretID)
		for where, theirs := range map[string]tenant{"another namespace": e.tenant(e.newPlace()), "the namespace default": e.tenant(defaultPlace)} {
			for _, call := range foreignCalls(theirs) {
				t.Run("incident 11: in its own namespace IDs of "+where+" are missing: "+call.name, func(t *testing.T) {
					for _, at := range []place{{}, mine.place} {
						isMissing, err := call.do(client, at)
						if err != nil {
							if text, ok := refusal(t, err, call.code); ok && call.text != "" && text != call.text {
								t.Errorf("want %q, got %q", call.text, text)
							}
						} else if !isMissing {
							t.Error("it is found")
						}
					}
				})
				t.Run("incident 11: "+where+" cannot be named: "+call.name, func(t *testing.T) {
					_, err := call.do(client, theirs.place)
					refusal(t, err, 403)
				})
			}
			t.Run("incident 11: nothing of "+where+" has changed", func(t *testing.T) {
				policy, _, err := e.PolicyRead(theirs.policy.ID, theirs.read())
				must(t, err, "read policy")
				same(t, "policy", policy, theirs.policy)
				role, _, err := e.RoleRead(theirs.role.ID, theirs.read())
				must(t, err, "read role")
				same(t, "role", role, theirs.role)
				token, _, err := e.TokenRead(theirs.token.AccessorID, theirs.read())
				must(t, err, "read token")
				same(t, "token", token, theirs.token)
				method, _, err := e.AuthMethodRead(theirs.method.Name, theirs.read())
				must(t, err, "read auth method")
				same(t, "auth method", method, theirs.method)
				rule, _, err := e.BindingRuleRead(theirs.rule.ID, theirs.read())
				must(t, err, "read binding rule")
				same(t, "binding rule", rule, theirs.rule)
			})
		}
	})
}
