package consulapi

import (
	"fmt"
	"strings"

	"github.com/hashicorp/consul/api"
)

// Identities of every kind, as tokens and roles may have them.
func serviceIdentities() []*api.ACLServiceIdentity {
	return []*api.ACLServiceIdentity{{ServiceName: "web"}, {ServiceName: "db_1-x", Datacenters: []string{"dc1", "dc2"}}}
}

func nodeIdentities() []*api.ACLNodeIdentity {
	return []*api.ACLNodeIdentity{{NodeName: "node-1", Datacenter: "dc1"}, {NodeName: "node-1", Datacenter: "dc2"}}
}

func templatedPolicies() []*api.ACLTemplatedPolicy {
	return []*api.ACLTemplatedPolicy{
		{TemplateName: "builtin/service", TemplateVariables: &api.ACLTemplatedPolicyVariables{Name: "api"}},
		{TemplateName: "builtin/dns", Datacenters: []string{"dc1"}},
		{TemplateName: "builtin/node", TemplateVariables: &api.ACLTemplatedPolicyVariables{Name: "n1"}, Datacenters: []string{"dc2"}},
	}
}

// An identityRefusal is what is wrong with one identity, for a role and for a token.
type identityRefusal struct {
	name      string
	service   *api.ACLServiceIdentity
	node      *api.ACLNodeIdentity
	templated *api.ACLTemplatedPolicy
	// role is its text; token too, when it is another.
	role, token string
}

func (r identityRefusal) identities() (service []*api.ACLServiceIdentity, node []*api.ACLNodeIdentity, templated []*api.ACLTemplatedPolicy) {
	if r.service != nil {
		service = append(service, r.service)
	}
	if r.node != nil {
		node = append(node, r.node)
	}
	if r.templated != nil {
		templated = append(templated, r.templated)
	}
	return service, node, templated
}

func identityRefusals() []identityRefusal {
	const allowed = "Only lowercase alphanumeric characters, '-' and '_' are allowed"
	refusals := []identityRefusal{
		{name: "no service name", service: &api.ACLServiceIdentity{}, role: "Service identity is missing the service name field on this role"},
		{name: "no node name", node: &api.ACLNodeIdentity{Datacenter: "dc1"}, role: "Node identity is missing the node name field on this role"},
		{name: "no datacenter", node: &api.ACLNodeIdentity{NodeName: "n"}, role: "Node identity is missing the datacenter field on this role"},
		{name: "no template name", templated: &api.ACLTemplatedPolicy{}, role: "templated policy is missing the template name field on this role"},
		{
			name: "unknown template", templated: &api.ACLTemplatedPolicy{TemplateName: "builtin/nothing"},
			role:  "templated policy with an invalid templated name: builtin/nothing for this role",
			token: `no such ACL templated policy with Name "builtin/nothing"`,
		},
		{
			name:      "template without its variable",
			templated: &api.ACLTemplatedPolicy{TemplateName: "builtin/service", TemplateVariables: &api.ACLTemplatedPolicyVariables{Name: "Upper"}},
			role:      `encountered role with invalid templated policy: service identity "Upper" has an invalid name. ` + allowed,
			token:     `validation error for templated policy "builtin/service": service identity "Upper" has an invalid name. ` + allowed,
		},
		{
			name:      "template of a node",
			templated: &api.ACLTemplatedPolicy{TemplateName: "builtin/node", TemplateVariables: &api.ACLTemplatedPolicyVariables{Name: "-"}},
			role:      `encountered role with invalid templated policy: node identity "-"  has an invalid name. ` + allowed,
			token:     `validation error for templated policy "builtin/node": node identity "-"  has an invalid name. ` + allowed,
		},
	}
	for _, name := range []string{"Web", "-web", "web-", "a b", "a.b", "naïve", "__proto__", strings.Repeat("x", 257)} {
		refusals = append(refusals,
			identityRefusal{name: fmt.Sprintf("service %.20q", name), service: &api.ACLServiceIdentity{ServiceName: name}, role: fmt.Sprintf("Service identity %q has an invalid name. ", name) + allowed},
			identityRefusal{name: fmt.Sprintf("node %.20q", name), node: &api.ACLNodeIdentity{NodeName: name, Datacenter: "dc1"}, role: "Node identity has an invalid name. " + allowed},
		)
	}
	for i, refusal := range refusals {
		if refusal.token == "" {
			refusals[i].token = strings.TrimSuffix(refusal.role, "role")
			if refusals[i].token != refusal.role {
				refusals[i].token += "token"
			}
		}
	}
	return refusals
}
