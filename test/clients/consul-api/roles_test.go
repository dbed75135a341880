package consulapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

// writtenRole is what reads must answer: what was sent, with what the server made of its own.
func writtenRole(t *testing.T, sent, made *api.ACLRole, policies ...*api.ACLLink) *api.ACLRole {
	t.Helper()
	wantHash(t, made.Hash)
	want := *sent
	want.ID, want.Hash, want.CreateIndex, want.ModifyIndex = made.ID, made.Hash, made.CreateIndex, made.ModifyIndex
	want.Namespace, want.Partition = "default", "default"
	want.Policies = policies
	return &want
}

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

func TestRoles(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		one, two := e.policy(), e.policy()
		for _, test := range []struct {
			name string
			sent *api.ACLRole
			want []*api.ACLLink
		}{
			{"all fields", &api.ACLRole{
				Name: unique("Full"), Description: "A <b>role</b> & \"more\" 日本語", Policies: links(two.ID, one.ID),
				ServiceIdentities: serviceIdentities(), NodeIdentities: nodeIdentities(), TemplatedPolicies: templatedPolicies(),
			}, []*api.ACLLink{linkTo(two), linkTo(one)}},
			{"a name only", &api.ACLRole{Name: unique("name_only")}, nil},
			{"links by name", &api.ACLRole{Name: unique("by-name"), Policies: linksTo(one.Name, strings.ToUpper(two.Name))}, []*api.ACLLink{linkTo(one), linkTo(two)}},
			{"the ID wins over the name", &api.ACLRole{Name: unique("both"), Policies: []*api.ACLLink{{ID: one.ID, Name: two.Name}}}, []*api.ACLLink{linkTo(one)}},
			{"a link twice", &api.ACLRole{Name: unique("twice"), Policies: append(links(one.ID), linksTo(one.Name)...)}, []*api.ACLLink{linkTo(one)}},
			{"the longest name", &api.ACLRole{Name: unique("") + strings.Repeat("x", 243)}, nil},
		} {
			t.Run("reads back deeply equal: "+test.name, func(t *testing.T) {
				made, _, err := e.RoleCreate(test.sent, nil)
				must(t, err, "create")
				want := writtenRole(t, test.sent, made, test.want...)
				same(t, "created", made, want)
				read, meta, err := e.RoleRead(made.ID, nil)
				wantMeta(t, meta, err)
				same(t, "read", read, want)
				for _, spelling := range []string{made.Name, strings.ToUpper(made.Name)} {
					byName, meta, err := e.RoleReadByName(spelling, nil)
					wantMeta(t, meta, err)
					same(t, "read by name", byName, want)
				}
				list, meta, err := e.RoleList(nil)
				wantMeta(t, meta, err)
				same(t, "list entry", find(list, func(entry *api.ACLRole) bool { return entry.ID == made.ID }), want)

				again, _, err := e.RoleUpdate(read, nil)
				must(t, err, "write back what was read")
				want.ModifyIndex = again.ModifyIndex
				same(t, "written back", again, want)
			})
		}
		t.Run("an update replaces every field", func(t *testing.T) {
			role := e.role(func(r *api.ACLRole) {
				r.Policies, r.ServiceIdentities, r.NodeIdentities, r.TemplatedPolicies = links(one.ID), serviceIdentities(), nodeIdentities(), templatedPolicies()
			})
			update := &api.ACLRole{ID: role.ID, Name: unique("renamed")}
			changed, _, err := e.RoleUpdate(update, nil)
			must(t, err, "update")
			same(t, "updated", changed, writtenRole(t, update, changed))
			if slices.Equal(changed.Hash, role.Hash) {
				t.Error("the hash has not changed")
			}
			read, _, err := e.RoleRead(role.ID, nil)
			must(t, err, "read")
			same(t, "read", read, changed)
		})
		t.Run("links follow their policy: its new name, and its end", func(t *testing.T) {
			policy := e.policy()
			role := e.role(func(r *api.ACLRole) { r.Policies = links(policy.ID, one.ID) })
			policy.Name = unique("renamed")
			_, _, err := e.PolicyUpdate(policy, nil)
			must(t, err, "rename")
			read, _, err := e.RoleRead(role.ID, nil)
			must(t, err, "read")
			same(t, "links", read.Policies, []*api.ACLLink{linkTo(policy), linkTo(one)})
			_, err = e.PolicyDelete(policy.ID, nil)
			must(t, err, "delete")
			read, _, err = e.RoleRead(role.ID, nil)
			must(t, err, "read")
			same(t, "links", read.Policies, []*api.ACLLink{linkTo(one)})
		})
		t.Run("service identities of one name become one", func(t *testing.T) {
			role := e.role(func(r *api.ACLRole) {
				r.ServiceIdentities = []*api.ACLServiceIdentity{
					{ServiceName: "a", Datacenters: []string{"dc1"}}, {ServiceName: "a", Datacenters: []string{"dc2", "dc1"}},
					{ServiceName: "b", Datacenters: []string{"dc1"}}, {ServiceName: "b"},
				}
			})
			same(t, "identities", role.ServiceIdentities, []*api.ACLServiceIdentity{{ServiceName: "a", Datacenters: []string{"dc1", "dc2"}}, {ServiceName: "b"}})
		})
		t.Run("a deleted role is gone, and its name is free", func(t *testing.T) {
			role := e.role()
			_, err := e.RoleDelete(role.ID, nil)
			must(t, err, "delete")
			gone, meta, err := e.RoleRead(role.ID, nil)
			wantMeta(t, meta, err)
			if gone != nil {
				t.Errorf("got %v", gone)
			}
			_, err = e.RoleDelete(role.ID, nil)
			wantRefusal(t, err, 404, "Cannot find role to delete")
			e.role(func(r *api.ACLRole) { r.Name = role.Name })
		})
		t.Run("a missing role is nil", func(t *testing.T) {
			role, meta, err := e.RoleReadByName(unique("missing"), nil)
			wantMeta(t, meta, err)
			if role != nil {
				t.Errorf("got %v", role)
			}
			role, meta, err = e.RoleRead(newUUID(), nil)
			wantMeta(t, meta, err)
			if role != nil {
				t.Errorf("got %v", role)
			}
		})
		t.Run("128 links are accepted", func(t *testing.T) {
			role := e.role(func(r *api.ACLRole) {
				for i := range 128 {
					r.ServiceIdentities = append(r.ServiceIdentities, &api.ACLServiceIdentity{ServiceName: fmt.Sprintf("s%03d", i)})
				}
			})
			equal(t, "identities", len(role.ServiceIdentities), 128)
		})
	})
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

func TestRoleRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		role, other := e.role(), e.role()
		unknown := newUUID()

		refuses := func(t *testing.T, content *api.ACLRole, text string) {
			t.Helper()
			_, _, err := e.RoleCreate(content, nil)
			wantRefusal(t, err, 400, text)
			update := *content
			update.ID = role.ID
			_, _, err = e.RoleUpdate(&update, nil)
			wantRefusal(t, err, 400, text)
		}
		for name, text := range map[string]string{
			"":                       "no Name is set",
			strings.Repeat("x", 257): "invalid Name. Only alphanumeric characters, '-' and '_' are allowed",
			"a/b":                    "invalid Name. Only alphanumeric characters, '-' and '_' are allowed",
			"a b":                    "invalid Name. Only alphanumeric characters, '-' and '_' are allowed",
		} {
			t.Run(fmt.Sprintf("name %.20q", name), func(t *testing.T) { refuses(t, &api.ACLRole{Name: name}, "Invalid Role: "+text) })
		}
		for _, test := range identityRefusals() {
			t.Run(test.name, func(t *testing.T) {
				content := &api.ACLRole{Name: unique("role")}
				content.ServiceIdentities, content.NodeIdentities, content.TemplatedPolicies = test.identities()
				refuses(t, content, test.role)
			})
		}
		t.Run("a link to a policy that is not there", func(t *testing.T) {
			refuses(t, &api.ACLRole{Name: unique("role"), Policies: linksTo("nothing")}, `No such ACL policy with name "nothing"`)
			refuses(t, &api.ACLRole{Name: unique("role"), Policies: links(unknown)}, "Failed to apply role upsert request: No such policy with ID: "+unknown)
			refuses(t, &api.ACLRole{Name: unique("role"), Policies: links(other.ID)}, "Failed to apply role upsert request: No such policy with ID: "+other.ID)
		})
		t.Run("129 links", func(t *testing.T) {
			content := &api.ACLRole{Name: unique("role"), Policies: links(slices.Repeat([]string{managementID}, 129)...)}
			_, _, err := e.RoleCreate(content, nil)
			wantRefusalLike(t, err, 400, "Policies has 129 entries")
		})
		t.Run("a taken name, in any case", func(t *testing.T) {
			for _, name := range []string{other.Name, strings.ToUpper(other.Name)} {
				_, _, err := e.RoleCreate(&api.ACLRole{Name: name}, nil)
				wantRefusal(t, err, 400, fmt.Sprintf("Invalid Role: A Role with Name %q already exists", name))
				_, _, err = e.RoleUpdate(&api.ACLRole{ID: role.ID, Name: name}, nil)
				wantRefusal(t, err, 400, fmt.Sprintf("Invalid Role: A role with name %q already exists", name))
			}
			own := strings.ToUpper(role.Name)
			_, _, err := e.RoleUpdate(&api.ACLRole{ID: role.ID, Name: own}, nil)
			wantRefusal(t, err, 400, fmt.Sprintf("Invalid Role: A role with name %q already exists", own))
		})
		t.Run("an ID on create", func(t *testing.T) {
			_, _, err := e.RoleCreate(&api.ACLRole{ID: unknown, Name: unique("role")}, nil)
			wantLocal(t, err)
			_, err = e.client.Raw().Write("/v1/acl/role", &api.ACLRole{ID: unknown, Name: unique("role")}, nil, nil)
			wantRefusal(t, err, 404, "cannot find role "+unknown)
		})
		t.Run("no ID on update", func(t *testing.T) {
			_, _, err := e.RoleUpdate(&api.ACLRole{Name: unique("role")}, nil)
			wantLocal(t, err)
		})
		t.Run("another ID in the body", func(t *testing.T) {
			_, err := e.client.Raw().Write("/v1/acl/role/"+role.ID, &api.ACLRole{ID: other.ID, Name: unique("role")}, nil, nil)
			wantRefusal(t, err, 400, "Role ID in URL and payload do not match")
		})
		t.Run("an unknown ID", func(t *testing.T) {
			_, _, err := e.RoleUpdate(&api.ACLRole{ID: unknown, Name: unique("role")}, nil)
			wantRefusal(t, err, 404, "cannot find role "+unknown)
			_, err = e.RoleDelete(unknown, nil)
			wantRefusal(t, err, 404, "Cannot find role to delete")
			_, err = e.client.Raw().Query("/v1/acl/role/"+unknown, nil, nil)
			wantRefusal(t, err, 404, "Requested role does not exist: ACL not found")
			_, err = e.client.Raw().Query("/v1/acl/role/name/nothing", nil, nil)
			wantRefusal(t, err, 404, "Requested role does not exist: ACL not found")
		})
		t.Run("an ID that is none", func(t *testing.T) {
			_, _, err := e.RoleUpdate(&api.ACLRole{ID: "nonsense", Name: unique("role")}, nil)
			wantRefusal(t, err, 404, "Role ID invalid UUID")
			_, err = e.RoleDelete("nonsense", nil)
			wantRefusal(t, err, 404, "failed acl role lookup: index error: UUID must be 36 characters")
			_, err = e.client.Raw().Query("/v1/acl/role/nonsense", nil, nil)
			wantRefusal(t, err, 404, "failed acl role lookup: index error: UUID must be 36 characters")
		})
		t.Run("no ID and no name", func(t *testing.T) {
			_, _, err := e.RoleRead("", nil)
			wantRefusal(t, err, 400, "Missing role ID")
			_, err = e.RoleDelete("", nil)
			wantRefusal(t, err, 400, "Missing role ID")
			_, _, err = e.RoleReadByName("", nil)
			wantRefusal(t, err, 400, "Missing role Name")
		})
		t.Run("nothing of this has changed anything", func(t *testing.T) {
			read, _, err := e.RoleRead(role.ID, nil)
			must(t, err, "read")
			same(t, "role", read, role)
		})
	})
}
