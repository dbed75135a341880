package consulapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

// writtenNamespace is what reads must answer: what was sent, with its links resolved and what the server made of its own.
func writtenNamespace(sent, made *api.Namespace, acls *api.NamespaceACLConfig) *api.Namespace {
	want := *sent
	want.ACLs, want.Partition = acls, "default"
	want.CreateIndex, want.ModifyIndex = made.CreateIndex, made.ModifyIndex
	return &want
}

// mostMeta is as much as a namespace may have.
func mostMeta() map[string]string {
	meta := map[string]string{}
	for i := range 64 {
		meta[fmt.Sprintf("%0128d", i)] = strings.Repeat("é", 256)
	}
	return meta
}

func byName(name string) func(*api.Namespace) bool {
	return func(n *api.Namespace) bool { return n.Name == name }
}

func TestNamespaces(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		namespaces := e.client.Namespaces()
		one, two, first, second := e.policy(), e.policy(), e.role(), e.role()
		resolved := defaults([]*api.ACLLink{linkTo(two), linkTo(one)}, []*api.ACLLink{linkToRole(second), linkToRole(first)})
		for _, test := range []struct {
			name string
			sent *api.Namespace
			want *api.NamespaceACLConfig
		}{
			{"all fields", &api.Namespace{
				Name: unique("full"), Description: "A <b>namespace</b> & \"more\" 日本語", Partition: "default", ACLs: resolved,
				Meta: map[string]string{"owner": "a@b", "empty": "", "__proto__": "x", "ключ": "значение"},
			}, resolved},
			{"a name only", &api.Namespace{Name: unique("name-only")}, nil},
			{"links by ID", &api.Namespace{Name: unique("id"), ACLs: defaults(links(two.ID, one.ID), links(second.ID, first.ID))}, resolved},
			{"links by name, in any case", &api.Namespace{
				Name: unique("name"), ACLs: defaults(linksTo(two.Name, strings.ToUpper(one.Name)), linksTo(strings.ToUpper(second.Name), first.Name)),
			}, resolved},
			{"links twice", &api.Namespace{
				Name: unique("twice"),
				ACLs: defaults(append(linksTo(two.Name), links(one.ID, two.ID)...), append(links(second.ID, first.ID), linksTo(first.Name)...)),
			}, resolved},
			{"links with the name of another: the ID wins", &api.Namespace{
				Name: unique("both"), ACLs: defaults([]*api.ACLLink{{ID: one.ID, Name: two.Name}}, []*api.ACLLink{{ID: first.ID, Name: second.Name}}),
			}, defaults([]*api.ACLLink{linkTo(one)}, []*api.ACLLink{linkToRole(first)})},
			{"policies only", &api.Namespace{Name: unique("policies"), ACLs: &api.NamespaceACLConfig{PolicyDefaults: namespaceLinks(links(one.ID)...)}},
				defaults([]*api.ACLLink{linkTo(one)}, nil)},
			{"roles only", &api.Namespace{Name: unique("roles"), ACLs: &api.NamespaceACLConfig{RoleDefaults: namespaceLinks(links(first.ID)...)}},
				defaults(nil, []*api.ACLLink{linkToRole(first)})},
			{"empty lists", &api.Namespace{Name: unique("empty"), ACLs: defaults(nil, nil)}, defaults(nil, nil)},
			{"no lists", &api.Namespace{Name: unique("null"), ACLs: &api.NamespaceACLConfig{}}, defaults(nil, nil)},
			{"the most and the longest", &api.Namespace{Name: unique("m") + strings.Repeat("x", 49), Meta: mostMeta()}, nil},
			{"one character", &api.Namespace{Name: "7"}, nil},
			{"a number", &api.Namespace{Name: "0" + strings.Trim(unique(""), "-")}, nil},
		} {
			t.Run("reads back deeply equal: "+test.name, func(t *testing.T) {
				made, _, err := namespaces.Create(test.sent, nil)
				must(t, err, "create")
				equal(t, "ModifyIndex", made.ModifyIndex, made.CreateIndex)
				want := writtenNamespace(test.sent, made, test.want)
				same(t, "created", made, want)
				read, meta, err := namespaces.Read(made.Name, nil)
				wantMeta(t, meta, err)
				same(t, "read", read, want)
				if meta.LastIndex < made.ModifyIndex {
					t.Errorf("the index %d is below the namespace's %d", meta.LastIndex, made.ModifyIndex)
				}
				list, meta, err := namespaces.List(nil)
				wantMeta(t, meta, err)
				same(t, "list entry", find(list, byName(made.Name)), want)

				again, _, err := namespaces.Update(read, nil)
				must(t, err, "write back what was read")
				if again.ModifyIndex <= made.ModifyIndex {
					t.Errorf("an update that changes nothing leaves the ModifyIndex at %d", again.ModifyIndex)
				}
				want.ModifyIndex = again.ModifyIndex
				same(t, "written back", again, want)
				same(t, "read again", e.readNamespace(t, place{made.Name, ""}), want)
			})
		}
		t.Run("a missing one is nil", func(t *testing.T) {
			if got := e.readNamespace(t, place{unique("missing"), "default"}); got != nil {
				t.Errorf("got %v", got)
			}
			if got := e.readNamespace(t, place{"not a name", "default"}); got != nil {
				t.Errorf("got %v", got)
			}
		})
		t.Run("the list is in order of names", func(t *testing.T) {
			list, _, err := namespaces.List(nil)
			must(t, err, "list")
			var names []string
			for _, entry := range list {
				names = append(names, entry.Name)
			}
			if !slices.IsSorted(names) || !slices.Contains(names, "default") {
				t.Errorf("got %v", names)
			}
		})
		t.Run("without a name nothing is sent", func(t *testing.T) {
			_, _, err := namespaces.Create(&api.Namespace{}, nil)
			wantLocal(t, err)
			_, _, err = namespaces.Update(&api.Namespace{}, nil)
			wantLocal(t, err)
		})
		t.Run("capitals are folded wherever they come from", func(t *testing.T) {
			name := unique("Team")
			made, _, err := namespaces.Create(&api.Namespace{Name: strings.ToUpper(name)}, nil)
			must(t, err, "create")
			equal(t, "name", made.Name, strings.ToLower(name))
			same(t, "read", e.readNamespace(t, place{name, "DEFAULT"}), made)
			again, _, err := namespaces.Update(&api.Namespace{Name: name, Description: "again"}, &api.WriteOptions{Partition: "Default"})
			must(t, err, "update")
			want := *made
			want.Description, want.ModifyIndex = "again", again.ModifyIndex
			same(t, "updated", again, &want)
			policy := e.policy(place{name, "Default"}.policy)
			equal(t, "place of a policy", place{policy.Namespace, policy.Partition}, place{made.Name, "default"})
		})
	})
}

func TestNamespaceWrites(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		namespaces := e.client.Namespaces()
		writes := map[string]func(*api.Namespace, *api.WriteOptions) (*api.Namespace, *api.WriteMeta, error){
			"Create": namespaces.Create, "Update": namespaces.Update,
		}
		for name, write := range writes {
			t.Run(name+" makes what is missing", func(t *testing.T) {
				sent := &api.Namespace{Name: unique("ns"), Description: "new"}
				made, meta, err := write(sent, nil)
				must(t, err, "write")
				if meta.RequestTime <= 0 {
					t.Errorf("request time is %s", meta.RequestTime)
				}
				same(t, "written", made, writtenNamespace(sent, made, nil))
				same(t, "read", e.readNamespace(t, place{sent.Name, ""}), made)
			})
			t.Run(name+" replaces every field of what is there", func(t *testing.T) {
				before := e.namespace(func(n *api.Namespace) {
					n.ACLs, n.Meta = defaults(links(e.policy().ID), links(e.role().ID)), map[string]string{"a": "b"}
				})
				changed, _, err := write(&api.Namespace{Name: before.Name}, nil)
				must(t, err, "write")
				same(t, "written", changed, &api.Namespace{
					Name: before.Name, Partition: "default", CreateIndex: before.CreateIndex, ModifyIndex: changed.ModifyIndex,
				})
				if changed.ModifyIndex <= before.ModifyIndex {
					t.Errorf("the ModifyIndex is %d after %d", changed.ModifyIndex, before.ModifyIndex)
				}
				same(t, "read", e.readNamespace(t, place{before.Name, ""}), changed)
			})
			t.Run(name+" keeps what lies in it", func(t *testing.T) {
				at := e.newPlace()
				policy, token := e.policy(at.policy), e.token(at.token)
				_, _, err := write(&api.Namespace{Name: at.namespace, Description: "changed"}, nil)
				must(t, err, "write")
				read, _, err := e.PolicyRead(policy.ID, at.read())
				must(t, err, "read policy")
				same(t, "policy", read, policy)
				self, _, err := e.as(token.SecretID).TokenReadSelf(nil)
				must(t, err, "self")
				same(t, "token", self, token)
				managements, _, err := e.PolicyList(at.read())
				must(t, err, "list policies")
				equal(t, "policies", len(managements), 2)
			})
		}
		t.Run("links follow what they lead to: new names, and the end", func(t *testing.T) {
			policy, kept, role := e.policy(), e.policy(), e.role()
			made := e.namespace(func(n *api.Namespace) { n.ACLs = defaults(links(policy.ID, kept.ID), links(role.ID)) })
			policy.Name, role.Name = unique("renamed"), unique("renamed")
			_, _, err := e.PolicyUpdate(policy, nil)
			must(t, err, "rename policy")
			_, _, err = e.RoleUpdate(role, nil)
			must(t, err, "rename role")
			want := *made
			want.ACLs = defaults([]*api.ACLLink{linkTo(policy), linkTo(kept)}, []*api.ACLLink{linkToRole(role)})
			same(t, "after the renames", e.readNamespace(t, place{made.Name, ""}), &want)
			for _, id := range []string{policy.ID, kept.ID} {
				_, err = e.PolicyDelete(id, nil)
				must(t, err, "delete policy")
			}
			_, err = e.RoleDelete(role.ID, nil)
			must(t, err, "delete role")
			want.ACLs = defaults(nil, nil)
			same(t, "after the deletes", e.readNamespace(t, place{made.Name, ""}), &want)
			list, _, err := namespaces.List(nil)
			must(t, err, "list")
			same(t, "in the list", find(list, byName(made.Name)), &want)
		})
		t.Run("the one called default is there, can be described and given defaults, and not be deleted", func(t *testing.T) {
			at := place{"default", e.partition().Name}
			before := e.readNamespace(t, at)
			same(t, "at first", before, &api.Namespace{
				Name: "default", Description: "Builtin Default Namespace", Partition: at.partition, CreateIndex: before.CreateIndex, ModifyIndex: before.CreateIndex,
			})
			sent := &api.Namespace{Name: "default", Description: "ours", Meta: map[string]string{"a": "b"}, ACLs: defaults(linksTo("namespace-management"), nil)}
			changed, _, err := namespaces.Update(sent, at.write())
			must(t, err, "update")
			policy, _, err := e.PolicyReadByName("namespace-management", at.read())
			must(t, err, "read policy")
			want := writtenNamespace(sent, changed, defaults([]*api.ACLLink{linkTo(policy)}, nil))
			want.Partition = at.partition
			same(t, "changed", changed, want)
			same(t, "read", e.readNamespace(t, at), want)
			for _, options := range []*api.WriteOptions{nil, {Partition: at.partition}} {
				_, err = namespaces.Delete("default", options)
				wantRefusal(t, err, 400, `Delete operation not permitted on the builtin Namespace "default"`)
			}
		})
	})
}
