package consulapi

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

func TestTemplatedPolicies(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		list, _, err := e.TemplatedPolicyList(nil)
		must(t, err, "list")
		var names []string
		for name := range list {
			names = append(names, name)
		}
		slices.Sort(names)
		equal(t, "names", names, []string{"builtin/api-gateway", "builtin/dns", "builtin/node", "builtin/nomad-client", "builtin/nomad-server", "builtin/service"})

		for name, listed := range list {
			t.Run("read "+name, func(t *testing.T) {
				equal(t, "name", listed.TemplateName, name)
				read, _, err := e.TemplatedPolicyReadByName(name, nil)
				must(t, err, "read")
				same(t, "read", *read, listed)
				if (listed.Schema != "") != strings.Contains(listed.Template, "{{") {
					t.Errorf("the schema is %q, the template %q", listed.Schema, listed.Template)
				}
				if listed.Description == "" || listed.Template == "" {
					t.Errorf("got %+v", listed)
				}
			})
		}
		for template, rules := range map[string][]string{
			"builtin/service":      {`service "web"`, `service "web-sidecar-proxy"`, `service_prefix ""`, `node_prefix ""`},
			"builtin/node":         {`node "web"`, `service_prefix ""`},
			"builtin/api-gateway":  {"mesh =", `node_prefix ""`, `service_prefix ""`, `service "web"`},
			"builtin/dns":          {`node_prefix ""`, `service_prefix ""`, `query_prefix ""`},
			"builtin/nomad-server": {"acl =", `agent_prefix ""`, `node_prefix ""`, `service_prefix ""`},
			"builtin/nomad-client": {`agent_prefix ""`, `node_prefix ""`, `service_prefix ""`, `key_prefix ""`},
		} {
			t.Run("preview "+template, func(t *testing.T) {
				wanted := &api.ACLTemplatedPolicy{TemplateName: template}
				if list[template].Schema != "" {
					wanted.TemplateVariables = &api.ACLTemplatedPolicyVariables{Name: "web"}
				}
				policy, _, err := e.TemplatedPolicyPreview(wanted, nil)
				must(t, err, "preview")
				if _, err := hex.DecodeString(policy.ID); err != nil || policy.ID == "" {
					t.Errorf("the ID is %q", policy.ID)
				}
				wantHash(t, policy.Hash)
				same(t, "policy", policy, &api.ACLPolicy{
					ID: policy.ID, Name: "synthetic-policy-" + policy.ID, Rules: policy.Rules, Hash: policy.Hash,
					Description: "synthetic policy generated from templated policy: " + template,
				})
				for _, rule := range rules {
					if !strings.Contains(policy.Rules, rule) {
						t.Errorf("there is no rule %s in %s", rule, policy.Rules)
					}
				}
				made := e.policy(ruled(policy.Rules))
				equal(t, "rules", made.Rules, policy.Rules)
				again, _, err := e.TemplatedPolicyPreview(wanted, nil)
				must(t, err, "preview again")
				same(t, "the same again", again, policy)
			})
		}

		const allowed = "Only lowercase alphanumeric characters, '-' and '_' are allowed"
		for _, test := range []struct{ name, template, variable, text string }{
			{"unknown", "builtin/nothing", "web", `templated policy "builtin/nothing" does not exist`},
			{"service", "builtin/service", "Web", `validation error for templated policy: "builtin/service": service identity "Web" has an invalid name. ` + allowed},
			{"node", "builtin/node", "Web", `validation error for templated policy: "builtin/node": node identity "Web"  has an invalid name. ` + allowed},
		} {
			t.Run("preview refuses "+test.name, func(t *testing.T) {
				_, _, err := e.TemplatedPolicyPreview(&api.ACLTemplatedPolicy{TemplateName: test.template, TemplateVariables: &api.ACLTemplatedPolicyVariables{Name: test.variable}}, nil)
				wantRefusal(t, err, 400, test.text)
			})
		}
		t.Run("preview refuses to go without the variable", func(t *testing.T) {
			_, _, err := e.TemplatedPolicyPreview(&api.ACLTemplatedPolicy{TemplateName: "builtin/service"}, nil)
			wantRefusalLike(t, err, 400, `validation error for templated policy: "builtin/service": `)
			_, _, err = e.TemplatedPolicyPreview(&api.ACLTemplatedPolicy{TemplateName: "builtin/service", TemplateVariables: &api.ACLTemplatedPolicyVariables{}}, nil)
			wantRefusalLike(t, err, 400, `validation error for templated policy: "builtin/service": `)
		})
		t.Run("names that are none", func(t *testing.T) {
			_, _, err := e.TemplatedPolicyReadByName("builtin/nothing", nil)
			wantRefusal(t, err, 400, "Invalid templated policy Name: builtin/nothing")
			_, _, err = e.TemplatedPolicyReadByName("__proto__", nil)
			wantRefusal(t, err, 400, "Invalid templated policy Name: __proto__")
			_, _, err = e.TemplatedPolicyReadByName("", nil)
			wantRefusal(t, err, 400, "Missing templated policy Name")
		})
	})
}
