package consulapi

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// raw is a JSON object as it stands in an answer.
type raw map[string]any

func (e *env) rawAt(t *testing.T, path string) (got raw) {
	t.Helper()
	status, body := e.get(t, path)
	equal(t, "status", status, 200)
	must(t, json.Unmarshal(body, &got), path)
	return got
}

// What Terraform's provider and the command line do with auth methods and binding rules.
func TestLoginObjectsOfOtherClients(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		at := e.newPlace()
		t.Run("consul_acl_auth_method sends durations as text and finds them as Go writes them", func(t *testing.T) {
			name := unique("terraform")
			body := raw{
				"Name": name, "Type": "jwt", "DisplayName": "By Terraform", "MaxTokenTTL": "120s", "TokenLocality": "global", "Namespace": at.namespace,
				"Config": raw{
					"JWTValidationPubKeys": []string{providers.Keys.Static}, "ClaimMappings": map[string]string{"team": "team"},
					"ExpirationLeeway": "1m", "ClockSkewLeeway": 60e9, "BoundIssuer": "",
				},
			}
			_, err := e.client.Raw().Write("/v1/acl/auth-method", body, nil, at.write())
			must(t, err, "write")
			got := e.rawAt(t, "/v1/acl/auth-method/"+name+"?ns="+at.namespace)
			equal[any](t, "MaxTokenTTL", got["MaxTokenTTL"], "2m0s")
			same(t, "configuration", got["Config"].(map[string]any), asConfig(t, body["Config"].(raw)))
			method, _, err := e.AuthMethodRead(name, at.read())
			must(t, err, "read")
			equal(t, "MaxTokenTTL of the client", method.MaxTokenTTL, 2*time.Minute)
		})
		t.Run("keys of a configuration may be in any case, and its values of any type that says the same", func(t *testing.T) {
			name := unique("loose")
			body := raw{"name": name, "type": "jwt", "maxtokenttl": "1h30m", "config": raw{
				"jwtvalidationpubkeys": providers.Keys.Static, "claimmappings": []map[string]string{{"team": "team"}},
			}}
			_, err := e.client.Raw().Write("/v1/acl/auth-method", body, nil, nil)
			must(t, err, "write")
			method, _, err := e.AuthMethodRead(name, nil)
			must(t, err, "read")
			equal(t, "MaxTokenTTL", method.MaxTokenTTL, 90*time.Minute)
			e.rule(method, binds(toService, "${value.team}", ""))
			equal(t, "service", e.login(method, jwt(t, claims{"team": "web"})).ServiceIdentities[0].ServiceName, "web")
		})
		t.Run("consul_acl_binding_rule says its namespace twice, and its variables in a map", func(t *testing.T) {
			method := e.method(at.method)
			body := raw{
				"AuthMethod": method.Name, "BindType": "templated-policy", "BindName": "builtin/service", "BindVars": raw{"Name": "${value.team}"},
				"Namespace": at.namespace, "Selector": "", "Description": "",
			}
			var made api.ACLBindingRule
			_, err := e.client.Raw().Write("/v1/acl/binding-rule", body, &made, at.write())
			must(t, err, "write")
			got := e.rawAt(t, "/v1/acl/binding-rule/"+made.ID+"?ns="+at.namespace)
			same(t, "rule", got, raw{
				"ID": made.ID, "Description": "", "AuthMethod": method.Name, "BindType": "templated-policy", "BindName": "builtin/service",
				"BindVars": map[string]any{"Name": "${value.team}"}, "Namespace": at.namespace, "Partition": "default",
				"CreateIndex": float64(made.CreateIndex), "ModifyIndex": float64(made.ModifyIndex),
			})
			_, err = e.client.Raw().Write("/v1/acl/binding-rule", raw{
				"AuthMethod": method.Name, "BindType": "foobar", "BindName": "web", "Namespace": at.namespace,
			}, nil, at.write())
			wantRefusal(t, err, 400, `Invalid Binding Rule: invalid BindName or BindVars: invalid Binding Rule: unknown BindType "foobar"`)
		})
		t.Run("the command line reads, merges and writes back whole", func(t *testing.T) {
			method := e.method()
			rule := e.rule(method, binds(toService, "web", `value.team == "a"`))
			read, _, err := e.BindingRuleRead(rule.ID, nil)
			must(t, err, "read")
			read.Description = "merged"
			merged, _, err := e.BindingRuleUpdate(read, nil)
			must(t, err, "update")
			rule.Description, rule.ModifyIndex = "merged", merged.ModifyIndex
			same(t, "merged rule", merged, rule)
			current, _, err := e.AuthMethodRead(method.Name, nil)
			must(t, err, "read")
			current.DisplayName = "merged"
			written, _, err := e.AuthMethodUpdate(current, nil)
			must(t, err, "update")
			method.DisplayName, method.ModifyIndex = "merged", written.ModifyIndex
			same(t, "merged method", written, method)
		})
	})
}

// Whoever logs in while a method is deleted has a token that is gone with it, or none.
func TestLoginsWhileTheirMethodIsDeleted(t *testing.T) {
	const clients, logins = 16, 20
	eachEngine(t, func(t *testing.T, e *env) {
		method := e.method()
		e.rule(method)
		bearerToken := jwt(t, nil)
		begun := make(chan struct{}, clients*logins)
		tokens := make([][]*api.ACLToken, clients)
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				for range logins {
					token, err := e.tryLogin(method, bearerToken)
					begun <- struct{}{}
					if err != nil {
						wantRefusal(t, err, 403, deniedLike(method.Name))
						continue
					}
					tokens[i] = append(tokens[i], token)
				}
			})
		}
		for range clients {
			<-begun
		}
		_, err := e.AuthMethodDelete(method.Name, nil)
		must(t, err, "delete method")
		all.Wait()
		given := 0
		for _, ofClient := range tokens {
			for _, token := range ofClient {
				given++
				_, _, err := e.as(token.SecretID).TokenReadSelf(nil)
				wantRefusal(t, err, 403, "ACL not found")
			}
		}
		if given == 0 {
			t.Error("nobody had logged in before")
		}
	})
}
