package consulapi

import (
	"testing"

	"github.com/hashicorp/consul/api"
)

// A proof is what a type of auth method takes, and what that must come to.
type proof struct {
	name     string
	method   *api.ACLAuthMethod
	bearer   string
	selector string
	bindName string
	want     string
	// refused is a bearer token that proves nothing, and the beginning of the words.
	refused, text string
}

func proofs(t *testing.T) []proof {
	t.Helper()
	keys := providers.Keys
	served := &api.OIDCAuthMethodConfig{JWKSURL: keys.URL + "/keys", JWKSCACert: keys.CA, BoundIssuer: "issuer", ClaimMappings: map[string]string{"team": "team"}}
	discovered := &api.OIDCAuthMethodConfig{
		OIDCDiscoveryURL: keys.URL, OIDCDiscoveryCACert: keys.CA, BoundAudiences: []string{"tessera"}, ClaimMappings: map[string]string{"team": "team"},
	}
	detailed := awsConfig()
	detailed["EnableIAMEntityDetails"], detailed["IAMEntityTags"] = true, []string{"team"}
	detailed["BoundIAMPrincipalARNs"] = []string{"arn:aws:iam::111122223333:user/some/*", "arn:aws:iam::111122223333:role/some/path/builder"}
	aws := func(identity string, withEntity bool) string {
		token := doing[bearer](t, "aws", map[string]any{"Identity": identity, "WithEntity": withEntity}).Token
		remember(token)
		return token
	}
	pod := func(namespace, name string, annotations map[string]string) string {
		token := doing[bearer](t, "pod", map[string]any{"Namespace": namespace, "Name": name, "Annotations": annotations}).Token
		remember(token)
		return token
	}
	space := unique("shop")
	return []proof{
		{
			"a key set", &api.ACLAuthMethod{Type: "jwt", Config: sparse(served.RenderToConfig())}, signed(t, "served", claims{"iss": "issuer", "team": "a"}),
			`value.team == "a"`, "${value.team}", "a", signed(t, "served", claims{"iss": "another", "team": "a"}), "error validating claims: ",
		},
		{
			"discovery", &api.ACLAuthMethod{Type: "jwt", Config: sparse(discovered.RenderToConfig())},
			signed(t, "served", claims{"iss": keys.URL, "aud": "tessera", "team": "a"}), `value.team == "a"`, "${value.team}", "a",
			signed(t, "served", claims{"iss": keys.URL, "aud": "others", "team": "a"}), "error validating claims: aud claim does not match any bound audience",
		},
		{
			"a service account", &api.ACLAuthMethod{Type: "kubernetes", Config: kubernetesConfig().RenderToConfig()},
			pod(space, "web", nil), `serviceaccount.namespace == "` + space + `" and serviceaccount.uid != ""`,
			"${serviceaccount.name}-of-${serviceaccount.namespace}", "web-of-" + space, jwt(t, nil), "lookup failed: ",
		},
		{
			"a service account with an annotation", &api.ACLAuthMethod{Type: "kubernetes", Config: kubernetesConfig().RenderToConfig()},
			pod(space, "annotated", map[string]string{"consul.hashicorp.com/service-name": "shown"}), `serviceaccount.name == "shown"`,
			"${serviceaccount.name}", "shown", "no JWT", "failed to parse and validate JWT: ",
		},
		{
			"a role of AWS", &api.ACLAuthMethod{Type: "aws-iam", Config: awsConfig()}, aws("role", false),
			`entity_name == "builder" and account_id == "111122223333"`, "aws-${entity_name}", "aws-builder", "{}", "",
		},
		{
			"a user of AWS, with details", &api.ACLAuthMethod{Type: "aws-iam", Config: detailed}, aws("user", true),
			`entity_path == "/some/path/"`, "aws-${entity_name}", "aws-ops", aws("user", false), "",
		},
		{
			"tags of a role of AWS", &api.ACLAuthMethod{Type: "aws-iam", Config: detailed}, aws("role", true),
			`entity_tags.team == "web"`, "aws-${entity_tags.team}", "aws-web", aws("role", false), "",
		},
	}
}

func TestLoginOfEveryType(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		for _, test := range proofs(t) {
			t.Run("an identity is given what rules say of it: "+test.name, func(t *testing.T) {
				method := e.method(func(m *api.ACLAuthMethod) { m.Type, m.Config = test.method.Type, test.method.Config })
				e.rule(method, binds(toService, test.bindName, test.selector))
				e.rule(method, binds(toNode, "never", "not ("+test.selector+")"))
				token := e.login(method, test.bearer)
				same(t, "token", token, loginToken(t, method, token, func(want *api.ACLToken) {
					want.ServiceIdentities = []*api.ACLServiceIdentity{{ServiceName: test.want}}
				}))
				_, err := e.tryLogin(method, test.refused)
				if body, ok := refusal(t, err, 403); ok && (body == "" || len(body) < len(test.text) || body[:len(test.text)] != test.text) {
					t.Errorf("want a refusal that begins with %q, got %q", test.text, body)
				}
			})
		}
	})
}

// What cannot be asked proves nothing, and says so in other words than a wrong proof.
func TestLoginWithoutItsProvider(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		config := kubernetesConfig()
		config.Host = "https://127.0.0.1:1"
		method := e.method(func(m *api.ACLAuthMethod) { m.Type, m.Config = "kubernetes", config.RenderToConfig() })
		e.rule(method)
		_, err := e.tryLogin(method, jwt(t, nil))
		refusal(t, err, 503)
	})
}

func TestLogout(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *env) {
		method := e.method()
		e.rule(method)
		t.Run("a token is gone once it has logged out", func(t *testing.T) {
			token, other := e.login(method, jwt(t, nil)), e.login(method, jwt(t, nil))
			_, err := e.as(token.SecretID).Logout(nil)
			must(t, err, "log out")
			_, _, err = e.as(token.SecretID).TokenReadSelf(nil)
			wantRefusal(t, err, 403, "ACL not found")
			_, err = e.as(token.SecretID).Logout(nil)
			wantRefusal(t, err, 403, "ACL not found")
			_, _, err = e.as(other.SecretID).TokenReadSelf(nil)
			must(t, err, "another token of the method")
			_, err = e.Logout(&api.WriteOptions{Token: other.SecretID})
			must(t, err, "log out by the options")
		})
		t.Run("no other token can", func(t *testing.T) {
			for _, secret := range []string{e.token().SecretID, e.srv.token, "anonymous"} {
				_, err := e.as(secret).Logout(nil)
				wantRefusal(t, err, 403, "Permission denied: token wasn't created via login")
			}
			_, err := e.as("").Logout(nil)
			wantRefusal(t, err, 401, "Supplied token does not exist")
			_, err = e.as(newUUID()).Logout(nil)
			wantRefusal(t, err, 403, "ACL not found")
		})
		t.Run("a login token may be changed but for what the login made of it, and not be cloned", func(t *testing.T) {
			method := e.method(func(m *api.ACLAuthMethod) { m.MaxTokenTTL = 3600e9 })
			e.rule(method)
			token := e.login(method, jwt(t, nil))
			policy := e.policy()
			update := *token
			update.Description, update.Policies = "changed", []*api.ACLLink{linkTo(policy)}
			changed, _, err := e.TokenUpdate(&update, nil)
			must(t, err, "update")
			update.Hash, update.ModifyIndex = changed.Hash, changed.ModifyIndex
			same(t, "changed", changed, &update)
			another := *changed
			another.AuthMethod = "another"
			_, _, err = e.TokenUpdate(&another, nil)
			wantRefusal(t, err, 400, "Cannot change AuthMethod of "+token.AccessorID)
			_, _, err = e.TokenClone(token.AccessorID, "", nil)
			wantRefusal(t, err, 400, "Cannot clone a token created from an auth method")
			_, err = e.TokenDelete(token.AccessorID, nil)
			must(t, err, "delete")
			_, _, err = e.TokenCreate(&api.ACLToken{AuthMethod: method.Name}, nil)
			wantRefusal(t, err, 400, "AuthMethod field is disallowed outside of login")
		})
		t.Run("a method takes its tokens along", func(t *testing.T) {
			gone, kept := e.method(), e.method()
			e.rule(gone)
			e.rule(kept)
			token, other := e.login(gone, jwt(t, nil)), e.login(kept, jwt(t, nil))
			_, err := e.AuthMethodDelete(gone.Name, nil)
			must(t, err, "delete method")
			_, _, err = e.as(token.SecretID).TokenReadSelf(nil)
			wantRefusal(t, err, 403, "ACL not found")
			_, _, err = e.TokenRead(token.AccessorID, nil)
			wantRefusal(t, err, 404, "token does not exist: ACL not found")
			list, _, err := e.TokenListFiltered(api.ACLTokenFilterOptions{AuthMethod: gone.Name}, nil)
			must(t, err, "list")
			same(t, "its tokens", list, []*api.ACLTokenListEntry{})
			self, _, err := e.as(other.SecretID).TokenReadSelf(nil)
			must(t, err, "self")
			same(t, "a token of another method", self, other)
			_, err = e.tryLogin(gone, jwt(t, nil))
			wantRefusal(t, err, 403, deniedLike(gone.Name))
		})
	})
}
