package consulapi

import (
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// rawNamespace is a namespace as its attachment resources hold it: every field, also those that a server makes.
func rawNamespace(of *api.Namespace, deletedAt *time.Time) map[string]any {
	return map[string]any{
		"Name": of.Name, "Description": of.Description, "ACLs": of.ACLs, "Meta": of.Meta, "DeletedAt": deletedAt,
		"Partition": of.Partition, "CreateIndex": of.CreateIndex, "ModifyIndex": of.ModifyIndex,
	}
}

// What the resources of Terraform's provider do with namespaces.
func TestTerraform(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		namespaces := e.client.Namespaces()
		policy, attached := e.policy(), e.policy()
		role, attachedRole := e.role(), e.role()
		now := time.Now()
		for name, deletedAt := range map[string]*time.Time{"DeletedAt null": nil, "DeletedAt with a time": &now} {
			for where, partition := range map[string]string{"default": "default", "another partition": e.partition().Name} {
				t.Run("attachments read the object, append to it and send it back whole: "+name+", "+where, func(t *testing.T) {
					policy, attached, role, attachedRole := policy, attached, role, attachedRole
					at := place{"default", partition}
					if partition != "default" {
						policy, attached, role, attachedRole = e.policy(at.policy), e.policy(at.policy), e.role(at.role), e.role(at.role)
					}
					made := e.namespace(func(n *api.Namespace) {
						n.Partition, n.Meta, n.ACLs = partition, map[string]string{"a": "b"}, defaults(links(policy.ID), links(role.ID))
					})
					// consul_namespace_policy_attachment, by the name that its configuration holds.
					read, _, err := namespaces.Read(made.Name, &api.QueryOptions{Partition: partition})
					must(t, err, "read")
					read.ACLs.PolicyDefaults = append(read.ACLs.PolicyDefaults, api.ACLLink{Name: attached.Name})
					var written api.Namespace
					_, err = e.client.Raw().Write("/v1/namespace/"+made.Name, rawNamespace(read, deletedAt), &written, nil)
					must(t, err, "attach policy")
					want := *made
					want.ACLs = defaults([]*api.ACLLink{linkTo(policy), linkTo(attached)}, []*api.ACLLink{linkToRole(role)})
					want.ModifyIndex = written.ModifyIndex
					same(t, "with the policy", &written, &want)
					// consul_namespace_role_attachment, with the client's own method.
					read = e.readNamespace(t, place{made.Name, partition})
					read.ACLs.RoleDefaults = append(read.ACLs.RoleDefaults, api.ACLLink{Name: attachedRole.Name})
					read.DeletedAt = deletedAt
					_, _, err = namespaces.Update(read, nil)
					must(t, err, "attach role")
					// Both are detached again.
					read = e.readNamespace(t, place{made.Name, partition})
					want.ACLs = defaults([]*api.ACLLink{linkTo(policy), linkTo(attached)}, []*api.ACLLink{linkToRole(role), linkToRole(attachedRole)})
					want.ModifyIndex = read.ModifyIndex
					same(t, "with both", read, &want)
					read.ACLs.PolicyDefaults, read.ACLs.RoleDefaults = read.ACLs.PolicyDefaults[:1], read.ACLs.RoleDefaults[:1]
					_, err = e.client.Raw().Write("/v1/namespace/"+made.Name, rawNamespace(read, deletedAt), &written, nil)
					must(t, err, "detach")
					made.ModifyIndex = written.ModifyIndex
					same(t, "detached", e.readNamespace(t, place{made.Name, partition}), made)
				})
			}
		}
		t.Run("an attachment to a namespace without any defaults", func(t *testing.T) {
			made := e.namespace()
			if made.ACLs != nil {
				t.Fatalf("got %v", made.ACLs)
			}
			body := rawNamespace(made, nil)
			body["ACLs"] = map[string]any{"PolicyDefaults": []api.ACLLink{{Name: policy.Name}}, "RoleDefaults": nil}
			body["Meta"] = nil
			var written api.Namespace
			_, err := e.client.Raw().Write("/v1/namespace/"+made.Name, body, &written, nil)
			must(t, err, "attach")
			same(t, "ACLs", written.ACLs, defaults([]*api.ACLLink{linkTo(policy)}, nil))
		})
		type named struct{ Name string }
		for _, test := range []struct {
			name            string
			policies, roles []named
			want            *api.NamespaceACLConfig
		}{
			{"both", []named{{policy.Name}}, []named{{role.Name}}, defaults([]*api.ACLLink{linkTo(policy)}, []*api.ACLLink{linkToRole(role)})},
			{"policies only", []named{{policy.Name}, {attached.Name}}, []named{}, defaults([]*api.ACLLink{linkTo(policy), linkTo(attached)}, nil)},
			{"none", []named{}, []named{}, defaults(nil, nil)},
		} {
			t.Run("consul_namespace sends names and finds both lists in every answer: "+test.name, func(t *testing.T) {
				name := unique("ns")
				body := map[string]any{
					"Name": name, "Description": "by Terraform", "Meta": map[string]string{"foo": "bar"},
					"ACLs": map[string]any{"PolicyDefaults": test.policies, "RoleDefaults": test.roles},
				}
				for _, path := range []string{"/v1/namespace", "/v1/namespace/" + name} {
					var written api.Namespace
					_, err := e.client.Raw().Write(path, body, &written, nil)
					must(t, err, "write")
					same(t, "written", &written, &api.Namespace{
						Name: name, Description: "by Terraform", Meta: map[string]string{"foo": "bar"}, ACLs: test.want,
						Partition: "default", CreateIndex: written.CreateIndex, ModifyIndex: written.ModifyIndex,
					})
					same(t, "read", e.readNamespace(t, place{name, ""}), &written)
					list, _, err := namespaces.List(nil)
					must(t, err, "list")
					same(t, "list entry", find(list, byName(name)), &written)
				}
			})
		}
		t.Run("consul_namespace deletes without waiting, and takes nil for gone", func(t *testing.T) {
			made := e.namespace(func(n *api.Namespace) { n.ACLs = defaults(nil, nil) })
			_, err := namespaces.Delete(made.Name, nil)
			must(t, err, "delete")
			awaitEnd(t, func() *api.NamespaceACLConfig {
				read := e.readNamespace(t, place{made.Name, ""})
				if read == nil {
					return nil
				}
				if read.ACLs == nil {
					t.Fatal("it is shown without ACLs")
				}
				return read.ACLs
			}, made.ACLs)
		})
		t.Run("files for the command line spell fields with underscores", func(t *testing.T) {
			name := unique("ns")
			body := map[string]any{
				"name": name, "description": "from a file", "deleted_at": nil,
				"acls": map[string]any{"policy_defaults": []named{{policy.Name}}, "role_defaults": []named{{role.Name}}},
			}
			var written api.Namespace
			_, err := e.client.Raw().Write("/v1/namespace/"+name, body, &written, nil)
			must(t, err, "write")
			same(t, "ACLs", written.ACLs, defaults([]*api.ACLLink{linkTo(policy)}, []*api.ACLLink{linkToRole(role)}))
		})
	})
}
