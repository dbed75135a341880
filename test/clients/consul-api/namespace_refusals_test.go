package consulapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

func TestNamespaceNames(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		namespaces := e.client.Namespaces()
		refuses := func(t *testing.T, name string, judge func(t *testing.T, err error)) {
			t.Helper()
			_, _, err := namespaces.Create(&api.Namespace{Name: name}, nil)
			judge(t, err)
			_, _, err = namespaces.Update(&api.Namespace{Name: name}, nil)
			judge(t, err)
		}
		for _, name := range []string{
			strings.Repeat("x", 64), "-", "-a", "a-", "a.b", "a_b", "a b", "a ", " a", "*", "%2e", "é", "ｒｏｏｔ", "ſystem", "default.", "root ",
		} {
			t.Run(fmt.Sprintf("incidents 10 and 14: a name that is no label of DNS is refused: %.20q", name), func(t *testing.T) {
				refuses(t, name, func(t *testing.T, err error) {
					t.Helper()
					wantRefusalLike(t, err, 400, "Invalid Namespace: invalid Name ")
				})
			})
		}
		for _, name := range []string{"system", "universal", "operator", "root", "ROOT", "System"} {
			t.Run("incidents 10 and 14: a reserved name is refused in any case: "+name, func(t *testing.T) {
				refuses(t, name, func(t *testing.T, err error) {
					t.Helper()
					wantRefusal(t, err, 400, fmt.Sprintf("Namespace %q is reserved for future internal use", strings.ToLower(name)))
				})
				if got := e.readNamespace(t, place{name, ""}); got != nil {
					t.Errorf("it is there: %v", got)
				}
			})
		}
		t.Run("a line break in a name is refused, in a body and in a path", func(t *testing.T) {
			_, _, err := namespaces.Create(&api.Namespace{Name: "root\n"}, nil)
			wantRefusalLike(t, err, 400, "Invalid Namespace: invalid Name ")
			_, _, err = namespaces.Update(&api.Namespace{Name: "root\n"}, nil)
			wantRefusal(t, err, 400, "")
		})
		t.Run("no name at all", func(t *testing.T) {
			_, err := e.client.Raw().Write("/v1/namespace", &api.Namespace{}, nil, nil)
			wantRefusal(t, err, 400, "Invalid Namespace: no Name is set")
		})
		t.Run("another name in the body", func(t *testing.T) {
			name := unique("ns")
			_, err := e.client.Raw().Write("/v1/namespace/"+name, &api.Namespace{Name: unique("other")}, nil, nil)
			wantRefusal(t, err, 400, "Namespace name in URL and payload do not match")
			if got := e.readNamespace(t, place{name, ""}); got != nil {
				t.Errorf("it is there: %v", got)
			}
		})
		t.Run("the name in the body may be left out, or in capitals", func(t *testing.T) {
			name := unique("ns")
			for _, body := range []*api.Namespace{{}, {Name: strings.ToUpper(name)}} {
				var made api.Namespace
				_, err := e.client.Raw().Write("/v1/namespace/"+name, body, &made, nil)
				must(t, err, "write")
				equal(t, "name", made.Name, name)
			}
		})
	})
}

func TestNamespaceRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		namespaces := e.client.Namespaces()
		elsewhere := e.newPlace()
		stranger, strangeRole := e.policy(elsewhere.policy), e.role(elsewhere.role)
		unknown := newUUID()
		before := e.namespace()
		// Each is refused for a namespace that is there and for one that is not, and changes nothing.
		refuses := func(t *testing.T, change func(*api.Namespace), judge func(t *testing.T, err error)) {
			t.Helper()
			for _, name := range []string{before.Name, unique("ns")} {
				sent := &api.Namespace{Name: name, Description: "changed"}
				change(sent)
				_, _, err := namespaces.Create(sent, nil)
				judge(t, err)
				_, _, err = namespaces.Update(sent, nil)
				judge(t, err)
				if got := e.readNamespace(t, place{name, ""}); name == before.Name {
					same(t, "what was there", got, before)
				} else if got != nil {
					t.Errorf("it is there: %v", got)
				}
			}
		}
		for _, test := range []struct {
			name string
			acls *api.NamespaceACLConfig
			text string
		}{
			{"an unknown policy by name", defaults(linksTo("nothing"), nil), `No such ACL policy with name "nothing"`},
			{"an unknown policy by ID", defaults(links(unknown), nil), fmt.Sprintf("No such ACL policy with ID %q", unknown)},
			{"an unknown role by name", defaults(nil, linksTo("nothing")), `No such ACL role with name "nothing"`},
			{"an unknown role by ID", defaults(nil, links(unknown)), fmt.Sprintf("No such ACL role with ID %q", unknown)},
			{"incident 34: a policy of another namespace by ID", defaults(links(stranger.ID), nil), fmt.Sprintf("No such ACL policy with ID %q", stranger.ID)},
			{"incident 34: a policy of another namespace by name", defaults(linksTo(stranger.Name), nil), fmt.Sprintf("No such ACL policy with name %q", stranger.Name)},
			{"incident 34: a role of another namespace by ID", defaults(nil, links(strangeRole.ID)), fmt.Sprintf("No such ACL role with ID %q", strangeRole.ID)},
			{"incident 34: a role of another namespace by name", defaults(nil, linksTo(strangeRole.Name)), fmt.Sprintf("No such ACL role with name %q", strangeRole.Name)},
			{"an ID of the other kind", defaults(links(e.role().ID), nil), ""},
		} {
			t.Run("a link is refused: "+test.name, func(t *testing.T) {
				refuses(t, func(n *api.Namespace) { n.ACLs = test.acls }, func(t *testing.T, err error) {
					t.Helper()
					if test.text == "" {
						wantRefusalLike(t, err, 400, "No such ACL policy with ID ")
					} else {
						wantRefusal(t, err, 400, test.text)
					}
				})
			})
		}
		t.Run("a link to a policy of the namespace itself is refused", func(t *testing.T) {
			at := e.newPlace()
			own := e.policy(at.policy)
			_, _, err := namespaces.Update(&api.Namespace{Name: at.namespace, ACLs: defaults(links(own.ID), nil)}, nil)
			wantRefusal(t, err, 400, fmt.Sprintf("No such ACL policy with ID %q", own.ID))
		})
		tooMany := mostMeta()
		tooMany["one more"] = ""
		for name, test := range map[string]struct {
			meta map[string]string
			most string
		}{
			"65 pairs":             {tooMany, "at most 64 are allowed"},
			"a key of 129 bytes":   {map[string]string{strings.Repeat("é", 64) + "x": ""}, "at most 128 are allowed"},
			"a value of 513 bytes": {map[string]string{"a": strings.Repeat("é", 256) + "x"}, "at most 512 are allowed"},
			"a key that is empty":  {map[string]string{"": "a"}, "is empty"},
		} {
			t.Run("Meta is refused, and the limit is told: "+name, func(t *testing.T) {
				refuses(t, func(n *api.Namespace) { n.Meta = test.meta }, func(t *testing.T, err error) {
					t.Helper()
					if text, ok := refusal(t, err, 400); ok && (!strings.Contains(text, "Meta") || !strings.HasSuffix(text, test.most)) {
						t.Errorf("got %q", text)
					}
				})
			})
		}
		t.Run("a partition that does not exist", func(t *testing.T) {
			refuses(t, func(n *api.Namespace) { n.Partition = "nowhere" }, func(t *testing.T, err error) {
				t.Helper()
				wantRefusal(t, err, 400, `Partition "nowhere" does not exist`)
			})
			_, _, err := namespaces.Create(&api.Namespace{Name: unique("ns")}, &api.WriteOptions{Partition: "nowhere"})
			wantRefusal(t, err, 400, `Partition "nowhere" does not exist`)
			if got := e.readNamespace(t, place{before.Name, "nowhere"}); got != nil {
				t.Errorf("got %v", got)
			}
			list, meta, err := namespaces.List(&api.QueryOptions{Partition: "nowhere"})
			wantMeta(t, meta, err)
			same(t, "list", list, []*api.Namespace{})
		})
		t.Run("a delete of what is missing", func(t *testing.T) {
			_, err := namespaces.Delete("Nothing", nil)
			wantRefusal(t, err, 404, `Cannot find namespace "nothing" to delete`)
			_, err = namespaces.Delete(before.Name, &api.WriteOptions{Partition: e.partition().Name})
			wantRefusal(t, err, 404, fmt.Sprintf("Cannot find namespace %q to delete", before.Name))
			same(t, "the one of that name", e.readNamespace(t, place{before.Name, ""}), before)
		})
		t.Run("bodies that the client's own types would not make", func(t *testing.T) {
			for _, test := range []struct {
				body any
				text string
			}{
				{map[string]any{"Name": before.Name, "Colour": "red"}, `json: unknown field "Colour"`},
				{map[string]any{"Name": before.Name, "Meta": map[string]any{"a": 1}}, "json: cannot unmarshal "},
				{map[string]any{"Name": before.Name, "ACLs": []any{}}, "json: cannot unmarshal "},
				{[]any{}, "json: cannot unmarshal "},
			} {
				for _, path := range []string{"/v1/namespace", "/v1/namespace/" + before.Name} {
					_, err := e.client.Raw().Write(path, test.body, nil, nil)
					if text, ok := refusal(t, err, 400); ok && !strings.HasPrefix(text, "Namespace decoding failed: "+test.text) {
						t.Errorf("got %q", text)
					}
				}
			}
			same(t, "what was there", e.readNamespace(t, place{before.Name, ""}), before)
		})
	})
}
