package consulapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/consul/api"
)

func TestPolicyRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		policy, other := e.policy(), e.policy()
		unknown := newUUID()

		for name, text := range map[string]string{
			"":                       "no Name is set",
			strings.Repeat("x", 129): "invalid Name. Length must be greater than 0 and less than 128",
			"/slash":                 "invalid Name. Names cannot be prefixed with '/' or 'builtin/'",
			"builtin/mine":           "invalid Name. Names cannot be prefixed with '/' or 'builtin/'",
			"a b":                    "invalid Name. Only alphanumeric characters, a single '/', '-' and '_' are allowed",
			"a/b/c":                  "invalid Name. Only alphanumeric characters, a single '/', '-' and '_' are allowed",
			"naïve":                  "invalid Name. Only alphanumeric characters, a single '/', '-' and '_' are allowed",
			"line\n":                 "invalid Name. Only alphanumeric characters, a single '/', '-' and '_' are allowed",
		} {
			t.Run(fmt.Sprintf("name %.20q", name), func(t *testing.T) {
				_, _, err := e.PolicyCreate(&api.ACLPolicy{Name: name}, nil)
				wantRefusal(t, err, 400, "Invalid Policy: "+text)
				_, _, err = e.PolicyUpdate(&api.ACLPolicy{ID: policy.ID, Name: name}, nil)
				wantRefusal(t, err, 400, "Invalid Policy: "+text)
			})
		}
		for rules, beginning := range map[string]string{
			`key "a" { policy = "read"`:                       "Failed to parse ACL rules: ",
			`{"key": `:                                        "Failed to parse ACL rules: ",
			strings.Repeat("a {", 10000):                      "Failed to parse ACL rules: ",
			`service "a" { policy = "list" }`:                 "Invalid service policy: ",
			`key_prefix "a" { policy = "x" }`:                 "Invalid key_prefix policy: ",
			`node "a" {}`:                                     "Invalid node policy: ",
			`service "" { intentions = "x" policy = "read" }`: "Invalid service intentions policy: ",
		} {
			t.Run(fmt.Sprintf("rules %.40q", rules), func(t *testing.T) {
				_, _, err := e.PolicyCreate(&api.ACLPolicy{Name: unique("policy"), Rules: rules}, nil)
				wantRefusalLike(t, err, 400, beginning)
				_, _, err = e.PolicyUpdate(&api.ACLPolicy{ID: policy.ID, Name: policy.Name, Rules: rules}, nil)
				wantRefusalLike(t, err, 400, beginning)
			})
		}
		t.Run("scalar rules print their value", func(t *testing.T) {
			_, _, err := e.PolicyCreate(&api.ACLPolicy{Name: unique("policy"), Rules: `acl = "x"`}, nil)
			wantRefusal(t, err, 400, `Invalid acl policy: "x"`)
		})
		t.Run("rules over 512 KiB, a body over 1 MiB", func(t *testing.T) {
			_, _, err := e.PolicyCreate(&api.ACLPolicy{Name: unique("policy"), Rules: strings.Repeat("# noise\n", 80_000)}, nil)
			wantRefusalLike(t, err, 400, "Failed to parse ACL rules: ")
			_, _, err = e.PolicyCreate(&api.ACLPolicy{Name: unique("policy"), Rules: strings.Repeat("# noise\n", 200_000)}, nil)
			wantRefusalLike(t, err, 413, "")
			e.policy(ruled(strings.Repeat("# noise\n", 60_000)))
		})
		t.Run("a taken name, in any case", func(t *testing.T) {
			for _, name := range []string{other.Name, strings.ToUpper(other.Name)} {
				_, _, err := e.PolicyCreate(&api.ACLPolicy{Name: name}, nil)
				wantRefusal(t, err, 500, fmt.Sprintf("Invalid Policy: A Policy with Name %q already exists", name))
				_, _, err = e.PolicyUpdate(&api.ACLPolicy{ID: policy.ID, Name: name}, nil)
				wantRefusal(t, err, 500, fmt.Sprintf("Invalid Policy: A policy with name %q already exists", name))
			}
		})
		t.Run("an ID on create", func(t *testing.T) {
			_, _, err := e.PolicyCreate(&api.ACLPolicy{ID: newUUID(), Name: unique("policy")}, nil)
			wantLocal(t, err)
			_, err = e.client.Raw().Write("/v1/acl/policy", &api.ACLPolicy{ID: newUUID(), Name: unique("policy")}, nil, nil)
			wantRefusal(t, err, 400, "Cannot specify the ID when creating a new policy")
		})
		t.Run("no ID on update", func(t *testing.T) {
			_, _, err := e.PolicyUpdate(&api.ACLPolicy{Name: unique("policy")}, nil)
			wantLocal(t, err)
		})
		t.Run("another ID in the body", func(t *testing.T) {
			_, err := e.client.Raw().Write("/v1/acl/policy/"+policy.ID, &api.ACLPolicy{ID: other.ID, Name: unique("policy")}, nil, nil)
			wantRefusal(t, err, 400, "Policy ID in URL and payload do not match")
		})
		t.Run("an unknown ID", func(t *testing.T) {
			_, _, err := e.PolicyRead(unknown, nil)
			wantRefusal(t, err, 404, "Requested policy does not exist: ACL not found")
			_, _, err = e.PolicyUpdate(&api.ACLPolicy{ID: unknown, Name: unique("policy")}, nil)
			wantRefusal(t, err, 404, "cannot find policy "+unknown)
			e.refusesPolicyDelete(t, unknown, nil, 404, "Cannot find policy to delete")
		})
		t.Run("the ID of another kind", func(t *testing.T) {
			_, _, err := e.PolicyRead(e.role().ID, nil)
			wantRefusal(t, err, 404, "Requested policy does not exist: ACL not found")
		})
		t.Run("an ID that is none", func(t *testing.T) {
			_, _, err := e.PolicyRead("nonsense", nil)
			wantRefusal(t, err, 404, "failed acl policy lookup: index error: UUID must be 36 characters")
			_, _, err = e.PolicyUpdate(&api.ACLPolicy{ID: "nonsense", Name: unique("policy")}, nil)
			wantRefusal(t, err, 404, "Policy ID invalid UUID")
			e.refusesPolicyDelete(t, "nonsense", nil, 404, "failed acl policy lookup: index error: UUID must be 36 characters")
		})
		t.Run("no ID and no name", func(t *testing.T) {
			_, _, err := e.PolicyRead("", nil)
			wantRefusal(t, err, 400, "Missing policy ID")
			e.refusesPolicyDelete(t, "", nil, 400, "Missing policy ID")
			_, _, err = e.PolicyReadByName("", nil)
			wantRefusal(t, err, 400, "Missing policy Name")
		})
		t.Run("nothing of this has changed anything", func(t *testing.T) {
			read, _, err := e.PolicyRead(policy.ID, nil)
			must(t, err, "read")
			same(t, "policy", read, policy)
		})
	})
}

// The client translates no rules of old any more, and asks nobody.
func TestLegacyIsGone(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		_, err := e.RulesTranslate(strings.NewReader(`agent "" { policy = "read" }`))
		wantLocal(t, err)
		for _, path := range []string{"/v1/acl/list", "/v1/acl/info/" + newUUID()} {
			_, err := e.client.Raw().Query(path, nil, nil)
			wantRefusal(t, err, 404, "Invalid URL path: not a recognized HTTP API endpoint")
		}
		for _, path := range []string{"/v1/acl/create", "/v1/acl/update", "/v1/acl/destroy/" + newUUID(), "/v1/acl/clone/" + newUUID()} {
			_, err := e.client.Raw().Write(path, struct{}{}, nil, nil)
			wantRefusal(t, err, 404, "Invalid URL path: not a recognized HTTP API endpoint")
		}
	})
}
