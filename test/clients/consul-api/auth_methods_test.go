package consulapi

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// writtenMethod is what reads must answer: what was sent, with what the server made of its own.
func writtenMethod(t *testing.T, sent, made *api.ACLAuthMethod) *api.ACLAuthMethod {
	t.Helper()
	want := *sent
	want.Config = asConfig(t, sent.Config)
	want.CreateIndex, want.ModifyIndex = made.CreateIndex, made.ModifyIndex
	if want.Namespace == "" {
		want.Namespace, want.Partition = "default", "default"
	}
	return &want
}

func methodEntry(of *api.ACLAuthMethod) *api.ACLAuthMethodListEntry {
	return &api.ACLAuthMethodListEntry{
		Name: of.Name, Type: of.Type, DisplayName: of.DisplayName, Description: of.Description, MaxTokenTTL: of.MaxTokenTTL,
		TokenLocality: of.TokenLocality, CreateIndex: of.CreateIndex, ModifyIndex: of.ModifyIndex, Namespace: of.Namespace, Partition: of.Partition,
	}
}

func isMethod(of *api.ACLAuthMethod) func(*api.ACLAuthMethodListEntry) bool {
	return func(entry *api.ACLAuthMethodListEntry) bool {
		return entry.Name == of.Name && entry.Namespace == of.Namespace
	}
}

func TestAuthMethods(t *testing.T) {
	keys := providers.Keys
	yes := true
	everything := staticConfig()
	everything.BoundAudiences, everything.BoundIssuer = []string{"tessera", "other"}, "https://issuer.example"
	everything.ExpirationLeeway, everything.NotBeforeLeeway, everything.ClockSkewLeeway = time.Minute, -1, 90*time.Second
	openID := openIDConfig()
	openID.OIDCScopes, openID.OIDCACRValues, openID.OIDCClientUsePKCE = []string{"profile"}, []string{"phr"}, &yes
	openID.OIDCLogoutURL, openID.OIDCPostLogoutRedirectURIs = "https://idp.example/logout", []string{"https://app.example/"}
	openID.JWTSupportedAlgs, openID.VerboseOIDCLogging = []string{"RS256", "ES256"}, true
	withDetails := awsConfig()
	withDetails["EnableIAMEntityDetails"], withDetails["IAMEntityTags"], withDetails["ServerIDHeaderValue"] = true, []string{"team"}, "tessera.example"

	eachEngine(t, func(t *testing.T, e *env) {
		for _, test := range []struct {
			name string
			sent *api.ACLAuthMethod
		}{
			{"jwt with static keys, a name only", &api.ACLAuthMethod{Type: "jwt", Config: map[string]any{"JWTValidationPubKeys": []string{keys.Static}}}},
			{"jwt, every field", &api.ACLAuthMethod{
				Type: "jwt", DisplayName: "People & <machines>", Description: `"some" of them 日本語`, MaxTokenTTL: 90 * time.Minute, TokenLocality: "global",
				Config: everything.RenderToConfig(),
				NamespaceRules: []*api.ACLAuthMethodNamespaceRule{
					{Selector: `value.team == "a"`, BindNamespace: "team-${value.team}"}, {BindNamespace: "rest"},
				},
			}},
			{"jwt with a key set", &api.ACLAuthMethod{Type: "jwt", TokenLocality: "local", Config: (&api.OIDCAuthMethodConfig{JWKSURL: keys.URL + "/keys", JWKSCACert: keys.CA}).RenderToConfig()}},
			{"jwt with discovery", &api.ACLAuthMethod{Type: "jwt", MaxTokenTTL: time.Minute, Config: (&api.OIDCAuthMethodConfig{
				OIDCDiscoveryURL: keys.URL, OIDCDiscoveryCACert: keys.CA, BoundAudiences: []string{"tessera"}, JWTSupportedAlgs: []string{"RS256", "EdDSA"},
			}).RenderToConfig()}},
			{"oidc", &api.ACLAuthMethod{Type: "oidc", MaxTokenTTL: time.Hour, Config: openIDConfig().RenderToConfig()}},
			{"oidc, every field", &api.ACLAuthMethod{Type: "oidc", MaxTokenTTL: 24 * time.Hour, Config: openID.RenderToConfig()}},
			{"kubernetes", &api.ACLAuthMethod{Type: "kubernetes", Config: kubernetesConfig().RenderToConfig()}},
			{"aws-iam", &api.ACLAuthMethod{Type: "aws-iam", Config: awsConfig()}},
			{"aws-iam with details", &api.ACLAuthMethod{Type: "aws-iam", Config: withDetails}},
		} {
			t.Run("reads back deeply equal: "+test.name, func(t *testing.T) {
				sent := *test.sent
				sent.Name = unique("Method_" + sent.Type)
				made, _, err := e.AuthMethodCreate(&sent, nil)
				must(t, err, "create")
				want := writtenMethod(t, &sent, made)
				same(t, "created", made, want)
				for _, spelling := range []string{made.Name, strings.ToUpper(made.Name)} {
					read, meta, err := e.AuthMethodRead(spelling, nil)
					wantMeta(t, meta, err)
					same(t, "read", read, want)
				}
				list, meta, err := e.AuthMethodList(nil)
				wantMeta(t, meta, err)
				same(t, "list entry", find(list, isMethod(made)), methodEntry(want))
				again, _, err := e.AuthMethodUpdate(made, nil)
				must(t, err, "write back what was read")
				want.ModifyIndex = again.ModifyIndex
				same(t, "written back", again, want)
				_, err = e.AuthMethodDelete(strings.ToLower(made.Name), nil)
				must(t, err, "delete")
				gone, meta, err := e.AuthMethodRead(made.Name, nil)
				wantMeta(t, meta, err)
				if gone != nil {
					t.Errorf("after the delete: %v", gone)
				}
				_, err = e.AuthMethodDelete(made.Name, nil)
				wantRefusal(t, err, 404, "Cannot find auth method to delete")
			})
		}
		t.Run("the client's own type reads the configuration of kubernetes", func(t *testing.T) {
			made := e.method(func(m *api.ACLAuthMethod) { m.Type, m.Config = "kubernetes", kubernetesConfig().RenderToConfig() })
			config, err := api.ParseKubernetesAuthMethodConfig(made.Config)
			must(t, err, "parse")
			same(t, "configuration", config, kubernetesConfig())
		})
		t.Run("an update replaces every field, and keeps the type when it says none", func(t *testing.T) {
			made := e.method(func(m *api.ACLAuthMethod) {
				m.DisplayName, m.MaxTokenTTL, m.TokenLocality = "shown", time.Hour, "global"
				m.NamespaceRules = []*api.ACLAuthMethodNamespaceRule{{BindNamespace: "rest"}}
			})
			update := &api.ACLAuthMethod{Name: made.Name, Config: map[string]any{"JWTValidationPubKeys": []string{keys.Static}}}
			changed, _, err := e.AuthMethodUpdate(update, nil)
			must(t, err, "update")
			want := writtenMethod(t, update, changed)
			want.Type, want.CreateIndex = "jwt", made.CreateIndex
			same(t, "updated", changed, want)
			if changed.ModifyIndex <= made.ModifyIndex {
				t.Errorf("the ModifyIndex is %d after %d", changed.ModifyIndex, made.ModifyIndex)
			}
			read, _, err := e.AuthMethodRead(made.Name, nil)
			must(t, err, "read")
			same(t, "read", read, changed)
		})
		t.Run("create and update write one that exists, in any case, and one that does not", func(t *testing.T) {
			made := e.method()
			again, _, err := e.AuthMethodCreate(&api.ACLAuthMethod{Name: strings.ToUpper(made.Name), Description: "again", Config: made.Config}, nil)
			must(t, err, "create again")
			want := *made
			want.Description, want.ModifyIndex = "again", again.ModifyIndex
			same(t, "created again", again, &want)
			fresh, _, err := e.AuthMethodUpdate(&api.ACLAuthMethod{Name: unique("fresh"), Type: "jwt", Config: made.Config}, nil)
			must(t, err, "update of a missing one")
			equal(t, "type", fresh.Type, "jwt")
			equal(t, "index", fresh.CreateIndex, fresh.ModifyIndex)
		})
		t.Run("the list is in order of names, without regard to case", func(t *testing.T) {
			at := e.newPlace()
			for _, name := range []string{"b", "A", "C"} {
				e.method(at.method, func(m *api.ACLAuthMethod) { m.Name = name })
			}
			list, meta, err := e.AuthMethodList(at.read())
			wantMeta(t, meta, err)
			same(t, "names", names(list, func(m *api.ACLAuthMethodListEntry) string { return m.Name }), []string{"A", "b", "C"})
		})
		t.Run("secrets are shown to those who may write, and hidden from those who may read", func(t *testing.T) {
			reader := e.as(e.tokenWith(`acl = "read"`).SecretID)
			for key, sent := range map[string]*api.ACLAuthMethod{
				"OIDCClientSecret":  {Type: "oidc", MaxTokenTTL: time.Hour, Config: sparse(openIDConfig().RenderToConfig())},
				"ServiceAccountJWT": {Type: "kubernetes", Config: kubernetesConfig().RenderToConfig()},
			} {
				made := e.method(func(m *api.ACLAuthMethod) { m.Type, m.MaxTokenTTL, m.Config = sent.Type, sent.MaxTokenTTL, sent.Config })
				want := *made
				want.Config = asConfig(t, made.Config)
				want.Config[key] = "<hidden>"
				read, _, err := reader.AuthMethodRead(made.Name, nil)
				must(t, err, "read")
				same(t, "what a reader sees", read, &want)
				_, _, err = e.AuthMethodUpdate(read, nil)
				wantRefusal(t, err, 400, `Invalid Auth Method: Config.`+key+` is "<hidden>", the placeholder of a secret. Send the secret`)
			}
		})
	})
}
