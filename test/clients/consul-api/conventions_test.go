package consulapi

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// A read is one of the client's reads with options; every one keeps the same conventions.
type read struct {
	name string
	call func(*api.QueryOptions) (*api.QueryMeta, error)
}

// aclReads are the reads of objects of access control, of things that are there.
func aclReads(e *env) []read {
	policy, role, token, method := e.policy(), e.role(), e.token(), e.method()
	rule := e.rule(method)
	return []read{
		{"PolicyRead", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.PolicyRead(policy.ID, q)
			return m, err
		}},
		{"PolicyReadByName", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.PolicyReadByName(policy.Name, q)
			return m, err
		}},
		{"PolicyList", func(q *api.QueryOptions) (*api.QueryMeta, error) { _, m, err := e.PolicyList(q); return m, err }},
		{"RoleRead", func(q *api.QueryOptions) (*api.QueryMeta, error) { _, m, err := e.RoleRead(role.ID, q); return m, err }},
		{"RoleReadByName", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.RoleReadByName(role.Name, q)
			return m, err
		}},
		{"RoleList", func(q *api.QueryOptions) (*api.QueryMeta, error) { _, m, err := e.RoleList(q); return m, err }},
		{"TokenRead", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.TokenRead(token.AccessorID, q)
			return m, err
		}},
		{"TokenReadExpanded", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.TokenReadExpanded(token.AccessorID, q)
			return m, err
		}},
		{"TokenReadSelf", func(q *api.QueryOptions) (*api.QueryMeta, error) { _, m, err := e.TokenReadSelf(q); return m, err }},
		{"TokenList", func(q *api.QueryOptions) (*api.QueryMeta, error) { _, m, err := e.TokenList(q); return m, err }},
		{"TokenListFiltered", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.TokenListFiltered(api.ACLTokenFilterOptions{Policy: policy.ID}, q)
			return m, err
		}},
		{"TokenListFiltered by a method", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: method.Name}, q)
			return m, err
		}},
		{"AuthMethodRead", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.AuthMethodRead(method.Name, q)
			return m, err
		}},
		{"AuthMethodList", func(q *api.QueryOptions) (*api.QueryMeta, error) { _, m, err := e.AuthMethodList(q); return m, err }},
		{"BindingRuleRead", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.BindingRuleRead(rule.ID, q)
			return m, err
		}},
		{"BindingRuleList", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.BindingRuleList("", q)
			return m, err
		}},
		{"BindingRuleList of a method", func(q *api.QueryOptions) (*api.QueryMeta, error) {
			_, m, err := e.BindingRuleList(method.Name, q)
			return m, err
		}},
	}
}

// everyOption sets all that a client can set, but for what says where to work, as whom, and what to wait for.
func everyOption() *api.QueryOptions {
	options := &api.QueryOptions{}
	fields := reflect.ValueOf(options).Elem()
	for i := range fields.NumField() {
		field := fields.Field(i)
		if !field.CanSet() {
			continue
		}
		switch field.Interface().(type) {
		case bool:
			field.SetBool(true)
		case string:
			field.SetString("x")
		case uint8:
			field.SetUint(3)
		case time.Duration:
			field.SetInt(int64(time.Second))
		case map[string]string:
			field.Set(reflect.ValueOf(map[string]string{"a": "b"}))
		}
	}
	options.Namespace, options.Partition, options.Datacenter, options.Token = "", "", "", ""
	options.RequireConsistent, options.Filter = false, ""
	return options
}

func TestReadConventions(t *testing.T) {
	accepted := map[string]*api.QueryOptions{
		"nothing":               nil,
		"namespace default":     {Namespace: "default"},
		"namespace in capitals": {Namespace: "Default"},
		"partition default":     {Partition: "default"},
		"both default":          {Namespace: "default", Partition: "default"},
		"its datacenter":        {Datacenter: "dc1"},
		"stale":                 {AllowStale: true},
		"consistent":            {RequireConsistent: true},
		"cached":                {UseCache: true, MaxAge: time.Second, StaleIfError: time.Minute},
		"a wait without index":  {WaitTime: 10 * time.Second},
		"parameters of others":  {Near: "_agent", NodeMeta: map[string]string{"a": "b"}, RelayFactor: 3},
		"all of them":           everyOption(),
	}
	refused := []struct {
		name    string
		options *api.QueryOptions
		text    string
	}{
		{"a namespace of that name before a datacenter is not asked", &api.QueryOptions{Namespace: "team-a", Datacenter: "dc9"}, "No path to datacenter"},
		{"what is no name of a namespace", &api.QueryOptions{Namespace: "team.a"}, `Namespace "team.a" is not a name`},
		{"what is no name of a partition", &api.QueryOptions{Partition: "-"}, `Partition "-" is not a name`},
		{"both: the partition is told", &api.QueryOptions{Partition: "e u", Namespace: "team.a"}, `Partition "e u" is not a name`},
		{"namespace __proto__", &api.QueryOptions{Namespace: "__proto__"}, `Namespace "__proto__" is not a name`},
		{"datacenter", &api.QueryOptions{Datacenter: "dc9"}, "No path to datacenter"},
		{"stale and consistent", &api.QueryOptions{AllowStale: true, RequireConsistent: true}, "Cannot specify ?stale with ?consistent, conflicting semantics."},
	}
	eachEngine(t, func(t *testing.T, e *env) {
		for _, read := range aclReads(e) {
			t.Run(read.name, func(t *testing.T) {
				for name, options := range accepted {
					t.Run("takes "+name, func(t *testing.T) {
						meta, err := read.call(options)
						wantMeta(t, meta, err)
					})
				}
				// Without the filter an answer would be more than was asked for.
				for _, filter := range []string{`Name == "x"`, "(("} {
					t.Run("a filter is applied to nothing: "+filter, func(t *testing.T) {
						_, err := read.call(&api.QueryOptions{Filter: filter})
						wantRefusalLike(t, err, 400, "Filter expressions are not supported; this route supports ")
					})
				}
				for _, test := range refused {
					t.Run("refuses "+test.name, func(t *testing.T) {
						_, err := read.call(test.options)
						wantRefusal(t, err, 400, test.text)
					})
				}
			})
		}
	})
}

func TestWriteConventions(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		for name, options := range map[string]*api.WriteOptions{
			"namespace default":     {Namespace: "default"},
			"namespace in capitals": {Namespace: "DEFAULT"},
			"partition default":     {Partition: "default"},
			"datacenter":            {Datacenter: "dc1"},
			"token":                 {Token: e.srv.token},
		} {
			t.Run("takes "+name, func(t *testing.T) {
				policy, _, err := e.PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, options)
				must(t, err, "create policy")
				equal(t, "namespace", policy.Namespace, "default")
				equal(t, "partition", policy.Partition, "default")
				_, err = e.PolicyDelete(policy.ID, options)
				must(t, err, "delete policy")
			})
		}
		for _, test := range []struct {
			name    string
			options *api.WriteOptions
			text    string
		}{
			{"namespace", &api.WriteOptions{Namespace: "team-a"}, `Namespace "team-a" does not exist`},
			{"partition", &api.WriteOptions{Partition: "eu"}, `Partition "eu" does not exist`},
			{"datacenter", &api.WriteOptions{Datacenter: "dc9"}, "No path to datacenter"},
		} {
			t.Run("refuses another "+test.name, func(t *testing.T) {
				_, _, err := e.PolicyCreate(&api.ACLPolicy{Name: unique("policy")}, test.options)
				wantRefusal(t, err, 400, test.text)
				_, _, err = e.RoleCreate(&api.ACLRole{Name: unique("role")}, test.options)
				wantRefusal(t, err, 400, test.text)
				_, _, err = e.TokenCreate(&api.ACLToken{}, test.options)
				wantRefusal(t, err, 400, test.text)
				e.refusesPolicyDelete(t, newUUID(), test.options, 400, test.text)
			})
		}
		t.Run("the namespace of a body counts, also against the query", func(t *testing.T) {
			for _, options := range []*api.WriteOptions{nil, {Namespace: "default"}} {
				_, _, err := e.PolicyCreate(&api.ACLPolicy{Name: unique("policy"), Namespace: "team-a"}, options)
				wantRefusal(t, err, 400, `Namespace "team-a" does not exist`)
				_, _, err = e.RoleCreate(&api.ACLRole{Name: unique("role"), Partition: "eu"}, options)
				wantRefusal(t, err, 400, `Partition "eu" does not exist`)
			}
			policy, _, err := e.PolicyCreate(&api.ACLPolicy{Name: unique("policy"), Namespace: "default"}, &api.WriteOptions{Namespace: "team-a"})
			must(t, err, "create policy")
			equal(t, "namespace", policy.Namespace, "default")
		})
	})
}

// The index of a read covers what the client has written before.
func TestIndexes(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		policy := e.policy()
		_, meta, err := e.PolicyRead(policy.ID, nil)
		wantMeta(t, meta, err)
		if meta.LastIndex < policy.ModifyIndex {
			t.Errorf("the index %d is below the policy's %d", meta.LastIndex, policy.ModifyIndex)
		}
		equal(t, "ModifyIndex", policy.ModifyIndex, policy.CreateIndex)

		again, _, err := e.PolicyUpdate(policy, nil)
		must(t, err, "update")
		if again.ModifyIndex <= policy.ModifyIndex {
			t.Errorf("an update that changes nothing leaves the ModifyIndex at %d", again.ModifyIndex)
		}
		equal(t, "CreateIndex", again.CreateIndex, policy.CreateIndex)
		equal(t, "hash", again.Hash, policy.Hash)

		_, err = e.PolicyDelete(policy.ID, nil)
		must(t, err, "delete")
		gone, after, err := e.PolicyReadByName(policy.Name, nil)
		wantMeta(t, after, err)
		if gone != nil {
			t.Errorf("got %v", gone)
		}
		if after.LastIndex <= again.ModifyIndex {
			t.Errorf("the delete leaves the index at %d", after.LastIndex)
		}
	})
}

// Bodies that the client's own types would not make.
func TestBodies(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		kinds := []struct{ path, prefix string }{
			{"/v1/acl/policy", "Policy decoding failed: "},
			{"/v1/acl/role", "Role decoding failed: "},
			{"/v1/acl/token", "Token decoding failed: "},
		}
		for _, kind := range kinds {
			t.Run(strings.TrimPrefix(kind.path, "/v1/acl/"), func(t *testing.T) {
				for _, test := range []struct {
					name string
					body any
					tail string
				}{
					{"an unknown field", map[string]any{"Colour": "red"}, `json: unknown field "Colour"`},
					{"a field with underscores", map[string]any{"create_index": 1}, `json: unknown field "create_index"`},
					{"__proto__", map[string]any{"__proto__": map[string]any{"Local": true}}, `json: unknown field "__proto__"`},
				} {
					_, err := e.client.Raw().Write(kind.path, test.body, nil, nil)
					wantRefusal(t, err, 400, kind.prefix+test.tail)
				}
				for name, body := range map[string]any{
					"a number for text": map[string]any{"Description": 5},
					"a list":            []any{},
					"a text":            "text",
				} {
					_, err := e.client.Raw().Write(kind.path, body, nil, nil)
					if text, ok := refusal(t, err, 400); ok && !strings.HasPrefix(text, kind.prefix+"json: cannot unmarshal ") {
						t.Errorf("%s: got %q", name, text)
					}
				}
			})
		}
		t.Run("keys count in any case, read-only ones are ignored", func(t *testing.T) {
			name := unique("policy")
			var made api.ACLPolicy
			body := map[string]any{"name": name, "DESCRIPTION": "loud", "rUlEs": `acl = "read"`, "CreateIndex": 99, "modifyindex": 99, "Hash": nil}
			_, err := e.client.Raw().Write("/v1/acl/policy", body, &made, nil)
			must(t, err, "create")
			read, _, err := e.PolicyRead(made.ID, nil)
			must(t, err, "read")
			same(t, "policy", read, &made)
			equal(t, "fields", []string{read.Name, read.Description, read.Rules}, []string{name, "loud", `acl = "read"`})
		})
		t.Run("NUL is refused in any text", func(t *testing.T) {
			_, _, err := e.PolicyCreate(&api.ACLPolicy{Name: unique("policy"), Description: "a\x00b"}, nil)
			wantRefusalLike(t, err, 400, "Policy decoding failed: ")
			_, _, err = e.RoleCreate(&api.ACLRole{Name: unique("role"), Description: "a\x00b"}, nil)
			wantRefusalLike(t, err, 400, "Role decoding failed: ")
			_, _, err = e.TokenCreate(&api.ACLToken{Description: "a\x00b"}, nil)
			wantRefusalLike(t, err, 400, "Token decoding failed: ")
		})
	})
}
