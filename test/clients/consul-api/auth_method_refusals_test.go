package consulapi

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

func TestAuthMethodRefusals(t *testing.T) {
	keys := providers.Keys
	eachEngine(t, func(t *testing.T, e *env) {
		method := e.method()
		jwtWith := func(change func(*api.OIDCAuthMethodConfig)) *api.ACLAuthMethod {
			config := staticConfig()
			change(config)
			return &api.ACLAuthMethod{Type: "jwt", Config: sparse(config.RenderToConfig())}
		}
		oidcWith := func(change func(*api.OIDCAuthMethodConfig)) *api.ACLAuthMethod {
			config := openIDConfig()
			change(config)
			return &api.ACLAuthMethod{Type: "oidc", MaxTokenTTL: time.Hour, Config: sparse(config.RenderToConfig())}
		}
		kubernetesWith := func(change func(*api.KubernetesAuthMethodConfig)) *api.ACLAuthMethod {
			config := kubernetesConfig()
			change(config)
			return &api.ACLAuthMethod{Type: "kubernetes", Config: sparse(config.RenderToConfig())}
		}
		awsWith := func(key string, value any) *api.ACLAuthMethod {
			config := awsConfig()
			config[key] = value
			return &api.ACLAuthMethod{Type: "aws-iam", Config: config}
		}
		config := sparse(staticConfig().RenderToConfig())
		const one = `exactly one of 'JWTValidationPubKeys', 'JWKSURL', or 'OIDCDiscoveryURL' must be set for type "jwt"`
		for _, test := range []struct {
			name string
			sent *api.ACLAuthMethod
			text string
		}{
			{"no type", &api.ACLAuthMethod{Config: config}, "Invalid Auth Method: Type should be one of: [aws-iam jwt kubernetes oidc]"},
			{"another type", &api.ACLAuthMethod{Type: "ldap", Config: config}, "Invalid Auth Method: Type should be one of: [aws-iam jwt kubernetes oidc]"},
			{"a TTL below a minute", &api.ACLAuthMethod{Type: "jwt", MaxTokenTTL: 59 * time.Second, Config: config}, "MaxTokenTTL 59s cannot be less than 1m0s"},
			{"another locality", &api.ACLAuthMethod{Type: "jwt", TokenLocality: "far", Config: config}, "Invalid Auth Method: TokenLocality should be one of 'local' or 'global'"},
			{"no keys", jwtWith(func(c *api.OIDCAuthMethodConfig) { c.JWTValidationPubKeys = nil }), "Invalid Auth Method: " + one},
			{"two sources of keys", jwtWith(func(c *api.OIDCAuthMethodConfig) { c.JWKSURL = keys.URL + "/keys" }), "Invalid Auth Method: " + one},
			{"a stray authority", jwtWith(func(c *api.OIDCAuthMethodConfig) { c.JWKSCACert = keys.CA }), "Invalid Auth Method: 'JWKSCACert' should not be set unless 'JWKSURL' is set"},
			{"a key of oidc", jwtWith(func(c *api.OIDCAuthMethodConfig) { c.OIDCClientID = "x" }), `Invalid Auth Method: 'OIDCClientID' must not be set for type "jwt"`},
			{"what is no key", jwtWith(func(c *api.OIDCAuthMethodConfig) { c.JWTValidationPubKeys = []string{"x"} }), "Invalid Auth Method: error parsing public key JWTValidationPubKeys[0]: data does not contain any valid RSA, ECDSA, or ED25519 public keys"},
			{"what is no algorithm", jwtWith(func(c *api.OIDCAuthMethodConfig) { c.JWTSupportedAlgs = []string{"none"} }), "Invalid Auth Method: Invalid supported algorithm: none"},
			{"two claims of one name", jwtWith(func(c *api.OIDCAuthMethodConfig) { c.ClaimMappings = map[string]string{"a": "x", "b": "x"} }), `Invalid Auth Method: ClaimMappings contains multiple mappings for key "x"`},
			{"incident 4: discovery without audiences", &api.ACLAuthMethod{Type: "jwt", Config: sparse((&api.OIDCAuthMethodConfig{OIDCDiscoveryURL: keys.URL, OIDCDiscoveryCACert: keys.CA}).RenderToConfig())}, `Invalid Auth Method: 'BoundAudiences' must be set with 'OIDCDiscoveryURL' for type "jwt"`},
			{"an unknown key", &api.ACLAuthMethod{Type: "jwt", Config: map[string]any{"Nonsense": 1}}, "Invalid Auth Method: error decoding config: 1 error(s) decoding:\n\n* '' has invalid keys: Nonsense"},
			{"oidc without a client", oidcWith(func(c *api.OIDCAuthMethodConfig) { c.OIDCClientID = "" }), `Invalid Auth Method: 'OIDCClientID' must be set for type "oidc"`},
			{"oidc without a secret", oidcWith(func(c *api.OIDCAuthMethodConfig) { c.OIDCClientSecret = "" }), `Invalid Auth Method: 'OIDCClientSecret' must be set for type "oidc"`},
			{"oidc without redirect URIs", oidcWith(func(c *api.OIDCAuthMethodConfig) { c.AllowedRedirectURIs = nil }), `Invalid Auth Method: 'AllowedRedirectURIs' must be set for type "oidc"`},
			{"oidc with static keys", oidcWith(func(c *api.OIDCAuthMethodConfig) { c.JWTValidationPubKeys = []string{keys.Static} }), `Invalid Auth Method: 'JWTValidationPubKeys' must not be set for type "oidc"`},
			{"oidc without a TTL", &api.ACLAuthMethod{Type: "oidc", Config: sparse(openIDConfig().RenderToConfig())}, `Invalid Auth Method: MaxTokenTTL must be set for type "oidc"`},
			{"kubernetes without a host", kubernetesWith(func(c *api.KubernetesAuthMethodConfig) { c.Host = "" }), "Invalid Auth Method: Config.Host is required"},
			{"kubernetes without an authority", kubernetesWith(func(c *api.KubernetesAuthMethodConfig) { c.CACert = "" }), "Invalid Auth Method: Config.CACert is required"},
			{"kubernetes without a reviewer", kubernetesWith(func(c *api.KubernetesAuthMethodConfig) { c.ServiceAccountJWT = "" }), "Invalid Auth Method: Config.ServiceAccountJWT is required"},
			{"aws-iam without principals", awsWith("BoundIAMPrincipalARNs", nil), "Invalid Auth Method: BoundIAMPrincipalARNs is required and must have at least 1 entry"},
			{"aws-iam with tags and no details", awsWith("IAMEntityTags", []string{"a"}), "Invalid Auth Method: must set EnableIAMEntityDetails=true to use IAMEntityTags"},
			{"aws-iam with a wildcard and no details", awsWith("BoundIAMPrincipalARNs", []string{"arn:aws:iam::1:role/*"}), "Invalid Auth Method: must set EnableIAMEntityDetails=true to use wildcards in BoundIAMPrincipalARNs"},
		} {
			t.Run("refused: "+test.name, func(t *testing.T) {
				sent := *test.sent
				sent.Name = unique("refused")
				_, _, err := e.AuthMethodCreate(&sent, nil)
				wantRefusal(t, err, 400, test.text)
				_, _, err = e.AuthMethodUpdate(&sent, nil)
				wantRefusal(t, err, 400, test.text)
				missing, _, err := e.AuthMethodRead(sent.Name, nil)
				must(t, err, "read")
				if missing != nil {
					t.Errorf("it was written: %v", missing)
				}
			})
		}
		for name, sent := range map[string]*api.ACLAuthMethod{
			"error checking JWKSURL: ":          {Type: "jwt", Config: sparse((&api.OIDCAuthMethodConfig{JWKSURL: keys.URL + "/nothing", JWKSCACert: keys.CA}).RenderToConfig())},
			"error checking OIDCDiscoveryURL: ": {Type: "jwt", Config: sparse((&api.OIDCAuthMethodConfig{OIDCDiscoveryURL: keys.URL, BoundAudiences: []string{"a"}}).RenderToConfig())},
		} {
			t.Run("what keys come from must answer when it is written: "+name, func(t *testing.T) {
				sent.Name = unique("refused")
				_, _, err := e.AuthMethodCreate(sent, nil)
				wantRefusalLike(t, err, 400, "Invalid Auth Method: "+name)
			})
		}
		for name, text := range map[string]string{
			"a b": "Invalid Auth Method: invalid Name. Only alphanumeric characters, '-' and '_' are allowed", "a.b": "Invalid Auth Method: invalid Name. Only alphanumeric characters, '-' and '_' are allowed",
			strings.Repeat("x", 129): "Invalid Auth Method: invalid Name. Only alphanumeric characters, '-' and '_' are allowed",
		} {
			t.Run("refused: the name "+name[:3], func(t *testing.T) {
				_, _, err := e.AuthMethodCreate(&api.ACLAuthMethod{Name: name, Type: "jwt", Config: config}, nil)
				wantRefusal(t, err, 400, text)
			})
		}
		t.Run("no name: the client refuses it itself, and the server too", func(t *testing.T) {
			_, _, err := e.AuthMethodCreate(&api.ACLAuthMethod{Type: "jwt", Config: config}, nil)
			wantLocal(t, err)
			_, _, err = e.AuthMethodUpdate(&api.ACLAuthMethod{Type: "jwt", Config: config}, nil)
			wantLocal(t, err)
			_, _, err = e.AuthMethodRead("", nil)
			wantLocal(t, err)
			_, err = e.AuthMethodDelete("", nil)
			wantLocal(t, err)
			_, err = e.client.Raw().Write("/v1/acl/auth-method", &api.ACLAuthMethod{Type: "jwt", Config: config}, nil, nil)
			wantRefusal(t, err, 400, "Invalid Auth Method: no Name is set")
		})
		t.Run("another name in the body", func(t *testing.T) {
			_, err := e.client.Raw().Write("/v1/acl/auth-method/"+method.Name, &api.ACLAuthMethod{Name: "another", Type: "jwt", Config: config}, nil, nil)
			wantRefusal(t, err, 400, "AuthMethod Name in URL and payload do not match")
		})
		t.Run("incident 28: another type on update", func(t *testing.T) {
			_, _, err := e.AuthMethodUpdate(&api.ACLAuthMethod{Name: method.Name, Type: "kubernetes", Config: kubernetesConfig().RenderToConfig()}, nil)
			wantRefusal(t, err, 400, "the Type field of an Auth Method is immutable")
		})
		t.Run("rules for namespaces elsewhere than in the namespace default", func(t *testing.T) {
			_, _, err := e.AuthMethodCreate(&api.ACLAuthMethod{
				Name: unique("refused"), Type: "jwt", Config: config, NamespaceRules: []*api.ACLAuthMethodNamespaceRule{{BindNamespace: "rest"}},
			}, e.newPlace().write())
			wantRefusalLike(t, err, 400, "Invalid Auth Method: NamespaceRules are allowed only in the namespace ")
		})
		t.Run("nothing of this has changed anything", func(t *testing.T) {
			read, _, err := e.AuthMethodRead(method.Name, nil)
			must(t, err, "read")
			same(t, "method", read, method)
		})
	})
}
