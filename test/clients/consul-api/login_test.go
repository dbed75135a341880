package consulapi

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// loginToken is the token that a login must make: what is wanted of it, with what the server made of its own.
func loginToken(t *testing.T, method *api.ACLAuthMethod, made *api.ACLToken, change func(*api.ACLToken)) *api.ACLToken {
	t.Helper()
	wantHash(t, made.Hash)
	if age := time.Since(made.CreateTime); age < -time.Second || age > time.Minute {
		t.Errorf("it was created %s ago", age)
	}
	want := &api.ACLToken{
		AccessorID: made.AccessorID, SecretID: made.SecretID, CreateTime: made.CreateTime, Hash: made.Hash,
		CreateIndex: made.CreateIndex, ModifyIndex: made.CreateIndex, Description: "token created via login",
		AuthMethod: method.Name, AuthMethodNamespace: method.Namespace, Local: method.TokenLocality != "global",
		Namespace: method.Namespace, Partition: method.Partition,
	}
	if method.MaxTokenTTL > 0 {
		until := made.CreateTime.Add(method.MaxTokenTTL)
		want.ExpirationTime = &until
	}
	change(want)
	return want
}

const nothingBound = "Permission denied: the identity was verified, but no binding rule grants it permissions"

func TestLogin(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		webService := func(want *api.ACLToken) { want.ServiceIdentities = []*api.ACLServiceIdentity{{ServiceName: "web"}} }
		t.Run("every type of rule, and what they give reads back", func(t *testing.T) {
			method := e.method()
			policy := e.policy(ruled(`key "a" { policy = "read" }`))
			role := e.role(func(r *api.ACLRole) { r.Name = unique("Role"); r.Policies = links(policy.ID) })
			for _, change := range []func(*api.ACLBindingRule){
				binds(toRole, strings.ToUpper(role.Name), `value.team == "a"`), binds(toPolicy, policy.Name, `"admins" in list.groups`),
				binds(toService, "${value.team}-${value.name}", ""), binds(toNode, "${value.name}", `value.name matches "^N"`),
				bindsTemplated("builtin/api-gateway", "gw-${value.team}"), bindsTemplated("builtin/dns", ""),
				binds(toService, "a-n1", `value.team == "a"`), binds(toRole, "nothing-there", ""), binds(toService, "no", `value.team == "b"`),
			} {
				e.rule(method, change)
			}
			token := e.login(method, jwt(t, claims{"team": "a", "person": claims{"name": "N1"}, "groups": []string{"admins"}}))
			want := loginToken(t, method, token, func(want *api.ACLToken) {
				want.Roles, want.Policies = []*api.ACLLink{linkToRole(role)}, []*api.ACLLink{linkTo(policy)}
				want.ServiceIdentities = []*api.ACLServiceIdentity{{ServiceName: "a-n1"}}
				want.NodeIdentities = []*api.ACLNodeIdentity{{NodeName: "n1", Datacenter: "dc1"}}
			})
			equal(t, "templated policies", len(token.TemplatedPolicies), 2)
			for _, each := range token.TemplatedPolicies {
				if each.TemplateName == "builtin/api-gateway" {
					equal(t, "variable", each.TemplateVariables.Name, "gw-a")
				}
			}
			want.TemplatedPolicies = token.TemplatedPolicies
			same(t, "token", token, want)
			self, meta, err := e.as(token.SecretID).TokenReadSelf(nil)
			wantMeta(t, meta, err)
			same(t, "self", self, token)
			read, _, err := e.TokenRead(token.AccessorID, nil)
			must(t, err, "read")
			same(t, "read", read, token)
		})
		t.Run("what the client says of the login is in the description", func(t *testing.T) {
			method := e.method()
			e.rule(method)
			token, _, err := e.as("").Login(&api.ACLLoginParams{
				AuthMethod: strings.ToUpper(method.Name), BearerToken: jwt(t, nil), Meta: map[string]string{"b": "2", "a": "<1> & \"x\""},
			}, nil)
			must(t, err, "log in")
			remember(token.SecretID)
			same(t, "token", token, loginToken(t, method, token, func(want *api.ACLToken) {
				webService(want)
				want.Description = `token created via login: {"a":"\u003c1\u003e \u0026 \"x\"","b":"2"}`
			}))
		})
		for name, change := range map[string]func(*api.ACLAuthMethod){
			"local, for ever": nothingOf, "local by name": func(m *api.ACLAuthMethod) { m.TokenLocality = "local" },
			"global": func(m *api.ACLAuthMethod) { m.TokenLocality = "global" }, "for a minute": func(m *api.ACLAuthMethod) { m.MaxTokenTTL = time.Minute },
			"global for an hour": func(m *api.ACLAuthMethod) { m.TokenLocality, m.MaxTokenTTL = "global", time.Hour },
		} {
			t.Run("locality and lifetime are those of the method: "+name, func(t *testing.T) {
				method := e.method(change)
				e.rule(method)
				token := e.login(method, jwt(t, nil))
				same(t, "token", token, loginToken(t, method, token, webService))
			})
		}
		t.Run("each login makes another token, and a token that is sent along counts for nothing", func(t *testing.T) {
			method := e.method()
			e.rule(method)
			bearerToken := jwt(t, nil)
			first, second := e.login(method, bearerToken), e.login(method, bearerToken)
			if first.AccessorID == second.AccessorID || first.SecretID == second.SecretID {
				t.Error("it is the same token")
			}
			for _, secret := range []string{newUUID(), e.srv.token} {
				token, _, err := e.as(secret).Login(&api.ACLLoginParams{AuthMethod: method.Name, BearerToken: bearerToken}, nil)
				must(t, err, "log in with a token")
				remember(token.SecretID)
			}
			list, meta, err := e.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: strings.ToUpper(method.Name)}, nil)
			wantMeta(t, meta, err)
			equal(t, "tokens", len(list), 4)
			same(t, "list entry", find(list, isToken(first)), entryOf(first))
		})
		t.Run("refused: nothing bound, wrong proof, no method", func(t *testing.T) {
			method := e.method()
			_, err := e.tryLogin(method, jwt(t, claims{"team": "a"}))
			wantRefusalLike(t, err, 403, nothingBound)
			e.rule(method, binds(toRole, "nothing-there", ""), func(r *api.ACLBindingRule) { r.Description = "a role that is not there" })
			e.rule(method, binds(toService, "x", `value.team == "b"`))
			_, err = e.tryLogin(method, jwt(t, claims{"team": "a"}))
			wantRefusalLike(t, err, 403, nothingBound)
			_, err = e.tryLogin(method, "")
			wantRefusal(t, err, 403, "missing jwt")
			_, err = e.tryLogin(method, signed(t, "served", nil))
			wantRefusal(t, err, 403, "no known key successfully validated the token signature")
			_, err = e.tryLogin(method, jwt(t, claims{"aud": "others"}))
			wantRefusal(t, err, 403, "error validating claims: audience claim found in JWT but no audiences are bound")
			_, err = e.tryLogin(method, jwt(t, claims{"exp": 1000, "iat": 900}))
			wantRefusalLike(t, err, 403, "error validating claims: ")
			_, err = e.tryLogin(&api.ACLAuthMethod{Name: "nothing"}, jwt(t, nil))
			wantRefusal(t, err, 403, deniedLike("nothing"))
			list, _, err := e.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: method.Name}, nil)
			must(t, err, "list")
			same(t, "tokens", list, []*api.ACLTokenListEntry{})
		})
		t.Run("a rule that computes what is no name refuses the login", func(t *testing.T) {
			method := e.method()
			e.rule(method)
			e.rule(method, binds(toService, "${value.team}", ""))
			_, err := e.tryLogin(method, jwt(t, claims{"team": "a.b"}))
			wantRefusalLike(t, err, 403, `invalid bind name: "a.b"; granted by binding rule `)
			_, err = e.tryLogin(method, jwt(t, nil))
			wantRefusalLike(t, err, 403, `invalid bind name: ""; granted by binding rule `)
		})
		t.Run("rights change with the role, and with rules only for logins to come", func(t *testing.T) {
			method, role, policy := e.method(), e.role(), e.policy(ruled(`acl = "read"`))
			rule := e.rule(method, binds(toRole, role.Name, ""))
			token := e.login(method, jwt(t, nil))
			_, _, err := e.as(token.SecretID).PolicyList(nil)
			wantRefusal(t, err, 403, lacksText(token, "acl:read"))
			role.Policies = links(policy.ID)
			_, _, err = e.RoleUpdate(role, nil)
			must(t, err, "update role")
			_, _, err = e.as(token.SecretID).PolicyList(nil)
			must(t, err, "with the role's policy")
			_, err = e.BindingRuleDelete(rule.ID, nil)
			must(t, err, "delete rule")
			_, err = e.tryLogin(method, jwt(t, nil))
			wantRefusalLike(t, err, 403, nothingBound)
			_, _, err = e.as(token.SecretID).PolicyList(nil)
			must(t, err, "of the token that was given before")
		})
	})
}

func nothingOf(*api.ACLAuthMethod) {}
