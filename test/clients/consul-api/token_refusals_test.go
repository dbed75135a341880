package consulapi

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

func TestTokenCreateRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		taken := e.token()
		past, soon, later := time.Now().Add(-time.Hour), time.Now().Add(30*time.Second), time.Now().Add(time.Hour)
		unknown := newUUID()
		for _, test := range []struct {
			name string
			sent *api.ACLToken
			text string
		}{
			{"AccessorID no UUID", &api.ACLToken{AccessorID: "nonsense"}, "Invalid Token: AccessorID - not a valid UUID"},
			{"SecretID no UUID", &api.ACLToken{SecretID: "nonsense"}, "Invalid Token: SecretID - not a valid UUID"},
			{"SecretID a reserved word", &api.ACLToken{SecretID: "allow"}, "Invalid Token: SecretID - not a valid UUID"},
			{"AccessorID reserved", &api.ACLToken{AccessorID: reservedPrefix + "ff"}, `Invalid Token: AccessorID - UUIDs with the prefix "` + reservedPrefix + `" are reserved`},
			{"SecretID reserved", &api.ACLToken{SecretID: reservedPrefix + "ff"}, `Invalid Token: SecretID - UUIDs with the prefix "` + reservedPrefix + `" are reserved`},
			{"AccessorID taken", &api.ACLToken{AccessorID: taken.AccessorID}, "Invalid Token: AccessorID is already in use"},
			{"AccessorID a SecretID", &api.ACLToken{AccessorID: taken.SecretID}, "Invalid Token: AccessorID is already in use"},
			{"SecretID taken", &api.ACLToken{SecretID: taken.SecretID}, "Invalid Token: SecretID is already in use"},
			{"SecretID an AccessorID", &api.ACLToken{SecretID: taken.AccessorID}, "Invalid Token: SecretID is already in use"},
			{"time to live negative", &api.ACLToken{ExpirationTTL: -time.Minute}, "Token Expiration TTL '-1m0s' should be > 0"},
			{"time to live and time", &api.ACLToken{ExpirationTTL: time.Hour, ExpirationTime: &later}, "Token Expiration TTL and Expiration Time cannot both be set"},
			{"time to live short", &api.ACLToken{ExpirationTTL: 59 * time.Second}, "ExpirationTime cannot be less than 1m0s in the future (was 59s)"},
			{"time past", &api.ACLToken{ExpirationTime: &past}, "ExpirationTime cannot be before CreateTime"},
			{"auth method", &api.ACLToken{AuthMethod: "minikube"}, "AuthMethod field is disallowed outside of login"},
			{"policy by name", &api.ACLToken{Policies: linksTo("nothing")}, `No such ACL policy with name "nothing"`},
			{"policy by ID", &api.ACLToken{Policies: links(unknown)}, `No such ACL policy with ID "` + unknown + `"`},
			{"role by name", &api.ACLToken{Roles: linksTo("nothing")}, `No such ACL role with name "nothing"`},
			{"role by ID", &api.ACLToken{Roles: links(unknown)}, `No such ACL role with ID "` + unknown + `"`},
			{"policy as a role", &api.ACLToken{Roles: links(managementID)}, `No such ACL role with ID "` + managementID + `"`},
			{"datacenters on a local token", &api.ACLToken{Local: true, ServiceIdentities: []*api.ACLServiceIdentity{{ServiceName: "web", Datacenters: []string{"dc1"}}}}, `Service identity "web" cannot specify a list of datacenters on a local token`},
		} {
			t.Run(test.name, func(t *testing.T) {
				_, _, err := e.TokenCreate(test.sent, nil)
				wantRefusal(t, err, 400, test.text)
			})
		}
		for _, test := range identityRefusals() {
			t.Run(test.name, func(t *testing.T) {
				sent := &api.ACLToken{}
				sent.ServiceIdentities, sent.NodeIdentities, sent.TemplatedPolicies = test.identities()
				_, _, err := e.TokenCreate(sent, nil)
				wantRefusal(t, err, 400, test.token)
				sent.AccessorID = taken.AccessorID
				_, _, err = e.TokenUpdate(sent, nil)
				wantRefusal(t, err, 400, test.token)
			})
		}
		t.Run("time soon", func(t *testing.T) {
			_, _, err := e.TokenCreate(&api.ACLToken{ExpirationTime: &soon}, nil)
			wantRefusalLike(t, err, 400, "ExpirationTime cannot be less than 1m0s in the future (was ")
		})
		t.Run("129 links", func(t *testing.T) {
			for name, sent := range map[string]*api.ACLToken{
				"Policies": {Policies: links(slices.Repeat([]string{managementID}, 129)...)},
				"Roles":    {Roles: links(slices.Repeat([]string{unknown}, 129)...)},
			} {
				_, _, err := e.TokenCreate(sent, nil)
				wantRefusalLike(t, err, 400, name+" has 129 entries")
			}
		})
		t.Run("fields of tokens of old", func(t *testing.T) {
			for _, field := range []string{"ID", "Rules", "Type"} {
				_, err := e.client.Raw().Write("/v1/acl/token", map[string]string{field: "client"}, nil, nil)
				wantRefusal(t, err, 400, fmt.Sprintf("Token decoding failed: json: unknown field %q", field))
			}
		})
		t.Run("durations that are none", func(t *testing.T) {
			for value, text := range map[string]string{
				"1d": `time: unknown unit "d" in duration "1d"`,
				"60": `time: missing unit in duration "60"`,
			} {
				_, err := e.client.Raw().Write("/v1/acl/token", map[string]string{"ExpirationTTL": value}, nil, nil)
				wantRefusal(t, err, 400, "Token decoding failed: "+text)
			}
		})
	})
}

func TestTokenChangeRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		token := e.token(func(t *api.ACLToken) { t.ExpirationTTL = time.Hour })
		other := e.token()
		unknown := newUUID()
		later := token.ExpirationTime.Add(time.Minute)
		for _, test := range []struct {
			name   string
			change func(*api.ACLToken)
			text   string
		}{
			{"SecretID", func(t *api.ACLToken) { t.SecretID = newUUID() }, "Changing a token's SecretID is not permitted"},
			{"Local", func(t *api.ACLToken) { t.Local = true }, "Cannot toggle local mode of " + token.AccessorID},
			{"AuthMethod", func(t *api.ACLToken) { t.AuthMethod = "minikube" }, "Cannot change AuthMethod of " + token.AccessorID},
			{"ExpirationTime", func(t *api.ACLToken) { t.ExpirationTime = &later }, "Cannot change expiration time of " + token.AccessorID},
			{"ExpirationTTL", func(t *api.ACLToken) { t.ExpirationTTL = time.Hour }, "Cannot change expiration time of " + token.AccessorID},
			{"policy", func(t *api.ACLToken) { t.Policies = linksTo("nothing") }, `No such ACL policy with name "nothing"`},
			{"role", func(t *api.ACLToken) { t.Roles = links(unknown) }, `No such ACL role with ID "` + unknown + `"`},
		} {
			t.Run("update of "+test.name, func(t *testing.T) {
				changed := *token
				test.change(&changed)
				_, _, err := e.TokenUpdate(&changed, nil)
				wantRefusal(t, err, 400, test.text)
			})
		}
		t.Run("an expiration where there is none", func(t *testing.T) {
			changed := *other
			changed.ExpirationTime = &later
			_, _, err := e.TokenUpdate(&changed, nil)
			wantRefusal(t, err, 400, "Cannot change expiration time of "+other.AccessorID)
		})
		t.Run("another AccessorID in the body", func(t *testing.T) {
			_, err := e.client.Raw().Write("/v1/acl/token/"+token.AccessorID, &api.ACLToken{AccessorID: other.AccessorID}, nil, nil)
			wantRefusal(t, err, 400, "Token Accessor ID in URL and payload do not match")
		})
		t.Run("an unknown AccessorID", func(t *testing.T) {
			_, _, err := e.TokenRead(unknown, nil)
			wantRefusal(t, err, 404, "token does not exist: ACL not found")
			_, _, err = e.TokenUpdate(&api.ACLToken{AccessorID: unknown}, nil)
			wantRefusal(t, err, 404, `Cannot find token "`+unknown+`"`)
			_, _, err = e.TokenClone(unknown, "", nil)
			wantRefusal(t, err, 404, "token does not exist: ACL not found")
			_, err = e.TokenDelete(unknown, nil)
			wantRefusal(t, err, 404, "Cannot find token to delete")
		})
		t.Run("a SecretID is no AccessorID", func(t *testing.T) {
			_, _, err := e.TokenRead(token.SecretID, nil)
			wantRefusal(t, err, 404, "token does not exist: ACL not found")
		})
		t.Run("an AccessorID that is none", func(t *testing.T) {
			_, _, err := e.TokenRead("nonsense", nil)
			wantRefusal(t, err, 404, "failed acl token lookup: index error: UUID must be 36 characters")
			_, _, err = e.TokenUpdate(&api.ACLToken{AccessorID: "nonsense"}, nil)
			wantRefusal(t, err, 404, "AccessorID is not a valid UUID")
			_, err = e.TokenDelete("nonsense", nil)
			wantRefusal(t, err, 404, "Accessor ID is missing or an invalid UUID")
		})
		t.Run("no AccessorID", func(t *testing.T) {
			_, _, err := e.TokenRead("", nil)
			wantRefusal(t, err, 400, "Missing token AccessorID")
			_, err = e.TokenDelete("", nil)
			wantRefusal(t, err, 400, "Missing token AccessorID")
			_, _, err = e.TokenUpdate(&api.ACLToken{}, nil)
			wantLocal(t, err)
			_, _, err = e.TokenClone("", "", nil)
			wantLocal(t, err)
		})
		t.Run("the token that asks for its own end", func(t *testing.T) {
			manager := e.tokenWith(`acl = "write"`)
			_, err := e.as(manager.SecretID).TokenDelete(manager.AccessorID, nil)
			wantRefusal(t, err, 400, "Deletion of the request's authorization token is not permitted")
		})
		t.Run("nothing of this has changed anything", func(t *testing.T) {
			for _, want := range []*api.ACLToken{token, other} {
				read, _, err := e.TokenRead(want.AccessorID, nil)
				must(t, err, "read")
				same(t, "token", read, want)
			}
		})
	})
}
