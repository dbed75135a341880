package consulapi

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

func TestAuthMethodsElsewhere(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		outside := e.newPlace()
		name := unique("Same")
		config := sparse(staticConfig().RenderToConfig())
		for where, at := range e.elsewhere() {
			t.Run("methods, rules and logins work there, by a method with the name of others: "+where, func(t *testing.T) {
				sent := &api.ACLAuthMethod{Name: name, Type: "jwt", Description: "there", Config: config}
				method, _, err := e.AuthMethodCreate(sent, at.write())
				must(t, err, "create method")
				want := *sent
				at.method(&want)
				same(t, "created", method, writtenMethod(t, &want, method))
				read, meta, err := e.AuthMethodRead(strings.ToUpper(name), at.read())
				wantMeta(t, meta, err)
				same(t, "read", read, method)
				methods, meta, err := e.AuthMethodList(at.read())
				wantMeta(t, meta, err)
				same(t, "list entry", find(methods, isMethod(method)), methodEntry(method))

				role := e.role(at.role)
				ruleSent := &api.ACLBindingRule{AuthMethod: name, BindType: toRole, BindName: role.Name}
				rule, _, err := e.BindingRuleCreate(ruleSent, at.write())
				must(t, err, "create rule")
				wantRule := *ruleSent
				wantRule.Namespace, wantRule.Partition = at.namespace, at.partition
				same(t, "created rule", rule, writtenRule(t, &wantRule, rule))
				ruleRead, meta, err := e.BindingRuleRead(rule.ID, at.read())
				wantMeta(t, meta, err)
				same(t, "read rule", ruleRead, rule)
				rules, meta, err := e.BindingRuleList(strings.ToLower(name), at.read())
				wantMeta(t, meta, err)
				same(t, "rules", rules, []*api.ACLBindingRule{rule})

				token := e.login(method, jwt(t, nil))
				same(t, "token", token, loginToken(t, method, token, func(want *api.ACLToken) { want.Roles = []*api.ACLLink{linkToRole(role)} }))
				tokens, meta, err := e.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: name}, at.read())
				wantMeta(t, meta, err)
				same(t, "tokens of the method", tokens, []*api.ACLTokenListEntry{entryOf(token)})
				elsewhere, _, err := e.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: name}, outside.read())
				must(t, err, "tokens elsewhere")
				same(t, "tokens elsewhere", elsewhere, []*api.ACLTokenListEntry{})

				_, err = e.BindingRuleDelete(rule.ID, outside.write())
				wantRefusal(t, err, 404, "Cannot find binding rule to delete")
				_, err = e.AuthMethodDelete(name, outside.write())
				wantRefusal(t, err, 404, "Cannot find auth method to delete")
				_, _, err = e.as("").Login(&api.ACLLoginParams{AuthMethod: name, BearerToken: jwt(t, nil)}, outside.write())
				wantRefusal(t, err, 403, deniedLike(name))
				_, err = e.AuthMethodDelete(name, at.write())
				must(t, err, "delete method")
				_, _, err = e.as(token.SecretID).TokenReadSelf(nil)
				wantRefusal(t, err, 403, "ACL not found")
			})
		}
		t.Run("a role or policy of another namespace is none, whatever its name", func(t *testing.T) {
			at := e.newPlace()
			method, role, policy := e.method(at.method), e.role(), e.policy()
			e.rule(method, binds(toRole, role.Name, ""))
			e.rule(method, binds(toPolicy, policy.Name, ""))
			_, err := e.tryLogin(method, jwt(t, nil))
			wantRefusalLike(t, err, 403, nothingBound)
		})
	})
}

func TestNamespaceRules(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		for where, partition := range map[string]string{"the default partition": "default", "another partition": e.partition().Name} {
			t.Run("the first rule that matches says where the token lies: "+where, func(t *testing.T) {
				prefix := unique("team")
				space := func(end string) place {
					return place{e.namespace(func(n *api.Namespace) { n.Name, n.Partition = prefix+end, partition }).Name, partition}
				}
				a, b, rest := space("-a"), space("-b"), space("-rest")
				home := place{"default", partition}
				roles := map[place]*api.ACLRole{}
				for _, at := range []place{home, a, b, rest} {
					roles[at] = e.role(at.role, func(r *api.ACLRole) { r.Name = prefix })
				}
				method := e.method(home.method, func(m *api.ACLAuthMethod) {
					m.MaxTokenTTL = time.Hour
					m.NamespaceRules = []*api.ACLAuthMethodNamespaceRule{
						{Selector: `value.team == "home"`, BindNamespace: "default"},
						{Selector: `value.name == "b"`, BindNamespace: prefix + "-b"},
						{Selector: `value.team != "none" and "team" in value`, BindNamespace: prefix + "-${value.team}"},
						{Selector: `"rest" in list.groups`, BindNamespace: prefix + "-rest"},
					}
				})
				e.rule(method, binds(toRole, prefix, ""))
				tokens := map[place]*api.ACLToken{}
				for _, test := range []struct {
					with claims
					at   place
				}{
					{claims{"team": "a"}, a},
					{claims{"team": "A", "person": claims{"name": "b"}}, b},
					{claims{"team": "REST"}, rest},
					{claims{"groups": "rest"}, rest},
					{claims{"team": "home"}, home},
					{claims{"team": "none"}, home},
				} {
					token := e.login(method, jwt(t, test.with))
					same(t, fmt.Sprint(test.with), token, loginToken(t, method, token, func(want *api.ACLToken) {
						test.at.token(want)
						want.Roles = []*api.ACLLink{linkToRole(roles[test.at])}
					}))
					tokens[test.at] = token
				}
				_, err := e.tryLogin(method, jwt(t, claims{"team": "missing"}))
				wantRefusal(t, err, 403, fmt.Sprintf("Namespace %q does not exist", prefix+"-missing"))

				list, _, err := e.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: method.Name}, &api.QueryOptions{Namespace: "*", Partition: partition})
				must(t, err, "list")
				equal(t, "tokens in all namespaces", len(list), 6)
				list, _, err = e.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: method.Name}, a.read())
				must(t, err, "list")
				same(t, "tokens there", list, []*api.ACLTokenListEntry{entryOf(tokens[a])})
				// The client has no field for where the method lies.
				for methods, want := range map[string][]*api.ACLTokenListEntry{"default": {entryOf(tokens[a])}, a.namespace: {}} {
					query := url.Values{"authmethod": {method.Name}, "authmethod-ns": {methods}, "ns": {a.namespace}, "partition": {partition}}
					status, body := e.get(t, "/v1/acl/tokens?"+query.Encode())
					equal(t, "status", status, 200)
					var found []*api.ACLTokenListEntry
					must(t, json.Unmarshal(body, &found), "decode list")
					same(t, "tokens there whose method lies in "+methods, found, want)
				}

				_, err = e.client.Namespaces().Delete(b.namespace, b.write())
				must(t, err, "delete a namespace")
				_, _, err = e.as(tokens[b].SecretID).TokenReadSelf(nil)
				wantRefusal(t, err, 403, "ACL not found")
				_, err = e.tryLogin(method, jwt(t, claims{"person": claims{"name": "b"}}))
				refusal(t, err, 403)
				_, _, err = e.as(tokens[a].SecretID).TokenReadSelf(nil)
				must(t, err, "a token in another namespace")

				_, err = e.AuthMethodDelete(method.Name, home.write())
				must(t, err, "delete the method")
				for at, token := range tokens {
					if _, _, err = e.as(token.SecretID).TokenReadSelf(nil); err == nil {
						t.Errorf("its token in %v still works", at)
					}
				}
			})
		}
		t.Run("incident 10: a computed name never leads into the namespace default", func(t *testing.T) {
			method := e.method(func(m *api.ACLAuthMethod) {
				m.NamespaceRules = []*api.ACLAuthMethodNamespaceRule{{BindNamespace: "${value.team}"}}
			})
			e.rule(method)
			for _, team := range []string{"default", "DEFAULT", "Default", " default", "*", "..", "a/b", ""} {
				_, err := e.tryLogin(method, jwt(t, claims{"team": team}))
				refusal(t, err, 403)
			}
		})
	})
}

// Incident 14: whatever its spelling, a computed name gives nothing that is built in.
func TestComputedNames(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		at := e.newPlace()
		for _, where := range []place{defaultPlace, at} {
			method := e.method(where.method)
			e.rule(method, binds(toPolicy, "${value.team}", ""))
			e.rule(method, binds(toService, "fallback", `value.name == "also"`))
			for _, team := range []string{
				"global-management", "GLOBAL-MANAGEMENT", "Global-Management", "global-Management", "builtin/global-read-only",
				"namespace-management", "Namespace-Management", "GLOBAL-MANAGEMENT\u200b", "global\u2010management", "global-management ",
			} {
				t.Run(fmt.Sprintf("incident 14: nothing is given for %q in %s", team, where.namespace), func(t *testing.T) {
					_, err := e.tryLogin(method, jwt(t, claims{"team": team}))
					refusal(t, err, 403)
					token, err := e.tryLogin(method, jwt(t, claims{"team": team, "person": claims{"name": "also"}}))
					if err == nil && len(token.Policies) > 0 {
						t.Errorf("got %v", token.Policies)
					}
				})
			}
		}
		t.Run("an operator may name them", func(t *testing.T) {
			method := e.method()
			e.rule(method, binds(toPolicy, "global-management", `value.team == "root"`))
			token := e.login(method, jwt(t, claims{"team": "root"}))
			equal(t, "policies", len(token.Policies), 1)
			equal(t, "policy", token.Policies[0].ID, managementID)
		})
	})
}

// A list that waits is told when a method makes a token, and when that logs out.
func TestBlockingLogins(t *testing.T) {
	eachEngineAlone(t, func(t *testing.T, e *env) {
		method := e.method()
		e.rule(method)
		filter := api.ACLTokenFilterOptions{AuthMethod: method.Name}
		list, before, err := e.TokenListFiltered(filter, nil)
		wantMeta(t, before, err)
		equal(t, "tokens before", len(list), 0)
		var token *api.ACLToken
		for _, change := range []struct {
			name string
			do   func()
			want int
		}{
			{"login", func() { token = e.login(method, jwt(t, nil)) }, 1},
			{"logout", func() {
				_, err := e.as(token.SecretID).Logout(nil)
				must(t, err, "log out")
			}, 0},
			{"another login", func() { token = e.login(method, jwt(t, nil)) }, 1},
			{"the end of the method", func() {
				_, err := e.AuthMethodDelete(method.Name, nil)
				must(t, err, "delete method")
			}, 0},
		} {
			a := &armed{blockingRead: blockingRead{name: change.name}, before: before}
			a.begin(func() (any, *api.QueryMeta, error) { return e.TokenListFiltered(filter, since(t, before.LastIndex)) })
			e.awaitWaiting(t, 1)
			stillWait(t, a)
			change.do()
			t.Run("wakes by "+change.name, func(t *testing.T) {
				o := a.outcome(t)
				wantMeta(t, o.meta, o.err)
				equal(t, "tokens", len(o.answer.([]*api.ACLTokenListEntry)), change.want)
				if o.meta.LastIndex <= before.LastIndex {
					t.Errorf("the index is %d after %d", o.meta.LastIndex, before.LastIndex)
				}
				before = o.meta
			})
		}
	})
}

// communityLogins wants logins without namespaces, and nothing of what only the other edition has.
func communityLogins(t *testing.T, e *env) {
	t.Run("methods, rules and logins carry neither namespace nor partition", func(t *testing.T) {
		method := e.method()
		rule := e.rule(method, binds(toService, "${value.team}", ""))
		equal(t, "namespaces", method.Namespace+rule.Namespace, "")
		equal(t, "partitions", method.Partition+rule.Partition, "")
		token := e.login(method, jwt(t, claims{"team": "web"}))
		same(t, "token", token, loginToken(t, method, token, func(want *api.ACLToken) {
			want.ServiceIdentities = []*api.ACLServiceIdentity{{ServiceName: "web"}}
		}))
		list, _, err := e.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: method.Name}, nil)
		must(t, err, "list")
		same(t, "list", list, []*api.ACLTokenListEntry{entryOf(token)})
		_, err = e.as(token.SecretID).Logout(nil)
		must(t, err, "log out")
	})
	t.Run("there is no type oidc, nor are there its endpoints", func(t *testing.T) {
		const unknown = "Invalid URL path: not a recognized HTTP API endpoint"
		_, _, err := e.AuthMethodCreate(&api.ACLAuthMethod{Name: unique("m"), Type: "oidc", MaxTokenTTL: time.Hour, Config: sparse(openIDConfig().RenderToConfig())}, nil)
		wantRefusal(t, err, 400, "Invalid Auth Method: Type should be one of: [aws-iam jwt kubernetes]")
		_, _, err = e.OIDCAuthURL(&api.ACLOIDCAuthURLParams{AuthMethod: "m", RedirectURI: "http://localhost/"}, nil)
		wantRefusal(t, err, 404, unknown)
		_, _, err = e.OIDCCallback(&api.ACLOIDCCallbackParams{AuthMethod: "m", State: "s", Code: "c"}, nil)
		wantRefusal(t, err, 404, unknown)
	})
	t.Run("namespaces are refused", func(t *testing.T) {
		method := e.method()
		status, body := e.get(t, "/v1/acl/tokens?authmethod="+method.Name+"&authmethod-ns=default")
		equal(t, "status", status, 400)
		equal(t, "text", string(body), `Invalid query parameter: "authmethod-ns" - Namespaces are a Consul Enterprise feature`)
		_, _, err := e.AuthMethodCreate(&api.ACLAuthMethod{Name: unique("m"), Type: "jwt", Config: method.Config, Namespace: "default"}, nil)
		wantRefusal(t, err, 400, `AuthMethod decoding failed: json: unknown field "Namespace" - Namespaces are a Consul Enterprise feature`)
		_, _, err = e.BindingRuleCreate(&api.ACLBindingRule{AuthMethod: method.Name, BindType: toService, BindName: "web", Namespace: "default"}, nil)
		wantRefusal(t, err, 400, `BindingRule decoding failed: json: unknown field "Namespace" - Namespaces are a Consul Enterprise feature`)
		_, _, err = e.AuthMethodCreate(&api.ACLAuthMethod{
			Name: unique("m"), Type: "jwt", Config: method.Config, NamespaceRules: []*api.ACLAuthMethodNamespaceRule{{BindNamespace: "a"}},
		}, nil)
		wantRefusal(t, err, 400, `AuthMethod decoding failed: json: unknown field "NamespaceRules"`)
	})
}
