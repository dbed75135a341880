package consulapi

import (
	"testing"

	"github.com/hashicorp/consul/api"
)

func TestBindingRuleRefusals(t *testing.T) {
	const name = "Invalid Binding Rule: invalid BindName or BindVars: failed to validate bindType "
	eachEngine(t, func(t *testing.T, e *env) {
		method, other := e.method(), e.method()
		rule := e.rule(method)
		unknown := newUUID()
		for _, test := range []struct {
			name   string
			change func(*api.ACLBindingRule)
			text   string
		}{
			{"no type", binds("", "web", ""), "Invalid Binding Rule: no BindType is set"},
			{"no name", binds(toService, "", ""), "Invalid Binding Rule: no BindName is set"},
			{"variables of another type", func(r *api.ACLBindingRule) { r.BindVars = &api.ACLTemplatedPolicyVariables{Name: "a"} }, "invalid Binding Rule: BindVars cannot be set when bind type is not templated-policy."},
			{"no name of a service", binds(toService, "Web", ""), name + `"service": invalid bind name: "Web"`},
			{"no name of a node", binds(toNode, "-n", ""), name + `"node": invalid bind name: "-n"`},
			{"no name of a role", binds(toRole, "a/b", ""), name + `"role": invalid bind name: "a/b"`},
			{"another template", bindsTemplated("builtin/nothing", "a"), name + `"templated-policy": Bind name for templated-policy bind type does not match existing template name: builtin/nothing`},
			{"another type", binds("foobar", "web", ""), `Invalid Binding Rule: invalid BindName or BindVars: invalid Binding Rule: unknown BindType "foobar"`},
		} {
			t.Run("refused: "+test.name, func(t *testing.T) { e.refusesRule(t, method, rule, test.change, test.text) })
		}
		for name, change := range map[string]func(*api.ACLBindingRule){
			"invalid Binding Rule: Selector is invalid: ":                                 binds(toService, "web", `value.team = "a"`),
			name + `"role": error interpreting template: `:                                binds(toRole, "${value.nothing}", ""),
			name + `"service": error interpreting`:                                        binds(toService, "web-${", ""),
			name + `"templated-policy": failed to interpret templated policy variables: `: bindsTemplated("builtin/service", "${value.nothing}"),
			name + `"templated-policy": templated policy failed validation: `:             bindsTemplated("builtin/service", "Web"),
		} {
			t.Run("refused in words that end with the cause: "+name, func(t *testing.T) {
				sent := &api.ACLBindingRule{AuthMethod: method.Name, BindType: toService, BindName: "web"}
				change(sent)
				_, _, err := e.BindingRuleCreate(sent, nil)
				wantRefusalLike(t, err, 400, name)
				sent.ID = rule.ID
				_, _, err = e.BindingRuleUpdate(sent, nil)
				wantRefusalLike(t, err, 400, name)
			})
		}
		t.Run("a selector for what the identities of the method do not have", func(t *testing.T) {
			sent := &api.ACLBindingRule{AuthMethod: method.Name, BindType: toService, BindName: "web", Selector: `serviceaccount.name == "a"`}
			_, _, err := e.BindingRuleCreate(sent, nil)
			wantRefusalLike(t, err, 400, "invalid Binding Rule: Selector is invalid: ")
		})
		t.Run("no method, and one that is not there", func(t *testing.T) {
			_, _, err := e.BindingRuleCreate(&api.ACLBindingRule{BindType: toService, BindName: "web"}, nil)
			wantRefusal(t, err, 400, "Invalid Binding Rule: no AuthMethod is set")
			_, _, err = e.BindingRuleCreate(&api.ACLBindingRule{AuthMethod: "nothing", BindType: toService, BindName: "web"}, nil)
			wantRefusal(t, err, 400, `cannot find auth method with name "nothing"`)
		})
		t.Run("another method on update", func(t *testing.T) {
			_, _, err := e.BindingRuleUpdate(&api.ACLBindingRule{ID: rule.ID, AuthMethod: other.Name, BindType: toService, BindName: "web"}, nil)
			wantRefusal(t, err, 400, "the AuthMethod field of an Binding Rule is immutable")
		})
		t.Run("an ID on create", func(t *testing.T) {
			sent := &api.ACLBindingRule{ID: unknown, AuthMethod: method.Name, BindType: toService, BindName: "web"}
			_, _, err := e.BindingRuleCreate(sent, nil)
			wantLocal(t, err)
			_, err = e.client.Raw().Write("/v1/acl/binding-rule", sent, nil, nil)
			wantRefusal(t, err, 400, "BindingRule ID in URL and payload do not match")
			_, err = e.client.Raw().Write("/v1/acl/binding-rule/"+rule.ID, sent, nil, nil)
			wantRefusal(t, err, 400, "BindingRule ID in URL and payload do not match")
		})
		t.Run("no ID on update", func(t *testing.T) {
			_, _, err := e.BindingRuleUpdate(&api.ACLBindingRule{AuthMethod: method.Name}, nil)
			wantLocal(t, err)
			_, _, err = e.BindingRuleRead("", nil)
			wantRefusal(t, err, 400, "Missing binding rule ID")
			_, err = e.BindingRuleDelete("", nil)
			wantRefusal(t, err, 400, "Missing binding rule ID")
		})
		t.Run("an unknown ID", func(t *testing.T) {
			_, _, err := e.BindingRuleUpdate(&api.ACLBindingRule{ID: unknown, BindType: toService, BindName: "web"}, nil)
			wantRefusal(t, err, 404, "cannot find binding rule "+unknown)
			_, err = e.client.Raw().Query("/v1/acl/binding-rule/"+unknown, nil, nil)
			wantRefusal(t, err, 404, "Requested binding rule does not exist: ACL not found")
		})
		t.Run("an ID that is none", func(t *testing.T) {
			_, _, err := e.BindingRuleUpdate(&api.ACLBindingRule{ID: "nonsense", BindType: toService, BindName: "web"}, nil)
			wantRefusal(t, err, 404, "Binding Rule ID invalid UUID")
			_, err = e.BindingRuleDelete("nonsense", nil)
			wantRefusal(t, err, 404, "failed acl binding rule lookup: index error: UUID must be 36 characters")
		})
		t.Run("nothing of this has changed anything", func(t *testing.T) {
			list, _, err := e.BindingRuleList(method.Name, nil)
			must(t, err, "list")
			same(t, "rules", list, []*api.ACLBindingRule{rule})
		})
	})
}

// refusesRule wants that a content is refused in these words on create and update.
func (e *env) refusesRule(t *testing.T, method *api.ACLAuthMethod, rule *api.ACLBindingRule, change func(*api.ACLBindingRule), text string) {
	t.Helper()
	sent := &api.ACLBindingRule{AuthMethod: method.Name, BindType: toService, BindName: "web"}
	change(sent)
	_, _, err := e.BindingRuleCreate(sent, nil)
	wantRefusal(t, err, 400, text)
	sent.ID = rule.ID
	_, _, err = e.BindingRuleUpdate(sent, nil)
	wantRefusal(t, err, 400, text)
}
