package consulapi

import (
	"fmt"
	"testing"

	"github.com/hashicorp/consul/api"
)

const anonymousHint = ". The anonymous token is used implicitly when a request does not specify a token."

func TestNamespaceWriteRights(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		there := e.namespace()
		calls := map[string]func(e *env, name string) error{
			"Create": func(e *env, name string) error {
				_, _, err := e.client.Namespaces().Create(&api.Namespace{Name: name}, nil)
				return err
			},
			"Update": func(e *env, name string) error {
				_, _, err := e.client.Namespaces().Update(&api.Namespace{Name: name}, nil)
				return err
			},
			"Delete": func(e *env, name string) error {
				_, err := e.client.Namespaces().Delete(name, nil)
				return err
			},
		}
		tenant := place{there.Name, "default"}
		manager := e.token(tenant.token, func(t *api.ACLToken) { t.Policies = linksTo("namespace-management") })
		refused := map[string]*api.ACLToken{
			"of one without rights":     e.token(),
			"of one who reads operator": e.tokenWith(`operator = "read"`),
			"of one who writes all but operator": e.tokenWith(
				`acl = "write" key_prefix "" { policy = "write" } namespace_prefix "" { policy = "write" acl = "write" } mesh = "write"`),
			"of one with every right in the namespace": manager,
		}
		for name, call := range calls {
			for who, token := range refused {
				t.Run("without operator:write nothing is told and done: "+name+" "+who, func(t *testing.T) {
					for _, namespace := range []string{there.Name, unique("missing"), "default"} {
						wantRefusal(t, call(e.as(token.SecretID), namespace), 403, lacksText(token, "operator:write"))
					}
				})
			}
			t.Run("and of nobody: "+name, func(t *testing.T) {
				wantRefusal(t, call(e.as(""), there.Name), 403, "Permission denied: anonymous token lacks permission 'operator:write'"+anonymousHint)
				wantRefusal(t, call(e.as(newUUID()), there.Name), 403, "ACL not found")
			})
		}
		same(t, "what was there", e.readNamespace(t, tenant), there)
		t.Run("operator:write is enough", func(t *testing.T) {
			operator := e.as(e.tokenWith(`operator = "write"`).SecretID)
			name := unique("ns")
			for _, call := range []string{"Create", "Update", "Delete"} {
				must(t, calls[call](operator, name), call)
			}
		})
	})
}

func TestNamespaceLinkRights(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		policy, role := e.policy(), e.role()
		operator := e.tokenWith(`operator = "write" acl = "read"`)
		there := e.namespace()
		for _, test := range []struct {
			name, first string
			acls        *api.NamespaceACLConfig
		}{
			{"a policy by name", policy.Name, defaults(linksTo(policy.Name), nil)},
			{"a policy by ID", policy.ID, defaults(links(policy.ID), nil)},
			{"a role by name", role.Name, defaults(nil, linksTo(role.Name))},
			{"a role by ID", role.ID, defaults(nil, links(role.ID))},
			{"both", policy.Name, defaults(linksTo(policy.Name), linksTo(role.Name))},
			{"what does not exist", "nothing", defaults(linksTo("nothing"), nil)},
		} {
			t.Run("incident 9: defaults need acl:write on what they lead to: "+test.name, func(t *testing.T) {
				for _, name := range []string{there.Name, unique("ns")} {
					_, _, err := e.as(operator.SecretID).client.Namespaces().Create(&api.Namespace{Name: name, ACLs: test.acls}, nil)
					wantRefusal(t, err, 403, lacksText(operator, "acl:write")+fmt.Sprintf(" on %q", test.first))
					_, _, err = e.as(operator.SecretID).client.Namespaces().Update(&api.Namespace{Name: name, ACLs: test.acls}, nil)
					wantRefusal(t, err, 403, lacksText(operator, "acl:write")+fmt.Sprintf(" on %q", test.first))
					if got := e.readNamespace(t, place{name, ""}); name == there.Name {
						same(t, "what was there", got, there)
					} else if got != nil {
						t.Errorf("it is there: %v", got)
					}
				}
			})
		}
		t.Run("incident 9: acl:write in the namespace itself is not enough", func(t *testing.T) {
			token := e.tokenWith(fmt.Sprintf(`operator = "write" namespace %q { acl = "write" }`, there.Name))
			_, _, err := e.as(token.SecretID).client.Namespaces().Update(&api.Namespace{Name: there.Name, ACLs: defaults(links(policy.ID), nil)}, nil)
			wantRefusal(t, err, 403, lacksText(token, "acl:write")+fmt.Sprintf(" on %q", policy.ID))
		})
		t.Run("with acl:write they are set, and without links nobody asks for it", func(t *testing.T) {
			writer := e.as(e.tokenWith(`operator = "write" acl = "write"`).SecretID).client.Namespaces()
			made, _, err := writer.Create(&api.Namespace{Name: unique("ns"), ACLs: defaults(links(policy.ID), links(role.ID))}, nil)
			must(t, err, "create")
			same(t, "ACLs", made.ACLs, defaults([]*api.ACLLink{linkTo(policy)}, []*api.ACLLink{linkToRole(role)}))
			emptied, _, err := e.as(operator.SecretID).client.Namespaces().Update(&api.Namespace{Name: made.Name, ACLs: defaults(nil, nil)}, nil)
			must(t, err, "empty")
			same(t, "ACLs", emptied.ACLs, defaults(nil, nil))
		})
	})
}

// Who sees what, of three namespaces that only this test knows.
func TestNamespaceSight(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		prefix := unique("sight")
		named := func(end string) *api.Namespace {
			return e.namespace(func(n *api.Namespace) { n.Name = prefix + end })
		}
		all := []*api.Namespace{named("-a"), named("-b"), named("-c")}
		inA := place{all[0].Name, "default"}
		reading := e.policy(inA.policy, ruled(`key "one" { policy = "read" }`))
		denying := e.policy(inA.policy, ruled(`key_prefix "" { policy = "deny" }`))
		for _, test := range []struct {
			name     string
			token    *api.ACLToken
			sees     []*api.Namespace
			filtered bool
		}{
			{"operator:read", e.tokenWith(`operator = "read"`), all, false},
			{"the management policy", e.token(func(t *api.ACLToken) { t.Policies = links(managementID) }), all, false},
			{"a read in the own namespace", e.token(inA.token, func(t *api.ACLToken) { t.Policies = links(reading.ID) }), all[:1], true},
			{"a denial in the own namespace", e.token(inA.token, func(t *api.ACLToken) { t.Policies = links(denying.ID) }), nil, true},
			{"no rule", e.token(inA.token), nil, true},
			{"an identity: what it reads everywhere does not count", e.token(inA.token, func(t *api.ACLToken) {
				t.ServiceIdentities = []*api.ACLServiceIdentity{{ServiceName: "web"}}
			}), all[:1], true},
			{"a block about one", e.tokenWith(fmt.Sprintf(`namespace "%s-b" { node_prefix "" { policy = "read" } }`, prefix)), all[1:2], true},
			{"a block about a prefix", e.tokenWith(fmt.Sprintf(`namespace_prefix "%s-" { policy = "read" }`, prefix)), all, true},
			{"a block about a prefix but one", e.tokenWith(fmt.Sprintf(
				`namespace_prefix "%[1]s-" { key_prefix "" { policy = "read" } } namespace "%[1]s-b" { policy = "deny" }`, prefix)),
				[]*api.Namespace{all[0], all[2]}, true},
			{"a block that only denies", e.tokenWith(fmt.Sprintf(`namespace_prefix "%s-" { acl = "deny" }`, prefix)), nil, true},
		} {
			t.Run("read and list show the same: "+test.name, func(t *testing.T) {
				client := e.as(test.token.SecretID).client.Namespaces()
				list, meta, err := client.List(nil)
				must(t, err, "list")
				equal(t, "filtered", meta.ResultsFilteredByACLs, test.filtered)
				seen := []*api.Namespace{}
				for _, entry := range list {
					if find(all, byName(entry.Name)) != nil {
						seen = append(seen, entry)
					} else if test.filtered {
						t.Errorf("the list shows %s", entry.Name)
					}
				}
				same(t, "list", seen, append([]*api.Namespace{}, test.sees...))
				for _, namespace := range all {
					read, _, err := client.Read(namespace.Name, nil)
					if find(test.sees, byName(namespace.Name)) == nil {
						wantRefusal(t, err, 403, lacksText(test.token, "operator:read"))
						continue
					}
					must(t, err, "read")
					same(t, "read", read, namespace)
				}
				missing, _, err := client.Read(unique("missing"), nil)
				if test.filtered {
					wantRefusal(t, err, 403, lacksText(test.token, "operator:read"))
				} else if err != nil || missing != nil {
					t.Errorf("a missing one: %v, %v", missing, err)
				}
			})
		}
		t.Run("the anonymous token sees nothing, and is told so", func(t *testing.T) {
			list, meta, err := e.as("").client.Namespaces().List(nil)
			must(t, err, "list")
			same(t, "list", list, []*api.Namespace{})
			equal(t, "filtered", meta.ResultsFilteredByACLs, true)
			_, _, err = e.as("").client.Namespaces().Read(all[0].Name, nil)
			wantRefusal(t, err, 403, "Permission denied: anonymous token lacks permission 'operator:read'"+anonymousHint)
		})
		t.Run("an unknown token is refused", func(t *testing.T) {
			_, _, err := e.as(newUUID()).client.Namespaces().List(nil)
			wantRefusal(t, err, 403, "ACL not found")
			_, _, err = e.as(newUUID()).client.Namespaces().Read(all[0].Name, nil)
			wantRefusal(t, err, 403, "ACL not found")
		})
	})
}
