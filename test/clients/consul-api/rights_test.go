package consulapi

import (
	"testing"

	"github.com/hashicorp/consul/api"
)

// A call is one method of the client and the right that it needs.
type call struct {
	name, right string
	do          func(acl *api.ACL) error
}

// aclCalls are all methods for objects of access control, on things that are there.
func aclCalls(e *env) []call {
	policy, role, token := e.policy(), e.role(), e.token()
	method := e.method()
	rule := e.rule(method)
	variables := &api.ACLTemplatedPolicyVariables{Name: "web"}
	return []call{
		{"PolicyRead", "acl:read", func(acl *api.ACL) error { _, _, err := acl.PolicyRead(policy.ID, nil); return err }},
		{"PolicyReadByName", "acl:read", func(acl *api.ACL) error { _, _, err := acl.PolicyReadByName(policy.Name, nil); return err }},
		{"PolicyList", "acl:read", func(acl *api.ACL) error { _, _, err := acl.PolicyList(nil); return err }},
		{"RoleRead", "acl:read", func(acl *api.ACL) error { _, _, err := acl.RoleRead(role.ID, nil); return err }},
		{"RoleReadByName", "acl:read", func(acl *api.ACL) error { _, _, err := acl.RoleReadByName(role.Name, nil); return err }},
		{"RoleList", "acl:read", func(acl *api.ACL) error { _, _, err := acl.RoleList(nil); return err }},
		{"TokenRead", "acl:read", func(acl *api.ACL) error { _, _, err := acl.TokenRead(token.AccessorID, nil); return err }},
		{"TokenReadExpanded", "acl:read", func(acl *api.ACL) error { _, _, err := acl.TokenReadExpanded(token.AccessorID, nil); return err }},
		{"TokenList", "acl:read", func(acl *api.ACL) error { _, _, err := acl.TokenList(nil); return err }},
		{"TokenListFiltered", "acl:read", func(acl *api.ACL) error {
			_, _, err := acl.TokenListFiltered(api.ACLTokenFilterOptions{Policy: policy.ID}, nil)
			return err
		}},
		{"TemplatedPolicyList", "acl:read", func(acl *api.ACL) error { _, _, err := acl.TemplatedPolicyList(nil); return err }},
		{"TemplatedPolicyReadByName", "acl:read", func(acl *api.ACL) error {
			_, _, err := acl.TemplatedPolicyReadByName("builtin/service", nil)
			return err
		}},
		{"TemplatedPolicyPreview", "acl:read", func(acl *api.ACL) error {
			_, _, err := acl.TemplatedPolicyPreview(&api.ACLTemplatedPolicy{TemplateName: "builtin/service", TemplateVariables: variables}, nil)
			return err
		}},
		{"PolicyCreate", "acl:write", func(acl *api.ACL) error {
			_, _, err := acl.PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, nil)
			return err
		}},
		{"PolicyUpdate", "acl:write", func(acl *api.ACL) error { _, _, err := acl.PolicyUpdate(policy, nil); return err }},
		{"RoleCreate", "acl:write", func(acl *api.ACL) error {
			_, _, err := acl.RoleCreate(&api.ACLRole{Name: unique("role")}, nil)
			return err
		}},
		{"RoleUpdate", "acl:write", func(acl *api.ACL) error { _, _, err := acl.RoleUpdate(role, nil); return err }},
		{"RoleDelete", "acl:write", func(acl *api.ACL) error { _, err := acl.RoleDelete(role.ID, nil); return err }},
		{"TokenCreate", "acl:write", func(acl *api.ACL) error { _, _, err := acl.TokenCreate(&api.ACLToken{}, nil); return err }},
		{"TokenUpdate", "acl:write", func(acl *api.ACL) error { _, _, err := acl.TokenUpdate(token, nil); return err }},
		{"TokenClone", "acl:write", func(acl *api.ACL) error { _, _, err := acl.TokenClone(token.AccessorID, "", nil); return err }},
		{"TokenDelete", "acl:write", func(acl *api.ACL) error { _, err := acl.TokenDelete(token.AccessorID, nil); return err }},
		{"AuthMethodRead", "acl:read", func(acl *api.ACL) error { _, _, err := acl.AuthMethodRead(method.Name, nil); return err }},
		{"AuthMethodList", "acl:read", func(acl *api.ACL) error { _, _, err := acl.AuthMethodList(nil); return err }},
		{"BindingRuleRead", "acl:read", func(acl *api.ACL) error { _, _, err := acl.BindingRuleRead(rule.ID, nil); return err }},
		{"BindingRuleList", "acl:read", func(acl *api.ACL) error { _, _, err := acl.BindingRuleList("", nil); return err }},
		{"BindingRuleList of a method", "acl:read", func(acl *api.ACL) error { _, _, err := acl.BindingRuleList(method.Name, nil); return err }},
		{"TokenListFiltered by a method", "acl:read", func(acl *api.ACL) error {
			_, _, err := acl.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: method.Name}, nil)
			return err
		}},
		{"AuthMethodCreate", "acl:write", func(acl *api.ACL) error {
			_, _, err := acl.AuthMethodCreate(&api.ACLAuthMethod{Name: unique("method"), Type: "jwt", Config: method.Config}, nil)
			return err
		}},
		{"AuthMethodUpdate", "acl:write", func(acl *api.ACL) error { _, _, err := acl.AuthMethodUpdate(method, nil); return err }},
		{"BindingRuleCreate", "acl:write", func(acl *api.ACL) error {
			_, _, err := acl.BindingRuleCreate(&api.ACLBindingRule{AuthMethod: method.Name, BindType: toService, BindName: "web"}, nil)
			return err
		}},
		{"BindingRuleUpdate", "acl:write", func(acl *api.ACL) error { _, _, err := acl.BindingRuleUpdate(rule, nil); return err }},
		{"BindingRuleDelete", "acl:write", func(acl *api.ACL) error { _, err := acl.BindingRuleDelete(rule.ID, nil); return err }},
		{"AuthMethodDelete", "acl:write", func(acl *api.ACL) error { _, err := acl.AuthMethodDelete(method.Name, nil); return err }},
		{"AuthMethodRead of a missing one", "acl:read", func(acl *api.ACL) error { _, _, err := acl.AuthMethodRead("nothing", nil); return err }},
		{"BindingRuleRead of a missing one", "acl:read", func(acl *api.ACL) error { _, _, err := acl.BindingRuleRead(newUUID(), nil); return err }},
		// The same on things that are missing: who has no right learns nothing of it.
		{"RoleRead of a missing one", "acl:read", func(acl *api.ACL) error { _, _, err := acl.RoleRead(newUUID(), nil); return err }},
		{"PolicyReadByName of a missing one", "acl:read", func(acl *api.ACL) error { _, _, err := acl.PolicyReadByName("nothing", nil); return err }},
	}
}

func TestRights(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		calls := aclCalls(e)
		stranger := e.tokenWith(`node_prefix "" { policy = "write" }`)
		denied := e.tokenWith(`acl = "deny"`)
		reader := e.tokenWith(`acl = "read"`)
		writer := e.tokenWith(`acl = "write"`)

		for _, call := range calls {
			t.Run("refused: "+call.name, func(t *testing.T) {
				for _, token := range []*api.ACLToken{stranger, denied} {
					wantRefusal(t, call.do(e.as(token.SecretID).ACL), 403, "Permission denied: token with AccessorID '"+token.AccessorID+"' lacks permission '"+call.right+"'")
				}
				wantRefusal(t, call.do(e.as("").ACL), 403, "Permission denied: anonymous token lacks permission '"+call.right+"'. The anonymous token is used implicitly when a request does not specify a token.")
				wantRefusal(t, call.do(e.as(newUUID()).ACL), 403, "ACL not found")
				wantRefusal(t, call.do(e.as("no UUID").ACL), 403, "ACL not found")
				wantRefusal(t, call.do(e.as("manage").ACL), 403, "Cannot resolve root ACL")
				if call.right == "acl:write" {
					wantRefusal(t, call.do(e.as(reader.SecretID).ACL), 403, "Permission denied: token with AccessorID '"+reader.AccessorID+"' lacks permission 'acl:write'")
				} else {
					must(t, call.do(e.as(reader.SecretID).ACL), "with acl:read")
				}
			})
		}
		t.Run("refused: PolicyDelete", func(t *testing.T) {
			e.as(reader.SecretID).refusesPolicyDelete(t, e.policy().ID, nil, 403, "Permission denied: token with AccessorID '"+reader.AccessorID+"' lacks permission 'acl:write'")
			e.as(reader.SecretID).refusesPolicyDelete(t, newUUID(), nil, 403, "Permission denied: token with AccessorID '"+reader.AccessorID+"' lacks permission 'acl:write'")
		})
		t.Run("secrets are hidden from those who may only read", func(t *testing.T) {
			token := e.token()
			read, _, err := e.as(reader.SecretID).TokenRead(token.AccessorID, nil)
			must(t, err, "read")
			want := *token
			want.SecretID = "<hidden>"
			same(t, "read", read, &want)
			expanded, _, err := e.as(reader.SecretID).TokenReadExpanded(token.AccessorID, nil)
			must(t, err, "read expanded")
			same(t, "expanded", &expanded.ACLToken, &want)
			list, _, err := e.as(reader.SecretID).TokenList(nil)
			must(t, err, "list")
			for _, entry := range list {
				equal(t, "SecretID", entry.SecretID, "<hidden>")
			}
			self, _, err := e.as(reader.SecretID).TokenReadSelf(nil)
			must(t, err, "self")
			same(t, "self", self, reader)
		})
		t.Run("anyone reads the own token", func(t *testing.T) {
			for _, token := range []*api.ACLToken{stranger, denied} {
				self, meta, err := e.as(token.SecretID).TokenReadSelf(nil)
				wantMeta(t, meta, err)
				same(t, "self", self, token)
			}
			_, _, err := e.as(newUUID()).TokenReadSelf(nil)
			wantRefusal(t, err, 403, "ACL not found")
			_, _, err = e.as("deny").TokenReadSelf(nil)
			wantRefusal(t, err, 403, "Cannot resolve root ACL")
		})
		t.Run("a change of a policy, a role or a link counts at once", func(t *testing.T) {
			policy := e.policy(ruled(""))
			role := e.role()
			token := e.token(func(t *api.ACLToken) { t.Roles = links(role.ID) })
			client := e.as(token.SecretID)
			wantAccess := func(has bool) {
				t.Helper()
				if _, _, err := client.PolicyList(nil); (err == nil) != has {
					t.Errorf("want access to be %t, got %v", has, err)
				}
			}
			wantAccess(false)
			role.Policies = links(policy.ID)
			_, _, err := e.RoleUpdate(role, nil)
			must(t, err, "link")
			wantAccess(false)
			policy.Rules = `acl = "read"`
			_, _, err = e.PolicyUpdate(policy, nil)
			must(t, err, "change rules")
			wantAccess(true)
			_, err = e.RoleDelete(role.ID, nil)
			must(t, err, "delete role")
			wantAccess(false)
			token.Roles, token.Policies = nil, links(policy.ID)
			_, _, err = e.TokenUpdate(token, nil)
			must(t, err, "link")
			wantAccess(true)
			_, err = e.PolicyDelete(policy.ID, nil)
			must(t, err, "delete policy")
			wantAccess(false)
		})

		// The last one, since it deletes what the calls are about.
		for _, call := range calls {
			t.Run("allowed: "+call.name, func(t *testing.T) {
				must(t, call.do(e.as(writer.SecretID).ACL), "with acl:write")
			})
		}
	})
}
