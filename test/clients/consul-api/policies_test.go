package consulapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

// refusesPolicyDelete wants the status by PolicyDelete, which drops the server's words, and the words by a raw request.
func (e *env) refusesPolicyDelete(t *testing.T, id string, options *api.WriteOptions, code int, text string) {
	t.Helper()
	_, err := e.PolicyDelete(id, options)
	refusal(t, err, code)
	query := &api.QueryOptions{}
	if options != nil {
		query.Namespace, query.Partition, query.Datacenter = options.Namespace, options.Partition, options.Datacenter
	}
	_, err = e.client.Raw().Delete("/v1/acl/policy/"+id, query)
	wantRefusal(t, err, code, text)
}

// The client closes the answer before it reads what it says, whatever the server: its users see "400 ()".
func TestPolicyDeleteHidesWords(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "words of the server", http.StatusBadRequest)
	}))
	defer server.Close()
	client, err := api.NewClient(&api.Config{Address: server.URL})
	must(t, err, "client")
	_, err = client.ACL().PolicyDelete(managementID, nil)
	if err == nil || !strings.Contains(err.Error(), "400 ()") {
		t.Errorf("PolicyDelete: %v", err)
	}
	_, err = client.ACL().RoleDelete(managementID, nil)
	if err == nil || !strings.Contains(err.Error(), "400 (words of the server)") {
		t.Errorf("RoleDelete: %v", err)
	}
}

// written is what reads must answer: what was sent, with what the server made of its own.
func written(t *testing.T, sent, made *api.ACLPolicy) *api.ACLPolicy {
	t.Helper()
	wantHash(t, made.Hash)
	if made.ID == "" || strings.HasPrefix(made.ID, reservedPrefix) {
		t.Errorf("the ID is %q", made.ID)
	}
	want := *sent
	want.ID, want.Hash, want.CreateIndex, want.ModifyIndex = made.ID, made.Hash, made.CreateIndex, made.ModifyIndex
	want.Namespace, want.Partition = "default", "default"
	return &want
}

func TestPolicies(t *testing.T) {
	rules := "# für alle ☃\nservice_prefix \"\" {\n\tpolicy = \"read\"\n}\r\nkey \"__proto__\" { policy = \"write\" }"
	sent := map[string]*api.ACLPolicy{
		"all fields":          {Name: unique("Full"), Description: "A <b>policy</b> & \"more\" 日本語", Rules: rules, Datacenters: []string{"dc1", "dc2"}},
		"a name only":         {Name: unique("name-only")},
		"rules as JSON":       {Name: unique("json"), Rules: `{"acl":"read","key":{"a/b":{"policy":"list"}}}`},
		"a slash in the name": {Name: unique("team") + "/app"},
		"the longest name":    {Name: unique("") + strings.Repeat("x", 115)},
	}
	eachEngine(t, func(t *testing.T, e *env) {
		for name, policy := range sent {
			t.Run("reads back deeply equal: "+name, func(t *testing.T) {
				made, _, err := e.PolicyCreate(policy, nil)
				must(t, err, "create")
				want := written(t, policy, made)
				same(t, "created", made, want)
				read, meta, err := e.PolicyRead(made.ID, nil)
				wantMeta(t, meta, err)
				same(t, "read", read, want)
				upper, _, err := e.PolicyRead(strings.ToUpper(made.ID), nil)
				must(t, err, "read by ID in capitals")
				same(t, "read by ID in capitals", upper, want)
				for _, spelling := range []string{policy.Name, strings.ToUpper(policy.Name), strings.ToLower(policy.Name)} {
					byName, meta, err := e.PolicyReadByName(spelling, nil)
					wantMeta(t, meta, err)
					same(t, "read by name "+spelling, byName, want)
				}
				list, meta, err := e.PolicyList(nil)
				wantMeta(t, meta, err)
				entry := find(list, func(entry *api.ACLPolicyListEntry) bool { return entry.ID == made.ID })
				same(t, "list entry", entry, &api.ACLPolicyListEntry{
					ID: made.ID, Name: want.Name, Description: want.Description, Datacenters: want.Datacenters, Hash: want.Hash,
					CreateIndex: want.CreateIndex, ModifyIndex: want.ModifyIndex, Namespace: "default", Partition: "default",
				})

				again, _, err := e.PolicyUpdate(read, nil)
				must(t, err, "write back what was read")
				want.ModifyIndex = again.ModifyIndex
				same(t, "written back", again, want)
			})
		}
		t.Run("an update replaces every field", func(t *testing.T) {
			policy := e.policy(func(p *api.ACLPolicy) { p.Datacenters = []string{"dc1"} })
			update := &api.ACLPolicy{ID: policy.ID, Name: unique("renamed")}
			changed, _, err := e.PolicyUpdate(update, nil)
			must(t, err, "update")
			same(t, "updated", changed, written(t, update, changed))
			equal(t, "CreateIndex", changed.CreateIndex, policy.CreateIndex)
			if slices.Equal(changed.Hash, policy.Hash) {
				t.Error("the hash has not changed")
			}
			read, _, err := e.PolicyRead(policy.ID, nil)
			must(t, err, "read")
			same(t, "read", read, changed)
			old, meta, err := e.PolicyReadByName(policy.Name, nil)
			wantMeta(t, meta, err)
			if old != nil {
				t.Error("the old name still leads to the policy")
			}
		})
		t.Run("the case of the own name may change", func(t *testing.T) {
			policy := e.policy()
			policy.Name = strings.ToUpper(policy.Name)
			changed, _, err := e.PolicyUpdate(policy, nil)
			must(t, err, "update")
			equal(t, "name", changed.Name, policy.Name)
		})
		t.Run("a deleted policy is gone, and its name is free", func(t *testing.T) {
			policy := e.policy()
			_, err := e.PolicyDelete(policy.ID, nil)
			must(t, err, "delete")
			_, _, err = e.PolicyRead(policy.ID, nil)
			wantRefusal(t, err, 404, "Requested policy does not exist: ACL not found")
			e.refusesPolicyDelete(t, policy.ID, nil, 404, "Cannot find policy to delete")
			e.policy(func(p *api.ACLPolicy) { p.Name = policy.Name })
		})
		t.Run("a missing name is nil", func(t *testing.T) {
			policy, meta, err := e.PolicyReadByName(unique("missing"), nil)
			wantMeta(t, meta, err)
			if policy != nil {
				t.Errorf("got %v", policy)
			}
		})
		t.Run("the list is in order of names", func(t *testing.T) {
			prefix := unique("order")
			for _, name := range []string{"b", "C", "a"} {
				e.policy(func(p *api.ACLPolicy) { p.Name = prefix + name })
			}
			list, _, err := e.PolicyList(nil)
			must(t, err, "list")
			var names []string
			for _, entry := range list {
				if strings.HasPrefix(entry.Name, prefix) {
					names = append(names, strings.TrimPrefix(entry.Name, prefix))
				}
			}
			equal(t, "names", names, []string{"a", "b", "C"})
		})
	})
}

func TestBuiltinPolicies(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		management, _, err := e.PolicyReadByName("global-management", nil)
		must(t, err, "read")
		equal(t, "ID", management.ID, managementID)
		equal(t, "description", management.Description, "A built-in policy that grants read and write access to all Consul features")
		readOnly, _, err := e.PolicyReadByName("builtin/global-read-only", nil)
		must(t, err, "read")
		equal(t, "ID", readOnly.ID, readOnlyID)
		equal(t, "description", readOnly.Description, "A built-in policy that grants read-only access to all Consul features")
		for _, kind := range []string{"acl =", `agent_prefix ""`, `event_prefix ""`, `key_prefix ""`, "keyring =", `node_prefix ""`, "operator =", "mesh =", "peering =", `query_prefix ""`, `service_prefix ""`, `session_prefix ""`} {
			for _, policy := range []*api.ACLPolicy{management, readOnly} {
				if !strings.Contains(policy.Rules, kind) {
					t.Errorf("%s has no rule %s", policy.Name, kind)
				}
			}
		}
		for _, builtin := range []*api.ACLPolicy{management, readOnly} {
			t.Run(builtin.Name, func(t *testing.T) {
				e.refusesPolicyDelete(t, builtin.ID, nil, 400, fmt.Sprintf("Delete operation not permitted on the builtin %s policy", builtin.Name))
				changed := *builtin
				changed.Datacenters = []string{"dc1"}
				_, _, err = e.PolicyUpdate(&changed, nil)
				if builtin.ID == managementID {
					wantRefusal(t, err, 400, fmt.Sprintf("Changing the Datacenters of the %s policy is not permitted", builtin.Name))
				} else {
					wantRefusalLike(t, err, 400, "")
				}
				changed = *builtin
				changed.Rules = `acl = "read"`
				_, _, err = e.PolicyUpdate(&changed, nil)
				if builtin.ID == managementID {
					wantRefusal(t, err, 400, fmt.Sprintf("Changing the Rules for the builtin %s policy is not permitted", builtin.Name))
				} else {
					wantRefusalLike(t, err, 400, "")
				}
				read, _, err := e.PolicyRead(builtin.ID, nil)
				must(t, err, "read")
				same(t, "policy", read, builtin)
			})
		}
		t.Run("the read-only one reads and writes nothing", func(t *testing.T) {
			reader := e.as(e.token(func(t *api.ACLToken) { t.Policies = links(readOnlyID) }).SecretID)
			_, _, err := reader.PolicyList(nil)
			must(t, err, "list")
			_, _, err = reader.PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, nil)
			if text, ok := refusal(t, err, 403); ok && !strings.HasSuffix(text, "lacks permission 'acl:write'") {
				t.Errorf("got %q", text)
			}
		})
	})
}
