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
